"""Insert the editor's punctuation and names into a text, and resolve what the names mean."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pipeline.decisions.punctuation.files import Basis, PunctuatedLine, load
from pipeline.decisions.punctuation.hold import HeldLine, hold, present
from pipeline.decisions.punctuation.notation import TypedMark, TypedName
from pipeline.decisions.punctuation.weave import Clustered, SetMark, SetName, weave
from pipeline.errors import DecisionError, Finding, raise_all, suggestion
from pipeline.model import App, Certainty, Document, EditorsMark, EditorsName, NameKind, Note, Unit
from pipeline.model.marks import PAIRS
from pipeline.model.text import counted, edited
from pipeline.model.walk import Rewriting
from pipeline.settings.catalog import Catalog

_TITLES = ("《", "〈")


@dataclass(frozen=True, slots=True, kw_only=True)
class Punctuated:
    """A text with the editor's layer."""

    document: Document
    bases: tuple[tuple[str, Basis], ...] = ()
    """The bases of marks and names, by the ids that point to them."""
    findings: tuple[Finding, ...] = ()


def punctuate(
    document: Document, text: str, catalog: Catalog, lines: Sequence[PunctuatedLine] | None = None
) -> Punctuated:
    """Insert the marks and names of ``tei/punctuation/TEXT`` into a document without them.

    `lines` are the lines of its files if they have been read, or a selection. Raises DecisionError with all faults in
    the files themselves; what does not fit the text is a finding.
    """
    lines = load(catalog.root, text, catalog.persons) if lines is None else lines
    if not lines:
        return Punctuated(document=document)
    holding = hold(lines, present(document))
    laying = _Laying(holding.held, Naming(catalog))
    divisions = tuple(map(laying.division, document.divisions))
    raise_all(laying.naming.errors, "names are not declared")
    findings = (*holding.findings, *laying.findings, *laying.naming.findings())
    return Punctuated(document=replace(document, divisions=divisions), bases=tuple(laying.bases.items()),
                      findings=findings)


class _Laying(Rewriting):
    """Inserts marks and names into each unit and note that has a line."""

    def __init__(self, held: Mapping[str, HeldLine], naming: Naming) -> None:
        self.held, self.naming = held, naming
        self.findings: list[Finding] = []
        self.bases: dict[str, Basis] = {}
        self.ids: dict[Basis, str] = {}

    def app(self, app: App) -> App:
        """Handle the lemma of an entry only: other readings have no marks."""
        lemma = self.reading(app.lemma)
        return app if lemma is app.lemma else replace(app, lemma=lemma)

    def item(self, item: Any) -> Any:
        """Handle a unit or note, after the items in it."""
        item = super().item(item)
        if isinstance(item, Unit | Note) and (held := self.held.get(item.id.partition(".")[2])):
            content = self.woven(item, held)
            if counted(content) != counted(item.content) or edited(content) != edited(item.content):
                raise DecisionError(f"{held.ref}: the words would change", place=held.line.place(),
                                    mend="nothing was written; please report this line: internal error in jiaokan")
            return replace(item, content=content)
        return item

    def woven(self, item: Unit | Note, held: HeldLine) -> Any:
        """Return the content of a unit or note with its layer; unplaceable marks are left out, with a finding."""
        marks, names = list(held.text.marks), self.names(held)
        while True:
            try:
                return weave(item.content, self.marks(marks, held), [*names, *self.titles(marks, held)])
            except Clustered as clash:
                place, sign = clash.args
                columns = held.line.text.columns
                self.findings.append(Finding(
                    rule="punctuation-cluster", mend="put it before or after; it was left out",
                    place=held.line.place(columns[place] if place < len(columns) else 0),
                    message=f"{held.ref}: a mark or the end of a name is inside 「{sign}」, which is one character of "
                            "the text",
                ))
                gone = {id(mark) for mark in marks if mark.at == place}
                for first, last in _pairs(marks):
                    if id(first) in gone or id(last) in gone:
                        gone |= {id(first), id(last)}
                marks = [mark for mark in marks if id(mark) not in gone]
                names = [name for name in names if place not in (name.start, name.end)]

    def marks(self, marks: Sequence[TypedMark], held: HeldLine) -> list[SetMark]:
        return [SetMark(mark.at, EditorsMark(sign=mark.sign, **self.said(mark, held))) for mark in marks]

    def names(self, held: HeldLine) -> list[SetName]:
        """Return the names that the editor marked."""
        meant = ((name, *self.naming.meant(name, held.text.graphs, held.line)) for name in held.text.names)
        return [SetName(name.start, name.end, EditorsName(kind=kind, content=(), ref=ref, **self.said(name, held)))
                for name, kind, ref in meant]

    def titles(self, marks: Sequence[TypedMark], held: HeldLine) -> list[SetName]:
        """Return the titles inside the editor's brackets."""
        made = []
        for first, last in _pairs(marks):
            if first.sign in _TITLES and first.at < last.at:
                said = self.said(dataclasses.replace(first, low=first.low or last.low), held)
                made.append(SetName(first.at, last.at, EditorsName(kind="title", content=(), **said)))
        return made

    def said(self, typed: TypedMark | TypedName, held: HeldLine) -> dict[str, Any]:
        """Return the fields of a mark or name: who set it, how surely, the id of its basis."""
        basis = held.line.basis
        if typed.why:
            basis = dataclasses.replace(basis, evidence=typed.why)
        cert: Certainty = "low" if typed.low else basis.cert
        basis = dataclasses.replace(basis, cert="medium")  # the certainty is on each mark
        identifier = self.ids.setdefault(basis, f"basis-{len(self.ids) + 1}")
        self.bases[identifier] = basis
        return {"resp": basis.resp, "cert": cert, "basis": identifier}


