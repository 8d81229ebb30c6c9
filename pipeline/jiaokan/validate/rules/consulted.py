"""Rules on the works that an edition compares at single places: what reasons quote from them must be in their text, if
the folder has it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from jiaokan.annotate.index import search_form
from jiaokan.characters.equality import families, norm
from jiaokan.decisions import readings
from jiaokan.decisions.kinds import Filed, load
from jiaokan.decisions.tables import Decision
from jiaokan.errors import CatalogError, Message
from jiaokan.settings.plans import ConsultedPlan
from jiaokan.validate.homes import Home
from jiaokan.validate.rule import Problem, Subject, rule
from jiaokan.validate.rules.decisions import PHRASE, decision_place


@rule("consulted-differs")
def _check_quotations(subject: Subject) -> Iterator[Problem]:
    """Report words that a reason quotes from a work and that its text does not have."""
    home = subject.home
    for filed, work, words in _quotations(home) if home else ():
        text = _text_of(home, work) if home and work.file else ""
        if text and not _has(text, _fold(words)):
            yield Problem(subject.root, Message("consulted-lacks", **decision_place(filed), words=words,
                                                work=_name(work)), Message("correct-quotation-or-file"))


@rule("consulted-absent")
def _check_files(subject: Subject) -> Iterator[Problem]:
    """Report works whose quotations cannot be checked."""
    home = subject.home
    if home is None or home.plan is None or not home.plan.consulted:
        return
    counts = dict.fromkeys(home.plan.consulted, 0)
    for _, work, _ in _quotations(home):
        counts[work] += 1
    for work, count in counts.items():
        if count and not (work.file and _text_of(home, work)):
            yield Problem(subject.root, Message("consulted-not-at-hand", work=_name(work), count=count),
                          Message("name-file-of-work"))


def _quotations(home: Home) -> Iterator[tuple[Filed[Decision], ConsultedPlan, str]]:
    """Yield what the reasons of decisions quote from the works that an edition lists. Fewer graphs than a phrase occur
    in any text by chance, so they are left out."""
    if home.plan is None or not home.plan.consulted:
        return
    works = {name: work for work in home.plan.consulted for name in (_name(work), *work.names)}
    try:
        decisions = load(home.root, Decision)
    except CatalogError:
        return  # every command that reads decisions reports it
    names = {name: name for name in works}
    for filed in decisions:
        for text in (filed.decision.why, getattr(filed.decision, "evidence", "")):
            for quoted in readings.quotations_of(text, names):
                if len(quoted.words) >= PHRASE:
                    yield filed, works[quoted.source], quoted.words


def _name(work: ConsultedPlan) -> str:
    return f"{work.edition}{work.title}"


def _text_of(home: Home, work: ConsultedPlan) -> str:
    """Return the text of a work without lines of comments (#), each graph as comparison has it; "" without a file."""
    path = home.catalog.root / "tei" / work.file
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else ""


@lru_cache(maxsize=32)
def _read(path: Path, _changed: int) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(_fold(line) for line in lines if not line.startswith("#"))


def _has(text: str, words: str) -> bool:
    """Whether a text has words, graphs that are spelled alike taken for one."""
    if words in text:
        return True
    one = {ord(graph): family[0] for family in families({*text, *words}) for graph in family}
    return words.translate(one) in text.translate(one)


def _fold(words: str) -> str:
    return "".join(map(norm, search_form(words)))
