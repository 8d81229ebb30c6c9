"""What is generated from the classes of variants, ``pipeline/jiaokan/model/variants.toml``: see ``schemas.py``."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

from jiaokan.model.variants import RANKS, TABLE

ROOT = Path(__file__).parents[1]


def values() -> bytes:
    """``values.xsd`` with the enumeration of the classes of variants as the table has them."""
    path = ROOT / "schema" / "values.xsd"
    rows = "".join(
        f'      <xs:enumeration value="#var-{name}"/>  <!-- {each.chinese} {each.english} -->\n'
        for name, each in TABLE.items()
    )
    whole = r'(<xs:simpleType name="variantClass">\s*<xs:restriction base="xs:token">\n).*?(?= *</xs:restriction>)'
    made, found = re.subn(whole, lambda match: match[1] + rows, path.read_text("utf-8"), flags=re.DOTALL)
    assert found == 1, f"{path} does not declare variantClass"
    return made.encode()


def stylesheet() -> bytes:
    """``xslt/lib/classes.xsl``: the classes and levels of the apparatus as the stylesheets ask for them."""
    rows = ",\n".join(
        f"      '{name}': map{{'rank': {each.rank}, "
        f"'chinese': {quoted(each.chinese)}, 'english': {quoted(each.english)}}}"
        for name, each in TABLE.items()
    )
    lists = [(f"list:{name}", *each.list.name) for name, each in TABLE.items() if each.list]
    named = ",\n".join(f"      '{key}': ({quoted(chinese)}, {quoted(english)})" for key, chinese, english in lists)
    levels = ", ".join(f"'{level}': {rank}" for level, rank in RANKS.items())
    return CLASSES.format(rows=rows, lists=named, levels=levels).encode()


def quoted(words: str) -> str:
    """A string literal of XPath inside an attribute."""
    return "'" + escape(words, {'"': "&quot;"}).replace("'", "''") + "'"


CLASSES = """<?xml version="1.0" encoding="UTF-8"?>
<!-- The classes of variants, the lists that decide some of them, and the levels of the apparatus.
     Written by `python -m tests.schemas` from jiaokan/model/variants.toml: change that. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:v="urn:jiaokan:variables" exclude-result-prefixes="#all">

  <!-- Each class: its weight 0 to 3, and its printed names. -->
  <xsl:variable name="v:classes" as="map(xs:string, map(xs:string, item()))" select="map{{
{rows}
  }}"/>

  <!-- Each list of pairs, as rdg/@source cites it: its Chinese and its English name. -->
  <xsl:variable name="v:lists" as="map(xs:string, xs:string+)" select="map{{
{lists}
  }}"/>

  <!-- Each level: the least weight of a class that it prints. -->
  <xsl:variable name="v:levels" as="map(xs:string, xs:integer)" select="map{{{levels}}}"/>
</xsl:stylesheet>
"""
