"""Collation of files that belong to no edition folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from pipeline.characters.scripts import language_of
from pipeline.editions.make import Made
from pipeline.editions.make.edition import make_edition
from pipeline.editions.other import as_ours
from pipeline.editions.witnesses import LooseWitness, document, is_xml, read
from pipeline.entries import witnesses as named
from pipeline.errors import CollationError, Finding, Place
from pipeline.model import Document, Note, Unit
from pipeline.model.numerals import whole
from pipeline.model.text import shown
from pipeline.model.walk import items
from pipeline.settings.adhoc import Text, catalog_of_texts
from pipeline.settings.catalog import Person
from pipeline.settings.plans import ChapterPlan, EditionPlan
from pipeline.system.shown import visible
from pipeline.tei.persons import declared

EDITION = "edition"
"""Id of an edition made of loose files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collated:
    """An edition, what writes it, and what a philologist should look at."""

    document: Document
    tei: bytes
    sigla: Mapping[str, str]
    persons: Mapping[str, str] = field(default_factory=dict)
    """Full names of persons by id."""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, made: Made) -> Collated:
        """Give an edition with the sigla and persons that its header declares."""
        known = declared(made.tei, name=made.document.id)
        return cls(document=made.document, tei=made.tei, findings=made.findings, sigla=known.printed(),
                   persons=known.names())


def collate_files(given: Sequence[tuple[str, bytes]], *, base: str = "", date: str = "") -> Collated:
    """Collate files (name, content), the first or `base` (a file's name, with or without ending) as base.

    `date` (``2026-11-20``) is that of the edition in its header; our schema wants one, nothing else does.
    One file alone must be an edition in TEI, which is given back as it is. Raises SourceError or TeiError for what
    cannot be read, CollationError for what cannot be collated.
    """
    if len(given) == 1 and (other := _other_edition(*given[0], date)):
        return other
    read_ = _read(given)
    for witness in read_:
        if witness.document is not None and named(witness.document) and len(given) == 1:
            return Collated.of(Made(document=witness.document, tei=given[0][1]))
        if witness.document is not None and len(named(witness.document)) > 1:
            raise CollationError("this is an edition, not a witness", place=Place(witness.file),
                                 mend="give it alone to see its apparatus in another form")
    if len(given) < 2:
        why = ": this text has no apparatus" if is_xml(given[0][1]) else ""
        raise CollationError(f"one witness cannot be collated{why}", place=Place(given[0][0]),
                             mend="give two files or more, or an edition in TEI")
    return _collate(_led(read_, base), {w.name: data for w, (_, data) in zip(read_, given, strict=True)}, date)


def _other_edition(file: str, data: bytes, date: str) -> Collated | None:
    """Give a file alone as an edition of ours if it is TEI of another encoding with entries; else None."""
    made = as_ours(data, name=file, date=date) if is_xml(data) else None
    return Collated.of(made) if made is not None and named(made.document) else None


def _read(given: Sequence[tuple[str, bytes]]) -> list[LooseWitness]:
    """Read each file under a name and a siglum of its own."""
    found: list[LooseWitness] = []
    for n, (file, data) in enumerate(given, 1):
        stem = visible(PurePath(file).stem)
        slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
        name = slug if re.match("[a-z]", slug) else f"w{n}"
        siglum = stem if stem not in [w.siglum for w in found] else f"{stem}{n}"
        witness = read(data, file=file, name=name, siglum=siglum)
        if witness.document is None and witness.name in [w.name for w in found]:
            witness = replace(witness, name=f"{name}-{n}")
        if clash := next((w for w in found if w.name == witness.name), None):
            raise CollationError(f"the same witness {witness.name!r} as in {clash.file}", place=Place(file))
        found.append(witness)
    return found


def _led(found: list[LooseWitness], base: str) -> list[LooseWitness]:
    """Put the base first; raises CollationError that names the files there are."""
    chosen = [w for w in found if base in (w.name, w.siglum, w.file, PurePath(w.file).name)] if base else found[:1]
    if len(chosen) != 1:
        raise CollationError(f"{'no' if not chosen else 'more than one'} file is called {base!r}",
                             mend=f"given: {', '.join(w.siglum for w in found)}")
    return [*chosen, *(w for w in found if w is not chosen[0])]


