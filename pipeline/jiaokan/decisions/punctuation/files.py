"""Read and edit the files of the editor's punctuation, ``tei/punctuation/ID/NN.txt``; resolve the names in them.

A file has a head (``# resp: editors``, ``# when: 2026-01-31``, ``# cert: high``, ``# evidence: …``), which holds until
another head follows, and a line for each unit or note: its reference, a tab, its text with marks. Other lines that
begin with ``#`` are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, get_args

from jiaokan.decisions.filing import file_lines as lines_of
from jiaokan.decisions.kinds import undeclared_person
from jiaokan.decisions.punctuation.notation import TypedName, TypedText, faults, read
from jiaokan.errors import DecisionError, Finding, Message, Place, raise_all, suggestion
from jiaokan.model import Certainty, NameKind
from jiaokan.model.pointers import order_key
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import punctuation_paths

KEYS = ("resp", "when", "cert", "evidence")
_HEAD = re.compile(r"#\s*([a-z]+):\s*(.*)")
_REFERENCE = re.compile(r"[a-z]?[0-9]+(\.([0-9]+|[ht]|n[0-9]+))*")
_CERTAINTIES = get_args(Certainty)


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """Who set marks, when, how surely, on what evidence."""

    resp: str = ""
    when: str = ""
    """The day (ISO 8601), or empty."""
    cert: Certainty = "medium"
    evidence: str = ""

    def head(self) -> tuple[str, ...]:
        """Return the rows of a head."""
        return tuple(f"# {key}: {getattr(self, key)}".rstrip() for key in KEYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PunctuatedLine:
    """A unit or a note as the editor punctuated it."""

    path: Path
    number: int
    """Its line in the file, from 1."""
    ref: str
    """Its reference without the text's name: ``6.1.1``, ``6.1.1.n2``, ``6.h.n1``."""
    text: TypedText
    basis: Basis

    def place(self, column: int = 0) -> Place:
        """Return a place in the line."""
        return Place(str(self.path), self.number, column)


ParsedFiles = dict[Path, tuple[bytes, list[PunctuatedLine], list[DecisionError]]]
"""Files as last read: their bytes, their lines, their faults."""


def load(
    root: Path, text: str, persons: Iterable[str], known: ParsedFiles | None = None
) -> tuple[PunctuatedLine, ...]:
    """Read the punctuation of an edition. Raises DecisionError with all faults in the files themselves. Unchanged
    files are taken from `known`, to which the others are added."""
    persons, errors, lines, known = list(persons), [], [], {} if known is None else known
    for path in punctuation_paths(root, text):
        data = path.read_bytes()
        if path not in known or known[path][0] != data:
            known[path] = data, *parse(path, data.decode("utf-8-sig").split("\n"), persons)
        _, parsed, wrong = known[path]
        lines += parsed
        errors += wrong
    raise_all([*errors, *duplicate_faults(lines)], "punctuation-faults")
    return tuple(lines)


def duplicate_faults(lines: Iterable[PunctuatedLine]) -> list[DecisionError]:
    """Return an error for each line whose unit or note has one before it."""
    first: dict[str, PunctuatedLine] = {}
    return [DecisionError(Message("line-duplicate-first", ref=line.ref, place=before.place()), place=line.place(),
                          mend=Message("delete-two"))
            for line in lines if (before := first.setdefault(line.ref, line)) is not line]


def parse(
    path: Path, rows: Sequence[str], persons: Sequence[str]
) -> tuple[list[PunctuatedLine], list[DecisionError]]:
    """Read the rows of one file: return its lines, and a DecisionError for each fault."""
    basis, lines, errors = Basis(), [], []
    for number, row in enumerate(rows, 1):
        row = row.rstrip("\r")
        where = Place(str(path), number)
        try:
            if row.startswith("#"):
                basis = _read_head(row, basis, persons)
            elif row.strip():
                ref, tab, words = row.partition("\t")
                if not tab:
                    raise DecisionError(Message("tab-missing", row=row[:20]),
                                        mend=Message("write-reference-tab-text"))
                if not _REFERENCE.fullmatch(ref):
                    raise DecisionError(Message("not-reference", ref=ref), mend=Message("write-n2-h-n1"))
                if not basis.resp:
                    raise DecisionError(Message("no-person-marks"), mend=Message("begin-file-resp-editors"))
                line = PunctuatedLine(path=path, number=number, ref=ref, text=read(words.rstrip(), len(ref) + 1),
                                      basis=basis)
                lines.append(line)
                errors += [DecisionError(Message("at-where", where=line.ref, problem=fault.message),
                                         place=line.place(fault.column), mend=fault.mend)
                           for fault in faults(line.text)]
        except DecisionError as error:
            errors.append(DecisionError(error.message, place=where, mend=error.mend))
    return lines, errors


