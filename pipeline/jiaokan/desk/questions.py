"""What there is to decide in an edition, as plain values for the desk's column: entries with their evidence, tasks.

Tasks are marks in doubt, characters that a source could not print, notes of nobody, findings: each a row by its place,
with who proposed something and the decision that would be filed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from jiaokan.build import recorded
from jiaokan.characters.equality import norm
from jiaokan.characters.glyphs import decision_row, proposals, substitutes
from jiaokan.collate.content import restrict
from jiaokan.collate.editorial.locate import DecidedText, decided_texts
from jiaokan.decisions.filing import file_lines as lines_of
from jiaokan.decisions.filing import split_tables
from jiaokan.decisions.kinds import KIND_OF, KINDS, Filed, load
from jiaokan.decisions.readings import is_decided
from jiaokan.decisions.tables import EditorsRemark, OnEntry, ReadingDecision
from jiaokan.desk.kept import KeptText
from jiaokan.desk.remake import KeptEdition, ReceivedSources
from jiaokan.editions.review import AROUND, OpenEntry, every, pairs, urgency
from jiaokan.entries.collation_notes import NoteRow
from jiaokan.entries.selected import select
from jiaokan.errors import DecisionError, Place
from jiaokan.model import Division, Document, Note
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested, counted, edited
from jiaokan.model.vocabulary import EDITORS, PROGRAM
from jiaokan.model.walk import items, walk
from jiaokan.proposals.punctuation import untouched
from jiaokan.settings.folder import edition_path
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.settings.values import Strict

Work = Literal["mark", "glyph", "speaker", "finding", "second"]
_CONTEXT = 8
"""Characters of context on each side of a row."""
_LINE = 200
"""Characters of the line of a finding that are shown."""
_WORD = re.compile(r"[\w.-]*\w")
_ID = re.compile(r'xml:id="([^"]+)"')
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
            "kind": self.kind, "pairs": sorted(self.pairs), "context": entry.context,
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
        found: list[DeskQuestion] = []
        for division in document.divisions:
            kept = self._chapters.get(division.id)
            if kept is None or kept[0] is not division:
                own = Document(id=document.id, divisions=(division,), reference=document.reference)
                if (rows := notes.get(division.id)) is not None:
                    sentences = {row.id for row in rows if row.kind == "abridged"}
                    abridged = frozenset(row.id for row in rows if row.within in sentences)
                else:
                    abridged = select(own, self.apparatus).abridged
                asked = (DeskQuestion(entry, own) for entry in every(own) if entry.app.id not in abridged)
                kept = division, tuple(filter(self._asked, asked))
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


def marked(questions: Iterable[DeskQuestion], root: Path) -> dict[str, list[str]]:
    """Return the ids of entries on which decisions wait for approval, and of those with comments."""
    filed = [each.decision for each in load(root, OnEntry)]
    wanted: dict[str, list[OnEntry]] = {
        "proposed": [each for each in filed if isinstance(each, ReadingDecision) and each.proposed],
        "commented": [each for each in filed if isinstance(each, EditorsRemark)],
    }
    every = tuple(questions) if any(wanted.values()) else ()
    return {name: [each.id for each in every if any(is_about(said, each.entry) for said in own)]
            for name, own in wanted.items()}


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
    question: DeskQuestion, kept: KeptEdition, others: Sequence[DeskQuestion], filed: Iterable[Filed[OnEntry]]
) -> dict[str, Any]:
    """Return a question with its context: readings, decisions, remarks of notes, words of each witness.

    It includes how often the readings occur elsewhere beside the same words.
    """
    entry, names = question.entry, kept.known.printed()
    same = [each.id for each in others if not each.decided and each.pairs and each.pairs == question.pairs]
    texts = decided_texts(question.document.divisions)
    own_filed = [each for each in filed if is_about(each.decision, entry)]
    return {
        **question.row(), "unit": entry.unit,
        "label": names.get(entry.speaker, entry.speaker),
        "choices": [
            {"words": attested(each.content), "class": each.variant,
             "witnesses": [names.get(w, w) for w in each.witnesses], "ids": list(each.witnesses),
             "by": each.resp, "collated": bool(entry.names & {*each.witnesses})}
            for each in entry.readings
        ],
        "remarks": list(entry.remarks),
        "commentary": _commentary(question, texts, names), "witnesses": witnesses_here(question, texts, names),
        "parallels": _parallels(question, kept), "same": same,
        "decisions": [as_filed(each) for each in own_filed if isinstance(each.decision, ReadingDecision)],
        "comments": [as_filed(each) for each in own_filed if isinstance(each.decision, EditorsRemark)],
    }


def witnesses_here(
    question: DeskQuestion, texts: Iterable[DecidedText], names: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the words of each collated witness in the unit or note of an entry."""
    entry = question.entry
    own = (text for text in texts if text.place == entry.unit and text.speaker == entry.speaker)
    return [{"witness": names.get(each, each), "id": each, "text": attested(restrict(text.content, (each,)))}
            for text in own if any(app is entry.app for app in items(text.content))
            for each in sorted(entry.names & {*text.witnesses})]


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