def _collate(found: list[LooseWitness], data: Mapping[str, bytes], date: str) -> Collated:
    """Collate what was read, the base first, in a catalog that holds just this."""
    documents = _documents(found)
    for chapter in documents[found[0].name].chapters():
        if whole(chapter.n, -1) < 0:
            raise CollationError(f"chapter {chapter.n!r} has no number", place=Place(found[0].file),
                                 mend='write <div type="pian" n="1">')
    chapters = tuple(
        ChapterPlan(n=int(c.n), title=c.title or c.n, base=found[0].name, witnesses=tuple(documents))
        for c in documents[found[0].name].chapters()
    )
    title = "、".join(w.siglum for w in found)
    plan = EditionPlan(id=EDITION, kind="critical", title=title, work=EDITION, chapters=chapters)
    texts = [
        Text(name=w.name, siglum=w.siglum, file=w.file, data=data[w.name], language=_language(documents[w.name]))
        for w in found
    ]
    with catalog_of_texts(texts, plan, _persons(found, data), date) as catalog:
        made = Collated.of(make_edition(plan, documents, catalog))
    own = {w.name: w.siglum for w in found}
    told = (*(finding for w in found for finding in w.findings), *_left_out(found, documents),
            *_at_home(made.findings, found))
    return replace(made, sigla={**own, **made.sigla, **own}, findings=told)


def _left_out(found: Sequence[LooseWitness], documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Say which chapters are in no edition, since the base has none of that number."""
    had = {each.n for each in documents[found[0].name].chapters()}
    for witness in found[1:]:
        for chapter in documents[witness.name].chapters():
            if chapter.n not in had:
                units = sum(isinstance(each, Unit) for each in items([chapter]))
                notes = sum(isinstance(each, Note) for each in items([chapter]))
                yield Finding(
                    "collate-chapter", Place(witness.file),
                    f"chapter {chapter.n} of {witness.siglum} ({units} units, {notes} notes) is not collated: "
                    f"{found[0].siglum}, the base, has none of that number",
                    mend="take a base that has it (--base)", severity="warning",
                )
def _language(document: Document) -> str:
    """Tell in which language and script a witness is, from its words."""
    return language_of("".join(shown(unit.content) for unit in items(document.divisions) if isinstance(unit, Unit)))


def _persons(found: Iterable[LooseWitness], data: Mapping[str, bytes]) -> dict[str, Person]:
    """Give the persons that the witnesses in TEI declare; of one whom several declare, what the first says."""
    persons: dict[str, Person] = {}
    for witness in found:
        if witness.document is not None:
            persons = {**declared(data[witness.name], name=witness.file).persons, **persons}
    return persons


def _documents(found: list[LooseWitness]) -> dict[str, Document]:
    """Give the witnesses as documents; a text without chapters is that chapter of the others whose words it has.

    Raises CollationError if they have no chapter in common.
    """
    chapters: dict[str, set[str]] = {}
    for witness in found:
        for division in witness.document.chapters() if witness.document else ():
            text = "".join(shown(unit.content) for unit in items([division]) if isinstance(unit, Unit))
            chapters.setdefault(division.n, set()).update(_pairs(text))
    documents: dict[str, Document] = {}
    for witness in found:
        own = _pairs("".join(map(shown, witness.units)))
        best = max(chapters, key=lambda n: len(own & chapters[n]), default="1")
        documents[witness.name] = document(witness, best)
    first, *others = (frozenset(c.n for c in each.chapters()) for each in documents.values())
    if first.isdisjoint(frozenset().union(*others)):
        raise CollationError(f"no other file has a chapter of {found[0].file}", place=Place(found[0].file),
                             mend=f"its chapters: {', '.join(sorted(first))}")
    return documents


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _at_home(findings: Iterable[Finding], found: Iterable[LooseWitness]) -> Iterator[Finding]:
    """Give findings with the files where the witnesses are, not where an edition folder would have them."""
    files = {f"tei/witnesses/{w.name}.xml": w.file for w in found}
    for finding in findings:
        file = files.get(finding.place.file, finding.place.file)
        yield replace(finding, place=replace(finding.place, file=file))
