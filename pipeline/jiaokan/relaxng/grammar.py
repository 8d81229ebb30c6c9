"""RELAX NG grammars compiled to patterns: elements, definitions, name classes and datatypes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from jiaokan.errors import Message, Place, TeiError
from jiaokan.relaxng.datatypes import GrammarError, datatype, same
from jiaokan.relaxng.names import RNG
from jiaokan.relaxng.patterns import ContentPattern, Names, Patterns
from jiaokan.relaxng.trees import Element, load_file

_MOST_FILES = 1000  # more that include each other are a cycle
Load = Callable[[Path], Element]
"""Returns the outermost element of a file that a grammar includes."""


class Grammar(Patterns):
    """A grammar compiled; raises GrammarError if it is invalid, TeiError for a file that cannot be included.

    `path` is its file, beside which `load` reads those that it includes.
    """

    def __init__(self, root: Element, path: Path, load: Load = load_file) -> None:
        super().__init__()
        self._load_file = load
        self._paths = {root: path}  # the outermost elements of the grammar and of what it includes, with their files
        self.contents: dict[ContentPattern, ContentPattern] = {}
        """For each element the pattern of its attributes and content."""
        self._todo: list[tuple[ContentPattern, Element, _Scope]] = []
        self._defined: dict[tuple[_Scope, str], ContentPattern | None] = {}
        self.elements: dict[str, list[ContentPattern]] = {}
        self.start = self._pattern(root, _Scope(None))
        while self._todo:
            element, node, scope = self._todo.pop()
            inner = [child for child in node if _tag(child)]
            self.contents[element] = self._all(inner if node.get("name") is not None else inner[1:], scope)

    def _all(self, nodes: Iterable[Element], scope: _Scope) -> ContentPattern:
        return self.join("group", [self._pattern(node, scope) for node in nodes])

    def _pattern(self, node: Element, scope: _Scope) -> ContentPattern:
        name = node.get("name", "").strip()
        match _tag(node):
            case "empty" | "notAllowed" | "text" as kind:
                return self.one(kind)
            case "element":
                return self._element(node, scope)
            case "attribute":
                inner = [child for child in node if _tag(child)][0 if "name" in node.attrib else 1:]
                value = self._all(inner, scope) if inner else self.text
                return self.none if value is self.none else self.one("attribute", _names(node, attribute=True), value)
            case "ref":
                return self._define(name, scope)
            case "parentRef" if scope.parent:
                return self._define(name, scope.parent)
            case "externalRef":
                return self._pattern(self._other(node), scope)
            case "grammar":
                inside = _Scope(scope)
                self._load(node, inside, frozenset())
                return self._define("", inside)
            case "value":
                text, library = node.text or "", _inherit_attribute(node, "datatypeLibrary")
                check = same(text, library if "type" in node.attrib else "", node.get("type", "token").strip())
                return self.one("value", check, " ".join(text.split()))
            case "data":
                return self._data(node, scope)
        return self._compound(node, scope)

    def _compound(self, node: Element, scope: _Scope) -> ContentPattern:
        inner = [self._pattern(child, scope) for child in node if _tag(child)]
        if _tag(node) == "choice":
            return self.choice(inner)
        if _tag(node) == "interleave":
            return self.join("interleave", inner)
        whole = self.join("group", inner)
        match _tag(node):
            case "group" | "div" | "start" | "define":
                return whole
            case "mixed":
                return self.join("interleave", (self.text, whole))
            case "optional":
                return self.choice((whole, self.empty))
            case "oneOrMore":
                return self.more(whole)
            case "zeroOrMore":
                return self.choice((self.more(whole), self.empty))
            case "list":
                return self.one("list", whole)
        raise GrammarError(Message("line-not-pattern", sourceline=node.sourceline, tag=node.tag))

    def _element(self, node: Element, scope: _Scope) -> ContentPattern:
        names = _names(node)
        pattern = self.one("element", names, node)
        if pattern not in self.contents:
            self.contents[pattern] = self.none
            self._todo.append((pattern, node, scope))
            for name in names[0]:
                self.elements.setdefault(name, []).append(pattern)
        return pattern

    def _define(self, name: str, scope: _Scope) -> ContentPattern:
        if (scope, name) not in self._defined:
            if name not in scope.defines:
                raise GrammarError(Message("ref-name-refers-nothing", name=name) if name else Message("start-missing"))
            self._defined[scope, name] = None
            nodes = scope.defines[name]
            bodies = [self._compound(body, scope) for body in nodes]
            interleaved = any(body.get("combine") == "interleave" for body in nodes)
            self._defined[scope, name] = self.join("interleave", bodies) if interleaved else self.choice(bodies)
        pattern = self._defined[scope, name]
        if pattern is None:
            raise GrammarError(Message("define-name-contains-itself", name=name))
        return pattern

    def _load(self, holder: Element, scope: _Scope, replaced: frozenset[str]) -> None:
        for child in holder:
            match _tag(child):
                case "div":
                    self._load(child, scope, replaced)
                case "start" | "define":
                    name = child.get("name", "").strip()
                    if name not in replaced:
                        scope.defines.setdefault(name, []).append(child)
                case "include":
                    redefined = {inner.get("name", "").strip()
                                 for inner in child.iter(f"{{{RNG}}}start", f"{{{RNG}}}define")}
                    self._load(self._other(child), scope, replaced | redefined)
                    self._load(child, scope, replaced)

    def _other(self, node: Element) -> Element:
        """Return the outermost element of an included file; raises TeiError if it is none here, or includes itself."""
        path, beside = self._paths[node.getroottree().getroot()], _file_name(node.get("href", ""))
        if beside is None:
            line: Any = node.sourceline  # the stubs do not type it
            raise TeiError(Message("the-schema-includes-no-file", node=node.get("href")),
                           place=Place(str(path), line or 0), mend=Message("put-copy-beside-name"))
        where = path.parent / beside
        if len(self._paths) > _MOST_FILES:
            raise GrammarError(Message("files-include-other"))
        root = self._load_file(where)
        if node.get("ns") is not None and root.get("ns") is None:
            root.set("ns", node.get("ns", ""))
        self._paths[root] = where
        return root

    def _data(self, node: Element, scope: _Scope) -> ContentPattern:
        parameters = tuple((parameter.get("name", ""), parameter.text or "")
                           for parameter in node.iterchildren(f"{{{RNG}}}param"))
        name = node.get("type", "").strip()
        check = datatype(_inherit_attribute(node, "datatypeLibrary"), name, parameters)
        refused = [self.choice(self._pattern(inner, scope) for inner in exception if _tag(inner))
                   for exception in node.iterchildren(f"{{{RNG}}}except")]
        if refused:
            whole = check
            def check(text: str) -> bool:
                return whole(text) and not self.matches(refused[0], text)

        return self.one("data", check, name, parameters)


class _Scope:
    def __init__(self, parent: _Scope | None) -> None:
        self.parent = parent
        self.defines: dict[str, list[Element]] = {}


def _file_name(href: str) -> str | None:
    """Return the relative path of an address; None if it names no file, as ``https://…`` and ``http://[``."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    path = unquote(parts.path)
    return None if parts.scheme or parts.netloc or "\0" in path else path


