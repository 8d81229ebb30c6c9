"""The entries of an edition that nobody has decided, the weightiest first, and the editor's answers as decisions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pipeline.atomic import write_file
from pipeline.collate.cutting import shown
from pipeline.collate.rulings import Class, Comment, Emendation, Lemma, Reject, Ruling, toml
from pipeline.model import App, Certainty, Content, Document, Line, Note, Reading, Span, Unit, VariantClass
from pipeline.names import REPORTED, parent_of
from pipeline.ranges import counted
from pipeline.tei.walk import walk

WEIGHTS = (
    "script", "graphic", "taboo", "lacuna", "loan", "corruption", "omission", "addition", "transposition",
    "substantive",
)
"""Classes from those that need a decision least to those that need one most."""
AROUND = 12
"""How many characters of context are shown on each side."""


@dataclass(frozen=True, slots=True)
class Open:
    """An entry to be decided."""

    app: App
    unit: str
    """Id of its unit; of an entry in a note, of what the note stands beside."""
    speaker: str
    """Who speaks the note; empty in the base text."""
    before: str
    after: str
    context: str
    """Words that are found there once, those of the lemma in square brackets."""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Give lemma and readings in their order."""
        return (self.app.lemma, *self.app.readings)

    @property
    def collated(self) -> tuple[Reading, ...]:
        """Give those that a collated witness has."""
        return tuple(each for each in self.readings if {*each.witnesses} - REPORTED.keys())

    @property
    def variant(self) -> str:
        """Give the class that needs a decision most."""
        return max((each.variant for each in self.app.readings if each.variant), key=WEIGHTS.index, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Who decides, and when."""

    resp: str
    when: date


def undecided(
    document: Document, *, without: Container[str] = (), within: str = "", reported: bool = False
) -> tuple[Open, ...]:
    """Give the entries that no decision is about, the weightiest first, then as they are read.

    `without`: classes that need none. `within`: id of a part of the edition. `reported`: those too in which all
    collated witnesses agree.
    """
    found = [
        each for each in _open(document)
        if each.variant and each.variant not in without and (not within or f"{each.unit}.".startswith(f"{within}."))
        and (reported or len(each.collated) > 1)
    ]
    return tuple(sorted(found, key=lambda each: (-WEIGHTS.index(each.variant), bool(each.speaker))))


def _open(document: Document) -> Iterator[Open]:
    """Every entry of a lemma's text that is not decided yet, in reading order."""
    texts = [item for item in walk(document) if isinstance(item, (Unit, Note)) and item.id]
    words: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        words.setdefault(_place(text), []).append(shown(text.content))
    for text in texts:
        unit, speaker = _place(text)
        if isinstance(text, Note) and not speaker:
            continue
        whole = shown(text.content)
        for app, start in _entries(text.content, 0):
            end = start + len(shown(app.lemma.content))
            context = _context(whole, start, end, words[unit, speaker])
            if not _is_decided(app) and context:
                around = whole[max(0, start - AROUND) : start], whole[end : end + AROUND]
                yield Open(app, unit, speaker, *around, context)


def _place(text: Unit | Note) -> tuple[str, str]:
    return (text.id, "") if isinstance(text, Unit) else (parent_of(text.id), text.resp)


def _entries(content: Content, at: int) -> Iterator[tuple[App, int]]:
    for item in content:
        if isinstance(item, (Span, Line)) and counted(item):
            yield from _entries(item.content, at)
        elif isinstance(item, App):
            if item.kind == "variant":
                yield item, at
            yield from _entries(item.lemma.content, at)
        at += len(counted(item))


def _is_decided(app: App) -> bool:
    judged = any("decision:" in each.source for each in (app.lemma, *app.readings) if each.resp)
    return judged or bool(app.notes) or bool(app.same_as)


def _context(text: str, start: int, end: int, texts: Iterable[str]) -> str:
    """Give the fewest words round some that stand but once in the texts of that place; empty if none do."""
    for more in range(2, len(text) + 1):
        before, after = text[max(0, start - more) : start], text[end : end + more]
        if any(sign in before + text[start:end] + after for sign in "[]|"):
            return ""
        whole = before + text[start:end] + after
        if sum(_count(each, whole) for each in texts) == 1:
            return f"{before}[{text[start:end]}]{after}"
    return ""


def _count(text: str, words: str) -> int:
    return sum(text.startswith(words, at) for at in range(len(text) - len(words) + 1))


def choose(entry: Open, reading: Reading, judge: Judge, why: str, cert: Certainty) -> Ruling:
    """Give the decision to print a reading; the lemma with low certainty leaves the place open.

    What no collated witness has is printed as an emendation.
    """
    words = shown(reading.content)
    if words in {shown(each.content) for each in entry.collated}:
        return Lemma(**_said(entry, judge, why, cert), reading=words)
    return Emendation(**_said(entry, judge, why, cert), reading=words)


def classify(entry: Open, reading: Reading, variant: VariantClass, judge: Judge, why: str, cert: Certainty) -> Ruling:
    """Give the decision that a reading differs in this way."""
    return Class(**_said(entry, judge, why, cert), reading=shown(reading.content), variant=variant)


def reject(entry: Open, judge: Judge, why: str, cert: Certainty) -> Ruling:
    """Give the decision that the entry is no variant."""
    return Reject(**_said(entry, judge, why, cert))


def comment(entry: Open, judge: Judge, why: str, cert: Certainty) -> Ruling:
    """Give a note on the entry."""
    return Comment(**_said(entry, judge, why, cert))


def emend(entry: Open, words: str, judge: Judge, why: str, cert: Certainty) -> Ruling:
    """Give the decision to print what no witness has."""
    return Emendation(**_said(entry, judge, why, cert), reading=words)


def _said(entry: Open, judge: Judge, why: str, cert: Certainty) -> dict[str, Any]:
    """Give what every decision on an entry says."""
    return {
        "unit": entry.unit, "speaker": entry.speaker, "context": entry.context, "resp": judge.resp,
        "when": judge.when, "why": why, "cert": cert,
    }


def file(root: Path, ruling: Ruling) -> Path:
    """Add a decision to ``tei/decisions/lemmas.toml`` of an edition folder; give that file's path."""
    path = root / "tei" / "decisions" / "lemmas.toml"
    before = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path.exists() else ""
    write_file(path, (before + toml(ruling)).encode("utf-8"))
    return path
