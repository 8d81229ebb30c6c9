"""The kinds of decisions, one row each; load and check the decisions of a folder.

A new kind is its type in `tables`, its row here, and the code of the stage that applies it. Loading, checking, filing,
the manual, the desk and the build follow from the row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec

from jiaokan.decisions import tables
from jiaokan.decisions.tables import UNSIGNED, Assigned, Decision, Fault, OnEntry, Passim
from jiaokan.errors import CatalogError, DecisionError, Message, Place, nearest, raise_all, suggestion
from jiaokan.model.vocabulary import EDITORS, PROGRAM
from jiaokan.settings.faults import undeclared_remedy
from jiaokan.settings.syntax import KeyPath
from jiaokan.settings.toml import TomlTable, read_toml, to_type
from jiaokan.settings.values import Strict
from jiaokan.system.listing import matching

Stage = Literal["read", "collate", "print", "desk"]
T = TypeVar("T")
D = TypeVar("D", covariant=True)
MISFITS = "decisions-unfit"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of decision."""

    name: str
    """That of its table: ``correction`` for ``[[correction]]``."""
    table: type[Decision]
    """Its type; a field `source` names a source of the catalog, `person` and `speaker` a declared person."""
    files: tuple[str, ...]
    """Names, or patterns of names, of the files in ``tei/decisions/`` that may hold it."""
    new: str
    """The file for one on a source (``{source}``) or chapter of which no file has any."""
    stages: frozenset[Stage]
    """The stages whose outcome it changes."""

    @property
    def about(self) -> Message:
        """What it does."""
        return Message(f"decision-{self.name}")

    @property
    def needs(self) -> Message:
        """What it needs to be applied; where that is missing, or not unique, the decision is stale."""
        return Message(f"decision-{self.name}-needs")


_TEXT = ("glyphs*.toml", "text*.toml"), "text-{source}.toml"
_LEMMAS = ("lemmas*.toml",), "lemmas.toml"
_READ: frozenset[Stage] = frozenset({"read"})
_COLLATE: frozenset[Stage] = frozenset({"collate"})
_DESK: frozenset[Stage] = frozenset({"desk"})

