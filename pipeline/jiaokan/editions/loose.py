"""Collation of files that belong to no edition folder: plain text, TEI of our encoding, and other TEI."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import msgspec

from jiaokan import model
from jiaokan.annotate.identifiers import number, renumber
from jiaokan.characters.scripts import language_of
from jiaokan.collate import collate
from jiaokan.collate.testimony import with_books
from jiaokan.decisions.characters import Decisions
from jiaokan.editions import TextResult
from jiaokan.editions.collatex import WordBlanks, is_collatex, texts
from jiaokan.editions.edition import make_edition
from jiaokan.editions.other import as_ours
from jiaokan.entries import witnesses as named
from jiaokan.errors import CollationError, Finding, Message, Place, TeiError, visible
from jiaokan.model.numerals import whole
from jiaokan.model.text import shown
from jiaokan.model.walk import items, units, walk
from jiaokan.model.words import beside_letters
from jiaokan.readers.common.binary import refuse_binary
from jiaokan.readers.common.source import as_utf8, decode_lines, refuse_table
from jiaokan.readers.tei.text import other_text
from jiaokan.readers.tei.units import in_units
from jiaokan.settings.catalog import NOT_STATED, NOWHERE, Catalog, Chapter, Person, Project, Work, loose_source
from jiaokan.settings.plans import ChapterPlan, EditionPlan
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from jiaokan.tei.tree import Element, local, parse, place

EDITION = "edition"
"""Id of an edition made of loose files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseEdition:
    """An edition, the names for its output, and what to check in it."""

    document: model.Document
    tei: bytes = field(repr=False)
    sigla: Mapping[str, str]
    persons: Mapping[str, str] = field(default_factory=dict)
    """Full names of persons by id."""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, edition: TextResult) -> LooseEdition:
        """Return an edition with the sigla and persons that its header declares."""
        known = read_declared(edition.tei, name=edition.document.id)
        return cls(document=edition.document, tei=edition.tei, findings=edition.findings, sigla=known.printed_names(),
                   persons=known.names())


def collate_files(
    files: Sequence[tuple[str, bytes]], *, base: str = "", date: str = "", sigla: Sequence[str] = ()
) -> LooseEdition:
    """Collate files (name, content); the base is the first or `base` (a file name, with or without ending, or siglum).

    `date` (``2026-11-20``) is the date in the header; only our schema needs one. `sigla` are those of the files, by
    default their names without ending. A single file must be an edition in
    TEI, which is returned as it is. Raises SourceError or TeiError for what cannot be read, CollationError for what
    cannot be collated.
    """
    if not files:
        raise CollationError(Message("witnesses-none"), mend=Message("give-two-files-more-edition"))
    if len(files) == 1 and is_xml(files[0][1]):
        edition = as_ours(files[0][1], name=files[0][0])
        if edition is not None and named(edition.document):
            return LooseEdition.of(edition)
    witnesses = _read_all(files, sigla)
    for witness in witnesses:
        if witness.document is not None and named(witness.document) and len(files) == 1:
            return LooseEdition.of(TextResult(document=witness.document, tei=files[0][1]))
        if witness.document is not None and len(named(witness.document)) > 1:
            raise CollationError(Message("edition-not-witness"), place=Place(witness.file),
                                 mend=Message("give-alone-convert-apparatus"))
    if len(witnesses) < 2:
        why = Message("text-no-apparatus") if is_xml(files[0][1]) else ""
        raise CollationError(Message("witness-cannot-collated", why=why), place=Place(files[0][0]),
                             mend=Message("give-two-files-more-edition"))
    return _collate(_base_first(witnesses, base), date)


def _read_all(files: Sequence[tuple[str, bytes]], sigla: Sequence[str]) -> list[LooseWitness]:
    witnesses: list[LooseWitness] = []
    for n, (file, data, given) in enumerate(_texts(files, sigla), 1):
        stem = visible(given)
        slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
        name = slug if re.match("[a-z]", slug) else f"w{n}"
        siglum = stem if stem not in [w.siglum for w in witnesses] else f"{stem}{n}"
        if isinstance(data, bytes):
            witness = read(data, file=file, name=name, siglum=siglum)
        else:
            witness = LooseWitness(name, siglum, file, repr(data).encode(), units=tuple(data))
        if witness.document is None and witness.name in [w.name for w in witnesses]:
            witness = replace(witness, name=f"{name}-{n}")
        if clash := next((w for w in witnesses if w.name == witness.name), None):
            raise CollationError(Message("witness-duplicate", witness=witness.name, file=clash.file), place=Place(file))
        witnesses.append(witness)
    return witnesses


