"""The kinds of decisions: one row says how a kind is called, where it is filed, and which work it changes.

A new kind is its type in `tables`, its row here, and the code of the stage that applies it. All are read by `load`,
all are held against the folder by `check`; the build watches the files of the stages, by this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec

from pipeline.decisions.tables import (
    UNSIGNED,
    Boundary,
    CharacterPair,
    Class,
    Comment,
    Conjecture,
    CorrectionDecision,
    Emendation,
    GlyphDecision,
    Lemma,
    LiteralDecision,
    LostGlyphs,
    Merge,
    Passim,
    PrintedCharacter,
    ReadingDecision,
    Reject,
    Split,
    SuppliedDecision,
    TargetDecision,
)
from pipeline.errors import CatalogError, DecisionError, Place, raise_all, suggestion
from pipeline.model.vocabulary import EDITORS, PROGRAM
from pipeline.settings.toml import read_toml, to_type
from pipeline.settings.values import Strict
from pipeline.system.listing import matching

Stage = Literal["read", "collate", "print"]
T = TypeVar("T")
MISFITS = "decisions no longer fit"
"""The head line of several errors on decisions."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of decision."""

    name: str
    """That of its table: ``correction`` for ``[[correction]]``."""
    table: type[Strict]
    """What it says; a field `source` names a source of the catalog, `resp` a declared person."""
    files: tuple[str, ...]
    """Names, or patterns of names, of the files in ``tei/decisions/`` that may hold it."""
    stages: frozenset[Stage]
    """The stages whose outcome it changes."""
    needs: str
    """What it needs to be applied; where that is not there any more, or not once, the decision is stale."""


_TEXT = ("glyphs*.toml", "text*.toml")
_LEMMAS = ("lemmas*.toml",)
_READ: frozenset[Stage] = frozenset({"read"})
_COLLATE: frozenset[Stage] = frozenset({"collate"})
_ENTRY = "its context, once in its unit; an entry at the words in brackets"

KINDS: tuple[Kind, ...] = (
    Kind("glyph", GlyphDecision, _TEXT, _READ | _COLLATE, "nothing: it holds wherever the character stands"),
    Kind("correction", CorrectionDecision, _TEXT, _READ, "its context, once in the source; `sic`, once in the context"),
    Kind("supplied", SuppliedDecision, _TEXT, _READ, "`before` and `after` side by side, once in the source"),
    Kind("literal", LiteralDecision, _TEXT, _READ, "its context, once in the source"),
    Kind("target", TargetDecision, ("targets*.toml",), _READ,
         "its context, in one note of the source; its words, in the base text of that chapter"),
    Kind("boundary", Boundary, ("boundaries*.toml",), _READ, "`before` and `after` side by side, once in the source"),
    Kind("lost", LostGlyphs, ("lost-glyphs.toml",), _COLLATE, "its source"),
    Kind("pair", CharacterPair, ("characters.toml",), _COLLATE, "nothing: it holds wherever the two stand; its source"),
    Kind("passim", Passim, _LEMMAS, _COLLATE, "an entry in which its source has `words` and another has `reading`"),
    Kind("merge", Merge, _LEMMAS, _COLLATE, "its context, once in its unit"),
    Kind("split", Split, _LEMMAS, _COLLATE, _ENTRY),
    Kind("lemma", Lemma, _LEMMAS, _COLLATE, f"{_ENTRY}, with its reading or witness"),
    Kind("emendation", Emendation, _LEMMAS, _COLLATE, "its context, once in its unit; no witness has its reading"),
    Kind("conjecture", Conjecture, _LEMMAS, _COLLATE, "its context, once in its unit; no witness has its reading"),
    Kind("class", Class, _LEMMAS, _COLLATE, f"{_ENTRY}, with its reading or witness"),
    Kind("reject", Reject, _LEMMAS, _COLLATE, _ENTRY),
    Kind("note", Comment, _LEMMAS, _COLLATE, _ENTRY),
    Kind("character", PrintedCharacter, ("print.toml",), frozenset({"print"}), "nothing: it holds for all texts"),
)
"""Every kind; those on readings in the order in which they are applied."""


@dataclass(frozen=True, slots=True)
class Filed(Generic[T]):
    """A decision and where it is filed."""

    path: Path
    decision: T
    line: int = 0

    @property
    def place(self) -> Place:
        """The file and line of its table."""
        return Place(str(self.path), self.line)


def load(root: Path, table: type[T]) -> tuple[Filed[T], ...]:
    """Read all decisions of an edition folder whose type is `table` or derived from it, in the order of `KINDS`.

    Raises CatalogError for a malformed file.
    """
    home = root / "tei" / "decisions"
    wanted = [kind for kind in KINDS if issubclass(kind.table, table)]
    paths = sorted({path for kind in wanted for pattern in kind.files for path in matching(home, pattern)})
    read = {path: _tables(path) for path in paths}
    return tuple(each for kind in wanted for path in paths for each in read[path].get(kind.name, ()))


def load_file(path: Path, table: type[T]) -> tuple[Filed[T], ...]:
    """Read the decisions of one type in one file, none if there is no such file; raises as `load`."""
    read = _tables(path) if path.exists() else {}
    return tuple(each for kind in KINDS if issubclass(kind.table, table) for each in read.get(kind.name, ()))


def paths(root: Path, stage: Stage) -> tuple[Path, ...]:
    """Give the files that hold decisions which change what a stage makes; a fixed name whether it is there or not."""
    home = root / "tei" / "decisions"
    found: set[Path] = set()
    for pattern in {pattern for kind in KINDS if stage in kind.stages for pattern in kind.files}:
        found |= set(matching(home, pattern)) if "*" in pattern else {home / pattern}
    return tuple(sorted(found))


