"""What there is to decide in an edition, as plain values for the desk's column: entries with their evidence.

Other open work is in `jiaokan.desk.tasks`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from jiaokan.characters.equality import norm
from jiaokan.collate.content import restrict
from jiaokan.collate.editorial.locate import DecidedText, decided_texts
from jiaokan.decisions.filing import file_lines as lines_of
from jiaokan.decisions.filing import split_tables
from jiaokan.decisions.kinds import KIND_OF, KINDS, Filed, load
from jiaokan.decisions.readings import is_decided
from jiaokan.decisions.tables import EditorsRemark, OnEntry, ReadingDecision
from jiaokan.desk.remake import DeskEdition
from jiaokan.desk.replies import ChapterProgress, FiledRow, MarkedEntries, QuestionKind, QuestionRow, Reply
from jiaokan.desk.texts import DeskText
from jiaokan.editions.review import AROUND, OpenEntry, every, pairs, urgency
from jiaokan.entries.collation_notes import NoteRow
from jiaokan.entries.selected import select
from jiaokan.errors import Place
from jiaokan.model import Division, Document, Note
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested, edited
from jiaokan.model.walk import items
from jiaokan.proposals.punctuation import is_untouched
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.settings.values import Strict

MOST = 12
"""Comments, and places of parallels, that are shown beside a question: more are counted, and not read there."""
_AROUND = 2
"""Graphs on one side of a reading by which its parallels are counted: less counts a graph by itself, more finds
hardly any."""


class DeskQuestion:
    """An entry of an edition, and whether it is decided."""

    def __init__(self, entry: OpenEntry, document: Document) -> None:
        self.entry, self.id = entry, entry.app.id
        self.chapter = ".".join(entry.unit.split(".")[:2])
        self.decided = is_decided(entry.app)
        self.kind: QuestionKind = "decided" if self.decided else "open"
        if entry.app.lemma.cert == "low":
            self.kind = "doubt"
        self.pairs = frozenset("/".join(sorted(pair)) for pair in pairs(entry))
        self.document = document

    def row(self, n: int = 0) -> QuestionRow:
        """Return the question as a row of a list; `n` is its number in the order of the text."""
        entry = self.entry
        return {
            "id": self.id, "ref": reference_of(entry.unit), "chapter": self.chapter, "speaker": entry.speaker,
            "before": entry.before, "after": entry.after, "lemma": attested(entry.app.lemma.content),
            "readings": [attested(reading.content) for reading in entry.app.readings],
            "class": entry.variant, "weight": urgency(entry.variant) if entry.variant else 0,
            "kind": self.kind, "pairs": sorted(self.pairs), "context": entry.context, "n": n,
        }


class Questions:
    """All questions of an edition; those of unchanged chapters are reused."""

    def __init__(self, settled: Collection[str], apparatus: ApparatusPlan) -> None:
        self.settled, self.apparatus = settled, apparatus
        self._chapters: dict[str, tuple[Division, tuple[DeskQuestion, ...]]] = {}

    def of(self, document: Document, notes: Mapping[str, Sequence[NoteRow]]) -> tuple[DeskQuestion, ...]:
        """Return the questions of an edition: entries in which collated witnesses differ, and decided entries. `notes`
        are the 校勘记 of chapters of which they are made already.

        Entries that the editor's principles settle are left out, and those that only say that a work abridges a note.
        """
        questions: list[DeskQuestion] = []
        for division in document.divisions:
            cached = self._chapters.get(division.id)
            if cached is None or cached[0] is not division:
                part = Document(id=document.id, divisions=(division,), reference=document.reference)
                if (rows := notes.get(division.id)) is not None:
                    sentences = {row.id for row in rows if row.kind == "abridged"}
                    abridged = frozenset(row.id for row in rows if row.within in sentences)
                else:
                    abridged = select(part, self.apparatus).abridged
                candidates = (DeskQuestion(entry, part) for entry in every(part) if entry.app.id not in abridged)
                cached = division, tuple(filter(self._is_asked, candidates))
                self._chapters[division.id] = cached
            questions += cached[1]
        return tuple(questions)

    def _is_asked(self, question: DeskQuestion) -> bool:
        entry = question.entry
        if question.decided:
            return bool(entry.app.id)
        return bool(entry.variant) and entry.variant not in self.settled and len(entry.collated_readings) > 1


def rows(questions: Iterable[DeskQuestion]) -> list[QuestionRow]:
    """Return questions as rows: open ones first, the weightiest first of all."""
    order = {"open": 0, "doubt": 1, "decided": 2}
    question_rows = [question.row(n) for n, question in enumerate(questions)]
    return sorted(question_rows, key=lambda row: (order[row["kind"]], -row["weight"], bool(row["speaker"])))


def marked_entries(questions: Iterable[DeskQuestion], root: Path) -> MarkedEntries:
    """Return the ids of entries on which decisions wait for approval, and of those with comments."""
    filed = [row.decision for row in load(root, OnEntry)]
    proposed = [decision for decision in filed if isinstance(decision, ReadingDecision) and decision.proposed]
    comments = [decision for decision in filed if isinstance(decision, EditorsRemark)]
    every = tuple(questions) if proposed or comments else ()

    def ids(decisions: Iterable[OnEntry]) -> list[str]:
        return [question.id for question in every
                if any(is_about(decision, question.entry) for decision in decisions)]

    return {"proposed": ids(proposed), "commented": ids(comments)}


def progress(questions: Iterable[DeskQuestion], desk_text: DeskText) -> list[ChapterProgress]:
    """Count for each chapter open, doubtful and decided entries, and all and punctuated units and notes."""
    document = desk_text.document
    chapters: dict[str, ChapterProgress] = {
        division.id: {"id": division.id, "page": division.n or division.kind,
                      "title": division.title or division.label or division.n,
                      "open": 0, "doubt": 0, "decided": 0, "all": 0, "typed": 0}
        for division in document.divisions
    }
    for question in questions:
        chapters[question.chapter][question.kind] += 1
    for division in document.divisions:
        matches, chapter = desk_text.match_lines(division), chapters[division.id]
        chapter["all"] = sum(map(len, matches.streams.values()))
        chapter["typed"] = sum(not is_untouched(line.line) for line in matches.lines.values())
    return list(chapters.values())


def question_in_context(
    question: DeskQuestion, edition: DeskEdition, others: Sequence[DeskQuestion], filed: Iterable[Filed[OnEntry]]
) -> Reply:
    """Return a question with its context: readings, decisions, remarks of notes, words of each witness.

    It includes how often the readings occur elsewhere beside the same words.
    """
    entry, names = question.entry, edition.known.printed_names()
    same = [question_here.id for question_here in others
            if not question_here.decided and question_here.pairs and question_here.pairs == question.pairs]
    texts = decided_texts(question.document.divisions)
    own_filed = [row for row in filed if is_about(row.decision, entry)]
    return {
        **question.row(), "unit": entry.unit,
        "label": names.get(entry.speaker, entry.speaker),
        "choices": [
            {"words": attested(reading.content), "class": reading.variant,
             "witnesses": [names.get(w, w) for w in reading.witnesses], "ids": list(reading.witnesses),
             "person": "" if reading.witnesses else _full_name(reading.resp, edition),
             "collated": bool(entry.names & {*reading.witnesses})}
            for reading in entry.readings
        ],
        "remarks": list(entry.remarks),
        "commentary": _commentary(question, texts, names), "witnesses": witnesses_here(question, texts, names),
        "parallels": _parallels(question, edition), "same": same,
        "decisions": [filed_row(row) for row in own_filed if isinstance(row.decision, ReadingDecision)],
        "comments": [filed_row(row) for row in own_filed if isinstance(row.decision, EditorsRemark)],
    }


def _full_name(name: str, edition: DeskEdition) -> str:
    person = edition.catalog.persons.get(name)
    return person.name if person else name


def witnesses_here(
    question: DeskQuestion, texts: Iterable[DecidedText], names: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the words of each collated witness in the unit or note of an entry."""
    entry = question.entry
    here = (text for text in texts if text.place == entry.unit and text.speaker == entry.speaker)
    return [{"witness": names.get(witness, witness), "id": witness,
             "text": attested(restrict(text.content, (witness,)))}
            for text in here if any(app is entry.app for app in items(text.content))
            for witness in sorted(entry.names & {*text.witnesses})]


