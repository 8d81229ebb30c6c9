"""What stands in a paragraph of any TEI, as content of the model: words, breaks, characters, notes, entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import Break, Content, Correction, Gap, Glyph, Juan, Note, Span, Supplied
from pipeline.model.numerals import whole
from pipeline.model.vocabulary import EDITORS
from pipeline.readers.tei.elements import (
    COMMENTARY,
    EMPTY,
    LEFT_OUT,
    NOTE_KINDS,
    PAGES,
    SPANS,
    TURNS,
    WORDS_ONLY,
    form_of_source,
    is_note,
    name_of,
    whole_text,
)
from pipeline.readers.tei.entry import Entries
from pipeline.readers.tei.facts import Facts, picture_of
from pipeline.readers.tei.met import Met, Point, as_name, places, tidy
from pipeline.tei.linking.points import END, START
from pipeline.tei.tree import Element, loose_words, mixed

_LOST = {"blank": "blank", "illegible": "lacuna", "lost": "lacuna", "lacuna": "lacuna", "glyph-lost": "glyph-lost"}
"""Our reasons for a gap by those of the Guidelines (11.3.3) and of EpiDoc; any other is a lacuna."""


@dataclass(slots=True)
class InlineReader:
    """Reads content; what it meets goes into the record."""

    facts: Facts
    file: str
    record: Met
    entries: Entries
    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of pictures of pages, by the id under which the file has them."""

    def content(self, nodes: Iterable[str | Element]) -> list[Any]:
        """Give some words and elements as content, its points still in it."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, str):
                self.words(node, found)
            else:
                self.element(node, found)
        return found

    def inside(self, node: Element) -> list[Any]:
        """Give what an element holds as content."""
        return self.content(mixed(node, self.file))

    def words(self, text: str, found: list[Any]) -> None:
        """Add words; after a break inside a word (``lb break="no"``) without the white space of the layout."""
        if found and isinstance(found[-1], Break) and found[-1].rend == "no":
            text = text.lstrip(" \t\r\n")
        found.append(text)

    def element(self, node: Element, found: list[Any]) -> None:
        """Add an element."""
        name = name_of(node)
        _MET.get(name, InlineReader.other)(self, name, node, found)

    def end(self, name: str, node: Element, found: list[Any]) -> None:
        """Where an entry that stands elsewhere begins or ends."""
        found.append(Point(node.get("n", ""), "start" if name == START else "end"))

    def other(self, name: str, node: Element, found: list[Any]) -> None:
        """Any other element: its words."""
        self.record.kin(name, "its place" if name in EMPTY and not whole_text(node) else "its words")
        found += self.inside(node)

    def segment(self, _: str, node: Element, found: list[Any]) -> None:
        """An element of which nothing is kept but its words, and nobody misses it."""
        found += self.inside(node)

    def seg(self, name: str, node: Element, found: list[Any]) -> None:
        """A segment, which may be a note by its type."""
        found += self.notes(name, node) if is_note(node) else self.inside(node)

    def note_of(self, name: str, node: Element, found: list[Any]) -> None:
        """A note, or a group of them."""
        found += self.notes(name, node)

    def app(self, _: str, node: Element, found: list[Any]) -> None:
        """An entry."""
        self.entries.app(node, found, self)

    def milestone(self, name: str, node: Element, found: list[Any]) -> None:
        """Where a scroll begins; of any other milestone its place."""
        if node.get("unit") == "juan" and whole(node.get("n", ""), -1) >= 0:
            found += [Juan(n=whole(node.get("n", ""))), *self.inside(node)]
        else:
            self.other(name, node, found)

    def character(self, _: str, node: Element, found: list[Any]) -> None:
        """One character: its words, or what stands for them in an attribute (TLS writes punctuation so)."""
        said = node.get("n")
        found += [said] if said and not whole_text(node) else self.inside(node)

    def left_out(self, name: str, node: Element, _: list[Any]) -> None:
        """An element whose words are not the text's."""
        self.record.kin(name, "left out")
        self.record.out(name, whole_text(node))

    def page(self, name: str, node: Element, found: list[Any]) -> None:
        """A page, column or line; none that breaks a word is white space."""
        inside_word = node.get("break") == "no"
        while inside_word and found and isinstance(found[-1], str):
            found[-1] = found[-1].rstrip(" \t\r\n")
            if found[-1]:
                break
            found.pop()
        edition = node.get("ed", "") or node.get("edRef", "").removeprefix("#")
        found.append(Break(unit=PAGES[name], n=node.get("n", ""), edition=edition,  # type: ignore[arg-type]
                           image=picture_of(node, self.pictures), rend="no" if inside_word else ""))
        if not inside_word:
            found.append(" ")
        if whole_text(node).strip():  # a break holds nothing, TEI says; what it holds is shown after it
            self.record.kin(name, "its words")
            found += self.inside(node)

    def choice(self, _: str, node: Element, found: list[Any]) -> None:
        """Two forms of one place: a correction of ours, or what the source has; the other goes into the ledger."""
        for words in loose_words(node):
            self.record.out("choice", words)
        forms = {name_of(child): child for child in reversed(node)}
        if forms.keys() == {"sic", "corr"} and len(node) == 2 and not any(
            is_note(each) or name_of(each) in ("app", "g", "gap") for each in node.iterdescendants()
        ):
            sic, corr = ("".join(whole_text(forms[key]).split()) for key in ("sic", "corr"))
            if sic:
                found.append(Correction(sic=sic, corr=corr, resp=self.person(forms["corr"].get("resp", "")) or EDITORS))
                return
        first = form_of_source(node)
        for child in node:
            if child is first:
                found += self.inside(child)
            else:
                self.record.kin(f"choice-{name_of(child)}", "left out")
                self.record.out(name_of(child), whole_text(child))
        self.record.kin("choice", "the form of the source")

    def supplied(self, _: str, node: Element, found: list[Any]) -> None:
        """Words that an editor supplies; those that hold more than words are shown as words."""
        content = self.inside(node) if all(name_of(each) in (START, END) for each in node) else []
        words = [each for each in content if not isinstance(each, Point)]
        if len(words) == 1 and (text := " ".join(words[0].split())):  # ends of entries stand before or after it
            reason = as_name(node.get("reason", ""), "lost")
            made = Supplied(text=text, reason=reason, resp=self.person(node.get("resp", "")) or EDITORS)
            found += [made if each is words[0] else each for each in content]
        else:
            self.record.kin("supplied", "its words")
            found += self.inside(node)

    def gap(self, name: str, node: Element, found: list[Any]) -> None:
        """A lost place; a space that the source leaves is blank, one of no width (CBETA) is nothing."""
        self.record.out("desc", whole_text(node))
        if name == "space" and node.get("quantity") == "0":
            return
        reason = "blank" if name == "space" else _LOST.get((node.get("reason", "").split() or [""])[0], "lacuna")
        found.append(Gap(reason=reason))  # type: ignore[arg-type]

    def glyph(self, _: str, node: Element, found: list[Any]) -> None:
        """A character outside Unicode: by its words where it has some, else by what the header declares of it."""
        known = self.facts.glyphs.get(node.get("ref", "").rpartition("#")[2])
        if whole_text(node).strip() or known is None:
            self.record.kin("g", "its words")
            found += self.inside(node) if whole_text(node).strip() else [Gap(reason="glyph-lost")]
            return
        code, standard, about = known
        if not standard:
            self.record.kin(f"g {node.get('ref', '')} {about}".strip(), "〓")
        found.append(Glyph(code=code, standard=standard))

    def span(self, name: str, node: Element, found: list[Any]) -> None:
        """A name, a title or a quotation."""
        if self.entries.spanned(node):
            self.other(name, node, found)
            return
        inside = self.inside(node)
        if any(isinstance(each, (Note, Juan)) for each in inside) or not whole_text(node).strip():
            self.record.kin(name, "its words")
            found += inside
        else:
            found.append(Span(role=SPANS[name], content=tuple(inside)))  # type: ignore[arg-type]

    def notes(self, name: str, node: Element, *, place: str = "inline") -> list[Note]:
        """A note, or those of a group one after the other."""
        if name != "noteGrp":
            return [self.note(node, place=place)]
        self.record.kin(name, "its notes")
        said = [Note(content=(" ".join(each.split()),), kind="gloss", place=place)  # type: ignore[arg-type]
                for each in loose_words(node)]
        return [*(self.note(each, place=place) for each in node if isinstance(each.tag, str)), *said]

    def note(self, node: Element, *, place: str = "inline") -> Note:
        """A note; brackets that stand round it are its brackets."""
        said, top = node.get("type", ""), "top" in node.get("place", "").split()
        if said not in NOTE_KINDS:
            layer = name_of(node) == "seg" or node.get("place") in ("inline", "interlinear") or top
            text = layer or COMMENTARY.fullmatch(said)
            said = "commentary" if text else "gloss"
        content, rend = _bracketed(tidy(self.inside(node)))
        return Note(
            content=tuple(content), kind=said, resp=self.person(node.get("resp", "")),  # type: ignore[arg-type]
            rend=rend, place="top" if top else place,  # type: ignore[arg-type]
        )

    def person(self, pointer: str) -> str:
        """Give the id of a person whom the header declares; nothing for any other."""
        names = [name for each in pointer.split() if (name := each.rpartition("#")[2]) in self.facts.persons]
        return names[0] if names else ""

    def plain(self, node: Element) -> Content:
        """Give what an element holds as content without points, however deep in it they are."""
        return places(tidy(self.inside(node)), {})[0]