def _texts(
    files: Sequence[tuple[str, bytes]], sigla: Sequence[str]
) -> Iterator[tuple[str, bytes | list[model.Content], str]]:
    """Yield the file, text and siglum of each witness; the input of CollateX has several in a file."""
    for n, (file, data) in enumerate(files):
        if not is_collatex(data):
            yield file, data, sigla[n] if sigla else PurePath(file).stem
            continue
        for siglum, text in texts(data, file):
            yield file, text, siglum


def _base_first(witnesses: list[LooseWitness], base: str) -> list[LooseWitness]:
    chosen = witnesses[:1]
    if base:
        chosen = [w for w in witnesses if base in (w.name, w.siglum, w.file, PurePath(w.file).name)]
    if len(chosen) != 1:
        raise CollationError(Message("files-called" if chosen else "no-file-called", base=base),
                             mend=Message("witnesses-given", witnesses=", ".join(w.siglum for w in witnesses)))
    return [*chosen, *(w for w in witnesses if w is not chosen[0])]


def collate_plain(
    files: Sequence[tuple[str, bytes]], *, base: str = "", sigla: Sequence[str] = ()
) -> LooseEdition:
    """As `collate_files`, of plain text, with no TEI: for a browser, which has no libxml2. Raises CollationError for
    XML."""
    for name, data in files:
        if is_xml(data):
            raise CollationError(Message("collate-plain-only"), place=Place(name),
                                 mend=Message("collate-plain-only-mend"))
    witnesses = _read_all(files, sigla)
    if len(witnesses) < 2:
        raise CollationError(Message("witnesses-none"), mend=Message("give-two-files-more-edition"))
    witnesses = _base_first(witnesses, base)
    plan, documents, catalog = _prepare(witnesses, "")
    document, findings = collate(plan, documents, with_books(plan, documents, catalog))
    return _with_names(LooseEdition(document=document, tei=b"", sigla={}, findings=findings), witnesses, documents)


def _collate(witnesses: list[LooseWitness], date: str) -> LooseEdition:
    plan, documents, catalog = _prepare(witnesses, date)
    return _with_names(LooseEdition.of(make_edition(plan, documents, catalog)), witnesses, documents)


def _prepare(witnesses: list[LooseWitness], date: str) -> tuple[EditionPlan, dict[str, model.Document], Catalog]:
    """Return the plan, the documents and the catalog of an edition of all chapters of the first witness."""
    documents, base = _documents(witnesses), witnesses[0]
    for chapter in documents[base.name].chapters():
        if whole(chapter.n, -1) < 0:
            raise CollationError(Message("chapter-no-number", chapter=chapter.n), place=Place(base.file),
                                 mend=Message("write-div-type-pian-n"))
    chapters = tuple(ChapterPlan(n=int(c.n), title=c.title or c.n, base=base.name, witnesses=tuple(documents))
                     for c in documents[base.name].chapters())
    title = "、".join(w.siglum for w in witnesses)
    plan = EditionPlan(id=EDITION, kind="critical", title=title, work=EDITION, chapters=chapters)
    persons: dict[str, Person] = {}
    for witness in witnesses:
        if witness.document is not None:
            persons = {**read_declared(witness.data, name=witness.file).persons, **persons}
    catalog = Catalog(
        root=NOWHERE, project=Project(title=title, publisher="", editors=(), date=date, licence=NOT_STATED),
        sources={w.name: loose_source(w.name, w.siglum, PurePath(w.file).name, w.data, EDITION,
                                      language=language_of(_base_text(documents[w.name].divisions)))
                 for w in witnesses},
        works={EDITION: Work(id=EDITION, title=title, chapters=tuple(Chapter(n=c.n, title=c.title) for c in chapters))},
        persons=persons, editions={EDITION: plan},
    )
    return plan, documents, catalog


