"""What newcomers and their scripts ask of the commands: quiet and JSON builds, pictures that explain themselves, the
TEI names of what other vocabularies call otherwise."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from lxml import etree

from jiaokan.api import collate_texts, validate_tei
from jiaokan.cli import cli
from jiaokan.errors import Message
from jiaokan.stats.pictures import album, as_file

SVG = "{http://www.w3.org/2000/svg}"


def test_a_build_reports_in_json_and_a_quiet_one_prints_nothing(example: Path, tmp_path: Path) -> None:
    home = shutil.copytree(example, tmp_path / "demo")
    quiet = CliRunner().invoke(cli, ["build", str(home), "--quiet"])
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")
    result = CliRunner().invoke(cli, ["build", str(home), "-f", "json", "-q"])
    report = json.loads(result.stdout)
    by_id = {(text["id"], text["kind"]): text for text in report["texts"]}
    assert by_id["lunyu", "critical"]["entries"] and by_id["jijie", "witness"]["characters"] == 117
    assert report["errors"] == 0 and report["steps"]["done"] == 0 and report["site"].endswith("index.html")


@pytest.mark.parametrize("sigla", [("甲", "乙", "丙"), ("A", "B", "C")])
def test_a_picture_in_a_file_has_its_title_and_legend_in_sight(sigla: tuple[str, ...]) -> None:
    text = collate_texts(dict(zip(sigla, ("學而時習之", "學而時習也", "學而常習之"), strict=True)))
    names = {f"w{n}": siglum for n, siglum in enumerate(sigla, 1)}
    pictures = album(text.document, names, {}, interface="en" if sigla[0] == "A" else "hans")
    for name, picture in pictures.items():
        root = etree.fromstring(as_file(name, picture, "en"))
        left, top, wide, high = (int(number) for number in root.get("viewBox", "").split())
        title = root.findtext(f"{SVG}title")
        above = [node for node in root.findall(f"{SVG}text") if int(float(node.get("y", 0))) < 0]
        shown = "".join(node.text or "" for node in above)
        assert title and title in shown and all(top < int(node.get("y", 0)) for node in above)
        assert (left, str(wide), str(high)) == (0, root.get("width"), root.get("height"))
        assert name.partition("-")[0] != "variants" or "A mark for each entry" in shown


BODY = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>x</title></titleStmt>'
        "<publicationStmt><p>x</p></publicationStmt><sourceDesc><p>x</p></sourceDesc></fileDesc></teiHeader>"
        "<text><body>{}</body></text></TEI>")


@pytest.mark.parametrize(("wrong", "right"), [
    ("<p><bold>x</bold></p>", '<hi rend="bold">'), ("<p><I>x</I></p>", '<hi rend="italic">'),
    ("<p><br/></p>", "<lb>"), ("<h2>x</h2><p>x</p>", "<head>"), ("<paragraph>x</paragraph>", "<p>"),
    ("<p><ul><li>x</li></ul></p>", "<list>"), ("<p><footnote>x</footnote></p>", "<note>"),
    ("<section><p>x</p></section>", "<div>"), ('<p><hi colour="red">x</hi></p>', "rend"),
    ('<p><ref href="x.html">x</ref></p>', "target"), ('<p class="a">x</p>', "rend"),
    ("<p><persname>x</persname></p>", "persName"),
])
def test_a_name_of_another_vocabulary_is_answered_with_that_of_tei(wrong: str, right: str) -> None:
    mends = [finding.mend for finding in validate_tei(BODY.format(wrong).encode()) if finding.severity == "error"]
    assert mends[0] == f"did you mean '{right}'?"


LATIN = "M. Tullii Ciceronis de natura deorum\n\nCum multae res in philosophia nequaquam satis {} explicatae sint.\n"


@pytest.mark.parametrize(("files", "ids", "described"), [
    (("vatica", "Laurentianus 70.3"), ["vatica", "laurentianus-70-3"], "(Laurentianus 70.3)"),
    (("codex Palatinus graecus 398 saec. IX ineuntis", "B"), ["codex-palatinus-graecus-398", "b"], "398 saec. IX"),
])
def test_witnesses_of_one_title_are_called_and_described_by_their_files(
    files: tuple[str, ...], ids: list[str], described: str, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.txt" for name in files]
    for path, word in zip(paths, ("adhuc", "iam"), strict=True):
        path.write_text(LATIN.format(word), encoding="utf-8")
    result = CliRunner().invoke(cli, ["init", str(tmp_path / "x"), "--from", *map(str, paths)])
    catalog = (tmp_path / "x/tei/catalog.toml").read_text(encoding="utf-8")
    assert result.exit_code == 0 and all(f"{name}\"" in catalog for name in ids) and described in catalog
    assert 'id = "m-tullii-ciceronis-de-natura"' in catalog  # no part of a word


@pytest.mark.parametrize(("command", "file", "words", "remedy"), [
    (["pdf", "a.xml"], "hello", "这不是 XML", "请使用 TEI 文件"),
    (["read", "a.xml:1"], "<TEI><p>a</TEI>", "<p>", "</p>"),
    (["collate", "a.xml", "a.xml"], "<TEI><p n=1>a</p></TEI>", "a.xml", "→"),
    (["explain", "conventions"], "", "jiaokan explain convention", ""),
    (["explain", "catalogue"], "", "jiaokan explain catalog", ""),
])
def test_a_mistake_is_answered_in_the_language_of_its_user(
    command: list[str], file: str, words: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_text(file, encoding="utf-8")
    result = CliRunner().invoke(cli, ["--lang", "zh", *command])
    assert result.exit_code == 2 and words in result.stderr and remedy in result.stderr


@pytest.mark.parametrize(("file", "old", "new", "words", "remedy"), [
    ("editions/lunyu.toml", 'paper = "a5"', 'paper = "A55"', "'A55' 不是开本", "a4"),
    ("editions/lunyu.toml", 'paper = "a5"', 'paper = "10x900"', "每边须为", "a4"),
    ("conventions/jizhu.toml", 'brackets = "〈〉"', 'brackets = "〈"', "不是一对括号", "〈〉"),
    ("editions/lunyu.toml", "[[chapters]]", "[chapters]", "`chapters` 是表", "[[chapters]]"),
    ("persons.toml", '[[person]]\nid = "zhuxi"', '[[person]]\nid = 5', "5", "→"),
])
def test_a_mistake_in_settings_has_no_english_in_chinese(
    file: str, old: str, new: str, words: str, remedy: str, example: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(example, tmp_path / "demo")
    text = (home / "tei" / file).read_text(encoding="utf-8")
    assert old in text
    (home / "tei" / file).write_text(text.replace(old, new), encoding="utf-8")
    result = CliRunner().invoke(cli, ["--lang", "zh", "build", str(home)])
    assert result.exit_code == 2 and words in result.stderr and remedy in result.stderr
    assert " is not " not in result.stderr and "a table" not in result.stderr


def test_what_is_doubtful_in_new_texts_is_in_the_language_of_their_user(tmp_path: Path) -> None:
    """Also that control characters, which XML cannot hold, are not in the text that was taken over."""
    (tmp_path / "甲.txt").write_bytes("第一\n子曰\a學而時習之\x01不亦說乎〈說音悅〉\n有朋自遠方來\n".encode())
    (tmp_path / "乙.txt").write_text("第一\n子曰學而時習之不亦悅乎\n有朋自遠方來\n", encoding="utf-8")
    for language in ("zh", "en"):
        said = CliRunner().invoke(cli, ["--lang", language, "init", str(tmp_path / language), "--from",
                                        str(tmp_path / "甲.txt"), str(tmp_path / "乙.txt")]).output.splitlines()
        heading = Message("please-check-most-important-first").in_language(language)
        doubts = said[said.index(heading) + 1 : -1]
        assert any("〓" in line and "甲.txt" in line and "2" in line for line in doubts), said
        assert all(line.startswith("  ") for line in doubts)
        assert language == "en" or not re.search(r" (?:is|are|of) ", "".join(doubts))


DEMO = Path(__file__).parents[1] / "pipeline/jiaokan/scaffold/tei"
BOOKS = {"集解": "jijie", "集注": "jizhu"}


def test_the_reasons_of_the_example_are_true() -> None:
    """Each quotation of a reason is in the books that its sentence names, without one in a corrected source."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (DEMO / "sources").glob("*.txt")}
    rows = [row for file in ("text", "lemmas") for table in
            tomllib.loads((DEMO / f"decisions/{file}.toml").read_text(encoding="utf-8")).values() for row in table]
    for row in rows:
        if "sic" in row:
            right = row["context"].replace(row["sic"], row["corr"])
            assert texts[row["source"]].count(row["context"]) == 1
            texts[row["source"]] = texts[row["source"]].replace(row["context"], right)
    bare = {name: re.sub("〈[^〉]*〉", "", text) + text for name, text in texts.items()}
    quoted = 0
    for row in rows:
        for sentence in re.split("[。；]", row["why"].partition("形近：")[2] or row["why"]):
            books = [BOOKS[name] for name in re.findall("《(..)》", sentence)]
            for words in re.findall("「([^」]{2,})」", sentence):
                having = [name for name in books or texts if words in bare[name]]
                quoted += 1
                assert having == books if books else having, (words, sentence)
    assert quoted >= 8


