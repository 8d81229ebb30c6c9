"""A published edition taken over: what its editor chose is decided in the folder, and stays when a witness is added."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from datetime import date
from pathlib import Path

import pytest
import tomli_w
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.collate.content import Unfit
from jiaokan.collate.editorial.apply import decide
from jiaokan.collate.recollate import DecidedEdition, Recollation
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.kinds import load
from jiaokan.decisions.tables import Lemma, ReadingDecision
from jiaokan.editions.review import every
from jiaokan.exchange.adopt import read_witnesses
from jiaokan.model import App, Correction, Head, Line, Mark, Note, Reading, Supplied, Unit
from jiaokan.model.text import attested
from jiaokan.model.walk import walk
from jiaokan.settings import catalog as catalogs

CASE = Path(__file__).parent / "cases/adopt/edition.xml"
PRINTED = (
    "凡入學者必[先]讀其書，次通其義，然後可以為文。君子務本，本立而道生，侍其自也。",
    "師者所以傳道也", "，人非生而知之者。",
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder made of the edition, and what was said."""
    folder = tmp_path_factory.mktemp("adopt") / "xiaoxue"
    result = CliRunner().invoke(cli, ["init", str(folder), "--from", str(CASE)])
    assert result.exit_code == 0, result.output
    return folder, result.output


def test_who_edited_it_and_under_what_terms_is_kept(imported: tuple[Path, str]) -> None:
    catalog = catalogs.load(imported[0])
    assert catalog.project.editors == ("吳某",) and catalog.project.licence.name == "not stated"
    assert {(each.licence.name, each.licence.allows_copies()) for each in catalog.sources.values()} == {
        ("CC BY-SA 4.0", True)}


def collated(folder: Path) -> DecidedEdition:
    """The edition of a folder as it is now."""
    catalog = catalogs.load(folder)
    (plan,) = catalog.editions.values()
    return Recollation(plan, read_witnesses(plan, catalog), catalog).apply_decisions()


def words(made: DecidedEdition) -> tuple[str, ...]:
    return tuple(attested(item.content) for item in walk(made.document) if isinstance(item, Unit))