def _tag(node: Element) -> str:
    name = node.tag if isinstance(node.tag, str) else ""
    return name.removeprefix(f"{{{RNG}}}") if name.startswith(f"{{{RNG}}}") else ""


def _inherit_attribute(node: Element, name: str) -> str:
    around = (ancestor.get(name) for ancestor in (node, *node.iterancestors()))
    return next((value for value in around if value is not None), "")


def _names(node: Element, *, attribute: bool = False) -> Names:
    name = node.get("name")
    if name is not None:
        return frozenset([_qualify_name(node, name, "" if attribute and node.get("ns") is None else None)]), None
    first = next((child for child in node if _tag(child)), None)
    if first is None:
        raise GrammarError(Message("line-no-name", sourceline=node.sourceline, tag=_tag(node)))
    return _name_class(first)


def _qualify_name(node: Element, name: str, namespace: str | None = None) -> str:
    prefix, colon, local = name.strip().rpartition(":")
    if colon and prefix != "xml" and prefix not in node.nsmap:
        raise GrammarError(Message("line-prefix-not-declared", sourceline=node.sourceline, prefix=prefix))
    if colon:
        uri = node.nsmap.get(prefix, "http://www.w3.org/XML/1998/namespace")
    else:
        uri = _inherit_attribute(node, "ns") if namespace is None else namespace
    return f"{{{uri}}}{local}" if uri else local


def _name_class(node: Element) -> Names:
    if _tag(node) == "name":
        return frozenset([_qualify_name(node, node.text or "")]), None
    inner = [_name_class(child) for child in node if _tag(child) and _tag(child) != "except"]
    if _tag(node) == "choice":
        single = frozenset(name for names, _ in inner for name in names)
        others = [other for _, other in inner if other is not None]
        return single, (lambda name: any(other(name) for other in others)) if others else None
    if _tag(node) not in ("anyName", "nsName"):
        raise GrammarError(Message("line-no-name", sourceline=node.sourceline, tag=_tag(node)))
    _check_exception(node)
    refused = [_name_class(child) for outer in node.iterchildren(f"{{{RNG}}}except") for child in outer if _tag(child)]
    start = f"{{{_inherit_attribute(node, 'ns')}}}" if _tag(node) == "nsName" else ""

    def matches(name: str) -> bool:
        inside = name.startswith("{") is False if start == "{}" else name.startswith(start)
        return inside and not any(name in names or (other and other(name)) for names, other in refused)

    return frozenset(), matches


def _check_exception(node: Element) -> None:
    """Raise GrammarError if the exception of a name class has one that it must not (RELAX NG, section 4.16)."""
    forbidden = (f"{{{RNG}}}anyName", *([f"{{{RNG}}}nsName"] if _tag(node) == "nsName" else []))
    if any(next(outer.iter(*forbidden), None) is not None for outer in node.iterchildren(f"{{{RNG}}}except")):
        raise GrammarError(Message("except-has-wildcard", sourceline=node.sourceline))
