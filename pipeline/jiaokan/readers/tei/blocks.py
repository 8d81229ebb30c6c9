"""Reads divisions and paragraphs: parts of the text are chapters, their parts sections, deeper parts sections in these.

Content between divisions belongs to the division that follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from jiaokan.model import Break, Division, Furniture, Head, Juan, Line, Note, Paragraph, Trailer, Unit
from jiaokan.model.numerals import whole
from jiaokan.readers.tei import elements
from jiaokan.readers.tei.arrange import (
    BlockItem,
    Part,
    Point,
    as_content,
    end_with_trailers,
    flatten,
    has_begun,
    head_title,
    plain,
    split_runs,
    tidy,
    wide,
    with_sections,
)
from jiaokan.readers.tei.elements import holds_blocks, is_block, name_of, whole_text
from jiaokan.readers.tei.examples import example, is_example
from jiaokan.readers.tei.inline import InlineReader
from jiaokan.tei.apparatus import takes_place
from jiaokan.tei.fates import forms_of
from jiaokan.tei.linking.read import END, START
from jiaokan.tei.lossless import all_words
from jiaokan.tei.tree import Element, loose_words, mixed_content

_FURNITURE = {**elements.LINES, "byline": "byline", "docAuthor": "byline"}
_PARTS = ("front", "body", "back")
_DIRECTIONS = frozenset(forms_of("stage").values())
_NAMED = elements.HEADS | {"head", "trailer"}
_HOLDERS = frozenset({"p", "ab", "lg", "text", "body", "group", "list", "table", "row", "sp", "spGrp", "opener",
                      "closer", "titlePage", "castList", "castGroup", "surface", "surfaceGrp", "zone"})
"""Elements that are shown as what they hold, by pages of the same arrangement."""
_IN_VERSE = frozenset({"l", "lb", "pb", "cb", "note", "anchor", "head", "lg", "app", "caesura", "label", "milestone",
                       "stage", START, END})


def _divide(items: Iterable[BlockItem], kind: Literal["pian", "front"]) -> list[Division]:
    """Return items as divisions: paragraphs between divisions are one of this `kind`; a head or a line of its juan
    belongs to the division that follows. Stage directions alone end the division before, or begin the first one."""
    divisions: list[Division] = []
    loose: list[BlockItem] = []
    for item in items:
        if not isinstance(item, Division):
            loose.append(item)
            continue
        if divisions and _are_directions(loose):
            divisions[-1:] = [_add_at_end(divisions[-1], loose), item]
        elif _are_directions(loose):
            heads = next((n for n, block in enumerate(item.items) if not isinstance(block, (Head, Furniture))), 0)
            divisions.append(replace(item, items=(*item.items[:heads], *loose, *item.items[heads:])))
        elif any(isinstance(block, Paragraph) for block in loose):
            divisions += [Division(kind=kind, items=tuple(loose), title=head_title(loose, "")), item]
        else:  # without a head of its own, the line of its juan is its title
            lines = [block for block in loose if isinstance(block, Furniture) and block.kind == "juan-head"]
            headed = not lines or any(isinstance(block, Head) for block in item.items)
            title = item.title if headed else plain(lines[0].content)
            divisions.append(replace(item, items=(*loose, *item.items), title=title))
        loose = []
    if divisions and (_are_directions(loose) or not any(isinstance(block, Paragraph) for block in loose)):
        divisions[-1] = _add_at_end(divisions[-1], loose)
    elif loose:
        divisions.append(Division(kind=kind, items=tuple(loose), title=head_title(loose, "")))
    return divisions


def _are_directions(items: Sequence[BlockItem]) -> bool:
    """Whether items are stage directions, without other paragraphs or heads."""
    forms = [block.form for block in items if isinstance(block, Paragraph)]
    return bool(forms) and {*forms} <= _DIRECTIONS and not any(isinstance(block, Head) for block in items)


def _add_at_end(division: Division, items: Sequence[BlockItem]) -> Division:
    """Return a division with further items at its end: a paragraph in its last section, after which none may stand."""
    last = division.items[-1] if division.items else None
    if isinstance(last, Division):
        return replace(division, items=(*division.items[:-1], _add_at_end(last, items)))
    return replace(division, items=(*division.items, *items))


@dataclass(slots=True)
class BlockReader:
    """Reads the text of a file."""

    inline: InlineReader
    pending: list[Part] = field(default_factory=list)
    """Points and breaks between paragraphs, for the beginning of the next."""
    lists_alone: bool = False
    """Whether the text has nothing but lists of persons, places or books, which are then what it is."""
    form: str = ""
    """The form of what is around the paragraphs being read: those of an ``item`` are items."""

    def text(self, node: Element) -> list[Division]:
        """Return the divisions of ``text``, or of the texts of a ``group`` with what the group has beside them: heads,
        arguments, epigraphs."""
        items: list[BlockItem] = []
        beside: list[BlockItem] = []  # since the last part: its head is one though it is not the first thing
        for words in loose_words(node):
            self.inline.record.leave_out(name_of(node), words)
        for part in node:
            name = name_of(part)
            if name in ("group", "text", "body", *_PARTS):
                read = self.text if name in ("group", "text") else self.body if name == "body" else self._matter
                items += [*beside, *read(part)]
                beside = []
            elif is_block(part):
                self._block(part, beside, kind="front", prose=True)
            else:
                self._run([part], beside, prose=True)
        return _divide([*items, *beside], "front")

    def _matter(self, node: Element) -> list[Division]:
        items = self._items(node, kind="front", prose=True)
        loose = [item for item in items if not isinstance(item, Division)]
        divisions = [item for item in items if isinstance(item, Division) and self._has_content(item)]
        opening: list[Division] = []
        if takes_place(loose):
            opening.append(Division(kind="front", items=tuple(loose), title=head_title(loose, "")))
        return [*opening, *divisions]

    def _has_content(self, division: Division) -> bool:
        """Whether front or back matter has more than heads; with heads only (it held entries) it is left out."""
        if any(not isinstance(item, (Head, Point)) for item in division.items):
            return True
        for head in division.items:
            self.inline.record.leave_out("head", all_words(head.content) if isinstance(head, Head) else "")
        return False

    def body(self, node: Element) -> list[Division]:
        """Return the chapters of a ``body``; without divisions it is one chapter. A division that only holds all others
        (``div type="edition"`` of the Canonical Text Services) is none."""
        return _divide(self._items(node, kind="pian", prose=False), "pian")

    def _division(self, node: Element, *, kind: str, prose: bool) -> Division:
        inner = "section" if kind != "front" else "front"
        items = self._items(node, kind=inner, prose=prose)
        if kind == "front":
            items = list(flatten(items))
        elif any(isinstance(item, Division) for item in items):
            items = with_sections(items, wrap_first=kind == "section")
        cited = node.get(elements.CITED)
        label = elements.stated_number(node) if kind != "front" or cited else ""
        n = label if kind == "pian" and label.isascii() and whole(label, -1) >= 0 else ""
        # sections that serve references have numbers: not a title for each paragraph
        serves = cited is not None or elements.is_unit_of_reference(node)
        name = elements.part_name(node) if kind == "pian" or not serves else ""
        return Division(kind=kind, items=tuple(items), n=n, label=label if cited or not n else "",  # type: ignore[arg-type]
                        title=head_title(items, name), role=elements.role_of(node))  # type: ignore[arg-type]

    def _items(self, node: Element, *, kind: str, prose: bool) -> list[BlockItem]:
        """Return the content of a container: divisions of this kind, paragraphs, and runs of words between them."""
        items: list[BlockItem] = []
        content = mixed_content(node, self.inline.file)
        for run, child in split_runs(content, lambda child: not isinstance(child, str) and is_block(child)):
            self._run(run, items, prose=prose)
            if child is not None and not isinstance(child, str):
                self._block(child, items, kind=kind, prose=prose)
        return end_with_trailers(items)

    def _run(self, run: list[str | Element], items: list[BlockItem], *, prose: bool) -> None:
        """Read words between blocks as a paragraph; without words, keep points and breaks for the next."""
        content = self.inline.content(run)
        if takes_place([item for item in tidy(content) if not isinstance(item, Note)]):
            self._paragraph(content, items, prose=prose)
            return
        for item in content:
            if isinstance(item, (Juan, Note)):
                items.append(replace(item, place="block") if isinstance(item, Note) and item.place != "top" else item)
            elif isinstance(item, (Point, Break)):
                self.pending.append(item)

    def _block(self, node: Element, items: list[BlockItem], *, kind: str, prose: bool) -> None:
        name = name_of(node)
        if kind == "pian" and elements.holds_all_divisions(node) and not node.get(elements.CITED):
            items += self._items(node, kind=kind, prose=prose)
        elif (name in elements.DIVISIONS and name != "group") or (name == "surface" and kind == "pian"):
            division = self._division(node, kind=kind, prose=prose)
            items += [division] if any(not isinstance(item, Point) for item in division.items) else []
        elif name == "lg" and all(name_of(child) in _IN_VERSE for child in node):
            self._verse(node, items, kind=kind, prose=prose)
        elif name in ("surface", "zone") and node.find("{*}line") is not None:
            self._verse(node, items, kind=kind, prose=prose, form="zone")
        elif name == "l":
            self._lines([node], items)
        elif name == "app":
            self._entry(node, items, kind=kind, prose=prose)
        elif name == "listApp":
            self._apart(node, items)
        elif name in elements.LISTS and not self.lists_alone and not elements.is_bibliography(node) and next(
                node.iter("{*}app", START, END), None) is None:
            self.inline.record.show_as(name, "left out")
            self.inline.record.leave_out(name, whole_text(node))
        else:
            self._read_block(name, node, items, kind=kind, prose=prose)

    def _read_block(self, name: str, node: Element, items: list[BlockItem], *, kind: str, prose: bool) -> None:
        """Read an element that is a picture, an example, or one or more paragraphs."""
        if name == "figure":
            items.append(self.inline.figure(node))
        elif is_example(node):
            items.append(example(node))
        elif name == "cell":
            self._cell(node, items, prose=prose)
        elif name in _NAMED and not holds_blocks(node) and not (name in _FURNITURE and self.form == "titlepage"):
            self._read_named(name, node, items, prose=prose)
        elif not holds_blocks(node):
            if name not in ("p", "ab") and name not in elements.FORMS:
                self.inline.record.show_as(name, "a paragraph")
            whole = elements.is_statement(node) and name != "note"  # a title or name stays one
            self._paragraph(self.inline.content([node]) if whole else self.inline.inside(node), items, prose=prose,
                            form=elements.form_of(node), n=elements.stated_number(node))
        else:
            if name not in _HOLDERS and name not in elements.FORMS:
                self.inline.record.show_as(name, "its paragraphs")
            self._read_holder(node, items, kind=kind, prose=prose)

    def _read_holder(self, node: Element, items: list[BlockItem], *, kind: str, prose: bool) -> None:
        """Read an element that is no division; a head in it counts only where its division has not begun. Its
        paragraphs have its form, those after the first of an item as more of it."""
        outer, form = self.form, elements.form_of(node)
        self.form = form or outer
        inner = self._items(node, kind=kind, prose=prose)
        self.form = outer
        first = next((block for block in inner if isinstance(block, Paragraph)), None)
        if isinstance(first, Paragraph) and name_of(node) in elements.RECORDS:
            inner = [_begin_record(node, block) if block is first else block for block in inner]
        for block in inner:
            if isinstance(block, Head) and has_begun(items):
                block = Paragraph(content=block.content, kind="prose" if prose else "jing", form="head")
            elif isinstance(block, Paragraph) and form and block.form == form:
                block = replace(block, n=block.n or elements.stated_number(node)) if block is first else replace(
                    block, form=f"{form}-more")
            items.append(block)

    def _cell(self, node: Element, items: list[BlockItem], *, prose: bool) -> None:
        """Read a cell of a table as one paragraph; an empty one keeps its place."""
        before = len(items)
        form = "cell" if any(name_of(cell) == "cell" for cell in node.itersiblings(preceding=True)) else "row"
        self._paragraph(self.inline.inside(node), items, prose=prose, form=form)
        if len(items) == before:
            items.append(Paragraph(content=(), kind="prose", form=form))

    def _entry(self, node: Element, items: list[BlockItem], *, kind: str, prose: bool) -> None:
        """Read an entry about whole paragraphs: those of its lemma are the text."""
        if (surrounding := self.inline.surrounding_entry(node)) is None:
            self.inline.apart(node)
            return
        key, chosen = surrounding
        end = Point(key, "end")
        self.pending.append(Point(key, "start"))
        if chosen is not None:
            self._read_holder(chosen, items, kind=kind, prose=prose)
        last = items[-1] if items else None
        if isinstance(last, Division):
            items[-1] = replace(last, items=(*last.items, end))
        elif isinstance(last, (Paragraph, Head, Trailer, Furniture)):
            items[-1] = replace(last, content=(*last.content, end))
        else:
            self.pending.append(end)
        self.inline.entry(node, key, chosen)

    def _apart(self, node: Element, items: list[BlockItem]) -> None:
        """Read a list of entries about words elsewhere; an entry without readings (parallels) is a note here."""
        for words in loose_words(node):
            self.inline.record.leave_out(name_of(node), words)
        for child in node:
            if name_of(child) == "app" and child.find(".//{*}rdg") is None and child.find("{*}lem") is None and all(
                name_of(inner) == "note" for inner in child
            ):
                self.inline.record.noted += 1
                for words in loose_words(child):
                    self.inline.record.leave_out(name_of(child), words)
                where = [f"{child.get('loc')}: "] if child.get("loc") else []
                for note in (self.inline.note(inner, place="block") for inner in child):
                    items.append(replace(note, content=(*where, *note.content)))
            elif name_of(child) == "app":
                self.inline.apart(child)
            elif name_of(child) == "listApp":
                self._apart(child, items)
            else:
                self.inline.record.leave_out(name_of(child), whole_text(child))

    def _paragraph(
        self, content: list[Part], items: list[BlockItem], *, prose: bool, form: str = "", n: str = ""
    ) -> None:
        words = as_content(tidy([*self.waiting(), *content]))
        if takes_place(words):
            items.append(Paragraph(content=words, kind="prose" if prose else "jing", form=form or self.form, n=n))
        else:
            self.pending += [item for item in words if isinstance(item, (Point, Break))]

    def waiting(self) -> list[Part]:
        """Return the pending points and breaks, and forget them."""
        due, self.pending = self.pending, []
        return due

    def _read_named(self, name: str, node: Element, items: list[BlockItem], *, prose: bool) -> None:
        """Read a head at the beginning of its division, a trailer, or a line of the page; else a paragraph."""
        content = as_content(tidy([*self.waiting(), *self.inline.inside(node)]))
        if not takes_place(content):
            self.pending += [item for item in content if isinstance(item, (Point, Break))]
        elif name in _FURNITURE:
            closing = elements.LINES.get(name) == "juan-head" and has_begun(items)
            kind = "juan-tail" if closing else _FURNITURE[name]
            words = tuple(item for item in content if not isinstance(item, Note))
            items.append(Furniture(kind=kind, content=words))  # type: ignore[arg-type]
            items += [replace(item, place="block") for item in content if isinstance(item, Note)]
        elif name == "trailer" and not prose:
            items.append(Trailer(content=content))
        elif not has_begun(items) and name == "head":
            items.append(Head(content=content))
        else:
            form = "head" if name in elements.HEADS else name
            items.append(Paragraph(content=content, kind="prose" if prose else "jing", form=form))

    def _verse(self, node: Element, items: list[BlockItem], *, kind: str, prose: bool, form: str = "") -> None:
        """Read ``lg``: its lines are a unit of verse; stanzas in it are units after one another. The lines of a zone
        are read as those of a stanza."""
        lines: list[Element | str] = []
        for child in mixed_content(node, self.inline.file):
            if isinstance(child, str) and not child.strip():
                continue
            if isinstance(child, str) or name_of(child) not in ("head", "lg", "stage", "zone"):
                lines.append(child)
                continue
            self._lines(lines, items, form=form)
            lines = []
            self._block(child, items, kind=kind, prose=prose)
        self._lines(lines, items, form=form)

    def _lines(self, nodes: Sequence[Element | str], items: list[BlockItem], *, form: str = "") -> None:
        lines: list[Line] = []
        waiting = self.waiting()
        for node in nodes:
            if isinstance(node, str) or name_of(node) not in ("l", "line"):
                waiting += self.inline.content([node])
                continue
            inside = self.inline.inside(node) if name_of(node) == "l" else self.inline.content([node])
            content, waiting = tidy([*waiting, *inside]), []
            if lines and (end := plain(lines[-1].content)[-1:]) and not wide(end):
                lines[-1] = replace(lines[-1], content=(*lines[-1].content, " "))
            lines.append(Line(content=as_content(content), n=elements.stated_number(node)))
        rest = tidy(waiting)
        if rest and lines:
            lines[-1] = replace(lines[-1], content=as_content(tidy([*lines[-1].content, " ", *waiting])))
        elif takes_place(rest):
            items.append(Paragraph(content=as_content(rest)))
        else:
            self.pending += rest
        if lines:
            items.append(Paragraph(content=(Unit(content=tuple(lines), verse=True),), form=form))


def _begin_record(node: Element, first: Paragraph) -> Paragraph:
    """Return the first statement of a record with its number, and with the name of a group for its label."""
    group = f"-in-{name_of(node)}" if name_of(node) in elements.GROUPS else ""
    form = (first.form or f"description-{name_of(node)}") + group
    return replace(first, form=form, n=first.n or elements.stated_number(node))
