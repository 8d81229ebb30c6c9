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
    FIRST,
    LEFT_OUT,
    NOTE_KINDS,
    PAGES,
    SPANS,
    TURNS,
    WORDS_ONLY,
    is_note,
    name_of,
    whole_text,
)
from pipeline.readers.tei.entry import Entries
from pipeline.readers.tei.facts import Facts
from pipeline.readers.tei.met import Met, Point, tidy
from pipeline.readers.tei.pictures import picture_of
from pipeline.tei.tree import ID, Element, loose_words, mixed

_LOST = {"blank": "blank", "illegible": "lacuna", "lost": "lacuna", "lacuna": "lacuna", "glyph-lost": "glyph-lost"}
"""Our reasons for a gap by those of the Guidelines (11.3.3) and of EpiDoc; any other is a lacuna."""


@dataclass(slots=True)
class InlineReader:
    """Reads content; what it meets goes into the record."""

    facts: Facts
    file: str
    record: Met
    entries: Entries
    wanted: frozenset[str]
    """Ids of elements whose place is asked for."""
    moved: dict[str, list[Element]] = field(default_factory=dict)
    """Notes that stand elsewhere in the file, by the id of what they are on."""
    numbered: Callable[[Element], str] = lambda _: ""
    """Gives the location that an element begins, if entries ask for it."""
    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of pictures of pages, by the id under which the file has them."""
    brought: int = 0
    """How many notes that stand elsewhere were put in their places."""

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
        name, identifier = name_of(node), node.get(ID, "")
        marked = identifier in self.wanted and bool(identifier)
        location = self.numbered(node)
        keys = [key for key in (identifier if marked else "", location) if key]
        found += [Point(key, "start") for key in keys]
        self.known(name, node, found)
        found += [Point(key, "end") for key in keys]
        for note in self.moved.pop(identifier, ()) if identifier else ():
            found += self.placed(self.note(note))

    def placed(self, note: Note) -> list[Any]:
        """Give a note that stands elsewhere in the file between points which say so."""
        self.brought += 1
        key = f"moved {self.brought}"
        return [Point(key, "start"), note, Point(key, "end")]

    def known(self, name: str, node: Element, found: list[Any]) -> None:
        """Add an element by what it is."""
        if is_note(node):
            found += self.notes(name, node)
        elif name in PAGES:
            self.page(name, node, found)
        elif name == "app":
            self.entries.app(node, found, self)
        elif name in _OWN:
            _OWN[name](self, node, found)
        elif name in SPANS and not self.entries.spanned(node):
            self.span(name, node, found)
        elif name in LEFT_OUT:
            self.record.kin(name, "left out")
            self.record.out(name, whole_text(node))
        else:
            self.other(name, node, found)

    def other(self, name: str, node: Element, found: list[Any]) -> None:
        """Any other element: its words, or what stands for them in an attribute."""
        if name == "milestone" and node.get("unit") == "juan" and whole(node.get("n", ""), -1) >= 0:
            found.append(Juan(n=whole(node.get("n", ""))))
        elif name == "c" and not whole_text(node) and node.get("n"):
            found.append(node.get("n"))  # TLS writes punctuation so
        else:
            if name not in WORDS_ONLY and name not in TURNS:
                self.record.kin(name, "its place" if name in EMPTY and not whole_text(node) else "its words")
            found += self.inside(node)

    def page(self, name: str, node: Element, found: list[Any]) -> None:
        """A page, column or line; none that breaks a word is white space."""
        whole = node.get("break") == "no"
        while whole and found and isinstance(found[-1], str):
            found[-1] = found[-1].rstrip(" \t\r\n")
            if found[-1]:
                break
            found.pop()
        edition = node.get("ed", "") or node.get("edRef", "").removeprefix("#")
        found.append(Break(unit=PAGES[name], n=node.get("n", ""), edition=edition,  # type: ignore[arg-type]
                           image=picture_of(node, self.pictures), rend="no" if whole else ""))
        if not whole:
            found.append(" ")
        if whole_text(node).strip():  # a break holds nothing, TEI says; what it holds is shown after it
            self.record.kin(name, "its words")
            found += self.inside(node)

    def choice(self, node: Element, found: list[Any]) -> None:
        """Two forms of one place: a correction of ours, or what the source has; the other goes into the ledger."""
        forms = {name_of(child): child for child in reversed(node)}
        if forms.keys() == {"sic", "corr"} and len(node) == 2 and not any(
            is_note(each) or name_of(each) in ("app", "g", "gap") for each in node.iterdescendants()
        ):
            sic, corr = ("".join(whole_text(forms[key]).split()) for key in ("sic", "corr"))
            if sic:
                found.append(Correction(sic=sic, corr=corr, resp=self.person(forms["corr"].get("resp", "")) or EDITORS))
                return
        first = next((forms[name] for name in FIRST if name in forms), node[0] if len(node) else None)
        for words in loose_words(node):
            self.record.out("choice", words)
        for child in node:
            if child is first:
                found += self.inside(child)
            else:
                self.record.kin(f"choice-{name_of(child)}", "left out")
                self.record.out(name_of(child), whole_text(child))
        self.record.kin("choice", "the form of the source")

    def supplied(self, node: Element, found: list[Any]) -> None:
        """Words that an editor supplies; those that hold more than words are shown as words."""
        words = " ".join(whole_text(node).split())
        if words and len(node) == 0:
            reason = (node.get("reason", "").split() or ["lost"])[0]
            found.append(Supplied(text=words, reason=reason, resp=self.person(node.get("resp", "")) or EDITORS))
        else:
            self.record.kin("supplied", "its words")
            found += self.inside(node)

    def gap(self, node: Element, found: list[Any]) -> None:
        """A lost place; a space that the source leaves is blank, one of no width (CBETA) is nothing."""
        name = name_of(node)
        self.record.out("desc", whole_text(node))
        if name == "space" and node.get("quantity") == "0":
            return
        reason = "blank" if name == "space" else _LOST.get((node.get("reason", "").split() or [""])[0], "lacuna")
        found.append(Gap(reason=reason))  # type: ignore[arg-type]

    def glyph(self, node: Element, found: list[Any]) -> None:
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
        """Give what an element holds as content without points."""
        return tuple(item for item in tidy(self.inside(node)) if not isinstance(item, Point))


_OWN: Mapping[str, Callable[[InlineReader, Element, list[Any]], None]] = {
    "choice": InlineReader.choice, "supplied": InlineReader.supplied, "gap": InlineReader.gap,
    "space": InlineReader.gap, "ellipsis": InlineReader.gap, "g": InlineReader.glyph,
}
"""Elements that have a form of ours."""
_BRACKETS = ("（）", "()", "〔〕", "【】", "〈〉", "［］", "[]")


def _bracketed(content: list[Any]) -> tuple[list[Any], str]:
    """Give content without the pair of brackets that stands round all of it, and this pair."""
    first, last = (content[0], content[-1]) if content else ("", "")
    if isinstance(first, str) and isinstance(last, str):
        pair = first[:1] + last[-1:]
        whole = "".join(each for each in content if isinstance(each, str))
        if pair in _BRACKETS and whole.count(pair[0]) == whole.count(pair[1]) == 1 and len(whole) > len(pair):
            rest = [first[1:], *content[1:]]
            rest[-1] = rest[-1][:-1]
            return [each for each in rest if each != ""], pair
    return content, ""