_MET: Mapping[str, Callable[[InlineReader, str, Element, list[Any]], None]] = {
    **dict.fromkeys(WORDS_ONLY | TURNS, InlineReader.segment), **dict.fromkeys(LEFT_OUT, InlineReader.left_out),
    **dict.fromkeys(SPANS, InlineReader.span), **dict.fromkeys(PAGES, InlineReader.page),
    **dict.fromkeys(("gap", "space", "ellipsis"), InlineReader.gap),
    **dict.fromkeys(("note", "noteGrp"), InlineReader.note_of),
    **dict.fromkeys((START, END), InlineReader.end),
    "seg": InlineReader.seg, "c": InlineReader.character, "milestone": InlineReader.milestone, "app": InlineReader.app,
    "choice": InlineReader.choice, "supplied": InlineReader.supplied, "g": InlineReader.glyph,
}
"""How an element is read, by its name; any other gives its words."""
_BRACKETS = ("（）", "()", "〔〕", "【】", "〈〉", "［］", "[]")


def _bracketed(content: list[Any]) -> tuple[list[Any], str]:
    first, last = (content[0], content[-1]) if content else ("", "")
    if isinstance(first, str) and isinstance(last, str):
        pair = first[:1] + last[-1:]
        whole = "".join(each for each in content if isinstance(each, str))
        if pair in _BRACKETS and whole.count(pair[0]) == whole.count(pair[1]) == 1 and len(whole) > len(pair):
            rest = [first[1:], *content[1:]]
            rest[-1] = rest[-1][:-1]
            return [each for each in rest if each != ""], pair
    return content, ""
