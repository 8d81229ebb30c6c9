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
    r"此[注疏条條].*節?节?引|※|自?「[^」]*」(?:至「[^」]*」)?(?:凡?[^，「]*字)?，[^，]+在.+[（(]\d|[^\]]+\] .+ sic$")
"""此疏，某本节引，省二十字; 「甲」二字，某本在下文「乙」（6.1.2）之下; oris] horis sic."""


def parse_emendation(note: str) -> NoteEmendation | None:
    """Return what a note says that the editor changed; None if it is about something else."""
    for key, (wrong, right) in _CHANGED.items():
        for pattern in _patterns(key):
            if match := pattern.match(note.translate(_PLAIN)):
                return NoteEmendation(match[wrong] if wrong else "", match[right] if right else "")
    return None


_PLAIN = str.maketrans("刪補", "删补")


def is_statement(note: str) -> bool:
    """Whether a note states what no entry can: that a witness abridges a note, or has a passage elsewhere; what a
    text in letters had before its editor corrected it."""
    return bool(_STATEMENT.match(note))


_SILENT = re.compile(r" ?\[silent: ([^\]]*)\]")
_CLASS = re.compile(r" ?\([a-z ]+\)$")
_NUMBERED = str.maketrans("", "", "¹²³⁴⁵⁶⁷⁸⁹⁰")
_KINDS = ("om.", "add.", "tr.", "lac.", "fort. coni.", "coni.")


def parse_formula(note: str, sigla: Collection[str]) -> NoteEntry | None:
    """Return the entry of a note ``lemma] reading sigla; om. sigla``; None if it is none, or if the end of a reading is
    no siglum of the file. An entry that names silent witnesses names those that agree, too."""
    lemma, bracket, rest = note.partition("]")
    lemma, rest = lemma.strip().translate(_NUMBERED), rest.strip()
    if not bracket or not lemma or not rest:
        return None
    silent = [name for match in _SILENT.finditer(rest) for name in _names_at_end(match[1], sigla)[1]]
    rest, remark = _SILENT.sub("", rest), ""
    if _is_remarked(rest, sigla):
        rest, _, remark = rest.partition(". ")
    readings: list[NoteReading] = []
    added = False
    for term in rest.rstrip(".").split("; "):
        words, names = _names_at_end(_CLASS.sub("", term.strip()), sigla)
        if not names:
            return None
        kind = next((kind for kind in _KINDS if words == kind or words.startswith(f"{kind} ")), "")
        words = words.removeprefix(kind).strip()
        added = added or kind == "add."
        what = "lost" if kind == "lac." else "conjecture" if "coni" in kind else "reading"
        readings.append(NoteReading(tuple(names), words, what, kind.startswith("fort")))  # type: ignore[arg-type]
    named = {*silent, *(name for reading in readings for name in reading.who)}
    return NoteEntry("" if added else lemma, "after" if added else "at", lemma if added else "", tuple(readings),
                     agreeing=tuple(name for name in sigla if name not in named), notes=(remark,) if remark else ())


def _is_remarked(rest: str, sigla: Collection[str]) -> bool:
    """Whether what is before the first full stop and space ends with a siglum: then a remark follows."""
    return bool(_names_at_end(_CLASS.sub("", rest.partition(". ")[0]), sigla)[1])


def _names_at_end(words: str, sigla: Collection[str]) -> tuple[str, list[str]]:
    """Return words without the sigla at their end, and these in their order; the longest that fits is one."""
    names: list[str] = []
    longest = sorted(sigla, key=len, reverse=True)
    while name := next((name for name in longest if name and (words == name or words.endswith(f" {name}"))), ""):
        words = words[: len(words) - len(name)].rstrip()
        names.insert(0, name)
    return words, names