def file_of(folder: Path, ref: str, lines: Sequence[PunctuatedLine]) -> Path:
    """Return the file of a chapter in a folder of punctuation: the one with most of its lines, else ``NN.txt``."""
    chapter = ref.partition(".")[0]
    paths = [line.path for line in lines if line.ref.partition(".")[0] == chapter]
    return max(sorted(set(paths)), key=paths.count) if paths else folder / f"{chapter:0>2}.txt"


def head_row(row: str) -> tuple[str, str]:
    """Return the key and the value of a row of a head; two empty strings for any other row."""
    match = _HEAD.fullmatch(row.strip())
    return (match[1], match[2].strip()) if match and match[1] in KEYS else ("", "")


def _read_head(row: str, basis: Basis, persons: Sequence[str]) -> Basis:
    key, value = head_row(row)
    if not key:
        return basis
    if key == "resp" and (reason := undeclared_person(value, persons)):
        raise DecisionError(reason, mend=Message("write-resp-editors-declare-person"))
    if key == "cert" and value not in _CERTAINTIES:
        raise DecisionError(Message("cert-invalid", cert=value),
                            mend=suggestion(value, _CERTAINTIES, Message("high-medium-low")))
    if key == "when":
        try:
            date.fromisoformat(value)
        except ValueError:
            raise DecisionError(Message("day-invalid", day=value), mend=Message("write-day")) from None
    known: dict[str, Any] = {key: value}
    return replace(basis, **known)


_USUAL = ("", "", "medium", "")
"""The values of `KEYS` without a head."""


def remove_line(text: str, piece: str) -> str | None:
    """Return the text of a file without the line of a piece; None unless the file has this line exactly once. A piece
    is a line with the rows of its head above it. The head is removed too if it is right above the line and no other
    line follows."""
    *head, line = piece.split("\n")
    rows = lines_of(text)
    numbers = [n for n, row in enumerate(rows) if row.rstrip("\r\n") == line]
    if len(numbers) != 1:
        return None
    at = numbers[0]
    first = at - len(head)
    alone = bool(head) and first >= 0 and [row.rstrip() for row in rows[first:at]] == head
    if not alone or any(map(_reference, rows[at + 1 : at + 2])):
        return "".join((*rows[:at], *rows[at + 1 :]))
    first -= bool(first and not rows[first - 1].strip())
    return "".join((*rows[:first], *rows[at + 1 :]))


def insert_line(text: str, piece: str) -> str:
    """Return the text of a file with the line of a piece (`remove_line`); everything else is unchanged. The line is
    inserted in text order among the lines with the same head; if there are none, below its head, before the program's
    proposals or at the end. Without a head it is inserted among all lines, a comment at the end."""
    *head, line = piece.split("\n")
    rows = lines_of(text)
    if rows and not rows[-1].endswith("\n"):
        rows[-1] += "\n"
    if not _reference(line):
        return "".join((*rows, f"{line}\n"))
    heads = _heads_above(rows)
    wanted = _heads_above([*head, line])[-1]
    under_head = [n for n in range(len(rows)) if not head or heads[n] == wanted]
    lines = [n for n in under_head if _reference(rows[n])]
    if head and not under_head:
        at = next((n for n, row in enumerate(rows) if head_row(row) == ("resp", PROGRAM)), len(rows))
        gap = ["\n"] if at and rows[at - 1].strip() else []
        return "".join((*rows[:at], *gap, f"{piece}\n", *(["\n"] if at < len(rows) else []), *rows[at:]))
    before = [n + 1 for n in lines if order_key(_reference(rows[n])) <= order_key(_reference(line))]
    last = under_head[-1] + 1 if head else len(rows)
    at = max(before, default=lines[0] if lines else last)
    return "".join((*rows[:at], f"{line}\n", *rows[at:]))


