"""Pointers with a declared prefix (``prefixDef``, TEI Guidelines 17.2.4), replaced by what they refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping

import regex

from jiaokan.tei.fates import attribute_fates
from jiaokan.tei.tree import Element

_POINTERS = frozenset(name for name, fate in attribute_fates().items() if fate in ("pointer", "apparatus", "picture"))
_GROUP = re.compile(r"\$(\d)")

_SECONDS = 0.2
"""Seconds that the pattern of a prefix may take: a stranger wrote it. A choice."""

Prefixes = Mapping[str, list[tuple[regex.Pattern[str], str]]]
"""For each declared prefix its patterns with what replaces them, in the order of the file."""


def declared_prefixes(root: Element) -> Prefixes:
    """Return the prefixes that a header declares, without those of the web and without patterns that are not regular
    expressions."""
    declared: dict[str, list[tuple[regex.Pattern[str], str]]] = {}
    for node in root.iterfind("{*}teiHeader//{*}prefixDef"):
        prefix = node.get("ident", "")
        if prefix and prefix not in ("http", "https", "mailto"):
            try:
                pattern = regex.compile(node.get("matchPattern", ""))
            except regex.error:
                continue
            declared.setdefault(prefix, []).append((pattern, node.get("replacementPattern", "")))
    return declared


def resolve_prefixes(root: Element) -> None:
    """Replace each pointer outside the header whose prefix the header declares. The prefixes of the web, and patterns
    that are no regular expressions, stay as they are."""
    if not (declared := declared_prefixes(root)):
        return
    for part in root.iterchildren("{*}text", "{*}standOff", "{*}sourceDoc", "{*}facsimile"):
        for node in part.iter("*"):
            for name in _POINTERS.intersection(map(str, node.keys())):
                words = (next(filter(None, resolve(pointer, declared)), pointer)
                         for pointer in node.get(name, "").split())
                node.set(name, " ".join(words))


def resolve(pointer: str, declared: Prefixes) -> list[str]:
    """Return all that a pointer with a declared prefix refers to; nothing if its prefix is not declared, or no pattern
    of the prefix matches. What a pattern that takes too long would make of it is empty."""
    prefix, colon, rest = pointer.partition(":")
    resolved: list[str] = []
    for pattern, goal in declared.get(prefix, ()) if colon else ():
        try:
            matched = pattern.fullmatch(rest, timeout=_SECONDS)
        except TimeoutError:
            resolved.append("")
            continue
        if matched is not None:
            resolved.append(_fill(goal, ("", *matched.groups(default=""))))
    return resolved


def _fill(goal: str, groups: tuple[str, ...]) -> str:
    return _GROUP.sub(lambda group: groups[int(group[1])] if int(group[1]) < len(groups) else "", goal)
