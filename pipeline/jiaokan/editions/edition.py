"""The TEI of editions: critical ones from their witnesses, reading editions from one. No other module makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from jiaokan.annotate.citations import link_titles
from jiaokan.annotate.identifiers import renumber
from jiaokan.collate import collate
from jiaokan.collate.testimony import with_books
from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import Basis
from jiaokan.editions import TextResult
from jiaokan.editions.translations import translations_of, with_back
from jiaokan.entries.grounds import cited
from jiaokan.entries.selected import select
from jiaokan.errors import CatalogError, Message, Place, refusal
from jiaokan.model import Document
from jiaokan.proposals.lay import declare
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import witness_path
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.listing import bytes_of
from jiaokan.system.process import without_collection
from jiaokan.tei.header.build import edition_header
from jiaokan.tei.lossless import check_tei, check_witness
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import Declared, read_declared
from jiaokan.tei.write import to_tei


@without_collection()
def make_edition(
    plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog, *, schemas: str = ""
) -> TextResult:
    """Collate the witnesses of an edition, given by id, and write it as TEI.

    `schemas` is where the folder's schemas lie as seen from the file; empty: the file names none. Raises
    CollationError for a witness or a chapter of the base that is missing, DecisionError that lists the decisions of
    the editor which do not fit, or what is faulty in the punctuation or the translations, TeiError for an edition that
    would not give a witness back.
    """
    catalog = with_books(plan, witnesses, catalog)
    document, findings = collate(plan, witnesses, catalog)
    punctuated = punctuate(document, plan.id, catalog)
    other = translations_of(document, plan.id, catalog, after=len(punctuated.bases))
    tei = edition_tei(plan, punctuated.document, catalog, grounds=cited(document),
                      bases=(*punctuated.bases, *other.bases), schemas=schemas, back=other.back)
    read = from_tei(tei, name=plan.id)
    for name, witness in witnesses.items():
        if name not in plan.all_witnesses():
            continue
        check_witness(read, witness, name, {str(chapter.n) for chapter in plan.chapters if name in chapter.witnesses})
    return TextResult(document=document, tei=tei, findings=(*findings, *punctuated.findings, *other.findings))


@without_collection()
def make_reading(plan: EditionPlan, witness: Document, catalog: Catalog, *, schemas: str = "") -> TextResult:
    """Add the editor's punctuation to the text of a reading edition, and write it, with its translations, as TEI.

    Raises DecisionError for punctuation or translations that are faulty, TeiError for TEI that would not give the
    witness back.
    """
    punctuated = punctuate(witness, plan.id, catalog)
    other = translations_of(witness, plan.id, catalog, after=len(punctuated.bases))
    tei = edition_tei(plan, punctuated.document, catalog, bases=(*punctuated.bases, *other.bases), schemas=schemas,
                      back=other.back)
    check_tei(witness, tei)
    return TextResult(document=witness, tei=tei, findings=(*punctuated.findings, *other.findings))


def edition_tei(
    plan: EditionPlan, document: Document, catalog: Catalog, *, grounds: Mapping[str, Mapping[str, str]] | None = None,
    bases: Sequence[tuple[str, Basis]] = (), homes: Mapping[str, str] | None = None, schemas: str = "",
    back: bytes = b"",
) -> bytes:
    """Return a document as the TEI of an edition, with the header that the plan, the catalog and the document give.

    `grounds` are the rows of lists that its classes rest on (`cited`), `bases` the evidence for the editor's marks by
    id, `homes` the files of other texts that it quotes, by id, `back` the translations as TEI.
    """
    document = link_titles(document, catalog.lists)
    abridged = select(document, plan.apparatus).abridged if plan.kind == "critical" else ()
    header = edition_header(plan, document, catalog, grounds, bases, abridged)
    if homes:
        declare(header, homes)
    return with_back(to_tei(document, header, schemas=schemas), back)


def declared_by(plan: EditionPlan, document: Document, catalog: Catalog) -> Declared:
    """Return what the header of an edition declares: witnesses and persons with their names."""
    header = edition_header(plan, document, catalog)
    return read_declared(to_tei(Document(id=document.id, divisions=()), header), name=plan.id)


def witnesses_of(
    plan: EditionPlan, catalog: Catalog, replacements: Mapping[str, Document | Path] | None = None
) -> dict[str, Document]:
    """Read the TEI of an edition's witnesses, by id: those `given` as files or documents, else from the folder.

    Raises CatalogError for a file that cannot be read, TeiError for one that is not TEI of our encoding.
    """
    named = replacements or {}
    texts = {name: named.get(name) or witness_path(catalog, name) for name in plan.read()}
    read = {name: from_tei(read_file(text), name=text.name) if isinstance(text, Path) else text
            for name, text in texts.items()}
    return {name: renumber(replace(document, id=name)) for name, document in read.items()}


def read_file(path: Path, mend: str = "`jiaokan convert` or `jiaokan build` makes it") -> bytes:
    """Read the file of a witness; raises CatalogError with what to do if that fails."""
    if path.is_dir():
        mend = Message("give-files", path=path)
    try:
        return bytes_of(path)
    except OSError as error:
        raise CatalogError(Message("witness-cannot-read", strerror=refusal(error)), place=Place(str(path)),
                           mend=mend) from None