def _heads_above(rows: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each row the values of the heads up to it."""
    now, heads = list(_USUAL), []
    for row in rows:
        key, value = head_row(row)
        if key:
            now[KEYS.index(key)] = value
        heads.append(tuple(now))
    return heads


def _reference(row: str) -> str:
    if row.startswith("#") or "\t" not in row:
        return ""
    return row.partition("\t")[0].strip()


HOW = Message("declare-tei-persons-toml-person")
Meant = tuple[NameKind, str]
"""The kind of a name, and the id that it means; the id is empty if unknown."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """The declared names of a folder."""

    by_id: Mapping[str, tuple[Meant, ...]]
    by_form: Mapping[str, tuple[Meant, ...]]

    @classmethod
    def of(cls, catalog: Catalog) -> NameTable:
        """Collect the names in the settings."""
        ids: dict[str, list[Meant]] = {}
        forms: dict[str, dict[Meant, None]] = {}
        tables: tuple[tuple[NameKind, Iterable[tuple[str, str, tuple[str, ...]]]], ...] = (
            ("person", ((p.id, p.name, (*p.names, *p.forms)) for p in catalog.persons.values())),
            ("person", ((n.id, n.name, n.names) for n in catalog.named.values())),
            ("org", ((o.id, o.name, o.names) for o in catalog.orgs.values())),
            ("place", ((p.id, p.name, p.names) for p in catalog.places.values())),
        )
        for kind, rows in tables:
            for key, name, others in rows:
                ids.setdefault(key, []).append((kind, key))
                for form in (name, *others):
                    forms.setdefault(form, {})[kind, key] = None
        return cls({key: tuple(meanings) for key, meanings in ids.items()},
                   {form: tuple(meanings) for form, meanings in forms.items()})

    def meaning_of(self, form: str, identifier: str) -> Meant | None:
        """Return what a name means; None for an unknown id."""
        named = self.by_form.get(form, ())
        if identifier:
            known = self.by_id.get(identifier, ())
            return next((meaning for meaning in known if meaning in named), known[0] if known else None)
        kinds = {kind for kind, _ in named}
        if len(named) == 1:
            return named[0]
        return (kinds.pop(), "") if len(kinds) == 1 else ("name", "")


class Naming:
    """Resolves the names of lines; collects undeclared ones, for one finding for each form."""

    def __init__(self, catalog: Catalog) -> None:
        self.table = NameTable.of(catalog)
        self.errors: list[DecisionError] = []
        self.open: dict[str, list[PunctuatedLine]] = {}

    def meaning_of(self, name: TypedName, graphs: str, line: PunctuatedLine) -> Meant:
        """Return what a name of a line means."""
        form = graphs[name.start : name.end]
        meant = self.table.meaning_of(form, name.id)
        if meant is None:
            near = suggestion(name.id, self.table.by_id, HOW)
            self.errors.append(DecisionError(Message("id-unknown", ref=line.ref, form=form, name=name.id),
                                             place=line.place(name.column), mend=near))
            return "name", ""
        if not meant[1]:
            self.open.setdefault(form, []).append(line)
        return meant

    def findings(self) -> list[Finding]:
        """Return findings on forms that name nobody, or several."""
        findings = []
        for form, lines in self.open.items():
            several = self.table.by_form.get(form, ())
            what = f"names {' and '.join(key for _, key in several)}" if several else Message("declared-nowhere")
            times = Message("times-repeated", count=len(lines)) if len(lines) > 1 else ""
            mend = Message("write-which", form=form, several=several[0][1]) if several else HOW
            findings.append(Finding(rule="punctuation-name", place=lines[0].place(1), severity="warning",
                                 message=Message("name-problem", form=form, what=what, ref=lines[0].ref, times=times),
                                 mend=mend))
        return findings
