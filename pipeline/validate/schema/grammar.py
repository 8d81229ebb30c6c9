"""RELAX NG grammars as patterns with derivatives (J. Clark, "An algorithm for RELAX NG validation", 2002).

Equal patterns are one object, which keeps its derivatives: reading on, a document finds nearly all of them computed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import xmlschema
from elementpath.regex import RegexError, translate_pattern

from pipeline.errors import TeiError
from pipeline.model.pointers import address
from pipeline.system.listing import read
from pipeline.tei.tree import Element, parse, place

RNG = "http://relaxng.org/ns/structure/1.0"
_XSD = "http://www.w3.org/2001/XMLSchema-datatypes"
_KEPT = 10_000
"""Values of attributes whose verdict a pattern keeps: most repeat, and ids, which do not, are forgotten."""
_URI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:(?!\Z)|(?![^/?#]*:))(?:[^%#]|%[0-9A-Fa-f]{2})*"
                  r"(?:#(?:[^%#]|%[0-9A-Fa-f]{2})*)?", re.S)
"""A valid scheme and something after it, or no colon before / ? #; complete escapes; one #."""
_USUAL = {"anyURI": _URI, **dict.fromkeys(("string", "token"), re.compile("(?s:.*)")),
          **dict.fromkeys(("ID", "NCName", "Name"), re.compile("[A-Za-z_][A-Za-z0-9_.-]*"))}
"""What most values look like: xmlschema judges the others, which takes ten times as long; addresses as jing does."""
_FACETS = {"minInclusive": operator.ge, "maxInclusive": operator.le, "minExclusive": operator.gt,
           "maxExclusive": operator.lt}
_SIZES = {"length": operator.eq, "minLength": operator.ge, "maxLength": operator.le}
Names = tuple[frozenset[str], Callable[[str], bool] | None]
"""A name class: single names, ``{namespace}name``, and which others match."""


class GrammarError(ValueError):
    """A grammar is invalid."""


class ContentPattern:
    """A pattern; `parts` are patterns, or of a leaf what it is about."""

    __slots__ = ("closed", "kind", "nullable", "parts", "plain", "taken", "texts")

    def __init__(self, kind: str, parts: tuple[Any, ...]) -> None:
        self.kind, self.parts = kind, parts
        inner: list[ContentPattern] = list(parts) if kind in ("choice", "group", "interleave", "more") else []
        some = any if kind == "choice" else all
        self.nullable: bool = kind in ("empty", "text") or (bool(inner) and some(each.nullable for each in inner))
        self.plain: bool = kind not in ("data", "value", "list") and all(each.plain for each in inner)
        """Whether any text is as good as any other."""
        self.taken: dict[tuple[str, str], tuple[tuple[ContentPattern, ContentPattern], ...]] = {}
        self.texts: dict[str, ContentPattern] = {}
        self.closed: dict[bool, ContentPattern] = {}


def leaves(pattern: ContentPattern, kind: str) -> list[ContentPattern]:
    """Return the elements, attributes or values of a pattern, without those inside elements and attributes."""
    found, todo, seen = list[ContentPattern](), [pattern], {pattern}
    while todo:
        each = todo.pop()
        if each.kind == kind:
            found.append(each)
        elif each.kind in ("choice", "group", "interleave", "more", "list"):
            todo += (new for new in reversed(each.parts) if new not in seen)
            seen.update(each.parts)
    return found


@cache
def allowed(pattern: ContentPattern, kind: str) -> tuple[str, ...]:
    """Return the local names of the elements or attributes of a pattern."""
    return tuple(sorted({name.rpartition("}")[2] for each in leaves(pattern, kind) for name in each.parts[0][0]}))


