"""Reads the content of a paragraph: words, breaks, characters, notes; and every kind of ``app`` as an entry whose ends
are points of the text (TEI Guidelines, 12.1 and 12.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import Break, Certainty, Content, Correction, Gap, Glyph, Juan, Note, Span, Supplied
from pipeline.model.numerals import whole
from pipeline.model.vocabulary import EDITORS, TEI
from pipeline.readers.tei import elements
from pipeline.readers.tei.arrange import Point, RawEntry, ReaderRecord, first_name, resolved, tidied, without_points
from pipeline.readers.tei.elements import form_of_source, holds_blocks, is_note, name_of, whole_text
from pipeline.readers.tei.facts import Facts, picture_of
from pipeline.readers.tei.weave import Weaver, as_words, attested
from pipeline.tei.apparatus import Attested, Variation
from pipeline.tei.linking.points import END, ENTRY, START
from pipeline.tei.tree import ID, Element, bare, loose_words, mixed, place

_LOST = {"blank": "blank", "illegible": "lacuna", "lost": "lacuna", "lacuna": "lacuna", "glyph-lost": "glyph-lost"}
"""Our reasons for a gap by those of the Guidelines (11.3.3) and of EpiDoc; any other is a lacuna."""
_CERTAINTIES: dict[str, Certainty] = {"high": "high", "medium": "medium", "low": "low"}
_TURNS = {"lacunaStart": ("from", "after"), "witEnd": ("from", "after"),
          "lacunaEnd": ("to", "before"), "witStart": ("to", "before")}
_ANY_TURN = [f"{{*}}{name}" for name in _TURNS]
_ENTRY_ENDS = [f"{space}{name}" for name in ("anchor", "app") for space in ("", f"{{{TEI}}}")]


@dataclass(slots=True)
class InlineReader:
    """Reads content, and records its entries and what it shows otherwise or leaves out."""

    facts: Facts
    file: str
    record: ReaderRecord
    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of pictures of pages, by id."""
    entries: list[RawEntry] = field(default_factory=list)
    count: int = 0
    """Number of entries that stand round their words."""

    def content(self, nodes: Iterable[str | Element]) -> list[Any]:
        """Return words and elements as content with its points."""
        found: list[Any] = []
        for node in nodes:
            if not isinstance(node, str):
                name = name_of(node)
                _READ_BY.get(name, InlineReader._other)(self, name, node, found)
            elif found and isinstance(found[-1], Break) and found[-1].rend == "no":  # inside a word: ``lb break="no"``
                found.append(node.lstrip(" \t\r\n"))
            else:
                found.append(node)
        return found

    def inside(self, node: Element) -> list[Any]:
        """Return an element's content with its points."""
        return self.content(mixed(node, self.file)) if len(node) else [node.text] if node.text else []

    def _end(self, name: str, node: Element, found: list[Any]) -> None:
        found.append(Point(node.get("n", ""), "start" if name == START else "end"))

    def _other(self, name: str, node: Element, found: list[Any]) -> None:
        self.record.show_as(name, "its place" if name in elements.EMPTY and not whole_text(node) else "its words")
        found += self.inside(node)

    def _note_or_words(self, name: str, node: Element, found: list[Any]) -> None:
        if name == "noteGrp":
            self.record.show_as(name, "its notes")
            found += [self.note(each) for each in node if isinstance(each.tag, str)]
            found += [Note(content=(" ".join(each.split()),), kind="gloss") for each in loose_words(node)]
        else:
            found += [self.note(node)] if is_note(node) else self.inside(node)

    def _milestone(self, name: str, node: Element, found: list[Any]) -> None:
        if node.get("unit") == "juan" and whole(node.get("n", ""), -1) >= 0:
            found += [Juan(n=whole(node.get("n", ""))), *self.inside(node)]
        else:
            self._other(name, node, found)

    def _character(self, _: str, node: Element, found: list[Any]) -> None:
        """Read one character: its words, or ``@n`` (TLS writes punctuation so)."""
        n = node.get("n")
        found += [n] if n and not whole_text(node) else self.inside(node)

    def _left_out(self, name: str, node: Element, _: list[Any]) -> None:
        self.record.show_as(name, "left out")
        self.record.leave_out(name, whole_text(node))

    def _page(self, name: str, node: Element, found: list[Any]) -> None:
        """Read a page, column or line; a break inside a word is no white space."""
        inside_word = node.get("break") == "no"
        while inside_word and found and isinstance(found[-1], str):
            found[-1] = found[-1].rstrip(" \t\r\n")
            if found[-1]:
                break
            found.pop()
        edition = node.get("ed", "") or node.get("edRef", "").removeprefix("#")
        found.append(Break(
            unit=elements.PAGES[name], n=node.get("n", ""), edition=edition,  # type: ignore[arg-type]
            image=picture_of(node.get("facs", ""), self.pictures), rend="no" if inside_word else "",
        ))
        if not inside_word:
            found.append(" ")
        if (len(node) or node.text) and whole_text(node).strip():  # TEI gives it no content; what it has follows it
            self.record.show_as(name, "its words")
            found += self.inside(node)

    def _choice(self, _: str, node: Element, found: list[Any]) -> None:
        """Read two forms of one place: as a correction, or the source's form with the other in the ledger."""
        for words in loose_words(node):
            self.record.leave_out("choice", words)
        forms = {name_of(child): child for child in reversed(node)}
        if forms.keys() == {"sic", "corr"} and len(node) == 2:
            self._correction(forms["sic"], forms["corr"], found)
            return
        first = form_of_source(node)
        for child in node:
            if child is first:
                found += self.inside(child)
            else:
                self.record.show_as(f"choice-{name_of(child)}", "left out")
                self.record.leave_out(name_of(child), whole_text(child))
        self.record.show_as("choice", "the form of the source")

    def _correction(self, sic: Element, corr: Element, found: list[Any]) -> None:
        """Read words and their correction, an entry round them too; if they hold more, the correction is a note."""
        content = [whole_text(sic)] if _is_plain(sic) else self.inside(sic)
        words = "".join(each for each in content if isinstance(each, str))
        written = [n for n, each in enumerate(content) if isinstance(each, str) and each.strip()]
        inner = content[written[0] : written[-1]] if written else [*content, None]
        resp = self.person(corr.get("resp", "")) or EDITORS
        simple = all(isinstance(each, str) for each in inner) and all(isinstance(i, (str, Point)) for i in content)
        if simple and _is_plain(corr):
            made = Correction(sic="".join(words.split()), corr="".join(whole_text(corr).split()), resp=resp)
            points = [each for each in content[: written[0]] if isinstance(each, Point)]
            found += [*points, made, *(each for each in content[written[0] :] if isinstance(each, Point))]
            return
        found += content
        self.record.show_as("choice", "the form of the source")
        if words := " ".join(whole_text(corr).split()):
            found.append(Note(content=(words,), kind="editorial", resp=resp))

    def _supplied(self, _: str, node: Element, found: list[Any]) -> None:
        """Read an editor's addition; one that holds more than words is shown as its content."""
        content = self.inside(node) if all(name_of(each) in (START, END) for each in node) else []
        words = [each for each in content if not isinstance(each, Point)]
        if len(words) == 1 and (text := " ".join(words[0].split())):  # ends of entries stand before or after it
            reason = first_name(node.get("reason", ""), "lost")
            made = Supplied(text=text, reason=reason, resp=self.person(node.get("resp", "")) or EDITORS)
            found += [made if each is words[0] else each for each in content]
        else:
            self.record.show_as("supplied", "its words")
            found += self.inside(node)

    def _gap(self, name: str, node: Element, found: list[Any]) -> None:
        """Read a gap; a space left by the source is blank, one of no width (CBETA) nothing."""
        self.record.leave_out("desc", whole_text(node))
        if name == "space" and node.get("quantity") == "0":
            return
        reason = "blank" if name == "space" else _LOST.get((node.get("reason", "").split() or [""])[0], "lacuna")
        found.append(Gap(reason=reason))  # type: ignore[arg-type]

    def _glyph(self, _: str, node: Element, found: list[Any]) -> None:
        """Read a character outside Unicode: its words, else what the header declares of it."""
        known = self.facts.glyphs.get(node.get("ref", "").rpartition("#")[2])
        if whole_text(node).strip() or known is None:
            self.record.show_as("g", "its words")
            found += self.inside(node) if whole_text(node).strip() else [Gap(reason="glyph-lost")]
            return
        code, standard, about = known
        if not standard:
            self.record.show_as(f"g {node.get('ref', '')} {about}".strip(), "〓")
        found.append(Glyph(code=code, standard=standard))

    def _span(self, name: str, node: Element, found: list[Any]) -> None:
        if next(node.iterdescendants(*_ENTRY_ENDS), None) is not None:  # an entry begins or ends in it
            self._other(name, node, found)
            return
        inside = self.inside(node)
        if any(isinstance(each, (Note, Juan)) for each in inside) or not whole_text(node).strip():
            self.record.show_as(name, "its words")
            found += inside
        else:
            found.append(Span(role=elements.SPANS[name], content=tuple(inside)))  # type: ignore[arg-type]

    def note(self, node: Element, *, place: str = "inline") -> Note:
        """Return a note; brackets round all of it become its brackets."""
        kind, top = node.get("type", ""), "top" in node.get("place", "").split()
        if kind not in elements.NOTE_KINDS:
            layer = name_of(node) == "seg" or node.get("place") in ("inline", "interlinear") or top
            kind = "commentary" if layer or elements.COMMENTARY.fullmatch(kind) else "gloss"
        content, rend = _without_brackets(tidied(self.inside(node)))
        return Note(
            content=tuple(content), kind=kind, resp=self.person(node.get("resp", "")),  # type: ignore[arg-type]
            rend=rend, place="top" if top else place,  # type: ignore[arg-type]
        )

    def _app(self, _: str, node: Element, found: list[Any]) -> None:
        """Read an entry; if it stands round its words, its lemma is added between its points."""
        opened = self.opened(node)
        if opened is None:
            self.apart(node)
            return
        key, chosen = opened
        found.append(Point(key, "start"))
        if chosen is not None:
            if name_of(chosen) != "lem":
                self.record.show_as("app without lem", "its first reading is the text")
            found += self.inside(chosen)
        found.append(Point(key, "end"))
        self.entry(node, key, chosen)

    def apart(self, node: Element) -> None:
        """Record an entry that stands apart from its words, or in a list of entries."""
        self.entry(node, node.get(ENTRY, ""))

    def opened(self, node: Element) -> tuple[str, Any] | None:
        """Return the key of an entry that stands round its words, and the reading that is the text, if there is one;
        None if it stands apart from its words."""
        if node.get(ENTRY):
            return None
        self.count += 1
        chosen = None
        for each in _parts(node, []):
            if name_of(each) == "lem":
                chosen = each
                break
            chosen = each if chosen is None and name_of(each) == "rdg" else chosen
        return f"app {self.count}", chosen

    def entry(self, node: Element, key: str, chosen: Element | None = None) -> None:
        """Record an entry; `chosen` is the reading that is the text, None if the entry stands apart from it."""
        lemma: tuple[str, ...] | None = None
        readings, turns, notes = list[Attested](), list[tuple[str, str, str]](), list[Content]()
        who, sure = "", ""
        loose = list(loose_words(node))
        for child in _parts(node, loose):
            name = name_of(child)
            if name not in ("lem", "rdg"):
                self._beside(name, child, notes, loose)
                continue
            witnesses = self._witnesses(child)
            for each in child.iterdescendants(*_ANY_TURN) if len(child) else ():
                side, where = _TURNS[bare(each)]
                turns += [(side, witness, where) for witness in witnesses]
            if child is chosen or (chosen is None and name == "lem"):
                lemma = witnesses if witnesses or name == "rdg" else None
                who, sure = (self.person(child.get("resp", "")), child.get("cert", "")) if name == "lem" else ("", "")
                if chosen is None:
                    self.record.leave_out("lem", whole_text(child))
            else:
                pointer = "" if child.get("wit") or name == "lem" else child.get("resp", "") or child.get("source", "")
                who_proposed = self.facts.proposer(pointer) if pointer else ""
                readings.append(attested(witnesses, self._reading(child), who_proposed))
        notes += [(" ".join(words.split()),) for words in loose]
        entry = Variation(
            start=0, end=0, lemma=lemma, readings=tuple(readings), notes=tuple(notes), resp=who, name=node.get(ID, ""),
            cert=_CERTAINTIES.get(sure, ""), same_as=node.get("corresp", "").partition(" ")[0].removeprefix("#"),
            line=place(node, "").line, loc=node.get("loc", ""), apps=(self.record.apps,),
        )
        self.record.apps += 1
        self.entries.append(RawEntry(key, entry, tuple(turns)))

    def _witnesses(self, node: Element) -> tuple[str, ...]:
        """Return the witnesses of a reading: those of ``@wit`` or of the ``wit`` after it; of a hand, this hand."""
        written = node.get("wit", "")
        if not written and (after := node.getnext()) is not None and name_of(after) == "wit":
            written = " ".join(whole_text(after).split())
        named = self.facts.witnesses.named(written)
        hand = node.get("hand", "").rpartition("#")[2]
        return tuple(self.facts.witnesses.hand(each, hand) for each in named) if hand else named

    def _reading(self, node: Element) -> Content:
        if not len(node):
            return tuple(tidied([node.text])) if node.text else ()
        outer, self.entries = self.entries, []
        if holds_blocks(node):
            self.record.show_as("paragraphs of a reading", "its words")
        found: dict[Point, int] = {}
        content, _ = without_points(tidied(self.inside(node)), found)
        weaver = Weaver(tuple(self._witnesses(node)))
        placed = [(raw.entry, span) for raw in self.entries if (span := raw.place(found))]
        self.record.nested.update(number for entry, _ in placed for number in entry.apps)
        made = weaver.content(content, 0, [resolved(entry, span, self.record, "") for entry, span in placed])
        made += tuple(Note(content=as_words(each.entry), kind="variant") for each in weaver.unheld)
        self.entries = [*outer, *(raw for raw in self.entries if raw.place(found) is None)]
        if made or next(node.iterdescendants("{*}lacunaStart", "{*}lacuna"), None) is None:
            return made
        return (Gap(reason="lacuna"),)

    def _beside(self, name: str, node: Element, notes: list[Content], loose: list[str]) -> None:
        """Read what an entry has beside its readings: a note, or words that are shown as one."""
        if name in ("rdgGrp", "witDetail"):
            self.record.show_as(name, "its readings")
        if name in ("note", "witDetail"):
            notes.append(self.plain(node))
        elif name == "wit":  # says who has the reading before it
            self.record.leave_out(name, whole_text(node))
        elif name != "rdgGrp" and (words := whole_text(node)).strip():
            self.record.show_as(name, "a note of its entry")
            loose.append(words)

    def person(self, pointer: str) -> str:
        """Return the id of a person whom the header declares; empty for any other."""
        names = (each.rpartition("#")[2] for each in pointer.split())
        return next((name for name in names if name in self.facts.persons), "") if pointer else ""

    def plain(self, node: Element) -> Content:
        """Return an element's content without points, at any depth."""
        return without_points(tidied(self.inside(node)), {})[0]