def is_about(decision: OnEntry, entry: OpenEntry) -> bool:
    """Whether a decision concerns an entry: its bracketed words are a reading, and its context is beside it.

    One side suffices: its words may be another reading by now, as in the entry itself.
    """
    if (decision.id, decision.speaker) != (entry.unit, entry.speaker):
        return False
    before, words, after = decision.parts() or ("", "", "")
    sides = ((entry.before.endswith(before[-AROUND:]), before), (entry.after.startswith(after[:AROUND]), after))
    beside = [fits for fits, side in sides if side] or [True]
    return words in {attested(each.content) for each in entry.readings} and any(beside)


def as_filed(filed: Filed[Any]) -> dict[str, Any]:
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


def tasks(kept: KeptText, work: Work, received: ReceivedSources) -> list[dict[str, Any]]:
    """Return the open work of one kind in a text, in reading order."""
    return list({"mark": _marks(kept), "glyph": _glyphs(kept, received), "speaker": _speakers(kept),
                 "finding": _findings(kept)}[work])


def _row(kept: KeptText, name: str, words: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    chapter = kept.chapter_of(name)
    before, lemma, after = words
    return {"id": name, "ref": reference_of(name), "chapter": chapter.id if chapter else "", "speaker": "",
            "before": before[-_CONTEXT:], "lemma": lemma, "after": after[:_CONTEXT], "class": "", "kind": "open",
            "by": "", "told": "", "form": None, **more}


def _marks(kept: KeptText) -> Iterator[dict[str, Any]]:
    for chapter in kept.document.divisions:
        for ref, held in kept.held(chapter).held.items():
            text, basis = held.text, held.line.basis
            low = [mark.at for mark in text.marks if mark.low] + [name.start for name in text.names if name.low]
            if low or basis.cert == "low" or untouched(held.line):
                at = min(low, default=0)
                told = f"{len(low)} ?" if low else basis.evidence
                yield _row(kept, f"{kept.document.id}.{ref}", (text.graphs[:at], text.graphs[at : at + 1],
                           text.graphs[at + 1 :]), work="mark", by=basis.resp, told=told)


def _glyphs(kept: KeptText, received: ReceivedSources) -> Iterator[dict[str, Any]]:
    """Yield undecided characters that the sources could not print, with their parallels.

    As long as a decision on the sources does not fit there are none: that conflict comes first."""
    try:
        parallels, decisions = received.parallels()
    except DecisionError:
        return
    for name in kept.plan.all_witnesses():
        text = parallels.witnesses[name]
        for each in proposals(parallels, name, substitutes(decisions, name)):
            around = text.text[: each.leaf], each.found, text.text[each.leaf + len(each.found) :]
            form = None
            if each.proposed:
                (kind, (said,)), = tomllib.loads(decision_row(each, text, EDITORS)).items()
                form = {"kind": kind, "said": said}
            told = "; ".join(f"{reference_of(one.owner)} {one.words or '∅'} ({one.before}+{one.after})"
                             for one in (*each.parallels[:4], *each.against[:3]))
            yield _row(kept, each.owner, around, work="glyph", by=PROGRAM if form else "", told=told, form=form)


def _speakers(kept: KeptText) -> Iterator[dict[str, Any]]:
    own = kept.plan.all_witnesses()
    for note in walk(kept.document):
        if isinstance(note, Note) and note.kind == "commentary" and not note.resp and note.id:
            words = counted(note.content)
            source = next(iter(note.sources), own[0])
            said = {"source": source, "after": words[:_CONTEXT], "verdict": "note", "person": ""}
            yield _row(kept, note.id, ("", words[:_CONTEXT], words[_CONTEXT:]), work="speaker",
                       form={"kind": "boundary", "said": said})


def _findings(kept: KeptText) -> Iterator[dict[str, Any]]:
    path = edition_path(kept.catalog, kept.plan)
    name = path.relative_to(kept.catalog.root).as_posix()
    rows = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    found = recorded(kept.catalog.root / "build", f"{path.parent.name}/{path.name}", kept.plan.all_witnesses())
    for each in (*found, *(kept.decided.findings if isinstance(kept, KeptEdition) else ())):
        own = str(each.place).startswith(name)
        place = each.place if own else Place(str(kept.catalog.root / each.place.file), each.place.line)
        file, table = (not own and table_of(kept.catalog.root, place)) or (each.place.file, "")
        text = kept.document.id
        line, source = "", path if own else Path(place.file)
        if place.line and source.is_file():
            with source.open(encoding="utf-8", errors="replace") as lines:
                line = next(islice(lines, place.line - 1, None), "").strip()[:_LINE]
        named = (word for word in _WORD.findall(each.message) if word.startswith(f"{text}."))
        yield _row(kept, _owner(text, rows, place) if own else next(named, text), ("", "", ""), work="finding",
                   by=each.rule, told=f"{each.message} → {each.mend}" if each.mend else each.message,
                   path=file, table=table, at=str(each.place), line=line)


def _owner(text: str, rows: list[str], place: Place) -> str:
    """Return the last id of a text that its TEI has up to a place."""
    above = "\n".join([*rows[max(0, place.line - 200) : place.line - 1], rows[place.line - 1][: place.column or None]])
    found = [each for each in _ID.findall(above) if place.line and each.startswith(f"{text}.")]
    return str(found[-1]) if found else text
