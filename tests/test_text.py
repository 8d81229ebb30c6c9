"""What each construct of TEI says in each view of a text: one golden table, so that a change of a rule is seen.

``python -m tests.test_text`` writes the table anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from saxonche import PySaxonProcessor

from jiaokan.model import App, Document, Gap, Glyph, Head, Note, Supplied, Trailer, Unit, text
from jiaokan.model.text import RULES, VIEWS
from jiaokan.model.walk import leaves, walk
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import source_text
from tests.amount import examples
from tests.documents import DOCUMENTS

CASES = Path(__file__).parent / "cases"
SOURCES = (CASES / "tei" / "sample.xml", CASES / "model" / "more.xml", CASES / "model" / "layer.xml")
TABLE = CASES / "model" / "views.tsv"
HEAD = "# construct\tits own text (␀ a loss, ␂ a slip, ∅ nothing, ! refused) as " + "\t".join(VIEWS)
NAMES = ("kind", "role", "reason", "verse", "rend", "standard")
"""Fields that tell constructs of one type apart; of the last two, whether there is any."""


def construct(item: Any) -> str:
    """Name a construct: its type and what tells it apart from others of that type."""
    values = [(name, getattr(item, name, "")) for name in NAMES]
    said = [name if name in ("rend", "standard", "verse") else str(value) for name, value in values if value]
    return " ".join([type(item).__name__, *said])


def constructs() -> Iterator[tuple[str, Any]]:
    """Return the first example of each construct."""
    seen = set()
    for path in SOURCES:
        document = from_tei(path.read_bytes(), name=path.name, layer=True)
        for item in (*walk(document), *leaves(document.divisions)):
            name = construct(item)
            if name not in seen and type(item) in RULES and type(item).__name__ != "Division":
                seen.add(name)
                yield name, item


def seen(view: str, item: Any) -> str:
    """Return what a view says of an item, as the table writes it."""
    try:
        said = str(getattr(text, view)(item))
    except ValueError:
        return "!"
    said = re.sub("[\ue000-\uf8ff]", lambda found: f"U+{ord(found[0]):X}", said)
    return said.replace("\x00", "␀").replace("\x02", "␂").replace("\n", "") or "∅"


def table() -> str:
    """Write the table."""
    rows = sorted("\t".join([name, *(seen(view, item) for view in VIEWS)]) for name, item in constructs())
    return "\n".join([HEAD, *rows, ""])


def test_every_construct_says_what_the_table_says() -> None:
    assert table() == TABLE.read_text(encoding="utf-8")


def test_the_table_has_every_type() -> None:
    named = {row.split()[0] for row in TABLE.read_text(encoding="utf-8").splitlines()[1:]}
    assert named == {kind.__name__ for kind in RULES} - {"Division", "tuple", "list"}


@settings(max_examples=examples(150), deadline=None)
@given(DOCUMENTS)
def test_views_agree_where_they_must(document: Document) -> None:
    has_entry = any(isinstance(item, App) for item in walk(document))
    if not has_entry:
        assert text.received(document.divisions).replace("\n", "") == source_text(document).replace("\n", "")
    for item in walk(document):
        if type(item) not in RULES:
            continue
        assert len(text.counted(item)) == len(text.attested(item))
        own = list(leaves([item], into=lambda each: not (isinstance(each, Note) or getattr(each, "rend", ""))))
        if not any(isinstance(each, (Supplied, Gap, Glyph)) for each in own):
            assert text.surviving(item) == text.shown(item) and not text.is_lost(item)
        assert not text.is_lost(item) or any(isinstance(each, (Supplied, Gap)) for each in own)


STYLESHEET = f"""<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:f="urn:jiaokan:functions" xpath-default-namespace="http://www.tei-c.org/ns/1.0">
  <xsl:import href="{(Path(__file__).parents[1] / 'xslt' / 'lib' / 'plain.xsl').as_uri()}"/>
  <xsl:output method="text"/>
  <xsl:template match="/">
    <xsl:for-each select="//(seg[@type = 'jing'] | lg | note | head | trailer)[@xml:id]">
      <xsl:value-of select="@xml:id, f:edited(node())" separator="&#9;"/>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>"""
"""Lists what `plain.xsl` says of each text: its id, and its words as edited."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_stylesheets_say_the_same(path: Path) -> None:
    document = from_tei(path.read_bytes(), name=path.name)
    ours = {
        item.id: text.edited(item.content)
        for item in walk(document) if isinstance(item, (Unit, Note, Head, Trailer)) and item.id
    }
    saxon = PySaxonProcessor(license=False)
    run = saxon.new_xslt30_processor().compile_stylesheet(stylesheet_text=STYLESHEET)
    told = run.transform_to_string(xdm_node=saxon.parse_xml(xml_text=path.read_text("utf-8"))).splitlines()
    assert dict(line.split("\t") for line in told) == ours


def test_what_is_no_part_of_a_text_has_no_words() -> None:
    with pytest.raises(KeyError):
        text.counted(3)  # type: ignore[arg-type]


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
