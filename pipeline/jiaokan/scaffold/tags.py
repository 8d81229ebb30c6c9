"""Plain text with tags of HTML in its lines: notes get brackets, other tags are taken out; the lines stay."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

from lxml import etree, html

from jiaokan.errors import Message
from jiaokan.readers.common.vocabularies import HTML
from jiaokan.scaffold.letters import Received
from jiaokan.scaffold.markup import PAIRS, is_note

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?P<attributes>(?:\s[^<>]*)?)/?>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10}\d{0,2});")
_VOID = frozenset({"br", "hr", "img", "wbr", "p", "li"})
"""Elements without end tags, or whose end tags may be missing."""


def without_tags(text: str) -> Received:
    """Return a text without the tags of HTML, if it has any: an element that is a note by its name, class or size gets
    brackets that the text does not have. A note that continues in the next line is bracketed in each line."""
    tags = [match for match in _TAG.finditer(text) if match["name"].lower() in HTML]
    ends = {match["name"].lower() for match in tags if match["end"]}
    tags = [match for match in tags if match["name"].lower() in ends | {"br"}]
    if not tags:
        return Received(text)
    pair = next((pair for pair in PAIRS if not {*pair} & {*text}), PAIRS[0])
    parts, done, opened = list[str](), 0, _Open(pair)
    for match in tags:
        parts.append(_within(text[done : match.start()], pair if opened.notes else ""))
        parts.append(opened.sign(match))
        done = match.end()
    parts.append(_within(text[done:], pair if opened.notes else ""))
    if opened.notes:
        parts.append(pair[1])
    bare_text = "".join(parts).replace(pair, "")
    seen = Counter(match[0] for match in tags)
    listed = ", ".join(f"{tag} {count}" for tag, count in seen.most_common(6))
    return Received(bare_text, "text with tags", doubts=(
        Message("tags-taken-out", count=len(tags), pair=pair, listed=listed),),
        brackets=pair if pair[0] in bare_text else "")


class _Open:
    """The open elements, counted by name, so that a tag takes the same time however many are open."""

    def __init__(self, pair: str) -> None:
        self.pair = pair
        self.elements: list[tuple[str, bool]] = []
        self.names: Counter[str] = Counter()
        self.notes = 0

    def sign(self, match: re.Match[str]) -> str:
        """Return what a tag becomes, and open or close its element."""
        name = match["name"].lower()
        if name == "br":
            return "\n"
        if match["end"]:
            return self._close(name) if self.names[name] else ""
        if name in _VOID or match[0].endswith("/>"):
            return ""
        is_new = not self.notes and _marks_note(match)
        self.elements.append((name, is_new))
        self.names[name] += 1
        self.notes += is_new
        return self.pair[0] if is_new else ""

    def _close(self, name: str) -> str:
        """Close the last element of a name, with those inside it."""
        before, closed = self.notes, ""
        while closed != name:
            closed, was_note = self.elements.pop()
            self.names[closed] -= 1
            self.notes -= was_note
        return self.pair[1] if before and not self.notes else ""


def _marks_note(match: re.Match[str]) -> bool:
    try:
        return is_note(html.fragment_fromstring(f"{match[0]}</{match['name']}>"), match["name"].lower())
    except (etree.LxmlError, AssertionError):
        return False


def _within(text: str, pair: str) -> str:
    text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    return text.replace("\n", f"{pair[1]}\n{pair[0]}") if pair else text
