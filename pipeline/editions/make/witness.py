"""The TEI of a witness, made from its source."""

from __future__ import annotations

from pipeline import readers
from pipeline.editions.make import Made
from pipeline.readers.checking import check_file
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.system.process import without_collection
from pipeline.tei.header.build import witness_header
from pipeline.tei.lossless import check_tei
from pipeline.tei.write import to_tei


def make_witness(entry: SourceEntry, catalog: Catalog, *, schemas: str = "") -> Made:
    """Read one source of a catalog and write it as TEI.

    `schemas` is where the folder's schemas lie as seen from the file; empty: the file names none. Raises SourceError
    for a source that cannot be read, CatalogError for settings that do not hold, DecisionError for a decision of the
    editor that does not fit the source, TeiError for TEI that would not give its source back.
    """
    check_file(entry, catalog)
    document, findings = readers.read(entry, catalog)
    with without_collection():
        tei = to_tei(document, witness_header(entry, document, catalog), schemas=schemas)
        check_tei(document, tei)
    return Made(document=document, tei=tei, findings=findings)
