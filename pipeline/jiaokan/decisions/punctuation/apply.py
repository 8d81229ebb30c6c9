"""Insert the editor's punctuation and names into a text, and resolve what the names mean.

A closing or separating mark follows the character before it, an opening one precedes the character after it, both as
far outside as possible within the line, unit or note: a mark at the edge of an entry, a quotation or a title is outside
it, unless the other mark of its pair is inside. Between two characters of a lemma it is in the ``lem``, never in a
``rdg``. What is one character in the source (a gaiji, a correction, a lacuna) is not split.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypedDict, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model
from jiaokan.decisions.punctuation.files import Basis, Naming, PunctuatedLine, load
from jiaokan.decisions.punctuation.matching import MatchedLine, graphs_by_ref, match_lines
from jiaokan.decisions.punctuation.notation import TypedMark, TypedName
from jiaokan.errors import DecisionError, Finding, Message, raise_all
from jiaokan.model.marks import OPENING, PAIRS, SOURCE, STOPS, graphs
from jiaokan.model.text import counted, edited
from jiaokan.model.walk import SET_ASIDE, Rewriting
from jiaokan.settings.catalog import Catalog

_TITLES = ("《", "〈")
_FOUND = ("title", "person")
S = TypeVar("S", bound=Struct)
NamePart = Literal["", "I", "M", "F"]


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


SetMark = tuple[int, model.EditorsMark]
"""A mark, and the number of characters before it."""
SetName = tuple[int, int, model.EditorsName]
"""The number of characters before a name and at its end; the name, without content."""


class Clustered(Exception):
    """A mark or the end of a name is inside one character of the source; `args` are the number of characters before the
    place, and that character."""


def without_cut(content: model.Content, stops: Collection[int]) -> model.Content:
    """Return content without the titles and persons found by the program that have a stop of the editor inside: in
    主于内，则 there is no 内则. `stops` are the numbers of characters before each stop.
    """
    if not any(isinstance(item, model.Span) and item.role in _FOUND for item in content):
        return content
    out: list[model.Inline] = []
    at = 0
    for item in content:
        count = size(item)
        if isinstance(item, model.Span) and item.role in _FOUND and any(at < stop < at + count for stop in stops):
            out += item.content
        else:
            out.append(item)
        at += count
    return tuple(out)


def weave(content: model.Content, marks: Sequence[SetMark], names: Sequence[SetName]) -> model.Content:
    """Return content with marks and names. Raises Clustered if one is inside a single character."""
    for start, end, name in sorted(names, key=lambda span: (span[1] - span[0], span[0])):
        content = _NameWrapper(start, end, name).wrap(content)
    return _MarkSetter(marks).content(content, 0)[0]


def size(item: model.Item) -> int:
    """Return the number of characters of an item."""
    return len(graphs(edited(item)))


def unit_content(item: model.Item) -> model.Content | None:
    """Return the content of an item whose characters belong to the unit; None for a sign, an empty place, and notes."""
    if isinstance(item, model.App):
        return item.lemma.content
    return None if isinstance(item, model.Note | model.NoteGroup) else getattr(item, "content", None)


def with_content(item: S, content: model.Content) -> S:
    """Return an item with other content; of an entry, its lemma."""
    if isinstance(item, model.App):
        return replace(item, lemma=replace(item.lemma, content=content))
    return replace(item, content=content)


def set_aside_marks(content: model.Content) -> model.Content:
    """Return content whose marks that a source prints as notes, 〈句〉, are set aside: in an edition of witnesses they
    are how one of them reads the words, beside the editor's reading."""
    out: list[model.Inline] = []
    for item in content:
        if isinstance(item, model.Span) and item.role == "punct":
            out.append(replace(item, subtype=SET_ASIDE) if item.rend and not item.subtype else item)
        elif isinstance(item, str) or not (inside := unit_content(item)):
            out.append(item)
        else:
            out.append(with_content(item, set_aside_marks(inside)))
    return tuple(out)