def _pairs(marks: Sequence[TypedMark]) -> Iterator[tuple[TypedMark, TypedMark]]:
    stack: list[TypedMark] = []
    for mark in marks:
        if mark.sign in PAIRS:
            stack.append(mark)
        elif stack and PAIRS[stack[-1].sign] == mark.sign:
            yield stack.pop(), mark


HOW = "declare it in tei/persons.toml ([[person]], [[named]]) or tei/places.toml ([[place]], [[org]])"
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
        return cls({key: tuple(each) for key, each in ids.items()}, {key: tuple(each) for key, each in forms.items()})

    def meant(self, form: str, identifier: str) -> Meant | None:
        """Return what a name means; None for an unknown id."""
        named = self.by_form.get(form, ())
        if identifier:
            known = self.by_id.get(identifier, ())
            return next((each for each in known if each in named), known[0] if known else None)
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

    def meant(self, name: TypedName, graphs: str, line: PunctuatedLine) -> Meant:
        """Return what a name of a line means."""
        form = graphs[name.start : name.end]
        meant = self.table.meant(form, name.id)
        if meant is None:
            near = suggestion(name.id, self.table.by_id, HOW)
            self.errors.append(DecisionError(f"{line.ref}: _{form}|{name.id}_: unknown id {name.id!r}",
                                             place=line.place(name.column), mend=near))
            return "name", ""
        if not meant[1]:
            self.open.setdefault(form, []).append(line)
        return meant

    def findings(self) -> list[Finding]:
        """Return findings on forms that name nobody, or several."""
        found = []
        for form, lines in self.open.items():
            several = self.table.by_form.get(form, ())
            what = f"names {' and '.join(key for _, key in several)}" if several else "is declared nowhere"
            times = f", {len(lines)} times" if len(lines) > 1 else ""
            mend = f"write which: _{form}|{several[0][1]}_" if several else HOW
            found.append(Finding(rule="punctuation-name", place=lines[0].place(1), severity="warning",
                                 message=f"the name {form} {what} ({lines[0].ref}{times})", mend=mend))
        return found
