"""The references of a TEI file for the stylesheets, where its header declares a form of its own for them."""

from __future__ import annotations

from pipeline.errors import TeiError
from pipeline.model.references import References
from pipeline.tei.header.declarations import form_of
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import beginning

_LABEL = b'indexName="reference"'
"""What a file has of which a division is called otherwise than by its number."""


def reference_lines(tei: bytes, *, name: str) -> str:
    """Give the reference of each id, a line each, as the parameter ``references`` takes it; empty if the ids say it.

    Where the file is not in the encoding, its ids are its references. Raises TeiError for what is not XML.
    """
    if _LABEL not in tei and not form_of(beginning(tei, name=name).find("{*}teiHeader")):
        return ""
    try:
        return References(from_tei(tei, name=name)).as_lines()
    except TeiError:
        return ""
