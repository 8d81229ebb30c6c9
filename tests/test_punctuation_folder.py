"""The editor's punctuation in a folder: only marks change, and where the text changes they are carried over."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from jiaokan.decisions.punctuation.matching import graphs_by_ref
from jiaokan.editions import TextResult, punctuation
from jiaokan.editions.edition import make_edition, make_reading
from jiaokan.editions.witness import make_witness
from jiaokan.entries import entries
from jiaokan.errors import DecisionError
from jiaokan.model import Document
from jiaokan.outputs import OutputSettings, html
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.folder import edition_path
from jiaokan.stats.counts import figures
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import marks_in_attributes, texts
from jiaokan.validate import validate_bytes

HEAD = "# resp: editors\n# when: 2026-11-22\n# cert: high\n# evidence: by reading\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small folder. Its text has no title that the program finds by itself: marks inside one hide it from that."""
    shutil.copytree(Path(__file__).parent / "cases/example", tmp_path / "lunyu")
    return tmp_path / "lunyu"


def make(root: Path) -> TextResult:
    """Collate the edition of a folder."""
    catalog = catalogs.load(root)
    plan = catalog.editions["lunyu"]
    read: dict[str, Document] = {}
    for name in plan.all_witnesses():
        made = make_witness(catalog.sources[name], catalog)
        read[name] = from_tei(made.tei, name=name)
        path = root / "tei" / "witnesses" / f"{name}.xml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(made.tei)
    made = make_edition(plan, read, catalog)
    edition_path(catalog, plan).write_bytes(made.tei)
    return made


def punctuated(root: Path, mark: Callable[[str], str], edition: str = "lunyu") -> Path:
    """Punctuate all units and notes of the first chapter."""
    catalog = catalogs.load(root)
    units = graphs_by_ref(punctuation.text_of(catalog.editions[edition], catalog))
    path = root / "tei" / "punctuation" / edition / "01.txt"
    path.parent.mkdir(parents=True)
    rows = [f"{ref}\t{mark(text)}" for ref, text in units.items() if ref.startswith("1.") and text]
    path.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def all_over(text: str) -> str:
    """Marks after each graph and round the whole, which begins with a name and a title."""
    inner = "，".join(text[2:])
    return f"“_{text[:1]}_《{text[1:2]}》，{inner}。”" if len(text) > 2 else f"{text}。"


def test_nothing_but_the_marks_changes(folder: Path) -> None:
    before = make(folder)
    path = punctuated(folder, all_over)
    after = make(folder)
    assert not [each for each in after.findings if each.rule.startswith("punctuation") and each.severity == "error"]
    assert after.document == before.document
    there = from_tei(after.tei, name="lunyu")
    assert there == from_tei(before.tei, name="lunyu")
    assert (figures(there), [*entries(there)]) == (figures(before.document), [*entries(before.document)])
    for witness in ("yishu", "jizhu", "jijie"):
        assert texts(there, witness) == texts(before.document, witness)
    assert after.tei.count(b"<pc>") == len(re.findall("[“”，。《》]", path.read_text("utf-8")))
    assert not validate_bytes(after.tei, name="lunyu.xml")


def test_a_changed_source_carries_the_marks_and_says_so(folder: Path) -> None:
    make(folder)
    path = punctuated(folder, all_over)
    catalog_file = folder / "tei" / "catalog.toml"
    for source in (folder / "tei" / "sources").iterdir():
        old = source.read_bytes()
        new = old.decode().replace("学而时习之", "学而时新习之").encode()
        source.write_bytes(new)
        declared = catalog_file.read_text("utf-8").replace(sha256(old).hexdigest(), sha256(new).hexdigest())
        catalog_file.write_text(declared, encoding="utf-8")
    made = make(folder)
    changed = [each for each in made.findings if each.rule == "punctuation-words"]
    assert changed and all("新" in each.message for each in changed)
    catalog = catalogs.load(folder)
    anew, _ = punctuation.carry_files(catalog.editions["lunyu"], catalog)
    rows = anew[path].split("\n")
    assert "# review 1.1.1: — → 新" in rows
    before = re.sub("[^“”，。《》_]", "", path.read_text("utf-8").split(HEAD)[1])
    after = re.sub("[^“”，。《》_]", "", "".join(row for row in rows if not row.startswith("#")))
    assert after == before
    path.write_text(anew[path], encoding="utf-8")
    assert not [each for each in make(folder).findings if each.rule == "punctuation-words"]


def test_a_slip_is_told_with_its_place(folder: Path) -> None:
    make(folder)
    path = punctuated(folder, lambda text: f"{text}。")
    rows = path.read_text("utf-8").split("\n")
    number = next(n for n, row in enumerate(rows) if row.startswith("1.1.1\t"))
    rows[number] = rows[number].replace("学", "斈", 1)
    path.write_text("\n".join(rows), encoding="utf-8")
    (finding,) = (each for each in make(folder).findings if each.rule == "punctuation-words")
    assert (finding.place.line, finding.place.column) == (number + 1, rows[number].index("斈") + 1)
    assert "「斈」 where the text reads 「学」" in finding.message
    rows[number] = rows[number].replace("。", "，。")
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(DecisionError, match="，。 cannot be side by side") as told:
        make(folder)
    assert f":{number + 1}:" in str(told.value)


def test_a_reading_edition_has_a_file_of_its_own(folder: Path) -> None:
    make(folder)
    catalog = catalogs.load(folder)
    plan = catalog.editions["jizhu"]
    assert edition_path(catalog, plan).parent.name == "witnesses"
    witness = edition_path(catalog, plan).read_bytes()
    punctuated(folder, lambda text: f"{text}。", "jizhu")
    assert edition_path(catalog, plan).parent.name == "editions"
    text = from_tei(witness, name="jizhu")
    made = make_reading(plan, text, catalog)
    assert from_tei(made.tei, name="jizhu") == text
    assert b"<pc>" in made.tei and b"<pc>" not in witness
    assert not validate_bytes(made.tei, name="jizhu.xml")


def test_a_page_s_excerpt_has_the_marks_as_the_file_has_them(folder: Path) -> None:
    make(folder)
    punctuated(folder, all_over)
    made = make(folder)
    assert marks_in_attributes(made.tei).count(b'n="\xef\xbc\x8c"/>') == made.tei.count("，</pc>".encode())
    site = folder / "site"
    html.make(made.tei, site, OutputSettings())
    (excerpt,) = site.glob("1.xml")
    marks = re.findall("<pc>[^<]*</pc>", excerpt.read_text("utf-8"))
    assert marks == re.findall("<pc>[^<]*</pc>", made.tei.decode()) != []
    stated = '<punctuation resp="#editors" cert="high" ana="#basis-1">'
    assert stated in excerpt.read_text("utf-8") and stated in made.tei.decode()
