"""Divisions and paragraphs of any TEI as ours: parts of the text are chapters, parts of these sections.

Our chapters hold sections, and these paragraphs: deeper divisions stay sections in sections. What stands loose between
divisions goes with the one that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from pipeline.model import Break, Division, Furniture, Head, Juan, Line, Note, Paragraph, Trailer, Unit
from pipeline.model.numerals import whole
from pipeline.readers.tei.elements import (
    DIVISIONS,
    HEADS,
    LINES,
    holds_blocks,
    is_block,
    is_note,
    name_of,
    whole_text,
)
from pipeline.readers.tei.inline import InlineReader
from pipeline.readers.tei.met import (
    Point,
    begun,
    closed,
    figure,
    flat,
    named_by,
    plain,
    set_apart,
    tidy,
    title_of,
    wide,
)
from pipeline.tei.apparatus import printed
from pipeline.tei.kept import all_words
from pipeline.tei.linking.points import END, START
from pipeline.tei.tree import Element, loose_words, mixed

_FURNITURE = {**LINES, "byline": "byline", "docAuthor": "byline"}
_PARTS = ("front", "body", "back")
_NAMED = HEADS | {"head", "trailer"}


@dataclass(slots=True)
class BlockReader:
    """Reads the text of a file."""

    inline: InlineReader
    pending: list[Point | Break] = field(default_factory=list)
    """Points and breaks between paragraphs, which go to the beginning of the next."""

    def text(self, node: Element) -> list[Division]:
        """Give the divisions of ``text``, or of the texts of a ``group``."""
        found: list[Division] = []
        for words in loose_words(node):
            self.inline.record.out(name_of(node), words)
        for part in node:
            name = name_of(part)
            if name in ("group", "text"):
                found += self.text(part)
            elif name == "body":
                found += self.body(part)
            elif name in _PARTS:
                found += self.matter(part)
            elif name in (START, END):
                self.pending += self.inline.content([part])
            else:
                self.inline.record.kin(name, "left out")
                self.inline.record.out(name, whole_text(part))
        return found

    def matter(self, node: Element) -> list[Division]:
        """Front and back matter: each of its divisions, as prose."""
        items = self.items(node, kind="front", prose=True)
        loose = [item for item in items if not isinstance(item, Division)]
        divisions = [item for item in items if isinstance(item, Division) and self.kept(item)]
        own = [Division(kind="front", items=tuple(loose), title=title_of(loose, ""))] if printed(loose) else []
        return [*own, *divisions]

    def kept(self, division: Division) -> bool:
        """Tell whether front or back matter has more than heads; one that has not (it held entries) is left out."""
        if any(not isinstance(item, (Head, Point)) for item in division.items):
            return True
        for head in division.items:
            self.inline.record.out("head", all_words(head.content) if isinstance(head, Head) else "")
        return False

    def body(self, node: Element) -> list[Division]:
        """The chapters of a ``body``; of one without divisions the one chapter that it is."""
        items = self.items(node, kind="pian", prose=False)
        found: list[Division] = []
        loose: list[Any] = []
        for item in items:
            if not isinstance(item, Division):
                loose.append(item)
            elif any(isinstance(each, Paragraph) for each in loose):
                found += [self.chapter(loose), item]
                loose = []
            else:
                found.append(replace(item, items=(*loose, *item.items), title=named_by(loose, item)))
                loose = []
        if found and not any(isinstance(each, Paragraph) for each in loose):
            found[-1] = replace(found[-1], items=(*found[-1].items, *loose))
        elif loose:
            found.append(self.chapter(loose))
        return found

    def chapter(self, items: Sequence[Any]) -> Division:
        """What stands in no division, as a chapter."""
        return Division(kind="pian", items=tuple(items), title=title_of(items, ""))

    def division(self, node: Element, *, kind: str, prose: bool) -> Division:
        """A division and what is in it; paragraphs beside parts are a part of their own."""
        inner = "section" if kind != "front" else "front"
        items = self.items(node, kind=inner, prose=prose)
        if kind == "front":
            items = list(flat(items))
        elif any(isinstance(item, Division) for item in items):
            items = set_apart(items, wrap_first=kind == "section")
        title = title_of(items, (node.get("n") or node.get("type") or "") if kind == "pian" else "")
        n = node.get("n", "") if kind == "pian" else ""
        n = n if n.isascii() and whole(n, -1) >= 0 else ""
        return Division(kind=kind, items=tuple(items), n=n, title=title)  # type: ignore[arg-type]

    def items(self, node: Element, *, kind: str, prose: bool) -> list[Any]:
        """Give what a container holds: divisions of this kind, paragraphs, and runs of words between them."""
        found: list[Any] = []
        run: list[str | Element] = []
        for child in mixed(node, self.inline.file):
            if isinstance(child, str) or not is_block(child):
                run.append(child)
                continue
            self.run(run, found, prose=prose)
            run = []
            self.block(child, found, kind=kind, prose=prose)
        self.run(run, found, prose=prose)
        return closed(found)

    def run(self, run: list[str | Element], found: list[Any], *, prose: bool) -> None:
        """Words between blocks: a paragraph; without words, what is due at the beginning of the next."""
        notes = [each for each in run if not isinstance(each, str) and is_note(each)]
        words = any(each.strip() if isinstance(each, str) else each not in notes for each in run)
        if not words:
            found += [note for each in notes for note in self.inline.notes(name_of(each), each, place="block")]
            return
        content = self.inline.content(run)
        if printed([each for each in tidy(content) if not isinstance(each, Note)]):
            self.paragraph(content, found, prose=prose)
            return
        for each in content:
            if isinstance(each, (Juan, Note)):
                found.append(replace(each, place="block") if isinstance(each, Note) else each)
            elif isinstance(each, (Point, Break)):
                self.pending.append(each)

    def block(self, node: Element, found: list[Any], *, kind: str, prose: bool) -> None:
        """An element that stands between paragraphs."""
        name = name_of(node)
        if name in DIVISIONS and name != "group":
            made = self.division(node, kind=kind, prose=prose)
            found += [made] if any(not isinstance(item, Point) for item in made.items) else []
        elif name == "lg" and all(name_of(each) in ("l", "lb", "pb", "cb", "note", "anchor", "head", "lg", "app",
                                                    "caesura", "label", "milestone", START, END) for each in node):
            self.verse(node, found, kind=kind, prose=prose)
        elif name == "l":
            self.lines([node], found)
        elif name == "app":
            self.entry(node, found, kind=kind, prose=prose)
        elif name in ("listApp",):
            self.apart(node, found)
        elif name == "figure":
            self.inline.record.kin(name, "a picture with its words")
            found.append(figure(whole_text(node)))
        elif name in _NAMED and not holds_blocks(node):
            self.named(name, node, found, prose=prose)
        elif not holds_blocks(node):
            if name not in ("p", "ab"):
                self.inline.record.kin(name, "a paragraph")
            self.paragraph(self.inline.inside(node), found, prose=prose)
        else:
            if name not in ("p", "ab", "lg", "text", "body", "group"):
                self.inline.record.kin(name, "its paragraphs")
            self.held(node, found, kind=kind, prose=prose)

    def held(self, node: Element, found: list[Any], *, kind: str, prose: bool) -> None:
        """What an element that is no division holds; a head in it is one only where its division has not begun."""
        made = self.items(node, kind=kind, prose=prose)
        found += [Paragraph(content=each.content, kind="prose" if prose else "jing")
                  if isinstance(each, Head) and begun(found) else each for each in made]

    def entry(self, node: Element, found: list[Any], *, kind: str, prose: bool) -> None:
        """An entry about whole paragraphs: those of its lemma stand in the text."""
        opened = self.inline.entries.opened(node)
        if opened is None:
            self.inline.entries.app(node, [], self.inline)
            return
        start, end, chosen = opened
        self.pending.append(start)
        if chosen is not None:
            self.held(chosen, found, kind=kind, prose=prose)
        self.end([end], found)
        self.inline.entries.raw(node, self.inline, start, end, chosen)

    def apart(self, node: Element, found: list[Any]) -> None:
        """A list of entries, each about words elsewhere; one without readings (parallels) is a note here."""
        nowhere: list[Any] = []
        for words in loose_words(node):
            self.inline.record.out(name_of(node), words)
        for each in node:
            if name_of(each) == "app" and each.find(".//{*}rdg") is None and each.find("{*}lem") is None and all(
                name_of(inner) == "note" for inner in each
            ):
                found += [self.inline.note(note, place="block") for note in each]
            elif name_of(each) == "app":
                self.inline.entries.app(each, nowhere, self.inline, apart=True)
            elif name_of(each) == "listApp":
                self.apart(each, found)
            else:
                self.inline.record.out(name_of(each), whole_text(each))

    def end(self, points: list[Any], found: list[Any]) -> None:
        """Put points at the end of what was given last."""
        last = found[-1] if found else None
        if not points:
            return
        if isinstance(last, Division):
            found[-1] = replace(last, items=(*last.items, *points))
        elif isinstance(last, (Paragraph, Head, Trailer, Furniture)):
            found[-1] = replace(last, content=(*last.content, *points))
        else:
            self.pending += points

    def paragraph(self, content: list[Any], found: list[Any], *, prose: bool) -> None:
        """A paragraph: base text, or prose of front matter."""
        made = tuple(tidy([*self.waiting(), *content]))
        if printed(made):
            found.append(Paragraph(content=made, kind="prose" if prose else "jing"))
        else:
            self.pending += [each for each in made if isinstance(each, (Point, Break))]

    def waiting(self) -> list[Any]:
        """Give the points and breaks that wait for a paragraph."""
        due, self.pending = self.pending, []
        return due

    def named(self, name: str, node: Element, found: list[Any], *, prose: bool) -> None:
        """A head, at the beginning of its division; a trailer; a line of the page; any other is a paragraph."""
        content = tuple(tidy([*self.waiting(), *self.inline.inside(node)]))
        if not printed(content):
            self.pending += [each for each in content if isinstance(each, (Point, Break))]
        elif name in _FURNITURE:
            closing = LINES.get(name) == "juan-head" and begun(found)
            kind = "juan-tail" if closing else _FURNITURE[name]
            words = tuple(each for each in content if not isinstance(each, Note))
            found.append(Furniture(kind=kind, content=words))  # type: ignore[arg-type]
            found += [replace(each, place="block") for each in content if isinstance(each, Note)]
        elif name == "trailer" and not prose:
            found.append(Trailer(content=content))
        elif not begun(found) and name == "head":
            found.append(Head(content=content))
        else:
            self.inline.record.kin(name, "a paragraph")
            found.append(Paragraph(content=content, kind="prose" if prose else "jing"))

    def verse(self, node: Element, found: list[Any], *, kind: str, prose: bool) -> None:
        """``lg``: its lines are a unit of verse; stanzas in it are units after one another."""
        lines: list[Element | str] = []
        for child in mixed(node, self.inline.file):
            if isinstance(child, str) and not child.strip():
                continue
            if isinstance(child, str) or name_of(child) not in ("head", "lg"):
                lines.append(child)
                continue
            self.lines(lines, found)
            lines = []
            self.block(child, found, kind=kind, prose=prose)
        self.lines(lines, found)

    def lines(self, nodes: Sequence[Element | str], found: list[Any]) -> None:
        """Lines of verse as a paragraph of one unit."""
        made: list[Any] = []
        waiting = self.waiting()
        for node in nodes:
            if isinstance(node, str) or name_of(node) != "l":
                waiting += self.inline.content([node])
                continue
            content = self.inline.inside(node)
            content = tidy([*waiting, *content] if waiting else content)
            waiting = []
            if made and (end := plain(made[-1].content)[-1:]) and not wide(end):
                made[-1] = replace(made[-1], content=(*made[-1].content, " "))
            made.append(Line(content=tuple(content)))
        rest = tidy(waiting)
        if rest and made:
            made[-1] = replace(made[-1], content=(*made[-1].content, *rest))
        elif printed(rest):
            found.append(Paragraph(content=tuple(rest)))
        else:
            self.pending += rest
        if made:
            found.append(Paragraph(content=(Unit(content=tuple(made), verse=True),)))