def _with_names(
    edition: LooseEdition, witnesses: Sequence[LooseWitness], documents: Mapping[str, model.Document]
) -> LooseEdition:
    """Return an edition with the sigla and files of its witnesses, and with what was found in reading them."""
    sigla = {w.name: w.siglum for w in witnesses}
    files = {f"tei/witnesses/{w.name}.xml": w.file for w in witnesses}
    findings = (replace(finding, place=replace(finding.place, file=files.get(finding.place.file, finding.place.file)))
                for finding in edition.findings)
    return replace(edition, sigla={**sigla, **edition.sigla, **sigla}, findings=(
        *(finding for w in witnesses for finding in w.findings), *_left_out(witnesses, documents), *findings))


def _left_out(witnesses: Sequence[LooseWitness], documents: Mapping[str, model.Document]) -> Iterator[Finding]:
    """Yield a finding on each chapter that the base does not have."""
    had = {chapter.n for chapter in documents[witnesses[0].name].chapters()}
    for witness in witnesses[1:]:
        for chapter in documents[witness.name].chapters():
            if chapter.n not in had:
                inside = [*items([chapter])]
                units, notes = (sum(isinstance(item, kind) for item in inside) for kind in (model.Unit, model.Note))
                yield Finding(
                    "collate-chapter", Place(witness.file),
                    Message("chapter-units-notes-not-collated", chapter=chapter.n, siglum=witness.siglum,
                            units=Message("unit-count", count=units), notes=Message("note-count", count=notes),
                            base=witnesses[0].siglum),
                    mend=Message("take-base-base"), severity="warning",
                )


def _documents(witnesses: list[LooseWitness]) -> dict[str, model.Document]:
    """Return the witnesses as documents; a text without chapters becomes the chapter of the others that has its words.

    Raises CollationError if they have no chapter in common.
    """
    chapters: dict[str, set[str]] = {}
    for witness in witnesses:
        for division in witness.document.chapters() if witness.document else ():
            chapters.setdefault(division.n, set()).update(_pairs(_base_text([division])))
    documents: dict[str, model.Document] = {}
    for witness in witnesses:
        pairs = _pairs("".join(map(shown, witness.units)))
        best = max(chapters, key=lambda n: len(pairs & chapters[n]), default="1")
        documents[witness.name] = document(witness, best)
    first, *others = (frozenset(c.n for c in text.chapters()) for text in documents.values())
    if first.isdisjoint(frozenset().union(*others)):
        raise CollationError(Message("other-files-no-chapter", file=witnesses[0].file), place=Place(witnesses[0].file),
                             mend=Message("its-chapters", first=", ".join(sorted(first))))
    return documents


def _base_text(divisions: Iterable[model.Division]) -> str:
    return "".join(shown(unit.content) for unit in units(divisions))


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