class Grammar:
    """A grammar compiled; raises GrammarError if it is invalid, TeiError for a file that cannot be included."""

    def __init__(self, root: Element, path: Path) -> None:
        self._pool: dict[tuple[Any, ...], ContentPattern] = {}
        self._paths = {root: path}
        """The outermost elements of the grammar and of what it includes, with their files."""
        self.contents: dict[ContentPattern, ContentPattern] = {}
        """For each element the pattern of its attributes and content."""
        self._todo: list[tuple[ContentPattern, Element, _Scope]] = []
        self._defined: dict[tuple[_Scope, str], ContentPattern | None] = {}
        self.elements: dict[str, list[ContentPattern]] = {}
        """The elements by name."""
        self.empty, self.none, self.text = (self._one(kind) for kind in ("empty", "notAllowed", "text"))
        self.start = self._pattern(root, _Scope(None))
        while self._todo:
            element, node, scope = self._todo.pop()
            inner = [each for each in node if _tag(each)]
            self.contents[element] = self._all(inner if node.get("name") is not None else inner[1:], scope)

    def _one(self, kind: str, *parts: Any) -> ContentPattern:
        key = (kind, *parts)
        if key not in self._pool:
            self._pool[key] = ContentPattern(kind, parts)
        return self._pool[key]

    def choice(self, patterns: Iterable[ContentPattern]) -> ContentPattern:
        """Return any of some patterns."""
        flat = dict.fromkeys(inner for each in patterns for inner in (each.parts if each.kind == "choice" else (each,)))
        flat.pop(self.none, None)
        if self.empty in flat and any(each.nullable for each in flat if each is not self.empty):
            del flat[self.empty]
        return self._one("choice", *flat) if len(flat) > 1 else next(iter(flat), self.none)

    def join(self, kind: str, patterns: Sequence[ContentPattern]) -> ContentPattern:
        """Return patterns in a group, or interleaved."""
        if self.none in patterns:
            return self.none
        made = self.empty
        for each in reversed(patterns):
            if each is not self.empty:
                made = each if made is self.empty else self._one(kind, each, made)
        return made

    def more(self, pattern: ContentPattern) -> ContentPattern:
        """Return one or more of a pattern."""
        leaf = pattern.kind in ("empty", "notAllowed", "text", "more")
        return pattern if leaf else self._one("more", pattern)

    def take(self, pattern: ContentPattern, kind: str, name: str) -> tuple[tuple[ContentPattern, ContentPattern], ...]:
        """Return the elements (or attributes) of a name that a pattern allows next, each with what may follow."""
        if (known := pattern.taken.get((kind, name))) is not None:
            return known
        found: dict[ContentPattern, ContentPattern] = {}
        for one, rest in self._taken(pattern, kind, name):
            found[one] = self.choice((found[one], rest)) if one in found else rest
        made = pattern.taken[kind, name] = tuple(found.items())
        return made

    def _taken(self, pattern: ContentPattern, kind: str, name: str) -> Iterator[tuple[ContentPattern, ContentPattern]]:
        match pattern.kind:
            case "element" | "attribute":
                names, others = pattern.parts[0]
                if pattern.kind == kind and (name in names or (others is not None and others(name))):
                    yield pattern, self.empty
            case "choice":
                for each in pattern.parts:
                    yield from self.take(each, kind, name)
            case "group" | "interleave" as how:
                left, right = pattern.parts
                yield from ((one, self.join(how, (rest, right))) for one, rest in self.take(left, kind, name))
                if how == "interleave" or kind == "attribute":
                    yield from ((one, self.join(how, (left, rest))) for one, rest in self.take(right, kind, name))
                elif left.nullable:
                    yield from self.take(right, kind, name)
            case "more":
                again = self.choice((pattern, self.empty))
                for one, rest in self.take(pattern.parts[0], kind, name):
                    yield one, self.join("group", (rest, again))

    def close(self, pattern: ContentPattern, *, forgiving: bool = False) -> ContentPattern:
        """Return what may follow the attributes; nothing if one is missing, unless `forgiving`."""
        if forgiving not in pattern.closed:
            made = pattern
            if pattern.kind == "attribute":
                made = self.empty if forgiving else self.none
            elif pattern.kind in ("choice", "group", "interleave", "more"):
                inner = [self.close(each, forgiving=forgiving) for each in pattern.parts]
                made = self.choice(inner) if pattern.kind == "choice" else self.join(pattern.kind, inner)
                made = self.more(made) if pattern.kind == "more" else made
            pattern.closed[forgiving] = made
        return pattern.closed[forgiving]

    def read(self, pattern: ContentPattern, text: str) -> ContentPattern:
        """Return what may follow a text; nothing if it is not allowed."""
        key = "" if pattern.plain else text
        if key not in pattern.texts:
            if len(pattern.texts) > _KEPT:
                pattern.texts.clear()
            pattern.texts[key] = self._read(pattern, text)
        return pattern.texts[key]

    def _read(self, pattern: ContentPattern, text: str) -> ContentPattern:
        match pattern.kind:
            case "text":
                return pattern
            case "data" | "value":
                return self.empty if pattern.parts[0](text) else self.none
            case "list":
                inner = pattern.parts[0]
                for word in text.split():
                    inner = self.read(inner, word)
                return self.empty if inner.nullable else self.none
            case "choice":
                return self.choice(self.read(each, text) for each in pattern.parts)
            case "more":
                again = self.choice((pattern, self.empty))
                return self.join("group", (self.read(pattern.parts[0], text), again))
            case "group" | "interleave" as how:
                left, right = pattern.parts
                after = self.join(how, (self.read(left, text), right))
                if how == "interleave":
                    return self.choice((after, self.join(how, (left, self.read(right, text)))))
                return self.choice((after, self.read(right, text))) if left.nullable else after
        return self.none

    def matches(self, pattern: ContentPattern, text: str) -> bool:
        """Whether a value, or the whole text of an element, is allowed."""
        return (pattern.nullable and not text.strip()) or self.read(pattern, text).nullable

    def _all(self, nodes: Iterable[Element], scope: _Scope) -> ContentPattern:
        return self.join("group", [self._pattern(each, scope) for each in nodes])

    def _pattern(self, node: Element, scope: _Scope) -> ContentPattern:
        name = node.get("name", "").strip()
        match _tag(node):
            case "empty" | "notAllowed" | "text" as kind:
                return self._one(kind)
            case "element":
                return self._element(node, scope)
            case "attribute":
                inner = [each for each in node if _tag(each)][0 if "name" in node.attrib else 1:]
                value = self._all(inner, scope) if inner else self.text
                return self.none if value is self.none else self._one("attribute", _names(node, attribute=True), value)
            case "ref":
                return self._define(name, scope)
            case "parentRef" if scope.parent:
                return self._define(name, scope.parent)
            case "externalRef":
                return self._pattern(self._other(node), _Scope(None))
            case "grammar":
                inside = _Scope(scope)
                self._load(node, inside, frozenset())
                return self._define("", inside)
            case "value":
                token, text = node.get("type", "token") != "string", node.text or ""
                words = " ".join(text.split())
                return self._one("value", _same(words if token else text, token), words)
            case "data":
                return self._data(node, scope)
        return self._compound(node, scope)

    def _compound(self, node: Element, scope: _Scope) -> ContentPattern:
        inner = [self._pattern(each, scope) for each in node if _tag(each)]
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
                return self._one("list", whole)
        raise GrammarError(f"line {node.sourceline}: <{node.tag}> is not a pattern")

    def _element(self, node: Element, scope: _Scope) -> ContentPattern:
        names = _names(node)
        made = self._one("element", names, node)
        if made not in self.contents:
            self.contents[made] = self.none
            self._todo.append((made, node, scope))
            for name in names[0]:
                self.elements.setdefault(name, []).append(made)
        return made

    def _define(self, name: str, scope: _Scope) -> ContentPattern:
        if (scope, name) not in self._defined:
            if name not in scope.defines:
                raise GrammarError(f"<ref name={name!r}> refers to nothing" if name else "there is no <start>")
            self._defined[scope, name] = None
            nodes = scope.defines[name]
            bodies = [self._compound(each, scope) for each in nodes]
            interleaved = any(each.get("combine") == "interleave" for each in nodes)
            self._defined[scope, name] = self.join("interleave", bodies) if interleaved else self.choice(bodies)
        made = self._defined[scope, name]
        if made is None:
            raise GrammarError(f"<define name={name!r}> contains itself")
        return made

    def _load(self, holder: Element, scope: _Scope, replaced: frozenset[str]) -> None:
        for each in holder:
            match _tag(each):
                case "div":
                    self._load(each, scope, replaced)
                case "start" | "define":
                    name = each.get("name", "").strip()
                    if name not in replaced:
                        scope.defines.setdefault(name, []).append(each)
                case "include":
                    own = {inner.get("name", "").strip() for inner in each.iter(f"{{{RNG}}}start", f"{{{RNG}}}define")}
                    self._load(self._other(each), scope, replaced | own)
                    self._load(each, scope, replaced)

    def _other(self, node: Element) -> Element:
        """Return the outermost element of an included file; raises TeiError if it is none here, or includes itself."""
        path, href = self._paths[node.getroottree().getroot()], address(node.get("href", ""))
        if href.scheme or href.netloc:
            raise TeiError(f"the schema includes {node.get('href')!r}, which is no file here",
                           place=place(node, str(path)), mend="put a copy beside it, and name that")
        where = path.parent / unquote(href.path)
        if len(self._paths) > 1000:
            raise GrammarError("files include each other")
        root = parse(read(where), name=str(where))
        if node.get("ns") is not None and root.get("ns") is None:
            root.set("ns", node.get("ns", ""))
        self._paths[root] = where
        return root

    def _data(self, node: Element, scope: _Scope) -> ContentPattern:
        parameters = tuple((each.get("name", ""), each.text or "") for each in node.iterchildren(f"{{{RNG}}}param"))
        check = _datatype(_inherited(node, "datatypeLibrary"), node.get("type", "").strip(), parameters)
        refused = [self.choice(self._pattern(inner, scope) for inner in each if _tag(inner))
                   for each in node.iterchildren(f"{{{RNG}}}except")]
        if refused:
            whole = check
            return self._one("data", lambda text: whole(text) and not self.matches(refused[0], text))
        return self._one("data", check)


