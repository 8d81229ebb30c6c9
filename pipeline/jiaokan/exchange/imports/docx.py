"""Imports Word files (Office Open XML, ECMA-376) whose footnotes are a 校勘記, with an apparatus by two points.

Paragraphs of a style Heading or Title become heads, all others paragraphs. A footnote or endnote that is a sentence of
a 校勘記 (`jiaokan.exchange.imports.jiaokanji`) becomes an entry on its words: the nearest before its number, else the
nearest after it. A note that is no such sentence, or whose words are not found, stays a note and is reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jiaokan.characters.scripts import language_of
from jiaokan.errors import Finding, Message, Place
from jiaokan.exchange.imports import Imported
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
    entries: list[Element] = field(default_factory=list)

    def convert(self) -> Imported:
        self.sigla[BASE] = "base"
        paragraphs = self.file.paragraphs
        self.list_doubts(paragraphs)
        body = self.body(paragraphs)  # first: it finds the witnesses and persons of the header
        text = element("text", {LANG: language_of("".join(paragraph.text for paragraph in paragraphs))}, "", body)
        root = element("TEI", {}, "", self.header(paragraphs), text)
        if self.entries:
            root.append(element("standOff", {}, "", element("listApp", {}, "", *self.entries)))
        return Imported(serialise(root), len(self.entries), tuple(self.findings))

    def header(self, paragraphs: list[WordParagraph]) -> Element:
        title = self.file.title.strip() or next((paragraph.text.strip() for paragraph in paragraphs
                                                 if paragraph.text.strip()), "")
        people = [element("respStmt", {ID: key}, "", element("resp", {}, "conjecture"), element("name", {}, name))
                  for name, key in self.people.items()]
        witnesses = [element("witness", {ID: key, "n": name}, name) for name, key in self.sigla.items()]
        source = element("listWit", {}, "", *witnesses) if self.entries else (
            element("p", {}, f"A Word file: {self.name.rpartition('/')[2]}"))
        described = element("sourceDesc", {}, "", source)
        published = element("publicationStmt", {}, "", element("p", {}, "not published"))
        titled = element("titleStmt", {}, "", element("title", {}, title), *people)
        filed = element("fileDesc", {}, "", titled, published, described)
        method = element("variantEncoding", {"method": "double-end-point", "location": "external"})
        # A 校勘記 names the witnesses that differ from its base; the others agree with it.
        kind = element("editorialDecl", {}, "", element("p", {}, "A negative apparatus."))
        encoded = [element("encodingDesc", {}, "", kind, method)] if self.entries else []
        return element("teiHeader", {}, "", filed, *encoded)

    def body(self, paragraphs: list[WordParagraph]) -> Element:
        """Return the body; a head begins a division in that of the last higher head."""
        body = element("body")
        open_: list[tuple[int, Element]] = [(0, body)]
        for paragraph in paragraphs:
            if not paragraph.text.strip():
                continue
            if paragraph.head:
                while open_[-1][0] >= paragraph.head:
                    open_.pop()
                division = element("div")
                open_[-1][1].append(division)
                open_.append((paragraph.head, division))
            holder = element("head" if paragraph.head else "p")
            open_[-1][1].append(holder)
            self.fill(holder, paragraph)
        return body

    def fill(self, holder: Element, paragraph: WordParagraph) -> None:
        placed: list[tuple[int, int, Element]] = []
        for note in paragraph.notes:
            entries_here = self.align_note(note, paragraph)
            if not entries_here:
                placed.append((note.at, 1, element("note", {"place": "foot", "n": str(note.number)}, note.words)))
            for entry, start, end in entries_here:
                name = f"e{len(self.entries) + 1}"
                for order, at, side in ((2, start, "from"), (0, end, "to")):
                    placed.append((at, 1 if start == end else order, element("anchor", {ID: f"{name}.{side}"})))
                self.entries.append(self.app(entry, name, note.number))
        done = 0
        for at, _, node in sorted(placed, key=lambda anchor_row: anchor_row[:2]):
            add_text(holder, paragraph.text[done:at])
            holder.append(node)
            done = at
        add_text(holder, paragraph.text[done:])

    def align_note(self, note: WordNote, paragraph: WordParagraph) -> list[tuple[NoteEntry, int, int]]:
        """Return the entries of a note with their places; none if it is no sentence of a 校勘記 or one has words not in
        the paragraph."""
        entries = parse_note(note.words)
        if entries is None:
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
        if inside > 1 or small:
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