_WHITE = re.compile(r"(\s+)")
_WIDE = re.compile(r"[⺀-鿿豈-﫿！-｠\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class LooseWitness:
    """One text to collate."""

    name: str
    """Its id in the collation."""
    siglum: str
    file: str
    data: bytes
    document: model.Document | None = None
    """The text, if it is TEI of our encoding."""
    units: tuple[model.Content, ...] = ()
    """Its paragraphs, if it is not."""
    findings: tuple[Finding, ...] = ()


def read(data: bytes, *, file: str, name: str, siglum: str) -> LooseWitness:
    """Read a witness from the bytes of a file: XML if it begins with ``<``, else plain text.

    Raises SourceError for text in an unknown encoding, a table or an empty text, TeiError for what is not well-formed
    or not TEI.
    """
    witness = LooseWitness(name, siglum, file, data)
    if not is_xml(data):
        return _plain_witness(witness)
    root = parse(data, name=file)
    if local(root) != "TEI":
        raise TeiError(Message("root-is", element=local(root)), place=place(root, file),
                       mend=Message("give-tei-plain-text"))
    try:
        document = from_tei(data, name=file)
    except TeiError as error:
        return _other(root, witness, error)
    if any(document.chapters()):
        return replace(witness, name=document.id or name, document=document)
    return _other(root, witness, TeiError(Message("no-chapter-div-type-pian")))


def _plain_witness(witness: LooseWitness) -> LooseWitness:
    """Return a witness with the paragraphs of its plain text, with a finding if that is in another encoding."""
    refuse_table(witness.file)
    refuse_binary(witness.data, witness.file)
    data, encoding = as_utf8(witness.data)
    findings = (Finding("collate-encoding", Place(witness.file), Message("read-in-encoding", encoding=encoding),
                        severity="info"),) if encoding else ()
    return replace(witness, units=tuple(plain(data, witness.file)), findings=findings)


def is_xml(data: bytes) -> bool:
    """Whether a file begins with ``<``, in UTF-8 or, with a byte order mark, in UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data[2:4].strip(b"\0") == b"<"
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def plain(data: bytes, file: str) -> Iterator[model.Content]:
    """Yield the paragraphs of plain text: separated by blank lines if there are any, else each line.

    Lines of a paragraph are joined, since a line break is not a character of the text. White space in a line stays.
    """
    rows = decode_lines(data, file)
    filled = [n for n, row in enumerate(rows) if row.strip()]
    rows = rows[filled[0] : filled[-1] + 1] if filled else ()
    parted = len(filled) < len(rows)
    text = ""
    for row in (*rows, ""):
        if row.strip():
            narrow = text and not _WIDE.match(text[-1]) and not _WIDE.match(row)
            text += f"{' ' if narrow and not text[-1].isspace() and not row[0].isspace() else ''}{row}"
        if text and not (parted and row.strip()):
            yield _split_spaces(text)
            text = ""


def _split_spaces(text: str) -> model.Content:
    return tuple(model.Space(text=part) if part.isspace() else part for part in _WHITE.split(text) if part)


def _with_blanks(content: model.Content) -> model.Content:
    out: list[model.Inline] = []
    for at, item in enumerate(content):
        before, after = out[-1] if out else "", content[at + 1] if at + 1 < len(content) else ""
        if isinstance(item, model.Space) and item.text == " " and isinstance(before, str) and isinstance(after, str):
            item = " " if beside_letters(before[-1:], after[:1]) else item
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        else:
            out.append(item)
    return tuple(out)


def _other(root: Element, witness: LooseWitness, reason: TeiError) -> LooseWitness:
    text = other_text(root, witness.file, witness.name)
    blocks = (block for division in in_units(text.document.divisions) for block in _blocks(division))
    units = [tuple(_bare(part.content)) for block in blocks for part in _parts(block)]
    notes = sum(1 for item in walk(text.document) if isinstance(item, model.Note))
    message = Message("not-encoding-running-text-collated", message=reason.message, count=notes)
    finding = Finding("collate-other-tei", Place(witness.file), message, severity="info")
    return replace(witness, units=tuple(unit for unit in units if shown(unit).strip()), findings=(finding,))


def _blocks(division: model.Division) -> Iterator[model.Head | model.Paragraph | model.Trailer]:
    for item in division.items:
        if isinstance(item, model.Division):
            yield from _blocks(item)
        elif isinstance(item, (model.Head, model.Paragraph, model.Trailer)):
            yield item


def _parts(
    block: model.Head | model.Paragraph | model.Trailer
) -> Iterator[model.Head | model.Paragraph | model.Trailer | model.Line | model.Unit]:
    if not isinstance(block, model.Paragraph) or block.kind != "jing":
        yield block
        return
    for unit in block.content:
        if isinstance(unit, model.Unit):
            yield from (line for line in unit.content if isinstance(line, model.Line)) if unit.verse else (unit,)


def _bare(content: model.Content) -> Iterator[model.Inline]:
    for item in content:
        if isinstance(item, str):
            yield from _split_spaces(item)
        elif isinstance(item, model.Correction):
            yield item.sic
        elif isinstance(item, model.Span):
            yield from _bare(item.content)
        elif not isinstance(item, (model.Note, model.NoteGroup, model.Break, model.Juan)):
            yield item


def document(witness: LooseWitness, chapter: str) -> model.Document:
    """Return a witness as a document with our ids; paragraphs become the units of one chapter with this number.

    Characters without a code point and lost places are recognised as in a source without decisions on them.
    """
    if witness.document is not None:
        return renumber(msgspec.structs.replace(witness.document, id=witness.name))
    blocks = tuple(model.Paragraph(content=(model.Unit(content=_with_blanks(unit)),)) for unit in witness.units)
    section = model.Division(kind="section", items=blocks)
    unnumbered = model.Document(id=witness.name, divisions=(model.Division(kind="pian", n=chapter, items=(section,)),))
    return number(WordBlanks().document(Decisions().apply(unnumbered)))
