"""Imports Word files (Office Open XML, ECMA-376) whose footnotes are a 校勘記, with an apparatus by two points.

Paragraphs of a style Heading or Title become heads, all others paragraphs. A footnote or endnote that is a sentence of
a 校勘記 (`jiaokan.exchange.imports.jiaokanji`) becomes an entry on its words: the nearest before its number, else the
nearest after it. A note that is no such sentence, or whose words are not found, stays a note and is reported.

A file of ours (`jiaokan.model.vocabulary.WORD_STYLES`) comes back as what it was: numbers of units, comments with their
speakers, what the editor corrected and supplied; what is about the edition is front matter. An editor may correct it in
a word processor.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from jiaokan.characters.scripts import language_of
from jiaokan.characters.writing import most_frequent, script_of_language
from jiaokan.errors import Finding, Message, Place
from jiaokan.exchange.imports import Imported
from jiaokan.exchange.imports.formulae import (
    NoteEmendation,
    is_statement,
    parse_correction,
    parse_emendation,
    parse_formula,
)
from jiaokan.exchange.imports.jiaokanji import BASE, NoteEntry, parse_note
from jiaokan.readers.common.word import NUMBERS, WordFile, WordNote, WordParagraph, read_word
from jiaokan.tei.tree import ID, LANG, Element, add_text, element, serialise

SUFFIXES = (".docx",)
_BRACKETS = ("【】", "〈〉", "〔〕", "（）", "｛｝", "〖〗")
_MARKS = re.compile(r"[\W_]+")
_ELISION = re.compile("…+|⋯+|至(?=.)")


def convert(data: bytes, name: str) -> Imported:
    """Return a Word file as TEI. Raises SourceError if it is no Word file or has no words."""
    return _Import(read_word(data, name), name).convert()


@dataclass(slots=True)
class _Import:
    file: WordFile
    name: str
    findings: list[Finding] = field(default_factory=list)
    sigla: dict[str, str] = field(default_factory=dict)  # ids of witnesses by their names in notes
    people: dict[str, str] = field(default_factory=dict)
    acts: dict[str, str] = field(default_factory=dict)  # what these do, if not conjecture
    entries: list[Element] = field(default_factory=list)
    emended: int = 0
    positive: bool = False  # whether entries name the witnesses that agree

    def convert(self) -> Imported:
        self.sigla[BASE] = "base"
        paragraphs = self.file.paragraphs
        self.list_doubts(paragraphs)
        front, paragraphs = self.front(paragraphs)
        body = self.body(paragraphs)  # first: it finds the witnesses and persons of the header
        text = element("text", {LANG: self.language(paragraphs)}, "", *front, body)
        root = element("TEI", {}, "", self.header(paragraphs), text)
        if self.entries:
            root.append(element("standOff", {}, "", element("listApp", {}, "", *self.entries)))
        return Imported(serialise(root), len(self.entries) + self.emended, tuple(self.findings))

    def language(self, paragraphs: list[WordParagraph]) -> str:
        """Return the language of the text by its letters, or of a file of ours what that states in this script."""
        text = "".join(paragraph.text for paragraph in paragraphs)
        stated = (name for name in self.file.languages if script_of_language(name) == most_frequent(text) != "Hani")
        return next(stated, language_of(text))

    def front(self, paragraphs: list[WordParagraph]) -> tuple[list[Element], list[WordParagraph]]:
        """Return the front matter of a file of ours, and the other paragraphs."""
        if not any(paragraph.kind for paragraph in paragraphs):
            return [], paragraphs
        about = {n for n, paragraph in enumerate(paragraphs) if paragraph.head and _heads_no_text(paragraphs, n)}
        aside = [n for n, paragraph in enumerate(paragraphs) if n in about or paragraph.kind in ("about", "subtitle")]
        words = [element("p", {}, paragraphs[n].text.strip()) for n in aside if paragraphs[n].text.strip()]
        front = [element("front", {}, "", element("div", {}, "", *words))] if words else []
        return front, [paragraph for n, paragraph in enumerate(paragraphs) if n not in {*aside}]

    def header(self, paragraphs: list[WordParagraph]) -> Element:
        title = self.file.title.strip() or next((paragraph.text.strip() for paragraph in paragraphs
                                                 if paragraph.text.strip()), "")
        people = [element("respStmt", {ID: key}, "", element("resp", {}, self.acts.get(key, "conjecture")),
                          element("name", {}, name)) for name, key in self.people.items()]
        if self.positive:
            del self.sigla[BASE]
        witnesses = [element("witness", {ID: key, "n": name}, name) for name, key in self.sigla.items()]
        source = element("listWit", {}, "", *witnesses) if self.entries else (
            element("p", {}, f"A Word file: {self.name.rpartition('/')[2]}"))
        described = element("sourceDesc", {}, "", source)
        published = element("publicationStmt", {}, "", element("p", {}, "not published"))
        titled = element("titleStmt", {}, "", element("title", {}, title), *people)
        filed = element("fileDesc", {}, "", titled, published, described)
        method = element("variantEncoding", {"method": "double-end-point", "location": "external"})
        # A 校勘記 names the witnesses that differ from its base; the others agree with it.
        states = f"A {'positive' if self.positive else 'negative'} apparatus."
        kind = element("editorialDecl", {}, "", element("p", {}, states))
        encoded = [element("encodingDesc", {}, "", kind, method)] if self.entries else []
        return element("teiHeader", {}, "", filed, *encoded)

    def body(self, paragraphs: list[WordParagraph]) -> Element:
        """Return the body; a head begins a division in that of the last higher head."""
        body = element("body")
        open_: list[tuple[int, Element]] = [(0, body)]
        ours = any(paragraph.kind for paragraph in paragraphs)
        for paragraph in paragraphs:
            if not paragraph.text.strip():
                continue
            if paragraph.head:
                while open_[-1][0] >= paragraph.head:
                    open_.pop()
                division = element("div")
                open_[-1][1].append(division)
                open_.append((paragraph.head, division))
            if paragraph.head and ours and not paragraph.words_in("title"):  # the book's, not the text's
                term = element("term", {}, paragraph.text.strip())
                open_[-1][1].append(element("index", {"indexName": "contents"}, "", term))
                continue
            holder = self.holder(paragraph)
            open_[-1][1].append(element("figure", {}, "", holder) if paragraph.kind == "figure" else holder)
            self.fill(holder, paragraph)
        return body

    def holder(self, paragraph: WordParagraph) -> Element:
        """Return an element for a paragraph: with its number or speaker, if a file of ours says them."""
        if paragraph.kind == "comment":
            who = paragraph.words_in("commentator")
            return element("note", {"type": "commentary", "place": "block", "resp": self.speaker(who) if who else ""})
        if paragraph.kind == "translation":
            return element("note", {"type": "translation", "place": "block"})
        name = "head" if paragraph.head else _ELEMENTS.get(paragraph.kind, "p")
        number = paragraph.words_in("number")
        return element(name, {"n": number, "type": "furniture" if name == "fw" else ""})

    def speaker(self, name: str) -> str:
        key = self.people.setdefault(name, f"p{len(self.people) + 1}")
        self.acts.setdefault(key, "commentary")
        return f"#{key}"

    def fill(self, holder: Element, paragraph: WordParagraph) -> None:
        placed: list[tuple[int, int, Element]] = []
        cut = [*_emendations(paragraph), *_labels(paragraph)]
        for note in paragraph.notes:
            if (correction := _correction(note, paragraph.text, cut)) is not None:
                cut.append(correction)
                continue
            entries_here = self.align_note(note, paragraph)
            if not entries_here:
                placed.append((note.at, 1, element("note", {"place": "foot", "n": str(note.number)}, note.words)))
            for entry, start, end in entries_here:
                name = f"e{len(self.entries) + 1}"
                for order, at, side in ((2, start, "from"), (0, end, "to")):
                    placed.append((at, 1 if start == end else order, element("anchor", {ID: f"{name}.{side}"})))
                self.entries.append(self.app(entry, name, note.number))
        self.emended += sum(node is not None and not str(node.tag).endswith("}note") for _, _, node in cut)
        _fill_with(holder, paragraph.text, placed, cut)

    def align_note(self, note: WordNote, paragraph: WordParagraph) -> list[tuple[NoteEntry, int, int]]:
        """Return the entries of a note with their places; none if it is no sentence of a 校勘記 or one has words not in
        the paragraph."""
        formula = parse_formula(note.words, self.file.sigla) if self.file.sigla else None
        self.positive = self.positive or formula is not None
        entries = (formula,) if formula else parse_note(note.words)
        if entries is None:
            emendation = parse_emendation(note.words)
            if not is_statement(note.words) and not (emendation and _is_made(emendation, paragraph.text)):
                self.report_note(note, Message("no-formula-of-jiaokanji"))
            return []
        entries_here: list[tuple[NoteEntry, int, int]] = []
        for entry in entries:
            span = _find_entry(entry, note.at, paragraph.text)
            if span is None:
                self.report_note(note, Message("words-not-in-paragraph", words=entry.lemma or entry.beside))
                return []
            entries_here.append((entry, *span))
        return entries_here

    def list_doubts(self, paragraphs: list[WordParagraph]) -> None:
        """Report what is not in the text, and brackets and small type in it that look like notes."""
        for part, words in (row for row in self.file.left_out if row[0] != NUMBERS):
            self.findings.append(Finding("docx-left-out", Place(self.name),
                                         Message("left-out-2", part=part, word=words[:60]),
                                         Message("add-words-file-text"), "warning"))
        text = "\n".join(paragraph.text for paragraph in paragraphs)
        inside = max((len(re.findall(f"{pair[0]}[^{pair}]{{3,}}{pair[1]}", text)) for pair in _BRACKETS), default=0)
        small = sum(len(paragraph.small) for paragraph in paragraphs)
        if (inside > 1 or small) and not any(paragraph.kind for paragraph in paragraphs):
            self.findings.append(Finding(
                "docx-brackets", Place(self.name),
                Message("passages-brackets-small-type-stay", inside=inside, small=small),
                Message("notes-jiaokan-init-folder-file"), "warning"))

    def report_note(self, note: WordNote, why: Message) -> None:
        self.findings.append(Finding("docx-note", Place(self.name),
                                     Message("note-stays-note", number=note.number, why=why,
                                             word=note.words[:60]),
                                     Message("write-docs-jiaokanji-md-shows"), "warning"))

    def app(self, entry: NoteEntry, name: str, number: int) -> Element:
        agreeing = " ".join(f"#{self.witness(siglum)}" for siglum in entry.agreeing)
        children = [element("lem", {"wit": agreeing}, entry.lemma)] if agreeing else []
        for reading in entry.readings:
            if reading.kind == "conjecture":
                resp = " ".join(f"#{self.people.setdefault(who, f'p{len(self.people) + 1}')}" for who in reading.who)
                children.append(element("rdg", {"resp": resp, "cert": "low" if reading.doubtful else ""},
                                        reading.words))
                continue
            gone = [element("gap", {"reason": "lost"})] if reading.kind == "lost" else []
            wit = " ".join(f"#{self.witness(who)}" for who in reading.who)
            children.append(element("rdg", {"wit": wit}, reading.words, *gone))
        children += [element("note", {}, words) for words in entry.notes]
        return element("app", {"from": f"#{name}.from", "to": f"#{name}.to", "n": str(number)}, "", *children)

    def witness(self, name: str) -> str:
        return self.sigla.setdefault(name, f"w{len(self.sigla)}")


def _heads_no_text(paragraphs: list[WordParagraph], at: int) -> bool:
    """Whether nothing of the text is between a head and the next one that is not below it."""
    below = takewhile(lambda paragraph: not 0 < paragraph.head <= paragraphs[at].head, paragraphs[at + 1 :])
    return not any(paragraph.kind not in _ABOUT and not paragraph.head and paragraph.text.strip()
                   for paragraph in below)


_ABOUT = frozenset({"about", "subtitle"})
_ELEMENTS = {"head": "head", "furniture": "fw", "figure": "figDesc"}
"""Elements of paragraphs of ours by their styles; the others are ``p``."""
_CUT = 3
"""Order of words that are cut, after all elements with the same place: these are inserted before them."""
_WRONG, _RIGHT = ("（）", "()"), ("〔〕", "<>", "⟨⟩", "[]")
_GAPS = "\u3000\u2003 "
Cut = tuple[int, int, Element | None]
"""Words of a paragraph that are no text, or are inside an element: from, to, what stands in their place."""


def _emendations(paragraph: WordParagraph) -> list[Cut]:
    """Return what the editor corrected, deleted and supplied, by the style of its brackets: （甲）〔乙〕."""
    signs = [(at, at + 1, paragraph.text[at]) for start, end, style in paragraph.marked if style == "emended"
             for at in range(start, end)]  # a word processor joins runs: ）〔
    pairs = [(first[0], first[1], last[0], last[1], first[2] + last[2]) for first, last in pairwise(signs)
             if first[2] + last[2] in _WRONG + _RIGHT]
    cuts: list[Cut] = []
    for start, after, before, end, signs_here in pairs:
        words = paragraph.text[after:before]
        if signs_here in _WRONG:
            cuts.append((start, end, element("surplus", {}, words)))
        elif cuts and cuts[-1][1] == start and (wrong := cuts[-1][2]) is not None and wrong.tag.endswith("surplus"):
            choice = element("choice", {}, "", element("sic", {}, wrong.text or ""), element("corr", {}, words))
            cuts[-1] = (cuts[-1][0], end, choice)
        else:
            cuts.append((start, end, element("supplied", {"reason": "lost"} if signs_here == "[]" else {}, words)))
    return cuts


def _correction(note: WordNote, text: str, cut: Sequence[Cut]) -> Cut | None:
    """Return the words of a text in letters that a note says its editor corrected, with both forms."""
    emendation = parse_correction(note.words)
    if emendation is None:
        return None
    start = text.rfind(emendation.right, 0, note.at)
    end = start + len(emendation.right)
    if start < 0 or text[end:note.at].strip() or any(first < end and start < last for first, last, _ in cut):
        return None
    forms = element("sic", {}, emendation.wrong), element("corr", {}, emendation.right)
    return start, end, element("choice", {}, "", *forms)


def _labels(paragraph: WordParagraph) -> list[Cut]:
    """Return the numbers, names and sigla of a paragraph of ours, each with the gap beside it."""
    cuts: list[Cut] = []
    for start, end, style in paragraph.marked:
        if style in ("number", "commentator"):
            cuts.append((start, end + len(paragraph.text[end:]) - len(paragraph.text[end:].lstrip(_GAPS)), None))
        elif style == "note":
            words = paragraph.text[start:end].removeprefix("(").removesuffix(")")
            gap = len(paragraph.text[:start].rstrip(" "))
            cuts.append((gap, end, element("note", {}, words)))
        elif style == "carriers":
            cuts.append((len(paragraph.text[:start].rstrip(_GAPS)), end, None))
    return cuts


def _fill_with(
    holder: Element, text: str, placed: list[tuple[int, int, Element]], cut: list[Cut]
) -> None:
    """Fill an element with text, elements in their places, and what is cut; a place inside a cut is moved before it."""
    def move_before_cut(at: int) -> int:
        return next((start for start, end, _ in cut if start < at < end), at)

    rows: list[tuple[int, int, int, Element | None]] = [
        (move_before_cut(at), order, at, node) for at, order, node in placed]
    rows += [(start, _CUT, end, node) for start, end, node in cut]
    done = 0
    for at, order, end, node in sorted(rows, key=lambda row: row[:2]):
        add_text(holder, text[done:at])
        if node is not None:
            holder.append(node)
        done = max(done, at, end if order == _CUT else at)
    add_text(holder, text[done:])


def _is_made(emendation: NoteEmendation, text: str) -> bool:
    """Whether a paragraph has what a note says that the editor changed."""
    wanted = (f"（{emendation.wrong}）" if emendation.wrong else "") + (
        f"〔{emendation.right}〕" if emendation.right else "")
    return wanted in text or wanted.translate(str.maketrans("（）〔〕", "()<>")) in text


def _find_entry(entry: NoteEntry, at: int, text: str) -> tuple[int, int] | None:
    """Return where the words of an entry are, ignoring punctuation; 「甲…乙」 reaches from one to the other."""
    if entry.place == "start":
        begun = max(text.rfind(stop, 0, at) for stop in "。！？；") + 1
        return begun, begun
    words = entry.lemma or entry.beside
    parts = [part for part in _ELISION.split(words) if part] if words not in text else [words]
    if not parts:  # nothing but an ellipsis
        return None
    first, *rest = parts
    spans = [match.span() for match in re.finditer("[\\W_]*".join(map(re.escape, _MARKS.sub("", first))), text)]
    spans = [span for span in spans if span[0] < span[1]]
    before = [span for span in spans if span[1] <= at + 1]
    span_here = before[-1] if before else next(iter(spans), None)
    if span_here and rest:
        end = text.find(rest[-1], span_here[1])
        span_here = (span_here[0], end + len(rest[-1])) if end >= 0 else None
    if span_here is None or entry.lemma:
        return span_here
    return (span_here[1], span_here[1]) if entry.place == "after" else (span_here[0], span_here[0])
