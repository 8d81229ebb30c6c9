"""What there is to decide in an edition, as plain values for the desk's column: entries and their evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pipeline.characters.equality import norm
from pipeline.collate.content import restrict
from pipeline.collate.editorial.locate import DecidedText, decided_texts
from pipeline.decisions.filing import file_lines as lines_of
from pipeline.decisions.filing import split_tables
from pipeline.decisions.kinds import KINDS, Filed, load
from pipeline.decisions.readings import NAMES, is_decided
from pipeline.decisions.tables import ReadingDecision
from pipeline.desk.kept import KeptText
from pipeline.desk.remake import KeptEdition
from pipeline.editions.review import AROUND, OpenEntry, every, pairs, urgency
from pipeline.errors import Place
from pipeline.model import Division, Document, Note
from pipeline.model.pointers import reference_of
from pipeline.model.text import attested, edited
from pipeline.model.variants import TABLE
from pipeline.model.walk import items
from pipeline.proposals.punctuation import untouched
from pipeline.settings.values import Strict

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
        self.kind = "doubt" if entry.app.lemma.cert == "low" else "decided" if self.decided else "open"
        self.pairs = frozenset("/".join(sorted(pair)) for pair in pairs(entry))
        self.document = document

    def row(self) -> dict[str, Any]:
        """Return the question as a row of a list."""
        entry = self.entry
        return {
            "id": self.id, "ref": reference_of(entry.unit), "chapter": self.chapter, "speaker": entry.speaker,
            "before": entry.before, "after": entry.after, "lemma": attested(entry.app.lemma.content),
            "readings": [attested(each.content) for each in entry.app.readings],
            "class": entry.variant, "weight": urgency(entry.variant) if entry.variant else 0,
            "kind": self.kind, "pairs": sorted(self.pairs),
        }


class Questions:
    """All questions of an edition; those of unchanged chapters are reused."""

    def __init__(self, settled: Collection[str]) -> None:
        self.settled = settled
        self._chapters: dict[str, tuple[Division, tuple[DeskQuestion, ...]]] = {}

    def of(self, document: Document) -> tuple[DeskQuestion, ...]:
        """Return the questions of an edition: entries in which collated witnesses differ, and decided entries.

        Entries that the editor's principles settle are left out.
        """
        found: list[DeskQuestion] = []
        for division in document.divisions:
            kept = self._chapters.get(division.id)
            if kept is None or kept[0] is not division:
                own = Document(id=document.id, divisions=(division,), reference=document.reference)
                kept = division, tuple(each for entry in every(own) if self._asked(each := DeskQuestion(entry, own)))
                self._chapters[division.id] = kept
            found += kept[1]
        return tuple(found)

    def _asked(self, question: DeskQuestion) -> bool:
        entry = question.entry
        if question.decided:
            return bool(entry.app.id)
        return bool(entry.variant) and entry.variant not in self.settled and len(entry.collated) > 1


def rows(questions: Iterable[DeskQuestion]) -> list[dict[str, Any]]:
    """Return questions as rows: open ones first, the weightiest first of all."""
    order = {"open": 0, "doubt": 1, "decided": 2}
    made = [question.row() for question in questions]
    return sorted(made, key=lambda row: (order[row["kind"]], -row["weight"], bool(row["speaker"])))


def progress(questions: Iterable[DeskQuestion], kept: KeptText) -> list[dict[str, Any]]:
    """Count for each chapter open, doubtful and decided entries, and all and punctuated units and notes."""
    document = kept.document
    made: dict[str, dict[str, Any]] = {
        each.id: {"id": each.id, "page": each.n or each.kind, "title": each.title or each.label or each.n,
                  "open": 0, "doubt": 0, "decided": 0}
        for each in document.divisions
    }
    for question in questions:
        made[question.chapter][question.kind] += 1
    for each in document.divisions:
        holding = kept.held(each)
        made[each.id] |= {"all": sum(map(len, holding.streams.values())),
                          "typed": sum(not untouched(held.line) for held in holding.held.values())}
    return list(made.values())


def question_in_context(
    question: DeskQuestion, kept: KeptEdition, others: Sequence[DeskQuestion], filed: Iterable[Filed[ReadingDecision]]
) -> dict[str, Any]:
    """Return a question with its context: readings, decisions, remarks of notes, words of each witness.

    It includes how often the readings occur elsewhere beside the same words.
    """
    entry, names = question.entry, kept.known.printed()
    same = [each.id for each in others if not each.decided and each.pairs and each.pairs == question.pairs]
    texts = decided_texts(question.document.divisions)
    own = (text for text in texts if text.place == entry.unit and text.speaker == entry.speaker)
    return {
        **question.row(), "unit": entry.unit, "context": entry.context,
        "label": names.get(entry.speaker, entry.speaker),
        "choices": [
            {"words": attested(each.content), "class": each.variant,
             "className": TABLE[each.variant].chinese if each.variant else "", "source": each.source,
             "cert": each.cert, "witnesses": [names.get(w, w) for w in each.witnesses], "ids": list(each.witnesses),
             "by": names.get(each.resp, each.resp), "collated": bool(entry.names & {*each.witnesses})}
            for each in entry.readings
        ],
        "remarks": list(entry.remarks), "notes": [note.id for note in entry.app.notes],
        "said": [edited(note.content) for note in entry.app.notes],
        "commentary": _commentary(question, texts, names), "witnesses": [
            {"witness": names.get(each, each), "id": each, "text": attested(restrict(text.content, (each,)))}
            for text in own if any(app is entry.app for app in items(text.content))
            for each in sorted(entry.names & {*text.witnesses})
        ],
        "parallels": _parallels(question, kept), "same": same,
        "decisions": [as_filed(each) for each in filed if each.decision.id == entry.unit
                      and each.decision.speaker == entry.speaker and _is_about(each.decision, entry)],
    }


def _commentary(question: DeskQuestion, texts: Iterable[DecidedText], names: Mapping[str, str]) -> list[dict[str, Any]]:
    entry = question.entry
    wanted = [attested(each.content) for each in entry.readings if each.content]
    found = [
        {"id": text.item.id, "who": names.get(text.item.resp, text.item.resp), "text": edited(text.item.content),
         "has": sorted({each for each in wanted if each and each in text.words})}
        for text in texts if isinstance(text.item, Note) and text.place == entry.unit and text.item.resp
    ]
    return sorted(found, key=lambda each: not each["has"])[:MOST]


def _parallels(question: DeskQuestion, kept: KeptEdition) -> list[dict[str, Any]]:
    entry, made = question.entry, []
    before, after = entry.before[-_AROUND:], entry.after[:_AROUND]
    for words in dict.fromkeys(attested(each.content) for each in entry.readings):
        sought = [side for side in (before + words, words + after) if len(side) > len(words)]
        places = [(name, item)
                  for name, document in kept.recollation.witnesses.items() for item, text in kept.stream(name)
                  if any("".join(map(norm, side)) in text for side in sought)] if words else []
        made.append({"words": words, "sought": sought, "count": len(places),
                     "places": [f"{name}:{item.partition('.')[2]}" for name, item in places[:MOST]]})
    return made


def _is_about(decision: ReadingDecision, entry: OpenEntry) -> bool:
    """Whether a decision concerns an entry: its bracketed words are a reading, and its context is beside it.

    One side suffices: its words may be another reading by now, as in the entry itself.
    """
    before, words, after = decision.parts() or ("", "", "")
    sides = ((entry.before.endswith(before[-AROUND:]), before), (entry.after.startswith(after[:AROUND]), after))
    beside = [fits for fits, side in sides if side] or [True]
    return words in {attested(each.content) for each in entry.readings} and any(beside)


def as_filed(filed: Filed[ReadingDecision]) -> dict[str, Any]:
    """Return a decision as the desk shows it, with its table, by which it is withdrawn."""
    decision = filed.decision
    return {
        "kind": NAMES[type(decision)], "path": f"tei/decisions/{filed.path.name}", "line": filed.line,
        "table": table_at(filed.path.read_text(encoding="utf-8"), filed.line), "unit": decision.unit,
        "speaker": decision.speaker, "context": decision.context, "reading": getattr(decision, "reading", None),
        "variant": getattr(decision, "variant", ""), "witness": getattr(decision, "witness", ""),
        "resp": decision.resp, "why": decision.why, "cert": decision.cert, "when": decision.when.isoformat(),
    }


def all_filed(root: Path, text: str, witnesses: Collection[str]) -> list[dict[str, Any]]:
    """Return every decision on a text or one of its witnesses, of any kind, with the table of its file."""
    files: dict[Path, str] = {}
    found = []
    for filed in load(root, Strict):
        said = msgspec.to_builtins(filed.decision)
        about = said["unit"].replace(":", ".").partition(".")[0] if "unit" in said else said.get("edition", text)
        if about != text or (said.get("source") or next(iter(witnesses))) not in witnesses:
            continue
        whole = files.setdefault(filed.path, filed.path.read_text(encoding="utf-8"))
        kind = next(kind.name for kind in KINDS if type(filed.decision) is kind.table)
        found.append({"kind": kind, "said": {key: value for key, value in said.items() if value not in ("", None)},
                      "path": f"tei/decisions/{filed.path.name}", "table": table_at(whole, filed.line)})
    return found


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
