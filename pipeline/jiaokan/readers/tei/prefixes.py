"""Pointers with a declared prefix (``prefixDef``, TEI Guidelines 17.2.4), replaced by what they refer to."""

from __future__ import annotations

import re

from jiaokan.tei.fates import attribute_fates
from jiaokan.tei.tree import Element

_POINTERS = frozenset(name for name, fate in attribute_fates().items() if fate in ("pointer", "apparatus", "picture"))
_GROUP = re.compile(r"\$(\d)")


def resolve_prefixes(root: Element) -> None:
    """Replace each pointer outside the header whose prefix the header declares. The prefixes of the web, and patterns
    that are no regular expressions, stay as they are."""
    declared: dict[str, tuple[re.Pattern[str], str]] = {}
    for node in root.iterfind("{*}teiHeader//{*}prefixDef"):
        try:
            pattern = re.compile(node.get("matchPattern", ""))
        except re.error:
            continue
        if (prefix := node.get("ident", "")) and prefix not in ("http", "https", "mailto"):
            declared.setdefault(prefix, (pattern, node.get("replacementPattern", "")))
    if not declared:
        return
    for part in root.iterchildren("{*}text", "{*}standOff", "{*}sourceDoc", "{*}facsimile"):
        for node in part.iter("*"):
            for name in _POINTERS.intersection(map(str, node.keys())):
                node.set(name, " ".join(_resolve(pointer, declared) for pointer in node.get(name, "").split()))


def _resolve(pointer: str, declared: dict[str, tuple[re.Pattern[str], str]]) -> str:
    prefix, colon, rest = pointer.partition(":")
    if not colon or prefix not in declared:
        return pointer
    pattern, goal = declared[prefix]
    matched = pattern.fullmatch(rest)
    if matched is None:
        return pointer
    groups = ("", *matched.groups(default=""))
    return _GROUP.sub(lambda group: groups[int(group[1])] if int(group[1]) < len(groups) else "", goal)
