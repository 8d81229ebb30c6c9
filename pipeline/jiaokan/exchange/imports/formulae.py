"""Notes of our own word files that are no sentences of a 校勘記: emendations, statements about whole notes, and entries
as ``lemma] reading sigla`` (`jiaokan.entries.sentences.formula`)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from jiaokan.exchange.imports.jiaokanji import NoteEntry, NoteReading
from jiaokan.messages import TERM, languages, wording


@dataclass(frozen=True, slots=True)
class NoteEmendation:
    """What the editor changed: 「甲」今作「乙」, 「甲」今删, 「乙」今补."""

    wrong: str
    right: str


def _patterns(key: str) -> list[re.Pattern[str]]:
    """Return a pattern for the words of the catalogue in each language, with groups for its values."""
    return [re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(wording(f"{TERM}book-{key}", language)))
                       + r"(?=[，,。.（ ]|$)") for language in languages()]


_CHANGED = {"corrected-to": ("wrong", "right"), "deleted": ("words", ""), "added": ("", "words")}
_STATEMENT = re.compile(
    r"此[注疏条條].*節?节?引|※|自?「[^」]*」(?:至「[^」]*」)?(?:凡?[^，「]*字)?，[^，]+在.+[（(]\d")
"""此疏，某本节引，省二十字; 「甲」二字，某本在下文「乙」（6.1.2）之下."""


def parse_emendation(note: str) -> NoteEmendation | None:
    """Return what a note says that the editor changed; None if it is about something else."""
    for key, (wrong, right) in _CHANGED.items():
        for pattern in _patterns(key):
            if match := pattern.match(note.translate(_PLAIN)):
                return NoteEmendation(match[wrong] if wrong else "", match[right] if right else "")
    return None


_CORRECTED = re.compile(r"(?P<right>[^\]]+)\] (?P<wrong>.+) sic")


def parse_correction(note: str) -> NoteEmendation | None:
    """Return what a note says that a text in letters had before its editor corrected it (oris] horis sic)."""
    match = _CORRECTED.fullmatch(note.strip())
    return NoteEmendation(match["wrong"], match["right"].strip().translate(_NUMBERED)) if match else None


_PLAIN = str.maketrans("刪補", "删补")


def is_statement(note: str) -> bool:
    """Whether a note states what no entry can: that a witness abridges a note, or has a passage elsewhere."""
    return bool(_STATEMENT.match(note))


_SILENT = re.compile(r" ?\[silent: ([^\]]*)\]")
_CLASS = re.compile(r" ?\([a-z ]+\)$")
_NUMBERED = str.maketrans("", "", "¹²³⁴⁵⁶⁷⁸⁹⁰")
_KINDS = ("om.", "add.", "tr.", "lac.", "fort. coni.", "coni.")


def parse_formula(note: str, sigla: Collection[str]) -> NoteEntry | None:
    """Return the entry of a note ``lemma] reading sigla; om. sigla``; None if it is none, or if the end of a reading is
    no siglum of the file, nor who conjectured it. An entry that names silent witnesses names those that agree, too."""
    lemma, bracket, rest = note.partition("]")
    lemma, rest = lemma.strip().translate(_NUMBERED), rest.strip()
    if not bracket or not lemma or not rest:
        return None
    silent = [name for match in _SILENT.finditer(rest) for name in _names_at_end(match[1], sigla)[1]]
    extent = _EXTENT.findall(rest)
    readings, remark = _readings_and_remark(_EXTENT.sub("", _SILENT.sub("", rest)), sigla)
    remark = " ".join(filter(None, [*extent, remark]))
    if not readings:
        return None
    named = {*silent, *(name for _, reading in readings for name in reading.who)}
    added = any(kind == "add." for kind, _ in readings)
    return NoteEntry("" if added else lemma, "after" if added else "at", lemma if added else "",
                     tuple(reading for _, reading in readings),
                     agreeing=tuple(name for name in sigla if name not in named), notes=(remark,) if remark else ())


def _readings_and_remark(rest: str, sigla: Collection[str]) -> tuple[list[tuple[str, NoteReading]], str]:
    """Return the readings of an entry, each with its kind, and the remark after them: what follows the first full stop
    before which all are readings. A stop can belong to a siglum (ed. pr.)."""
    stops = [match.start() for match in re.finditer(r"\. ", rest)]
    for end in (*stops, len(rest), len(rest.rstrip("."))):
        readings = [_reading(term.strip(), sigla) for term in rest[:end].split("; ")]
        if all(readings):
            return [reading for reading in readings if reading], rest[end:].lstrip(". ")
    return [], ""


def _reading(term: str, sigla: Collection[str]) -> tuple[str, NoteReading] | None:
    """Return a reading with its kind; None if it names neither a witness nor who conjectured it."""
    unstated = term.endswith(f" {_UNSTATED}")
    term = term.removesuffix(_UNSTATED).strip() if unstated else _CLASS.sub("", term)
    words, names = (term, []) if unstated else _names_at_end(term, sigla)
    doubtful, kind = False, ""
    if not unstated and not names:
        match = _CONJECTURE.fullmatch(term)
        if match is None:
            return None
        words, names, kind, doubtful = match["words"].strip(), [match["who"]], "coni.", bool(match["fort"])
    prefix = next((each for each in _KINDS if words == each or words.startswith(f"{each} ")), "")
    words = words.removeprefix(prefix).strip()
    kind = kind or prefix
    what = "lost" if kind == "lac." else "conjecture" if "coni" in kind else "reading"
    return prefix or kind, NoteReading(tuple(names), words, what, doubtful or kind.startswith("fort"))  # type: ignore[arg-type]


_EXTENT = re.compile(r" ?(\(– \d[^()]*\))")
"""How far words of a witness reach that differ beyond their paragraph: (– 1.0.2 oris)."""
_UNSTATED = "(source not stated)"
_CONJECTURE = re.compile(r"(?P<words>.*?)(?P<fort>\bfort\. )?\bconi\. (?P<who>\S.*)")


def _names_at_end(words: str, sigla: Collection[str]) -> tuple[str, list[str]]:
    """Return words without the sigla at their end, and these in their order; the longest that fits is one."""
    names: list[str] = []
    longest = sorted(sigla, key=len, reverse=True)
    while name := next((name for name in longest if name and (words == name or words.endswith(f" {name}"))), ""):
        words = words[: len(words) - len(name)].rstrip()
        names.insert(0, name)
    return words, names


