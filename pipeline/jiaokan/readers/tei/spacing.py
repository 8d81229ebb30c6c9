"""The blanks that separate what an entry adds between two words of the text from these words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from jiaokan.model import Content
from jiaokan.readers.tei.arrange import first_character, wide
from jiaokan.readers.tei.elements import WORD_APART, name_of
from jiaokan.tei.apparatus import Attested
from jiaokan.tei.linking.read import END, ENTRY, START
from jiaokan.tei.tree import Element, after


def separate_additions(
    app: Element, where: Element, elements: Sequence[Element], readings: Sequence[Attested]
) -> list[Attested]:
    """Return the readings of an entry that is at a place between words, each with the blank that separates it from
    these; `elements` are the ``rdg`` that are not the text."""
    text, before = _text_before(where)
    last = text.rstrip()[-1:]
    spaced = (text[-1:].isspace() or any(node.text and node.text[:1].isspace() for node in elements)
              or (before is not None and name_of(before) in WORD_APART)
              or (_follows(app, where) and _text_before(app)[0][-1:].isspace()))

    def separate(content: Content) -> Content:
        first = first_character(content)
        if not first or wide(first) or (last and wide(last)):
            return content
        if before is None and not last:
            return (*content, " ") if _text_after(where)[:1].isspace() else content
        return (" ", *content) if spaced else content

    return [replace(reading, content=separate(reading.content)) for reading in readings]


def _text_before(where: Element) -> tuple[str, Element | None]:
    """Return the text before an element, and the element before that; what marks only a place is passed over."""
    before, around = where.getprevious(), where.getparent()
    while before is not None and not after(before) and _is_place(before):
        before = before.getprevious()
    text = after(before) if before is not None else (around.text if around is not None else "") or ""
    return text, before


def _follows(app: Element, where: Element) -> bool:
    """Whether an entry that stands apart from its words is at its place, after white space at most."""
    node: Element | None = where
    while node is not None and node is not app and _is_place(node) and not after(node).strip():
        node = node.getnext()
    return node is app


def _text_after(where: Element) -> str:
    """Return the text after an element; what marks only a place is passed over."""
    following = where
    while not after(following) and (beyond := following.getnext()) is not None and _is_place(beyond):
        following = beyond
    return after(following)


def _is_place(node: Element) -> bool:
    return name_of(node) in (START, END, "anchor") or (name_of(node) == "app" and bool(node.get(ENTRY)))


def is_point(start: Element) -> bool:
    """Whether an entry that begins here ends here, with no words between; its end can be written first."""
    before = start.getprevious()
    while before is not None and not after(before).strip() and _is_place(before):
        if name_of(before) == END and before.get("n") == start.get("n"):
            return True
        before = before.getprevious()
    node: Element | None = start
    while node is not None and _is_place(node):
        if name_of(node) == END and node.get("n") == start.get("n"):
            return True
        node = None if after(node).strip() else node.getnext()
    return False
