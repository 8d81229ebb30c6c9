"""Patterns of RELAX NG and their derivatives (J. Clark, "An algorithm for RELAX NG validation", 2002).

Equal patterns are one object, which keeps its derivatives: reading on, a document finds nearly all of them computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

Names = tuple[frozenset[str], Callable[[str], bool] | None]
"""A name class: single names, ``{namespace}name``, and which others match."""
_KEPT = 10_000  # values of attributes whose verdict a pattern keeps: most repeat, and ids, which do not, are forgotten


_XML = "{http://www.w3.org/XML/1998/namespace}"


class ContentPattern:
    """A pattern; `parts` are patterns, or of a leaf what it is about."""

    __slots__ = ("closed", "kind", "nullable", "parts", "plain", "taken", "texts")

    def __init__(self, kind: str, parts: tuple[Any, ...]) -> None:
        self.kind, self.parts = kind, parts
        inner: list[ContentPattern] = list(parts) if kind in ("choice", "group", "interleave", "more") else []
        some = any if kind == "choice" else all
        self.nullable: bool = kind in ("empty", "text") or (bool(inner) and some(part.nullable for part in inner))
        self.plain: bool = kind not in ("data", "value", "list") and all(part.plain for part in inner)
        """Whether any text is as good as any other."""
        self.taken: dict[tuple[str, str], tuple[tuple[ContentPattern, ContentPattern], ...]] = {}
        self.texts: dict[str, ContentPattern] = {}
        self.closed: dict[bool, ContentPattern] = {}


def leaves(pattern: ContentPattern, kind: str) -> list[ContentPattern]:
    """Return the elements, attributes or values of a pattern, without those inside elements and attributes."""
    matches, todo, seen = list[ContentPattern](), [pattern], {pattern}
    while todo:
        part = todo.pop()
        if part.kind == kind:
            matches.append(part)
        elif part.kind in ("choice", "group", "interleave", "more", "list"):
            todo += (new for new in reversed(part.parts) if new not in seen)
            seen.update(part.parts)
    return matches


@cache
def names_of(pattern: ContentPattern, kind: str) -> frozenset[str]:
    """Return the names, ``{namespace}name``, of the elements or attributes of a pattern."""
    return frozenset(name for leaf in leaves(pattern, kind) for name in leaf.parts[0][0])


@cache
def allowed_names(pattern: ContentPattern, kind: str) -> tuple[str, ...]:
    """Return the local names of the elements or attributes of a pattern; those of XML itself with their prefix."""
    return tuple(sorted({name.replace(_XML, "xml:").rpartition("}")[2] for name in names_of(pattern, kind)}))


class Patterns:
    """All patterns of a grammar; equal ones are one object."""

    def __init__(self) -> None:
        self._pool: dict[tuple[object, ...], ContentPattern] = {}
        self.empty, self.none, self.text = (self.one(kind) for kind in ("empty", "notAllowed", "text"))

    def one(self, kind: str, *parts: object) -> ContentPattern:
        """Return the pattern of a kind with these parts."""
        key = (kind, *parts)
        if key not in self._pool:
            self._pool[key] = ContentPattern(kind, parts)
        return self._pool[key]

    def choice(self, patterns: Iterable[ContentPattern]) -> ContentPattern:
        """Return any of some patterns."""
        flat = dict.fromkeys(inner for alternative in patterns
                             for inner in (alternative.parts if alternative.kind == "choice" else (alternative,)))
        flat.pop(self.none, None)
        if self.empty in flat and any(part.nullable for part in flat if part is not self.empty):
            del flat[self.empty]
        return self.one("choice", *flat) if len(flat) > 1 else next(iter(flat), self.none)

    def join(self, kind: str, patterns: Sequence[ContentPattern]) -> ContentPattern:
        """Return patterns in a group, or interleaved."""
        if self.none in patterns:
            return self.none
        joined = self.empty
        for part in reversed(patterns):
            if part is not self.empty:
                joined = part if joined is self.empty else self.one(kind, part, joined)
        return joined

    def more(self, pattern: ContentPattern) -> ContentPattern:
        """Return one or more of a pattern."""
        leaf = pattern.kind in ("empty", "notAllowed", "text", "more")
        return pattern if leaf else self.one("more", pattern)

    def take(self, pattern: ContentPattern, kind: str, name: str) -> tuple[tuple[ContentPattern, ContentPattern], ...]:
        """Return the elements (or attributes) of a name that a pattern allows next, each with what may follow."""
        if (known := pattern.taken.get((kind, name))) is not None:
            return known
        rests: dict[ContentPattern, ContentPattern] = {}
        for item, rest in self._find_next(pattern, kind, name):
            rests[item] = self.choice((rests[item], rest)) if item in rests else rest
        steps = pattern.taken[kind, name] = tuple(rests.items())
        return steps

    def _find_next(
        self, pattern: ContentPattern, kind: str, name: str
    ) -> Iterator[tuple[ContentPattern, ContentPattern]]:
        match pattern.kind:
            case "element" | "attribute":
                names, others = pattern.parts[0]
                if pattern.kind == kind and (name in names or (others is not None and others(name))):
                    yield pattern, self.empty
            case "choice":
                for part in pattern.parts:
                    yield from self.take(part, kind, name)
            case "group" | "interleave" as how:
                left, right = pattern.parts
                yield from ((item, self.join(how, (rest, right))) for item, rest in self.take(left, kind, name))
                if how == "interleave" or kind == "attribute":
                    yield from ((item, self.join(how, (left, rest))) for item, rest in self.take(right, kind, name))
                elif left.nullable:
                    yield from self.take(right, kind, name)
            case "more":
                again = self.choice((pattern, self.empty))
                for item, rest in self.take(pattern.parts[0], kind, name):
                    yield item, self.join("group", (rest, again))

    def close(self, pattern: ContentPattern, *, forgiving: bool = False) -> ContentPattern:
        """Return what may follow the attributes; nothing if one is missing, unless `forgiving`."""
        if forgiving not in pattern.closed:
            remainder = pattern
            if pattern.kind == "attribute":
                remainder = self.empty if forgiving else self.none
            elif pattern.kind in ("choice", "group", "interleave", "more"):
                inner = [self.close(part, forgiving=forgiving) for part in pattern.parts]
                remainder = self.choice(inner) if pattern.kind == "choice" else self.join(pattern.kind, inner)
                remainder = self.more(remainder) if pattern.kind == "more" else remainder
            pattern.closed[forgiving] = remainder
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
                return self.choice(self.read(part, text) for part in pattern.parts)
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
