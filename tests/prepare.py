"""The prepared form of a text, as the outputs have it made: with what its entries say."""

from __future__ import annotations

from pipeline.entries.told import told
from pipeline.system.xslt import transform

STYLESHEET = "xslt/prepare/keep.xsl"


def prepared(tei: bytes) -> str:
    """Give the prepared form of a TEI file. Raises as `told` and `transform`."""
    return transform(STYLESHEET, tei, parameters={"told": told(tei, name="text.xml")})
