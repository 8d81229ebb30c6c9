"""The reader ``tei``: our own TEI gives itself back; of other TEI the text, or that of one of its witnesses."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.annotate.identifiers import number
from jiaokan.cli import cli
from jiaokan.errors import SourceError
from jiaokan.model import Break, Document, Note
from jiaokan.model.walk import walk
from jiaokan.readers import tei
from jiaokan.readers.common.source import Source
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import plain_text, source_text

ROOT = Path(__file__).parents[1]
CBETA = ROOT / "tests" / "cases" / "tei" / "others" / "cbeta.xml"


def source(data: bytes, identifier: str, **convention: str) -> Source:
    """A source of these bytes."""
    work = Work(id="work", title="試經", chapters=(Chapter(n=7, title="試經"),))
    return Source(id=identifier, file="x.xml", lines=(), work=work, convention=convention, speakers=(), data=data)


@pytest.mark.parametrize("name", ["gangmu", "zhushu"])
def test_our_own_gives_itself_back(name: str) -> None:
    data = (ROOT / "tei" / "witnesses" / f"{name}.xml").read_bytes()
    document, findings = tei.read(source(data, name))
    assert (document, findings) == (from_tei(data, name=name), ())
    assert tei.is_annotated(source(data, name))
    renamed, _ = tei.read(source(data, "other"))
    assert source_text(renamed) == source_text(document)
    ids = {getattr(item, "id", "") for item in walk(renamed)} - {""}
    assert all(each.startswith("other.") for each in ids)


def test_an_edition_is_no_witness() -> None:
    data = (ROOT / "tests" / "cases" / "tei" / "sample.xml").read_bytes()
    with pytest.raises(SourceError, match="an edition, not a witness"):
        tei.read(source(data, "sample"))


@pytest.mark.parametrize(("witness", "said"), [
    ("", "如是我聞，持鉢與〓一時"), ("宋", "如是我聽，持鉢與〓一時"), ("【元】", "如是我聽，持鉢與〓一時"),
    ("wit1", "如是我聞，持鉢與〓一時"),
])
def test_a_witness_of_it(witness: str, said: str) -> None:
    document = numbered(*tei.read(source(CBETA.read_bytes(), "x", **({"witness": witness} if witness else {}))))
    assert plain_text(document).split("\n")[0] == said
    assert [chapter.n for chapter in document.chapters()] == ["7"]
    assert ("T", "0001a") in {(item.edition, item.n) for item in walk(document) if isinstance(item, Break)}


def test_two_chapters_of_one_title_are_two() -> None:
    data = b"".join((b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt>",
                     b"</fileDesc></teiHeader><text><body>", *(b"<div type='%b'><p>x</p></div>" % each for each in (
                         b"bibliography", b"edition", b"bibliography")), b"</body></text></TEI>"))
    chapters = tuple(Chapter(n=n, title=each) for n, each in enumerate(("bibliography", "edition", "bibliography"), 1))
    given = replace(source(data, "x"), work=Work(id="work", title="t", chapters=chapters))
    assert [each.n for each in tei.read(given)[0].chapters()] == ["1", "2", "3"]


def test_notes_above_the_text_stay_there() -> None:
    words = ('<p>持鉢<note place="top">眉批一</note>一時<note place="bottom">腳注</note></p>'
             '<note place="margin top">眉批二</note>')
    data = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{words}</body></text></TEI>'
    document = numbered(*tei.read(source(data.encode(), "x")))
    notes = [item for item in walk(document) if isinstance(item, Note)]
    assert {str(note.content[0]): (note.place, note.kind) for note in notes} == {
        "眉批一": ("top", "commentary"), "腳注": ("inline", "gloss"), "眉批二": ("top", "commentary")}


def numbered(document: Document, _findings: object) -> Document:
    """A document with ids."""
    return number(document)


def test_a_witness_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(SourceError, match=r"no witness '明'(.|\n)*【大】、【宋】、【元】"):
        tei.read(source(CBETA.read_bytes(), "x", witness="明"))


def test_from_a_file_to_an_edition_of_its_witnesses(tmp_path: Path) -> None:
    """Each witness of its apparatus is a witness of the folder's edition."""
    folder, run = tmp_path / "f", CliRunner().invoke
    said = run(cli, ["init", str(folder), "--from", str(CBETA)])
    assert said.exit_code == 0 and "3 witnesses" in said.output, said.output
    catalog = (folder / "tei" / "catalog.toml").read_text(encoding="utf-8")
    assert catalog.count(hashlib.sha256(CBETA.read_bytes()).hexdigest()) == 3 and catalog.count('reader = "tei"') == 3
    said = run(cli, ["build", str(folder), "-j", "1", "--findings"])
    assert said.exit_code == 0, said.output
    edition = next((folder / "tei" / "editions").glob("*.xml"))
    said = run(cli, ["collate", str(edition), "-f", "csv"])
    assert said.exit_code == 0 and "聞,substantive" in said.output and "元 class" in said.output
