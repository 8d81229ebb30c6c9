"""RELAX NG in compact syntax as a grammar in XML syntax, with its annotations (Schematron, documentation).

Written after the specification (OASIS, 21 November 2002); names in comments are those of its grammar. An annotation
becomes an attribute or element in the place where the XML syntax has it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lxml import etree

from jiaokan.errors import Message
from jiaokan.relaxng.cursor import Cursor, Nodes, make_element
from jiaokan.relaxng.names import INHERIT, RNG
from jiaokan.relaxng.tokens import Token
from jiaokan.relaxng.trees import Element

_ASSIGN = {"=": "", "|=": "choice", "&=": "interleave"}
_JOINED = {",": "group", "|": "choice", "&": "interleave"}
_REPEATED = {"?": "optional", "*": "zeroOrMore", "+": "oneOrMore"}
_BRACED = frozenset({"list", "mixed"})
_LEAVES = frozenset({"empty", "text", "notAllowed"})


def from_compact(data: bytes, path: Path) -> Element:
    """Return a grammar in XML syntax; raises TeiError with line and column if it is not compact syntax."""
    parser = _Parser(data, str(path))
    try:
        return parser.read_schema()
    except RecursionError:
        raise parser.refuse(Message("nested-too-deeply")) from None


class _Parser(Cursor):
    """A recursive descent: each method reads one rule of the specification's grammar."""

    def _make(
        self, tag: str, children: Nodes | None = None, at: Token | None = None, **attributes: str | None
    ) -> Element:
        written = {name: value for name, value in attributes.items() if value is not None}
        element = make_element(f"{{{RNG}}}{tag}", (at or self._token).line, written, {None: RNG})
        element.extend(children or ())
        return element

    # topLevel

    def read_schema(self) -> Element:
        """Return the outermost element."""
        while self._is("namespace", "datatypes", "default"):
            self._declaration()
        root = self._grammar(ends="") if self._begins_grammar() else self._only_pattern()
        if self._token.kind != "end":
            raise self.refuse(Message("token-unexpected", token=self._shown()))
        if self._declared.default != INHERIT and root.get("ns") is None:
            root.set("ns", self._declared.default)
        return root

    def _only_pattern(self) -> Element:
        root, *following = self._pattern()
        if following:
            raise self.refuse(Message("annotation-element", name=etree.QName(following[0]).localname))
        return root

    def _begins_grammar(self) -> bool:
        begin = self._at
        while self._token.kind == "documentation" or self._is("["):
            self._skip_annotation()
        token, following, self._at = self._token, self._ahead(), begin
        if token.kind == "end" or (token.kind == "keyword" and token.text in ("start", "div", "include")):
            return True
        assigned = token.kind == "name" and following.text in _ASSIGN
        annotated = token.kind in ("name", "qualified") and following.text == "["
        return following.kind == "sign" and (assigned or annotated)

    def _declaration(self) -> None:
        token, kind = self._token, self._next().text
        if kind == "datatypes":
            prefix = self._identifier()
            self._expect("=")
            self._declared.add_datatypes(prefix, self._literal(), token)
            return
        default = kind == "default"
        if default:
            self._expect("namespace")
        prefix = "" if default and self._is("=") else self._identifier()
        self._expect("=")
        uri = INHERIT if self._take("inherit") else self._literal()
        self._declared.add_namespace(prefix, uri, token, default=default)

    # grammarContent

    def _grammar(self, ends: str) -> Element:
        grammar = self._make("grammar")
        while not (self._is(ends) if ends else self._token.kind == "end"):
            self._member(grammar, included=False)
        return grammar

    def _member(self, holder: Element, *, included: bool) -> None:
        annotations, token = self._annotations(), self._token
        if token.kind in ("name", "qualified") and self._ahead().text == "[" and self._ahead().kind == "sign":
            holder.extend(annotations.elements)
            holder.append(self._annotation_element())
            return
        if self._take("div"):
            member = self._make("div", at=token)
            self._expect("{")
            self._members(member, included=included)
        elif self._is("include") and not included:
            self._next()
            member = self._reference("include", token)
            if self._take("{"):
                self._members(member, included=True)
        else:
            member = self._definition(token)
        annotations.put_into(member)
        holder.append(member)

    def _members(self, holder: Element, *, included: bool) -> None:
        while not self._take("}"):
            if self._token.kind == "end":
                raise self.refuse(Message("token-expected", expected="}", token=self._shown()))
            self._member(holder, included=included)

    def _definition(self, token: Token) -> Element:
        if self._take("start"):
            member = self._make("start", at=token)
        else:
            member = self._make("define", at=token, name=self._identifier("name"))
        if not self._is(*_ASSIGN):
            raise self.refuse(Message("token-expected", expected="=", token=self._shown()))
        if combine := _ASSIGN[self._next().text]:
            member.set("combine", combine)
        member.extend(self._pattern())
        return member

    def _reference(self, tag: str, token: Token) -> Element:
        node = self._make(tag, at=token, href=self._literal())
        namespace = self._declared.default
        if self._take("inherit"):
            self._expect("=")
            namespace = self._declared.namespace(self._identifier(), token)
        if namespace != INHERIT:
            node.set("ns", namespace)
        return node

    # pattern

    def _pattern(self) -> Nodes:
        return self._joined(self._particle, _JOINED)

    def _joined(self, read: Callable[[], Nodes], signs: dict[str, str]) -> Nodes:
        token, nodes = self._token, read()
        if not self._is(*signs):
            return nodes
        sign = self._token.text
        while self._take(sign):
            nodes += read()
        if self._is(*signs):
            raise self.refuse(Message("signs-mixed", sign=sign, sign2=self._token.text))
        return [self._make(signs[sign], nodes, token)]

    def _particle(self) -> Nodes:
        token, nodes = self._token, self._primary()
        nodes += self._following()
        if self._is(*_REPEATED):
            nodes = [self._make(_REPEATED[self._next().text], nodes, token), *self._following()]
        return nodes

    def _primary(self) -> Nodes:
        annotations, token = self._annotations(), self._token
        if self._take("("):
            nodes = self._pattern()
            self._expect(")")
        else:
            nodes = [self._leaf(token)]
        annotations.put_into(nodes[0])
        return nodes

    def _leaf(self, token: Token) -> Element:
        if self._is("string", "token") or token.kind in ("qualified", "literal"):
            return self._datatype(token)
        if token.kind == "name":
            return self._make("ref", name=self._next().text, at=token)
        if token.kind != "keyword":
            raise self.refuse(Message("token-expected", expected=Message("a-pattern"), token=self._shown()))
        match self._next().text:
            case "element" | "attribute" as tag:
                return self._named(tag, token)
            case word if word in _BRACED:
                return self._make(word, self._braced(), token)
            case word if word in _LEAVES:
                return self._make(word, at=token)
            case "parent":
                return self._make("parentRef", name=self._identifier("name"), at=token)
            case "external":
                return self._reference("externalRef", token)
            case "grammar":
                self._expect("{")
                grammar = self._grammar(ends="}")
                self._expect("}")
                return grammar
        raise self.refuse(Message("token-expected", expected=Message("a-pattern"), token=token.text), token)

    def _braced(self) -> Nodes:
        self._expect("{")
        nodes = self._pattern()
        self._expect("}")
        return nodes

    def _named(self, tag: str, token: Token) -> Element:
        names = self._names(attribute=tag == "attribute")
        return self._make(tag, [*names, *self._braced()], token)

    def _datatype(self, token: Token) -> Element:
        library, kind = "", ""
        if token.kind == "qualified":
            prefix, _, kind = self._next().text.partition(":")
            library = self._declared.library(prefix, token)
        elif token.kind == "keyword":
            kind = self._next().text
        if self._token.kind == "literal":
            value = self._make("value", at=token, type=kind or None, datatypeLibrary=library if kind else None)
            value.text = self._literal()
            if self._declared.default != INHERIT:
                value.set("ns", self._declared.default)
            return value
        data = self._make("data", at=token, type=kind, datatypeLibrary=library)
        if self._take("{"):
            while not self._take("}"):
                data.append(self._parameter())
        if self._take("-"):
            data.append(self._make("except", self._primary()))
            self._refuse_signs(*_JOINED, *_REPEATED, "-")
        return data

    def _refuse_signs(self, *signs: str) -> None:
        """Raise TeiError if a sign follows an exception, which needs parentheses then."""
        if self._is(*signs):
            raise self.refuse(Message("signs-mixed", sign="-", sign2=self._token.text))

    def _parameter(self) -> Element:
        annotations, token = self._annotations(), self._token
        parameter = self._make("param", at=token, name=self._identifier())
        self._expect("=")
        parameter.text = self._literal()
        annotations.put_into(parameter)
        return parameter

    # nameClass

    def _names(self, *, attribute: bool) -> Nodes:
        def read() -> Nodes:
            nodes = self._name_class(attribute=attribute)
            return nodes + self._following()

        return self._joined(read, {"|": "choice"})

    def _name_class(self, *, attribute: bool) -> Nodes:
        annotations, token = self._annotations(), self._token
        if self._take("("):
            nodes = self._names(attribute=attribute)
            self._expect(")")
        else:
            nodes = [self._name_leaf(token, attribute=attribute)]
        annotations.put_into(nodes[0])
        return nodes

    def _name_leaf(self, token: Token, *, attribute: bool) -> Element:
        if token.kind in ("name", "keyword", "qualified"):
            prefix, colon, name = self._next().text.rpartition(":")
            namespace = self._declared.namespace(prefix, token) if colon else "" if attribute else INHERIT
            if not colon and not attribute:
                namespace = self._declared.default
            node = self._make("name", at=token, ns=None if namespace == INHERIT else namespace)
            node.text = name
            return node
        if token.kind == "wildcard":
            namespace = self._declared.namespace(self._next().text[:-2], token)
            node = self._make("nsName", at=token, ns=None if namespace == INHERIT else namespace)
        elif self._take("*"):
            node = self._make("anyName", at=token)
        else:
            raise self.refuse(Message("token-expected", expected=Message("a-name"), token=self._shown()))
        if self._take("-"):
            node.append(self._make("except", self._name_class(attribute=attribute)))
            self._refuse_signs("|", "-")
        return node
