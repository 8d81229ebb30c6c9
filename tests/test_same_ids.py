"""A person may have the id of a text: 老子 the author and the book are told apart in the TEI, one in the model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from jiaokan.cli import cli
from jiaokan.editions.witness import source_changes
from jiaokan.model import Note
from jiaokan.model.walk import walk
from jiaokan.settings.catalog import load
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from jiaokan.validate import validate

SCAFFOLD = Path(__file__).parents[1] / "pipeline/jiaokan/scaffold/tei"


def jiaokan(*arguments: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The worked example, in which 何晏 is called as a source, 朱熹 as the edition, 马融 as the header's taxonomy."""
    shutil.copytree(SCAFFOLD, tmp_path / "tei")
    for path in (tmp_path / "tei").rglob("*.toml"):
        text = path.read_text(encoding="utf-8")
        for old, new in (("heyan", "jijie"), ("zhuxi", "lunyu"), ("marong", "notes")):
            text = text.replace(f'"{old}"', f'"{new}"')
        path.write_text(text, encoding="utf-8")
    (tmp_path / "tei/decisions/text.toml").write_text(
        '[[correction]]\nsource = "jizhu"\ncontext = "致饰于外"\nsic = "饰"\ncorr = "飾"\nresp = "lunyu"\nwhy = "例"\n',
        encoding="utf-8",
    )
    return tmp_path


def test_author_and_book_of_one_name(folder: Path) -> None:
    for name in ("jijie", "yishu", "jizhu"):
        made = jiaokan("convert", name, "-C", folder, "-o", folder / f"tei/witnesses/{name}.xml")
        assert made.exit_code == 0, made.output
    made = jiaokan("collate", "lunyu", "-C", folder, "-o", folder / "tei/editions/lunyu.xml")
    assert made.exit_code == 0, made.output
    for path in [*folder.glob("tei/witnesses/*.xml"), folder / "tei/editions/lunyu.xml"]:
        data = path.read_bytes()
        assert [finding for finding in validate(path) if finding.severity == "error"] == []
        ids = etree.fromstring(data).xpath("//@xml:id")
        assert len(ids) == len(set(ids))
        document, header = from_tei(data, name=path.name), read_declared(data, name=path.name)
        speakers = {item.resp for item in walk(document) if isinstance(item, Note)} - {""}
        assert speakers and not speakers & {"heyan", "zhuxi", "marong"}
        assert speakers <= header.persons.keys()
    edition = (folder / "tei/editions/lunyu.xml").read_text(encoding="utf-8")
    assert 'xml:id="person-jijie"' in edition
    assert 'resp="#person-notes"' in edition
    assert 'wit="#person-' not in edition


def test_a_changed_source_is_accepted_with_what_changed(folder: Path) -> None:
    catalog = folder / "tei/catalog.toml"
    before = catalog.read_text(encoding="utf-8")
    assert jiaokan("convert", "jizhu", "-C", folder, "-o", folder / "tei/witnesses/jizhu.xml").exit_code == 0
    assert "nothing to accept" in jiaokan("accept", "jizhu", "-C", folder).output
    source = folder / "tei/sources/jizhu.txt"
    source.write_text(source.read_text(encoding="utf-8").replace("巧言令色", "巧言善色", 1), encoding="utf-8")
    refused = jiaokan("convert", "jizhu", "-C", folder, "-o", folder / "x.xml")
    assert (refused.exit_code, "`jiaokan accept jizhu`" in refused.output) == (2, True)
    (change,) = source_changes(load(folder).sources["jizhu"], load(folder)).changes
    assert "善" in change.after
    assert change.after.replace("善", "令") == change.before
    dry = jiaokan("accept", "jizhu", "--dry", "-C", folder)
    assert "+ " in dry.output
    assert catalog.read_text(encoding="utf-8") == before
    assert jiaokan("accept", "jizhu", "-C", folder).exit_code == 0
    lines = zip(before.splitlines(), catalog.read_text(encoding="utf-8").splitlines(), strict=True)
    assert [old.partition(" =")[0] for old, new in lines if old != new] == ["sha256"]
    text = source.read_text(encoding="utf-8")
    (folder / "tei/decisions/text.toml").unlink()
    assert jiaokan("convert", "jizhu", "-C", folder, "-o", folder / "x.xml").exit_code == 0
    assert "善" in text


def test_tei_where_text_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"/>', encoding="utf-8")
    told = jiaokan("convert", path, "--reader", "plain", "--chapter", "1=一")
    assert (told.exit_code, "is XML, and its reader 'plain' reads plain text" in told.output) == (2, True)