WITHOUT_FOLDER = {"init", "fonts", "schema"}
"""Commands that work on no edition folder that is there."""


def test_every_command_on_an_edition_folder_takes_it_by_one_option() -> None:
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        options = {option for parameter in command.params if isinstance(parameter, click.Option)
                   for option in parameter.opts} if command else set()
        assert ({"-C", "--folder"} <= options) == (name not in WITHOUT_FOLDER), name


def test_the_folder_of_the_option_is_the_one_that_is_looked_up(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(example, tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    by_option, by_path = (run(cli, ["stats", *arguments, "-f", "csv"]) for arguments in
                          (["-C", "demo"], ["demo/tei/editions/lunyu.xml"]))
    assert by_option.exit_code == 0 and by_option.stdout == by_path.stdout
    for command in ("stats", "validate", "read"):  # also behind the name of the text
        assert run(cli, [command, "lunyu", "-C", "demo"]).exit_code == 0, command
    twice = run(cli, ["build", "demo", "-C", "other"])
    assert twice.exit_code == 2 and "demo" in twice.stderr and "other" in twice.stderr


@pytest.mark.parametrize(("arguments", "words"), [
    (["read", "demo"], ["demo is a folder", "`-C demo`", "lunyu", "jizhu"]),
    (["collate", "demo/tei"], ["demo/tei is a folder", "`-C demo/tei`"]),
    (["convert", "empty"], ["empty is a folder", "-C FOLDER"]),
    (["--lang", "zh", "accept", "demo"], ["demo 是文件夹", "`-C demo`", "lunyu"]),
    (["--lang", "zh", "collate", "-C", "demo", "nix"], ["没有名为 'nix' 的校本"]),
    (["read", "lunyu"], ["HERE: no edition folder", "--folder"]),
    (["stats"], ["HERE: no edition folder", "--folder"]),
])
def test_a_folder_in_the_place_of_a_text_is_named_with_what_to_do(
    arguments: list[str], words: list[str], example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(example / "tei", tmp_path / "demo/tei")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert all(word.replace("HERE", str(tmp_path.resolve())) in result.stderr for word in words), result.stderr