def check(
    decisions: Iterable[Filed[Any]], persons: Iterable[str], sources: Iterable[str],
    editions: Iterable[str] | None = None,
) -> None:
    """Raise DecisionError that lists the decisions which name what the folder does not declare, or are not whole.

    That is somebody who decides or speaks, a source or, where `editions` are given, an edition.
    """
    persons = list(persons)
    told = [(each, fault) for each in decisions for fault in (
        _undeclared(each.decision, persons, sources), *_unfit(each.decision, persons),
        _nowhere(each.decision, None if editions is None else list(editions)),
    ) if fault[0]]
    raise_all((DecisionError(reason, place=each.place, mend=mend) for each, (reason, mend) in told), MISFITS)


def unread(root: Path) -> list[CatalogError]:
    """Give an error for each file of TOML in ``tei/decisions/`` whose name is none that a kind has."""
    patterns = sorted({pattern for kind in KINDS for pattern in kind.files})
    return [
        CatalogError("no decisions are read from a file of this name", place=Place(str(path)),
                     mend=f"name it as one of: {', '.join(patterns)}; `jiaokan explain decisions` says what each holds")
        for path in matching(root / "tei" / "decisions", "*.toml")
        if not any(fnmatch(path.name, pattern) for pattern in patterns)
    ]


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """Return ``; did you mean 'zhushu'?`` with the nearest of some names, or "" if none is near."""
    near = suggestion(wrong, names)
    return near and f"; {near}"


def undeclared_person(resp: str, persons: Iterable[str]) -> str:
    """Return a message if `resp` is no declared person, nor the editors or the program; else ""."""
    known = [*persons, EDITORS, PROGRAM]
    return "" if resp in known else f"resp = {resp!r} is nobody in tei/persons.toml{did_you_mean(resp, known)}"


def _unfit(decision: Any, persons: list[str]) -> Iterator[tuple[str, str]]:
    """Say what of a decision is not whole, or names a speaker whom nobody declares."""
    for key in ("person", "speaker"):
        if (who := getattr(decision, key, "")) and who not in persons and (key, who) != ("speaker", UNSIGNED):
            yield f"{key} = {who!r} is nobody in tei/persons.toml{did_you_mean(who, persons)}", \
                "declare the person there first"
    if isinstance(decision, Boundary) and decision.verdict == "chapter" and decision.chapter < 1:
        yield "verdict = 'chapter' without the number of the chapter", "add chapter = 1, as the work counts it"
    if isinstance(decision, ReadingDecision) and decision.parts() is None:
        yield (f"context = {decision.context!r} has not one pair of square brackets",
               'put those in question into brackets: context = "不亦[说]乎"')
    if isinstance(decision, Lemma | Class) and decision.reading is None and not decision.witness:
        yield "neither reading nor witness says which reading is meant", 'add reading = "…", or witness = "ID"'
    if isinstance(decision, CorrectionDecision) and decision.sic not in decision.context:
        yield (f"sic = {decision.sic!r} does not stand in context = {decision.context!r}",
               "context is what the source has, the wrong graph included")


def _nowhere(decision: Any, editions: list[str] | None) -> tuple[str, str]:
    """Say that a decision on readings, at one place or throughout, names an edition that is none."""
    known = f"editions: {', '.join(editions or ()) or 'none'}"
    match decision:
        case ReadingDecision():
            text, said = decision.id.partition(".")[0], f"unit = {decision.unit!r}"
            known = f"write the reference as {next(iter(editions or ()), 'yili')}:6.1.2; {known}"
        case Passim():
            text, said = decision.edition, f"edition = {decision.edition!r}"
        case _:
            return "", ""
    if editions is None or text in editions:
        return "", ""
    return f"{said}: no edition is called {text!r}{did_you_mean(text, editions)}", known


def _undeclared(decision: Any, persons: Iterable[str], sources: Any) -> tuple[str, str]:
    """Say what a decision names that the folder does not declare, and what to do; else nothing."""
    if reason := undeclared_person(decision.resp, persons):
        return reason, 'write resp = "editors", or declare the person in tei/persons.toml'
    source = getattr(decision, "source", None)
    if source is None or source in sources:
        return "", ""
    own = [key for key, entry in sources.items() if source in (entry.siglum, entry.title)] if hasattr(
        sources, "items") else []
    hint = f"; its id is {own[0]!r}" if own else did_you_mean(source, sources)
    return f"source = {source!r} is no source{hint}", f"sources: {', '.join(sorted(sources))}"


def _tables(path: Path) -> dict[str, list[Filed[Any]]]:
    """Read a file: its decisions with their lines, by the name of their kind."""
    return _parsed(path, path.read_bytes())


@lru_cache(maxsize=256)
def _parsed(path: Path, data: bytes) -> dict[str, list[Filed[Any]]]:
    """Read a file that has these bytes: while it has them nothing is read again."""
    del data
    kinds = tuple(kind for kind in KINDS if any(fnmatch(path.name, pattern) for pattern in kind.files))
    table = read_toml(path)
    file = to_type(table, _type(kinds), topic="decisions")
    return {kind.name: [Filed(path, decision, table.place((kind.name, n)).line)
                        for n, decision in enumerate(getattr(file, kind.name))] for kind in kinds}


@cache
def _type(kinds: tuple[Kind, ...]) -> type[Any]:
    """Give the type of a file that may hold these kinds."""
    fields = [(kind.name, tuple[kind.table, ...], ()) for kind in kinds]  # type: ignore[name-defined]
    return msgspec.defstruct("_File", fields, bases=(Strict,), frozen=True, kw_only=True)
