"""Who speaks undeclared: names, counts and contexts; formulae of rites and titles of works are known by data."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.annotate.speakers import is_gloss, strangers, utterances
from jiaokan.cli import cli
from jiaokan.model.walk import notes
from jiaokan.readers.common.evidence import words_of
from jiaokan.settings import catalog
from tests import readings

ROOT = Path(__file__).parents[1]


def kinds(text: str, *known: str) -> dict[str, str]:
    return {each.name: each.kind for each in strangers([("1", text)], known)}


@pytest.mark.parametrize("name", ["某氏", "王子雍", "刘氏敞", "徐原一"])
@pytest.mark.parametrize("before", ["", "是也", "今文作之。", "甲　", "〈", "○", "上也故"])
def test_a_name_is_what_stands_between_a_stop_and_its_verb(name: str, before: str) -> None:
    assert [each.name for each in utterances(f"{before}{name}曰当作之", "1")] == [name]


@pytest.mark.parametrize("formula", ["对", "主人", "公", "致命", "相者对", "传", "乡射记", "诗", "又", "孟子"])
def test_formulae_and_works_name_no_commentator(formula: str) -> None:
    assert kinds(f"{formula}曰诺") == {formula: "formula"}


def test_declared_names_are_known_with_or_without_the_verb() -> None:
    found = kinds("敖氏曰然也郑玄曰否也某氏曰可", "敖氏曰", "郑玄")
    assert found == {"敖氏": "known", "郑玄": "known", "某氏": "unknown"}


def test_other_verbs_where_asked() -> None:
    assert kinds("某氏云然") == {}
    assert [e.name for e in strangers([("1", "某氏云然")], (), "曰云")] == ["某氏"]


def test_who_opens_comments_comes_first() -> None:
    found = strangers([("a", "甲氏曰是也乙氏曰否也乙氏曰然"), ("b", "甲氏曰是")], ())
    assert [(each.name, each.opening, len(each.places)) for each in found] == [("甲氏", 2, 2), ("乙氏", 0, 2)]
    assert found[0].places[1].where == "b"


def test_the_list_of_a_new_text_holds_everyone_who_was_declared_by_reading() -> None:
    """礼经本义 as if nobody were declared: its speakers, 98 in 100, are in the list, most of them at its top."""
    settings = catalog.load(ROOT)
    document, _ = readings.read("benyi")
    rows = [row["prefix"] for row in settings.convention("benyi")["speaker"] if row["prefix"].endswith("曰")]
    found = strangers([(n.id, words_of(n)) for n in notes(document)], ())
    unknown = [each.name for each in found if each.kind == "unknown"]
    missed = [row for row in rows if row[:-1] not in unknown]
    assert len(missed) <= len(rows) // 50, missed
    assert len(set(unknown[:60]) & {row[:-1] for row in rows}) >= 50


def test_the_command_on_a_source_and_on_a_file(tmp_path: Path) -> None:
    run = CliRunner().invoke
    done = run(cli, ["speakers", "tongjie", "-C", str(ROOT), "--all"])
    assert done.exit_code == 0
    assert "疏  21 of 21 open" in done.output
    file = tmp_path / "new.txt"
    file.write_text("主人曰诺〈某氏曰诺应辞也〉\n", encoding="utf-8")
    (tmp_path / "persons.toml").write_text("", encoding="utf-8")
    done = run(cli, ["speakers", str(file), "--persons", str(tmp_path / "persons.toml")])
    assert f"某氏  1 of 1 open\n      {file}:1  主人曰诺〈‹某氏›曰诺应辞也〉" in done.output
    assert "‹主人›" not in done.output


@pytest.mark.parametrize(("comment", "base", "gloss"), [
    ("方丈曰堵三堵曰雉", "都城百雉", True), ("竹曰籩", "籩豆有踐", True), ("八十九十曰耄", "耄期倦于勤", True),
    ("方丈曰/堵", "百堵皆作", True), ("竹曰籩，木曰豆。", "籩豆", True), ("竹曰籩", "鐘鼓", False),
    ("鄭玄曰敬也", "敬而遠之", False), ("八十曰耄耄昏惑也", "爾老耄矣", True),
    ("鄭玄曰耄昏惑也", "爾老耄矣", False), ("王肅曰所以烹也", "鼎", False), ("某氏曰敬", "敬", False),
])
def test_a_gloss_names_nobody(comment: str, base: str, gloss: bool) -> None:
    assert is_gloss(comment, base) is gloss