class _Scope:
    """The definitions of one grammar, and the grammar around it."""

    def __init__(self, parent: _Scope | None) -> None:
        self.parent = parent
        self.defines: dict[str, list[Element]] = {}


def _tag(node: Element) -> str:
    """Return the name of an element of RELAX NG; empty for anything else, which is annotation."""
    name = node.tag if isinstance(node.tag, str) else ""
    return name.removeprefix(f"{{{RNG}}}") if name.startswith(f"{{{RNG}}}") else ""


def _inherited(node: Element, name: str) -> str:
    around = (each.get(name) for each in (node, *node.iterancestors()))
    return next((each for each in around if each is not None), "")


def _names(node: Element, *, attribute: bool = False) -> Names:
    """Return the name class of an element or attribute."""
    name = node.get("name")
    if name is not None:
        return frozenset([_qualified(node, name, "" if attribute and node.get("ns") is None else None)]), None
    first = next((each for each in node if _tag(each)), None)
    if first is None:
        raise GrammarError(f"line {node.sourceline}: <{_tag(node)}> has no name")
    return _name_class(first)


def _qualified(node: Element, name: str, namespace: str | None = None) -> str:
    prefix, colon, local = name.strip().rpartition(":")
    if colon and prefix != "xml" and prefix not in node.nsmap:
        raise GrammarError(f"line {node.sourceline}: the prefix {prefix}: is not declared")
    if colon:
        uri = node.nsmap.get(prefix, "http://www.w3.org/XML/1998/namespace")
    else:
        uri = _inherited(node, "ns") if namespace is None else namespace
    return f"{{{uri}}}{local}" if uri else local


