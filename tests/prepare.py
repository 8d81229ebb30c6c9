"""The prepared form of a text, as the outputs have it made: with what its entries say and how it is cited."""

from __future__ import annotations

from jiaokan.entries.collation_notes import collation_notes
from jiaokan.outputs import facts
from jiaokan.system.xslt import transform
from jiaokan.tei.views import references_xml

STYLESHEET = "xslt/prepare/keep.xsl"


def prepared(tei: bytes, **parameters: str) -> str:
    """Return the prepared form of a TEI file, with other parameters of the stylesheet.
    Raises as `told` and `transform`."""
    return transform(STYLESHEET, tei, parameters={
        "facts": facts(collation_notes(tei, name="text.xml"), references_xml(tei, name="text.xml")),
        **parameters,
    })
