"""The stylesheets show marks by the rules of the program."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saxonche import PySaxonProcessor

from jiaokan.model.marks import MARKS, STYLES, line_of, normalise_marks, style_marks

LIBRARY = (Path(__file__).parents[1] / "xslt" / "lib" / "punctuation.xsl").as_uri()
HEAD = f"""<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:f="urn:jiaokan:functions">
  <xsl:import href="{LIBRARY}"/><xsl:output method="text"/>
  <xsl:template match="/*/*"><xsl:value-of select="%s"/><xsl:text>&#10;</xsl:text></xsl:template>
  <xsl:template match="/*"><xsl:apply-templates select="*"/></xsl:template>
</xsl:stylesheet>"""
SAXON = PySaxonProcessor(license=False)


def told(expression: str, rows: list[dict[str, str]]) -> list[str]:
    """Return what an expression of XPath says of each row; its fields are attributes."""
    escaped = ({key: value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
                for key, value in row.items()} for row in rows)
    xml = "".join("<r " + " ".join(f'{key}="{value}"' for key, value in row.items()) + "/>" for row in escaped)
    run = SAXON.new_xslt30_processor().compile_stylesheet(stylesheet_text=HEAD % expression)
    return run.transform_to_string(xdm_node=SAXON.parse_xml(xml_text=f"<rows>{xml}</rows>")).split("\n")[:-1]


@pytest.mark.parametrize("style", STYLES)
def test_marks_are_shown_alike(style: str) -> None:
    slots = ["".join(signs) for n in (1, 2, 3) for signs in itertools.product(sorted(MARKS), repeat=n)][:2000]
    shown = told("f:styled(@s, @style)", [{"s": each, "style": style} for each in slots])
    assert shown == [style_marks(each, STYLES[style]) for each in slots]


@pytest.mark.parametrize("style", STYLES)
def test_names_have_the_same_line(style: str) -> None:
    kinds = ["person", "place", "org", "title", "name"]
    assert told("f:line(@k, @style)", [{"k": kind, "style": style} for kind in kinds]) == [
        line_of(kind, STYLES[style]) for kind in kinds]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(alphabet="燕礼曰p3○,.:;?!\"'「」“” 、。", max_size=14), min_size=1, max_size=20))
def test_marks_of_a_source_are_shown_alike(texts: list[str]) -> None:
    assert told("f:normalised(@s)", [{"s": each} for each in texts]) == [normalise_marks(each) for each in texts]