def _name_class(node: Element) -> Names:
    if _tag(node) == "name":
        return frozenset([_qualified(node, node.text or "")]), None
    inner = [_name_class(each) for each in node if _tag(each) and _tag(each) != "except"]
    if _tag(node) == "choice":
        single = frozenset(name for names, _ in inner for name in names)
        others = [other for _, other in inner if other is not None]
        return single, (lambda name: any(other(name) for other in others)) if others else None
    refused = [_name_class(each) for outer in node.iterchildren(f"{{{RNG}}}except") for each in outer if _tag(each)]
    start = f"{{{_inherited(node, 'ns')}}}" if _tag(node) == "nsName" else ""

    def matches(name: str) -> bool:
        inside = name.startswith("{") is False if start == "{}" else name.startswith(start)
        return inside and not any(name in names or (other and other(name)) for names, other in refused)

    return frozenset(), matches


@cache
def _same(expected: str, token: bool) -> Callable[[str], bool]:
    return (lambda text: " ".join(text.split()) == expected) if token else expected.__eq__


def _fits(compare: Callable[[Any, Any], bool], read: Callable[[str], Any], bound: Any, text: str) -> bool:
    return compare(read(text), bound)


@cache
def _datatype(library: str, name: str, parameters: tuple[tuple[str, str], ...]) -> Callable[[str], bool]:
    """Return the check of a datatype with its parameters; raises GrammarError if it is unknown."""
    known = xmlschema.XMLSchema10.builtin_types()
    if library not in ("", _XSD) or name not in known or (not library and name not in ("string", "token")):
        raise GrammarError(f"the datatype {name!r} of {library!r} is unknown")
    kind: Any = known[name]
    checks: list[Callable[[str], Any]] = []
    for facet, given in parameters:
        if facet == "pattern":
            try:
                written = translate_pattern(given, back_references=False, lazy_quantifiers=False, anchors=False)
                checks.append(re.compile(written).search)
            except (RegexError, re.error) as error:
                raise GrammarError(f"the pattern {given!r} is invalid: {error}") from None
        elif facet in _SIZES:
            checks.append(partial(_fits, _SIZES[facet], len, int(given)))
        elif facet in _FACETS and kind.is_valid(given):
            checks.append(partial(_fits, _FACETS[facet], kind.decode, kind.decode(given)))
        else:
            raise GrammarError(f"the parameter {facet}={given!r} of {name} is not read")

    def valid(text: str) -> bool:
        words = text if name == "string" else " ".join(text.split())
        usual = _USUAL.get(name)
        fits = usual is not None and usual.fullmatch(words) is not None
        return (fits or (name != "anyURI" and kind.is_valid(words))) and all(check(words) for check in checks)

    return valid
