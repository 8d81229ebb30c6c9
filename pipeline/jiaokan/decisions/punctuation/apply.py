"""Insert the editor's punctuation and names into a text, and resolve what the names mean."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from msgspec.structs import replace

from jiaokan import model
from jiaokan.decisions.punctuation.files import Basis, Naming, PunctuatedLine, load
from jiaokan.decisions.punctuation.matching import MatchedLine, graphs_by_ref, match_lines
from jiaokan.decisions.punctuation.notation import TypedMark, TypedName
from jiaokan.decisions.punctuation.weave import Clustered, SetMark, SetName, set_aside_marks, weave, without_cut
from jiaokan.errors import DecisionError, Finding, Message, raise_all
from jiaokan.model.marks import PAIRS, STOPS
from jiaokan.model.text import counted, edited
from jiaokan.model.walk import Rewriting
from jiaokan.settings.catalog import Catalog

_TITLES = ("《", "〈")


@dataclass(frozen=True, slots=True, kw_only=True)
class Punctuated:
    """A text with the editor's layer."""

    document: model.Document
    bases: tuple[tuple[str, Basis], ...] = ()
    """The bases of marks and names, by the ids that point to them."""
    findings: tuple[Finding, ...] = ()


def punctuate(
    document: model.Document, text: str, catalog: Catalog, lines: Sequence[PunctuatedLine] | None = None
) -> Punctuated:
    """Insert the marks and names of ``tei/punctuation/TEXT`` into a document without them. `lines` are the lines of
    its files if they have been read, or a selection. Raises DecisionError with all faults in the files themselves;
    what does not fit the text is a finding."""
    lines = load(catalog.root, text, catalog.persons) if lines is None else lines
    if not lines:
        return Punctuated(document=document)
    matches = match_lines(lines, graphs_by_ref(document))
    inserter = _MarkInserter(matches.lines, Naming(catalog))
    divisions = tuple(map(inserter.division, document.divisions))
    raise_all(inserter.naming.errors, "names-undeclared")
    findings = (*matches.findings, *inserter.findings, *inserter.naming.findings())
    return Punctuated(document=replace(document, divisions=divisions), bases=tuple(inserter.bases.items()),
                      findings=findings)


class LayerFields(TypedDict):
    """The fields of a mark or name that say who set it."""

    resp: str
    cert: model.Certainty
    basis: str


class _MarkInserter(Rewriting):
    """Inserts marks and names into each unit and note that has a line."""

    def __init__(self, unit_lines: Mapping[str, MatchedLine], naming: Naming) -> None:
        self.unit_lines, self.naming = unit_lines, naming
        self.findings: list[Finding] = []
        self.bases: dict[str, Basis] = {}
        self.ids: dict[Basis, str] = {}
        self.fields: dict[tuple[Basis, str, bool], LayerFields] = {}
        """What `fields_of` returned."""

    def app(self, app: model.App) -> model.App:
        """Handle the lemma of an entry only: other readings have no marks."""
        lemma = self.reading(app.lemma)
        return app if lemma is app.lemma else replace(app, lemma=lemma)

    def item(self, item: model.Item) -> model.Item:
        """Handle a unit or note, after the items in it."""
        item = super().item(item)
        if isinstance(item, model.Unit | model.Note) and (unit_line := self.unit_lines.get(item.id.partition(".")[2])):
            content = self.weave_line(item, unit_line)
            if counted(content) != counted(item.content) or edited(content) != edited(item.content):
                raise DecisionError(Message("words-change", ref=unit_line.ref), place=unit_line.line.place(),
                                    mend=Message("nothing-written-please-report-line"))
            of_witnesses = isinstance(item, model.Unit) and item.sources
            return replace(item, content=set_aside_marks(content) if of_witnesses else content)
        return item

    def weave_line(self, item: model.Unit | model.Note, unit_line: MatchedLine) -> model.Content:
        """Return the content of a unit or note with its layer; unplaceable marks are left out, with a finding."""
        marks, names = list(unit_line.text.marks), self.names(unit_line)
        content = without_cut(item.content, {mark.at for mark in marks if mark.sign in STOPS})
        while True:
            try:
                return weave(content, self.marks(marks, unit_line), [*names, *self.titles(marks, unit_line)])
            except Clustered as clash:
                place, sign = clash.args
                columns = unit_line.line.text.columns
                self.findings.append(Finding(
                    rule="punctuation-cluster", mend=Message("put-before-after-left-out"),
                    place=unit_line.line.place(columns[place] if place < len(columns) else 0),
                    message=Message("mark-end-name-inside-character", ref=unit_line.ref, sign=sign),
                ))
                gone = {id(mark) for mark in marks if mark.at == place}
                for first, last in _pairs(marks):
                    if id(first) in gone or id(last) in gone:
                        gone |= {id(first), id(last)}
                marks = [mark for mark in marks if id(mark) not in gone]
                names = [name for name in names if place not in name[:2]]

    def marks(self, marks: Sequence[TypedMark], unit_line: MatchedLine) -> list[SetMark]:
        return [(mark.at, model.EditorsMark(sign=mark.sign, **self.fields_of(mark, unit_line))) for mark in marks]

    def names(self, unit_line: MatchedLine) -> list[SetName]:
        """Return the names that the editor marked."""
        text, line = unit_line.text, unit_line.line
        meant = ((name, *self.naming.meaning_of(name, text.graphs, line)) for name in text.names)
        return [
            (name.start, name.end, model.EditorsName(kind=kind, content=(), ref=ref, **self.fields_of(name, unit_line)))
            for name, kind, ref in meant
        ]

    def titles(self, marks: Sequence[TypedMark], unit_line: MatchedLine) -> list[SetName]:
        """Return the titles inside the editor's brackets."""
        titles = []
        for first, last in _pairs(marks):
            if first.sign in _TITLES and first.at < last.at:
                fields = self.fields_of(dataclasses.replace(first, low=first.low or last.low), unit_line)
                titles.append((first.at, last.at, model.EditorsName(kind="title", content=(), **fields)))
        return titles

    def fields_of(self, typed: TypedMark | TypedName, unit_line: MatchedLine) -> LayerFields:
        """Return the fields of a mark or name: who set it, how surely, the id of its basis."""
        basis = unit_line.line.basis
        if (known := self.fields.get((basis, typed.why, typed.low))) is not None:
            return known
        cert: model.Certainty = "low" if typed.low else basis.cert
        # `cert` is not part of the basis: each mark has its own
        mark_basis = dataclasses.replace(basis, evidence=typed.why or basis.evidence, cert="medium")
        identifier = self.ids.setdefault(mark_basis, f"basis-{len(self.ids) + 1}")
        self.bases[identifier] = mark_basis
        return self.fields.setdefault((basis, typed.why, typed.low), {
            "resp": basis.resp, "cert": cert, "basis": identifier})


def _pairs(marks: Sequence[TypedMark]) -> Iterator[tuple[TypedMark, TypedMark]]:
    stack: list[TypedMark] = []
    for mark in marks:
        if mark.sign in PAIRS:
            stack.append(mark)
        elif stack and PAIRS[stack[-1].sign] == mark.sign:
            yield stack.pop(), mark
