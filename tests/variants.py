"""What is generated from the classes of variants, ``pipeline/jiaokan/model/variants.toml``: see ``schemas.py``."""

from __future__ import annotations

import re
from pathlib import Path

from jiaokan.messages import ENGLISH, TERM, wording
from jiaokan.model.variants import RANKS, TABLE, VARIANT_CLASSES

ROOT = Path(__file__).parents[1]


def values() -> bytes:
    """``values.xsd`` with the enumeration of the classes of variants as the table has them."""
    path = ROOT / "schema" / "values.xsd"
    rows = "".join(
        f'      <xs:enumeration value="#var-{name}"/>  <!-- {chinese} {wording(f"{TERM}variant-{name}", ENGLISH)} -->\n'
        for name, chinese in VARIANT_CLASSES.items()
    )
    whole = r'(<xs:simpleType name="variantClass">\s*<xs:restriction base="xs:token">\n).*?(?= *</xs:restriction>)'
    made, found = re.subn(whole, lambda match: match[1] + rows, path.read_text("utf-8"), flags=re.DOTALL)
    assert found == 1, f"{path} does not declare variantClass"
    return made.encode()


def stylesheet() -> bytes:
    """``xslt/lib/classes.xsl``: the classes and levels of the apparatus as the stylesheets ask for them."""
    ranks = ", ".join(f"'{name}': {each.rank}" for name, each in TABLE.items())
    levels = ", ".join(f"'{level}': {rank}" for level, rank in RANKS.items())
    return CLASSES.format(ranks=ranks, levels=levels).encode()


CLASSES = """<?xml version="1.0" encoding="UTF-8"?>
<!-- The classes of variants and the levels of the apparatus.
     Written by `python -m tests.schemas` from jiaokan/model/variants.toml: change that. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" exclude-result-prefixes="#all">

  <!-- Each class: its weight, 0 to 3. -->
  <xsl:variable name="v:ranks" as="map(xs:string, xs:integer)" select="map{{{ranks}}}"/>

  <!-- Each level: the least weight of a class that it prints. -->
  <xsl:variable name="v:levels" as="map(xs:string, xs:integer)" select="map{{{levels}}}"/>
</xsl:stylesheet>
"""