def _commentary(question: DeskQuestion, texts: Iterable[DecidedText], names: Mapping[str, str]) -> list[Reply]:
    entry = question.entry
    wanted = [attested(reading.content) for reading in entry.readings if reading.content]
    notes: list[Reply] = [
        {"id": text.item.id, "who": names.get(text.item.resp, text.item.resp), "text": edited(text.item.content),
         "has": sorted({words for words in wanted if words and words in text.words})}
        for text in texts if isinstance(text.item, Note) and text.place == entry.unit and text.item.resp
    ]
    return sorted(notes, key=lambda note: not note["has"])[:MOST]


def _parallels(question: DeskQuestion, edition: DeskEdition) -> list[Reply]:
    entry, names, parallels = question.entry, edition.known.printed_names(), list[Reply]()
    before, after = entry.before[-_AROUND:], entry.after[:_AROUND]
    for words in dict.fromkeys(attested(reading.content) for reading in entry.readings):
        sought = [side for side in (before + words, words + after) if len(side) > len(words)]
        places = [(name, item)
                  for name, document in edition.recollation.witnesses.items() for item, text in edition.stream(name)
                  if any("".join(map(norm, side)) in text for side in sought)] if words else []
        parallels.append({"words": words, "sought": sought, "count": len(places),
                          "places": [f"{names.get(name, name)} {item.partition('.')[2]}"
                                     for name, item in places[:MOST]]})
    return parallels