class _MarkSetter:
    """Inserts marks into content, each once."""

    def __init__(self, marks: Sequence[SetMark]) -> None:
        self.before: dict[int, list[model.EditorsMark]] = {}
        """Opening marks, by the number of characters before."""
        self.after: dict[int, list[model.EditorsMark]] = {}
        """All other marks."""
        self.partner: dict[int, int] = {}
        """Where the other mark of its pair is, by the identity of a mark."""
        opened: list[SetMark] = []
        for at, mark in marks:
            side = self.before if mark.sign in OPENING else self.after
            side.setdefault(at, []).append(mark)
            if mark.sign in PAIRS:
                opened.append((at, mark))
            elif opened and PAIRS[opened[-1][1].sign] == mark.sign:
                start, first = opened.pop()
                self.partner |= {id(first): at, id(mark): start}

    def content(self, content: model.Content, at: int) -> tuple[model.Content, int]:
        """Return content with its marks, and the number of characters up to its end."""
        out: list[model.Inline] = []
        for item in content:
            if isinstance(item, str):
                at = self.string(item, at, out)
            elif not (count := size(item)):  # an entry on punctuation has only marks, which are set aside
                inside = None if isinstance(item, model.Span) and item.role == "punct" else unit_content(item)
                out.append(with_content(item, self.content(inside, at)[0]) if inside else item)
            elif isinstance(item, model.Line):  # no mark can be outside a line
                out.append(replace(item, content=self.content(item.content, at)[0]))
                at += count
            else:
                at = self.item(item, at, count, out)
        same = len(content) == len(out) and all(a is b for a, b in zip(content, out, strict=True))
        return (content if same else tuple(out)), at

    def item(self, item: model.Inline, at: int, count: int, out: list[model.Inline]) -> int:
        """Handle an item that is not a string: marks at its edges are outside, but for those whose pair is inside."""
        contents, opening, closing = unit_content(item), self.before.pop(at, []), self.after.pop(at + count, [])
        inner = range(at + 1, at + count if contents is not None else at)
        first = next((n for n, mark in enumerate(opening) if self.partner.get(id(mark)) in inner), len(opening))
        last = max((n + 1 for n, mark in enumerate(closing) if self.partner.get(id(mark)) in inner), default=0)
        out += opening[:first]
        self.before[at], self.after[at + count] = opening[first:], closing[:last]
        if contents is None:
            for place in range(at + 1, at + count):
                if self.before.get(place) or self.after.get(place):
                    raise Clustered(place, edited(item))
            out.append(item)
        else:
            inside = self.content(contents, at)[0]
            out.append(item if inside is contents or isinstance(item, str) else with_content(item, inside))
        out += (*self.after.pop(at + count, ()), *closing[last:])
        return at + count

    def string(self, text: str, at: int, out: list[model.Inline]) -> int:
        """Split a string at marks; the source's own marks are set aside."""
        begun = 0
        for n, char in enumerate(text):
            if char.isspace():
                continue
            if char in SOURCE:
                out += [text[begun:n]] if begun < n else []
                out.append(model.Span(role="punct", subtype=SET_ASIDE, content=(char,)))
                begun = n + 1
                continue
            if opening := self.before.pop(at, ()):
                out += [text[begun:n]] if begun < n else []
                out += opening
                begun = n
            at += 1
            if closing := self.after.pop(at, ()):
                out.append(text[begun : n + 1])
                out += closing
                begun = n + 1
        if begun < len(text):
            out.append(text[begun:])
        return at


class _NameWrapper:
    """Wraps one name round its characters, in pieces where it ends inside an item that continues."""

    def __init__(self, start: int, end: int, name: model.EditorsName) -> None:
        self.start, self.end, self.name = start, end, name
        self.pieces: list[model.EditorsName] = []

    def wrap(self, content: model.Content) -> model.Content:
        """Return content with the name round its characters."""
        result = self.content(content, 0)
        parts: dict[int, NamePart] = {id(piece): "M" for piece in self.pieces}
        if len(parts) > 1:
            parts[id(self.pieces[0])], parts[id(self.pieces[-1])] = "I", "F"
            return _number_parts(result, parts)
        return result

    def content(self, content: model.Content, at: int) -> model.Content:
        """Wrap the part of content that is in the name."""
        out: list[model.Inline] = []
        inside: list[model.Inline] = []

        def close() -> None:
            while inside and not size(inside[-1]):  # items without characters are outside
                trailing.insert(0, inside.pop())
            if inside:
                self.pieces.append(replace(self.name, content=_once(inside, self.name)))
                out.append(self.pieces[-1])
            out.extend(trailing)
            inside.clear()
            trailing.clear()

        trailing: list[model.Inline] = []
        for item in content:
            for part, count in _cut(item, self.start - at, self.end - at):
                whole = count and self.start <= at and at + count <= self.end and not isinstance(part, model.Line)
                if whole or (inside and not count):
                    inside.append(part)
                else:
                    close()
                    out.append(self.within(part, at, count))
                at += count
        close()
        return tuple(out)

    def within(self, item: model.Inline, at: int, count: int) -> model.Inline:
        """Handle an item that is not, or not completely, in the name."""
        if isinstance(item, str) or at >= self.end or at + count <= self.start:
            return item
        inside = unit_content(item)
        if inside is None:
            raise Clustered(max(at + 1, self.start), edited(item))
        return with_content(item, self.content(inside, at))


def _once(content: Sequence[model.Inline], name: model.EditorsName) -> model.Content:
    """Return the content of an editor's name without the span by which the program marks the same person."""
    match content:
        case [model.Span(role="person", target="", rend="") as span] if name.kind == "person" and span.ref == name.ref:
            return span.content
    return tuple(content)


def _number_parts(content: model.Content, parts: dict[int, NamePart]) -> model.Content:
    """Return content in which the pieces of a name have `part`."""
    out: list[model.Inline] = []
    for item in content:
        if isinstance(item, model.EditorsName) and id(item) in parts:
            out.append(replace(item, part=parts[id(item)]))
        elif not isinstance(item, str) and (inside := unit_content(item)):
            out.append(with_content(item, _number_parts(inside, parts)))
        else:
            out.append(item)
    return tuple(out)


def _cut(item: model.Inline, start: int, end: int) -> list[tuple[model.Inline, int]]:
    """Split a string before its characters `start` and `end`; other items are returned whole."""
    if not isinstance(item, str):
        return [(item, size(item))]
    count = len(graphs(item))
    if item and (start > count or end < 0 or (start < 0 and end > count)):
        return [(item, count)]
    cuts, seen = [0], 0
    for n, char in enumerate(item):
        if not (char in SOURCE or char.isspace()):
            if seen in (start, end) and n:
                cuts.append(n)
            seen += 1
            if seen in (start, end) and start < end:
                cuts.append(n + 1)
    bounds = sorted({*cuts, len(item)})
    return [(item[a:b], len(graphs(item[a:b]))) for a, b in pairwise(bounds)]