def _is_plain(node: Element) -> bool:
    return not any(is_note(each) or name_of(each) in ("app", "g", "gap", START, END) for each in node.iterdescendants())


def _parts(node: Element, loose: list[str]) -> Iterator[Element]:
    """Yield the children of an entry, those of groups after them; words directly in groups go into `loose`."""
    for child in node:
        yield child
        if name_of(child) == "rdgGrp":
            loose += loose_words(child)
            yield from _parts(child, loose)


_READ_BY: Mapping[str, Callable[[InlineReader, str, Element, list[Any]], None]] = {
    **dict.fromkeys(elements.WORDS_ONLY | elements.TURNS | {"note", "noteGrp", "seg"}, InlineReader._note_or_words),
    **dict.fromkeys(elements.LEFT_OUT, InlineReader._left_out),
    **dict.fromkeys(elements.SPANS, InlineReader._span), **dict.fromkeys(elements.PAGES, InlineReader._page),
    **dict.fromkeys(("gap", "space", "ellipsis"), InlineReader._gap),
    **dict.fromkeys((START, END), InlineReader._end), "app": InlineReader._app,
    "c": InlineReader._character, "milestone": InlineReader._milestone,
    "choice": InlineReader._choice, "supplied": InlineReader._supplied, "g": InlineReader._glyph,
}
"""Methods by element name; any other element is read as its words."""
_BRACKETS = ("（）", "()", "〔〕", "【】", "〈〉", "［］", "[]")


def _without_brackets(content: list[Any]) -> tuple[list[Any], str]:
    first, last = (content[0], content[-1]) if content else ("", "")
    if isinstance(first, str) and isinstance(last, str):
        pair = first[:1] + last[-1:]
        whole = "".join(each for each in content if isinstance(each, str))
        if pair in _BRACKETS and whole.count(pair[0]) == whole.count(pair[1]) == 1 and len(whole) > len(pair):
            rest = [first[1:], *content[1:]]
            rest[-1] = rest[-1][:-1]
            return [each for each in rest if each != ""], pair
    return content, ""