def is_about(decision: OnEntry, entry: OpenEntry) -> bool:
    """Whether a decision concerns an entry: its bracketed words are a reading, and its context is beside it.

    One side suffices: its words may be another reading by now, as in the entry itself.
    """
    if (decision.id, decision.speaker) != (entry.unit, entry.speaker):
        return False
    before, words, after = decision.parts() or ("", "", "")
    sides = ((entry.before.endswith(before[-AROUND:]), before), (entry.after.startswith(after[:AROUND]), after))
    beside = [fits for fits, side in sides if side] or [True]
    return words in {attested(reading.content) for reading in entry.readings} and any(beside)


def filed_row(filed: Filed[OnEntry]) -> FiledRow:
    """Return a decision as the desk shows it, with its table, by which it is withdrawn."""
    decision = filed.decision
    return {
        "kind": KIND_OF[type(decision)].name, "path": f"tei/decisions/{filed.path.name}", "line": filed.line,
        "table": table_at(filed.path.read_text(encoding="utf-8"), filed.line), "unit": decision.unit,
        "speaker": decision.speaker, "context": decision.context, "reading": getattr(decision, "reading", None),
        "variant": getattr(decision, "variant", ""), "witness": getattr(decision, "witness", ""),
        "resp": decision.resp, "why": decision.why, "cert": decision.cert, "when": decision.when.isoformat(),
        "proposed": getattr(decision, "proposed", False), "approved": getattr(decision, "approved", ""),
    }


def filed_rows(root: Path, text: str, witnesses: Collection[str]) -> list[Reply]:
    """Return every decision on a text or one of its witnesses, of any kind, with the table of its file."""
    files: dict[Path, str] = {}
    decisions: list[Reply] = []
    for filed in load(root, Strict):
        fields = msgspec.to_builtins(filed.decision)
        about = fields["unit"].replace(":", ".").partition(".")[0] if "unit" in fields else fields.get("edition", text)
        if about != text or (fields.get("source") or next(iter(witnesses))) not in witnesses:
            continue
        whole = files.setdefault(filed.path, filed.path.read_text(encoding="utf-8"))
        kind = next(kind.name for kind in KINDS if type(filed.decision) is kind.table)
        decisions.append({"kind": kind,
                          "said": {key: value for key, value in fields.items() if value not in ("", None)},
                          "path": f"tei/decisions/{filed.path.name}", "table": table_at(whole, filed.line)})
    return decisions


def table_of(root: Path, place: Place | None) -> tuple[str, str] | None:
    """Return the file of decisions at a place, relative to the folder, and the table there; None if there is none."""
    path = Path(place.file) if place else root
    if path.parent != root / "tei" / "decisions" or not place or not path.exists():
        return None
    table = table_at(path.read_text(encoding="utf-8"), place.line)
    return (path.relative_to(root).as_posix(), table) if table else None


def table_at(text: str, line: int) -> str:
    """Return the table at a line of a file, with the comment above it."""
    at = 0
    for piece in split_tables(text):
        at += len(lines_of(piece))
        if line <= at:
            return piece.strip("\n") if line > 0 else ""
    return ""