def with_witness(imported: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    """The folder with one witness more, which is the last as changed."""
    shutil.copytree(imported, folder)
    catalog = tomllib.loads((folder / "tei/catalog.toml").read_text(encoding="utf-8"))
    last = catalog["source"][-1]
    text = (folder / "tei" / last["file"]).read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    (folder / "tei/sources/ding.xml").write_text(text, encoding="utf-8")
    shutil.copyfile(folder / f"tei/conventions/{last['id']}.toml", folder / "tei/conventions/ding.toml")
    catalog["source"].append({**last, "id": "ding", "siglum": "丁", "file": "sources/ding.xml",
                              "sha256": hashlib.sha256(text.encode()).hexdigest()})
    (folder / "tei/catalog.toml").write_text(tomli_w.dumps(catalog), encoding="utf-8")
    (path,) = (folder / "tei/editions").iterdir()
    plan = tomllib.loads(path.read_text(encoding="utf-8"))
    plan["chapters"][0]["witnesses"].append("ding")
    path.write_text(tomli_w.dumps(plan), encoding="utf-8")
    return folder


def test_choices_are_decisions(imported: tuple[Path, str]) -> None:
    folder, said = imported
    assert "decisions of the published edition: 3 lemma, 1 note, 1 emendation, 3 conjecture, 1 merge\n" in said
    filed = [each.decision for each in load(folder, ReadingDecision)]
    assert {str(each.when) for each in filed} == {"2020-05-06"}
    assert {each.why for each in filed} == {
        "依小學校釋 (edition.xml)所定", "依小學校釋 (edition.xml)所定，不可分", "共，形近之誤。",
    }
    chosen = next(each for each in filed if getattr(each, "reading", "") == "其")
    assert (chosen.resp, chosen.cert) == ("sun", "low")
    assert {each.person for each in filed if type(each).__name__ == "Conjecture"} == {"sun", "wumou", "qian1780"}
    assert r"\[先\]" in chosen.context


def test_the_edition_prints_what_was_published(imported: tuple[Path, str]) -> None:
    made = collated(imported[0])
    assert not made.misfits
    assert words(made) == PRINTED
    items = list(walk(made.document))
    assert any(isinstance(item, Supplied) and item.text == "得" for item in items)
    assert any(isinstance(item, Correction) and item.corr == "待" for item in items)
    proposed = {(attested(r.content), r.resp) for item in items if isinstance(item, App) for r in item.readings
                if not r.witnesses}
    assert proposed == {("作", "sun"), ("敄", "wumou"), ("識義", "qian1780")}


@pytest.mark.parametrize(
    "changes",
    [
        (), (("必[先]讀", "必讀"), ("然後可以", "而後能")), (("人非生而", ""), ("書，", "書矣，")),
        (("師者所以", "夫師所以"),),
    ],
    ids=["the-same", "beside", "omits", "begins-otherwise"],
)
def test_nothing_is_lost_when_a_witness_is_added(
    imported: tuple[Path, str], tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    made = collated(with_witness(imported[0], tmp_path / "four", *changes))
    assert not made.misfits
    assert words(made) == PRINTED
    assert "ding" in {name for entry in every(made.document) for name in entry.names}
    decided = [entry for entry in every(made.document) if entry.app.lemma.source.startswith("decision:")]
    assert len(decided) >= 3


def test_it_is_done_once(imported: tuple[Path, str]) -> None:
    result = CliRunner().invoke(cli, ["adopt", "-C", str(imported[0])])
    assert result.exit_code != 0
    assert "decisions are filed here already" in result.output


def test_what_is_no_edition_has_no_choices(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[1] / "pipeline/jiaokan/scaffold/tei", tmp_path / "tei")
    result = CliRunner().invoke(cli, ["adopt", "-C", str(tmp_path)])
    assert "is an edition in TEI" in result.output, result.output


def test_every_layer_of_an_edition_is_decided(tmp_path: Path) -> None:
    """Heads, notes that nobody signs, notes in lines of verse, what is proposed that a witness has, and what is said
    where no witness differs."""
    result = CliRunner().invoke(cli, ["init", str(tmp_path / "shi"), "--from", str(CASE.parent / "layers.xml")])
    assert "no decision" not in result.output, result.output
    made = collated(tmp_path / "shi")
    assert not made.misfits
    items = list(walk(made.document))
    (head,) = (attested(item.content) for item in items if isinstance(item, Head))
    assert head == "山居詩"
    (note,) = (item for item in items if isinstance(item, Note) and item.kind == "commentary")
    assert (attested(note.content), len(note.sources)) == ("久，云云也。", 2)
    inner = next(item for item in items if isinstance(item, Note) and item.kind == "gloss")
    assert {mark.witness for mark in inner.content if isinstance(mark, Mark)} == set(inner.sources) != set()
    lines = [attested(item.content) for item in items if isinstance(item, Line)]
    assert lines == ["空山無人語，", "流水自有聲。"]
    said = {attested(each.content) for item in items if isinstance(item, App) for each in item.notes}
    assert {"尻，形近之誤。", "吳某作「有自」", "二字疑。"} <= said
    assert {entry.speaker for entry in every(made.document)} == {"", "-"}


def test_what_a_witness_more_parts_is_one_again() -> None:
    """文殊菩薩 stood against 文殊觀音 as one entry; a witness that has 菩音 parts it, the choice holds all the same."""
    def parted(lemma: str, other: str, *third: str) -> App:
        names = (("jia", "bing"), ("yi",)) if third else (("jia",), ("yi", "bing"))
        return App(lemma=Reading(witnesses=names[0], content=(lemma,)),
                   readings=(Reading(witnesses=names[1], content=(other,), variant="substantive"),))

    content = ("文殊", parted("菩", "觀", "bing"), parted("薩", "音"))
    chosen = Lemma(unit="x:1.1.1", context="文殊[菩薩]", reading="觀音", resp="wu", why="從乙", when=date(2020, 1, 1))
    made = decide(content, (2, 4), ("jia", "yi", "bing"), chosen, Choices())
    assert attested(made) == "文殊觀音"
    (entry,) = (item for item in made if isinstance(item, App))
    assert [attested(each.content) for each in entry.readings] == ["菩薩", "菩音"]
    with pytest.raises(Unfit):
        decide(content, (1, 2), ("jia", "yi", "bing"), chosen, Choices())
