"""Reading the tokens of a grammar in compact syntax: what comes next, and the annotations of any rule."""

from __future__ import annotations

from typing import Any

from lxml import etree

from jiaokan.errors import Message, TeiError
from jiaokan.relaxng.names import COMPATIBILITY, RNG, Declarations
from jiaokan.relaxng.tokens import Token, refuse, split_tokens
from jiaokan.relaxng.trees import Element, add_words

_RESERVED = (f"{{{RNG}}}", "{http://www.w3.org/2000/xmlns}")
_MOST_LINES = 2**16 - 1  # libxml2 counts no further

Nodes = list[Element]
"""An element of the XML syntax, and the annotations that follow it there."""


class Annotations:
    """Annotations before a pattern, a name class or a member of a grammar."""

    def __init__(self) -> None:
        self.attributes: dict[str, str] = {}
        self.elements: Nodes = []

    def put_into(self, element: Element) -> None:
        """Add them to the element that they are about."""
        for name, value in self.attributes.items():
            element.set(name, value)
        if element.tag in (f"{{{RNG}}}{tag}" for tag in ("value", "param", "name")):
            return  # elements inside would end its text; there only documentation is usual
        for at, node in enumerate(self.elements):
            element.insert(at, node)


class Cursor:
    """The place in a grammar to which it is read."""

    def __init__(self, data: bytes, name: str) -> None:
        self._name, self._tokens, self._at = name, split_tokens(data, name), 0
        self._declared = Declarations(self.refuse)

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _ahead(self, count: int = 1) -> Token:
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def _next(self) -> Token:
        token = self._token
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _is(self, *texts: str) -> bool:
        return self._token.kind in ("sign", "keyword") and self._token.text in texts

    def _take(self, *texts: str) -> bool:
        return self._is(*texts) and bool(self._next())

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise self.refuse(Message("token-expected", expected=text, token=self._shown()))

    def refuse(self, reason: Message, token: Token | None = None) -> TeiError:
        """Return the error for the token that comes next, or for this one."""
        at = token or self._token
        return refuse(self._name, at.line, at.column, reason)

    def _shown(self) -> str:
        return self._token.text.split("\n")[0][:30] or Message("end-of-file")

    def _literal(self) -> str:
        words = ""
        while True:
            if self._token.kind != "literal":
                raise self.refuse(Message("token-expected", expected='"…"', token=self._shown()))
            words += self._next().text
            if not self._take("~"):
                return words

    def _identifier(self, *kinds: str) -> str:
        if self._token.kind not in (kinds or ("name", "keyword")):
            raise self.refuse(Message("token-expected", expected=Message("a-name"), token=self._shown()))
        return self._next().text

    def _annotations(self) -> Annotations:
        annotations = Annotations()
        while self._token.kind == "documentation":
            documentation = etree.Element(f"{{{COMPATIBILITY}}}documentation", nsmap={"a": COMPATIBILITY})
            documentation.text = self._next().text
            annotations.elements.append(documentation)
        if self._take("["):
            self._attributes(annotations.attributes, leading=True)
            while not self._take("]"):
                annotations.elements.append(self._annotation_element())
        return annotations

    def _attributes(self, attributes: dict[str, str], *, leading: bool) -> None:
        while self._token.kind in ("name", "keyword", "qualified") and self._ahead().text == "=":
            token = self._token
            name = self._declared.qualify(self._next().text, token)
            self._expect("=")
            plain = not name.startswith("{")
            if name in attributes or name == "xmlns" or (leading and (plain or name.startswith(_RESERVED))):
                raise self.refuse(Message("annotation-attribute", name=token.text), token)
            attributes[name] = self._literal()

    def _annotation_element(self, *, inside: bool = False) -> Element:
        token = self._token
        name = self._declared.qualify(self._identifier("name", "keyword", "qualified"), token)
        if name.startswith(f"{{{RNG}}}") and not inside:
            raise self.refuse(Message("annotation-element", name=token.text), token)
        attributes = dict[str, str]()
        self._expect("[")
        self._attributes(attributes, leading=False)
        element = make_element(name, token.line, attributes, self._declared.prefixes())
        while not self._take("]"):
            if self._token.kind == "literal":
                add_words(element, self._literal())
            else:
                element.append(self._annotation_element(inside=True))
        return element

    def _following(self) -> Nodes:
        nodes = Nodes()
        while self._take(">>"):
            nodes.append(self._annotation_element())
        return nodes

    def _skip_annotation(self) -> None:
        depth = 0
        while self._token.kind != "end":
            depth += self._is("[") - self._is("]")
            self._next()
            if not depth:
                return


def make_element(name: str, line: int, attributes: dict[str, str], prefixes: dict[Any, str]) -> Element:
    """Return a new element that knows the line of its token."""
    element = etree.Element(name, attributes, nsmap=prefixes)
    setattr(element, "sourceline", min(line, _MOST_LINES))  # noqa: B010 (the stubs do not let it be set)
    return element
