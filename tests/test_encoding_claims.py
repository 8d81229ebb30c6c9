"""The page "for a reader who knows TEI" of docs/encoding.md says what the committed files are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from jiaokan.model.vocabulary import TEI
from jiaokan.tei.prefixes import declared_prefixes, resolve
from jiaokan.tei.tree import ID

ROOT = Path(__file__).parents[1]
FILES = sorted(ROOT.glob("tei/*/*.xml"))
PAGES = [(ROOT / page).read_text("utf-8") for page in ("docs/encoding.md", "docs/zh/encoding.md")]
T = f"{{{TEI}}}"
_WEB = ("http", "https")


@pytest.fixture(scope="module", params=FILES, ids=lambda path: "-".join(path.parts[-2:]))
def root(request: pytest.FixtureRequest) -> Any:
    return etree.parse(str(request.param)).getroot()


def test_each_commentary_note_has_one_speaker_a_target_and_a_kind(root: Any) -> None:
    for note in root.findall(f"{T}text//{T}note[@type='commentary']"):
        assert len(note.get("resp").split()) == 1 and note.get("target") and note.get("subtype"), note.get(ID)


def test_each_class_is_a_category_and_each_type_is_of_tei(root: Any) -> None:
    categories = {f"#{category.get(ID)}" for category in root.iter(f"{T}category")}
    for reading in root.iter(f"{T}rdg"):
        assert reading.get("ana") is None or reading.get("ana") in categories
        assert reading.get("type") in (None, "orthographic", "substantive")
        assert (reading.get("type") is None) == (reading.get("ana") is None)


def test_each_prefix_is_declared_named_on_the_page_and_leads_to_an_element(root: Any) -> None:
    declared, ids = declared_prefixes(root), {element.get(ID) for element in root.iter() if element.get(ID)}
    for element in root.find(f"{T}text").iter("*"):
        for word in (element.get("source") or "").split():
            prefix = word.partition(":")[0]
            if ":" in word and prefix not in _WEB:
                assert prefix in declared and all(f"`{prefix}:`" in page for page in PAGES), word
                targets = resolve(word, declared)
                assert any(not target.startswith("#") or target[1:] in ids for target in targets), (word, targets)


def test_dates_releases_and_schemas(root: Any) -> None:
    for date in root.iter(f"{T}date"):
        assert date.get("when") or (date.get("notBefore") and date.get("notAfter")), date.text
    edition = root.find(f"{T}teiHeader/{T}fileDesc/{T}editionStmt/{T}edition")
    releases = [change.get("n") for change in root.iter(f"{T}change") if change.get("n")]
    assert (edition is None) == (not releases) and (edition is None or edition.get("n") == releases[0])
    models = [node.text for node in root.xpath("preceding::processing-instruction('xml-model')")]
    assert [re.search(r"jiaokan\.\w+", model)[0] for model in models] == [f"jiaokan.{s}" for s in ("rng", "xsd", "sch")]


def test_marks_of_the_editor_are_the_share_that_the_page_says() -> None:
    for path in (ROOT / "tei" / "editions").glob("*.xml"):
        elements = [element.tag for element in etree.parse(str(path)).getroot().find(f"{T}text").iter("*")]
        assert 0.62 < elements.count(f"{T}pc") / len(elements) < 0.78, path
    assert "two thirds to three quarters" in PAGES[0] and "三分之二到四分之三" in PAGES[1]
