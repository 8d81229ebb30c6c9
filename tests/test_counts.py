"""One number for one thing: what the table of a build, `stats`, the prepared form, the website and its pictures say."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree, html
from msgspec.structs import replace

from jiaokan import scaffold
from jiaokan.cli import cli
from jiaokan.editions.edition import make_edition
from jiaokan.editions.witness import make_witness
from jiaokan.entries import entries
from jiaokan.entries.collation_notes import stated_once
from jiaokan.model import Document, Note
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.walk import items
from jiaokan.outputs import OutputSettings
from jiaokan.outputs import html as site
from jiaokan.settings.catalog import load
from jiaokan.stats.counts import Counts, figures, sum_by_heading
from jiaokan.stats.measures import along
from jiaokan.tei.parse import from_tei
from tests.prepare import prepared

CASES = Path(__file__).parent / "cases"
P = "{urn:jiaokan:prepared}"


def chapters(document: Document) -> dict[str, Counts]:
    return {chapter.n: figures(replace(document, divisions=(chapter,))) for chapter in document.chapters()}


@pytest.fixture(scope="module", params=["sample", "demo"])
def tei(request: pytest.FixtureRequest) -> bytes:
    if request.param == "sample":
        return (CASES / "tei" / "sample.xml").read_bytes()
    catalog = load(Path(scaffold.__file__).parent)
    plan = next(plan for plan in catalog.editions.values() if plan.kind == "critical")
    read = {name: make_witness(catalog.sources[name], catalog).document for name in plan.all_witnesses()}
    return make_edition(plan, read, catalog).tei


def test_the_prepared_form_counts_as_the_model(tei: bytes) -> None:
    document = from_tei(tei, name="text.xml")
    root = etree.fromstring(prepared(tei).encode())
    found = {each.get("n"): each for each in root.findall(f"{P}chapter")}
    assert found.keys() == chapters(document).keys()
    for n, counted in chapters(document).items():
        said = {name: int(found[n].get(name, "")) for name in ("characters", "units", "notes", "entries")}
        assert said == {"characters": counted.characters, "units": counted.units, "notes": counted.notes,
                        "entries": sum(counted.entries.values())}
        classes = Counter(each.get("class") for each in found[n].iterfind(f".//{P}apparatus//{P}entry")
                          if not each.get("stated"))
        assert classes == counted.entries
        voices = {each.get("speaker") for each in found[n].iterfind(f"{P}voice")}
        spoken = {each.resp for each in items([d for d in document.chapters() if d.n == n], readings=False)
                  if isinstance(each, Note) and each.kind == "commentary" and each.resp}
        assert counted.speakers == len(spoken) and spoken <= voices


@pytest.mark.thorough
def test_a_sentence_on_an_abridged_note_is_not_counted_but_its_entries_are() -> None:
    tei = (CASES.parents[1] / "tei" / "editions" / "yili.xml").read_bytes()
    root = etree.fromstring(prepared(tei).encode())
    found = [each for each in root.iterfind(f".//{P}apparatus//{P}entry")
             if not each.get("sums") and not each.get("stated")]
    assert 0 < len(found) < len(list(root.iterfind(f".//{P}apparatus//{P}entry")))
    counted = sum(figures(from_tei(tei, name="yili.xml")).entries.values())
    assert counted == len(found) == sum(int(each.get("entries", 0)) for each in root.findall(f"{P}chapter"))


def test_the_measures_add_up_to_the_counts(tei: bytes) -> None:
    document = from_tei(tei, name="text.xml")
    whole = replace(document, divisions=tuple(document.chapters()))
    counted, found = figures(whole), along(whole, part="all").sections
    assert sum(section.characters for section in found) == counted.characters
    notes = Counter({who: n for section in found for who, (n, _) in section.speakers.items()})
    assert sum(n for section in found for n, _ in section.speakers.values()) == counted.notes
    assert len([who for who in notes if who]) == counted.speakers
    assert sum(size for section in found for _, size in section.speakers.values()) == counted.commentary
    assert sum(counted.entries.values()) == len(entries(whole, without=stated_once(whole)))


def test_the_website_says_these_numbers(tei: bytes, tmp_path: Path) -> None:
    document = from_tei(tei, name="text.xml")
    site.make(tei, tmp_path / "text", OutputSettings())
    landing = html.document_fromstring((tmp_path / "text" / "index.html").read_bytes())
    counted = chapters(document)
    shown = [each.text_content() for each in landing.xpath("//*[@class='count']")]
    assert [numbers(each) for each in shown] == [
        [n for n in (c.characters, c.notes, sum(c.entries.values())) if n] for c in counted.values()
    ]
    table = html.document_fromstring((tmp_path / "text" / "statistics.html").read_bytes())
    head = [each.text_content() for each in table.xpath("//table[@class='num']//thead//th")][1:-3]
    rows = table.xpath("//table[@class='num']/tbody/tr")
    with_entries = [c for c in counted.values() if c.entries]
    assert len(rows) == len(with_entries)
    for row, own in zip(rows, with_entries, strict=True):
        cells = [each.text_content() for each in row.xpath("td")]
        said = {name: int(cell) for name, cell in zip(head, cells[: len(head)], strict=True) if cell}
        assert said == {VARIANT_CLASSES[name]: n for name, n in own.entries.items()}
        assert numbers(" ".join(cells[len(head) : -1])) == [sum(own.entries.values()), own.characters]


def numbers(text: str) -> list[int]:
    return [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", text)]


def test_all_texts_of_a_folder_are_counted(example: Path) -> None:
    done = CliRunner().invoke(cli, ["stats", str(example), "--all", "-f", "csv"])
    rows = {row["section"]: row for row in csv.DictReader(io.StringIO(done.stdout.removeprefix("\ufeff")))}
    catalog = load(example)
    assert rows.keys() == {*catalog.sources, "lunyu", "all"} and int(rows["all"]["texts"]) == len(rows) - 1
    for name, path in [("jizhu", "witnesses/jizhu.xml"), ("lunyu", "editions/lunyu.xml")]:
        counts = figures(from_tei((example / "tei" / path).read_bytes(), name=name))
        assert int(rows[name]["characters"]) == counts.characters and int(rows[name]["notes"]) == counts.notes
    assert int(rows["all"]["characters"]) == sum(int(row["characters"]) for name, row in rows.items() if name != "all")
    summed = sum_by_heading([("经", Counts()), ("史", Counts()), ("经", Counts())])
    assert [row[0] for row in summed] == ["经", "史", "all"]