KINDS: tuple[Kind, ...] = (
    Kind("glyph", tables.GlyphDecision, _TEXT[0], "glyphs.toml", _READ | _COLLATE),
    Kind("correction", tables.CorrectionDecision, *_TEXT, _READ),
    Kind("supplied", tables.SuppliedDecision, *_TEXT, _READ),
    Kind("literal", tables.LiteralDecision, *_TEXT, _READ),
    Kind("target", tables.TargetDecision, ("targets*.toml",), "targets-{source}.toml", _READ),
    Kind("boundary", tables.Boundary, ("boundaries*.toml",), "boundaries-{source}.toml", _READ),
    Kind("lost", tables.LostGlyphs, ("lost-glyphs.toml",), "lost-glyphs.toml", _COLLATE),
    Kind("pair", tables.CharacterPair, ("characters.toml",), "characters.toml", _COLLATE),
    Kind("passim", Passim, _LEMMAS[0], "lemmas-{source}.toml", _COLLATE),
    Kind("merge", tables.Merge, *_LEMMAS, _COLLATE),
    Kind("split", tables.Split, *_LEMMAS, _COLLATE),
    Kind("lemma", tables.Lemma, *_LEMMAS, _COLLATE),
    Kind("emendation", tables.Emendation, *_LEMMAS, _COLLATE),
    Kind("conjecture", tables.Conjecture, *_LEMMAS, _COLLATE),
    Kind("class", tables.Class, *_LEMMAS, _COLLATE),
    Kind("reject", tables.Reject, *_LEMMAS, _COLLATE),
    Kind("note", tables.Comment, *_LEMMAS, _COLLATE),
    Kind("comment", tables.EditorsRemark, ("comments*.toml",), "comments.toml", _DESK),
    Kind("second", tables.Second, ("second*.toml",), "second.toml", _DESK),
    Kind("assigned", tables.Assigned, ("assigned.toml",), "assigned.toml", _DESK),
    Kind("question", tables.SettingsQuestion, ("questions.toml",), "questions.toml", _DESK),
    Kind("character", tables.PrintedCharacter, ("print.toml",), "print.toml", frozenset({"print"})),
    Kind("form", tables.TraditionalForm, ("forms.toml",), "forms.toml", frozenset({"print"})),
)
"""Every kind; those on readings in the order in which they are applied."""
KIND_OF: Mapping[type[Decision], Kind] = {kind.table: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class Filed(Generic[D]):
    """A decision and where it is filed."""

    path: Path
    decision: D
    line: int = 0
    file: TomlTable | None = field(default=None, compare=False, repr=False)
    """Its file, if it was read from one."""
    row: KeyPath = field(default=(), compare=False, repr=False)
    """Its row in the file."""

    @property
    def place(self) -> Place:
        """The file and line of its table."""
        return Place(str(self.path), self.line)

    def place_of(self, key: str) -> Place:
        """Return the place of the value of a key; of the table, if it does not have the key."""
        return self.file.place((*self.row, key), value=True) if self.file else self.place


def load(root: Path, table: type[T]) -> tuple[Filed[T], ...]:
    """Read all decisions of type `table` or derived from it, by kind. Raises CatalogError for a malformed file."""
    home = root / "tei" / "decisions"
    wanted = [kind for kind in KINDS if issubclass(kind.table, table)]
    paths = sorted({path for kind in wanted for pattern in kind.files for path in matching(home, pattern)})
    read = {path: _parse_file(path, path.read_bytes()) for path in paths}
    return tuple(filed for kind in wanted for path in paths for filed in read[path].get(kind.name, ()))


def load_file(path: Path, table: type[T]) -> tuple[Filed[T], ...]:
    """Read the decisions of one type in one file; none if the file does not exist. Raises CatalogError as `load`."""
    read = _parse_file(path, path.read_bytes()) if path.exists() else {}
    return tuple(filed for kind in KINDS if issubclass(kind.table, table) for filed in read.get(kind.name, ()))


@lru_cache(maxsize=256)
def _parse_file(path: Path, data: bytes) -> dict[str, list[Filed[Any]]]:
    """Read a file by the names of kinds; a file with the same bytes as before is not read again."""
    del data
    kinds = tuple(kind for kind in KINDS if any(fnmatch(path.name, pattern) for pattern in kind.files))
    table = read_toml(path)
    file = to_type(table, _type_of_file(kinds), topic="decisions")
    return {kind.name: [Filed(path, decision, table.place((kind.name, n)).line, table, (kind.name, n))
                        for n, decision in enumerate(getattr(file, kind.name))] for kind in kinds}


@cache
def _type_of_file(kinds: tuple[Kind, ...]) -> type[msgspec.Struct]:
    fields = [(kind.name, tuple[kind.table, ...], ()) for kind in kinds]  # type: ignore[name-defined]
    return msgspec.defstruct("_File", fields, bases=(Strict,), frozen=True, kw_only=True)


def paths(root: Path, stage: Stage) -> tuple[Path, ...]:
    """Return the files whose decisions change the outcome of a stage; those with a fixed name even if missing."""
    home = root / "tei" / "decisions"
    files: set[Path] = set()
    for pattern in {pattern for kind in KINDS if stage in kind.stages for pattern in kind.files}:
        files |= set(matching(home, pattern)) if "*" in pattern else {home / pattern}
    return tuple(sorted(files))


def unread(root: Path) -> list[CatalogError]:
    """Return an error for each file in ``tei/decisions/`` that looks like one of decisions, but whose name no kind has:
    also ``lemmas.tml`` and ``lemmas.toml.txt``."""
    patterns = sorted({pattern for kind in KINDS for pattern in kind.files})
    errors = []
    for path in matching(root / "tei" / "decisions", "*"):
        likely = re.fullmatch(r"(?i)(.+)\.(?:t[oml]{2,4}|toml\.txt)", path.name)
        if likely and not any(fnmatch(path.name, pattern) for pattern in patterns):
            meant = f"{likely[1]}.toml"
            fits = any(fnmatch(meant, pattern) for pattern in patterns)
            near = meant if fits else _nearest_name(likely[1], patterns)
            names = near or Message("one-of", patterns=", ".join(patterns))
            errors.append(CatalogError(Message("no-decisions-read-file-name"), place=Place(str(path)),
                                      mend=Message("rename-see", names=names)))
    return errors


def _nearest_name(stem: str, patterns: Iterable[str]) -> str:
    """Return the name that a misspelt one means: ``lemmas-4.toml`` for ``lemas-4``; "" if none is near."""
    stems = [pattern.removesuffix(".toml") for pattern in patterns]
    kind, mark, rest = stem.lower().partition("-")
    if mark and (near := nearest(kind, [name[:-1] for name in stems if name.endswith("*")])):
        return f"{near}-{rest}.toml"
    near = nearest(stem.lower(), [name.rstrip("*") for name in stems])
    return near and f"{near}.toml"


def check(
    decisions: Iterable[Filed[Decision]], persons: Iterable[str], sources: Collection[str],
    editions: Iterable[str] | None = None,
) -> None:
    """Raise DecisionError that lists the decisions which are faulty or name what the folder does not declare. Names
    of editions are checked only if `editions` are given."""
    known = list(persons), sources, None if editions is None else list(editions)
    raise_all((DecisionError(message, place=filed.place_of(key), mend=mend)
               for filed in decisions for key, message, mend in _faults(filed.decision, *known)), MISFITS)


def _faults(
    decision: Decision, persons: list[str], sources: Collection[str], editions: list[str] | None
) -> Iterator[Fault]:
    if undeclared_person(decision.resp, persons):
        mend = undeclared_remedy(decision.resp, [*persons, EDITORS], "agent")
        yield "resp", Message("person-unknown-id-resp", resp=decision.resp), mend
    source = getattr(decision, "source", None)
    if source is not None and source not in sources:
        names = ({key: (entry.siglum, entry.title) for key, entry in sources.items()}
                 if isinstance(sources, Mapping) else sources)
        yield "source", Message("source-unknown-id-source", source=source), undeclared_remedy(source, names, "source")
    for key in ("person", "speaker", "approved"):
        if (who := getattr(decision, key, "")) and who not in persons and (key, who) != ("speaker", UNSIGNED):
            yield key, Message("person-unknown-id", who=who, key=key), undeclared_remedy(who, persons, "person")
    match decision:
        case OnEntry():
            edition, key, value = decision.id.partition(".")[0], "unit", decision.unit
        case Passim():
            edition, key, value = decision.edition, "edition", decision.edition
        case Assigned():
            edition, key, value = decision.unit.partition(":")[0], "unit", decision.unit
        case _:
            edition, key, value = "", "", ""
    if edition and editions is not None and edition not in editions:
        form = Message("write-reference", iter=next(iter(editions), "yili")) if key == "unit" else ""
        yield (key, Message("the-key-edition-unknown", key=key, value=value, edition=edition,
                            suggestion=did_you_mean(edition, editions)),
               Message("editions-listed", form=form, editions=", ".join(editions) or "none"))
    yield from decision.faults()


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """Return ``; did you mean 'zhushu'?`` with the nearest of some names, or "" if none is near."""
    near = suggestion(wrong, names, "")
    return near and f"; {near}"


def undeclared_person(resp: str, persons: Iterable[str]) -> str:
    """Return a message if `resp` is no declared person, nor the editors or the program; else ""."""
    known = [*persons, EDITORS, PROGRAM]
    return "" if resp in known else Message("unknown-person-id-in-resp", resp=resp,
                                            did_you_mean=did_you_mean(resp, known))
