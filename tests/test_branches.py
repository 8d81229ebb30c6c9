"""The branches of a repository of the Kanripo are witnesses of one edition."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.errors import SourceError
from jiaokan.scaffold.repository import expand_repositories
from jiaokan.system.repository import branches, texts

TEXT = """# -*- mode: mandoku-view; -*-
#+TITLE: 論語
#+PROPERTY: WITNESS {}
<pb:KR1h0004_{}_001-1a>¶
學而第一¶
子曰學而時習之不亦{}乎¶
有朋自遠方來不亦樂乎¶
爲政第二¶
子曰爲政以德譬如北辰居其所而衆星{}之¶
"""


def git(folder: Path, *arguments: str) -> None:
    """Run git as somebody."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=master")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


@pytest.fixture(name="repository")
def repository_(tmp_path: Path) -> Path:
    """Return a repository with two editions, a branch of data, and a main branch that repeats one of them."""
    folder = tmp_path / "KR1h0004"
    folder.mkdir()
    git(folder, "init")
    for branch, words in (("WYG", ("&KR0003;", "共")), ("SBCK", "悅拱"), ("_data", ""), ("master", "說共")):
        git(folder, "checkout", "--orphan", branch)
        for old in folder.glob("*.txt"):
            old.unlink()
        edition = "WYG" if branch == "master" else branch
        said = TEXT.format(edition, edition, *words) if words else "no text\n"
        (folder / "KR1h0004_001.txt").write_text(said, encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-m", branch)
    return folder


def test_each_branch_with_other_words_is_a_witness(repository: Path, tmp_path: Path) -> None:
    found = expand_repositories([repository, tmp_path / "a.txt"], tmp_path / "aside")
    assert [path.name for path in found.paths] == ["SBCK", "WYG", "a.txt"]
    assert found.report == [
        "KR1h0004: 2 editions: SBCK, WYG",
        "  master repeats the text of WYG, so it is no witness of its own; it explains 1 character without code point"]
    assert found.evidence[0].votes == {"&KR0003;": {"說": 1}}
    assert sorted(branches(repository)) == ["SBCK", "WYG", "_data", "master"]
    assert "悅" in texts(repository, branches(repository)["SBCK"])["KR1h0004_001.txt"].decode()


def test_an_edition_of_branches(repository: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["init", str(tmp_path / "e"), "--from", str(repository)])
    assert said.exit_code == 0, said.output
    assert "2 witnesses" in said.output
    catalog = tomllib.loads((tmp_path / "e" / "tei" / "catalog.toml").read_text(encoding="utf-8"))
    assert [(each["siglum"], each["title"]) for each in catalog["source"]] == [
        ("四", "論語（四部叢刊本）"), ("文", "論語（文淵閣四庫全書本）")]
    glyph, = tomllib.loads((tmp_path / "e" / "tei/decisions/glyphs.toml").read_text(encoding="utf-8"))["glyph"]
    assert (glyph["code"], glyph["standard"], glyph["why"]) == (
        "&KR0003;", "說", "KR1h0004 master作「說」，1 处中 1 处")
    edition = next((tmp_path / "e" / "tei" / "editions").glob("*.toml")).stem
    sources = sorted((tmp_path / "e" / "tei" / "sources").glob("*.txt"))
    assert len(sources) == len({path.read_text(encoding="utf-8") for path in sources}) == 2
    for path in sources:
        done = CliRunner().invoke(cli, ["convert", path.stem, "-C", str(tmp_path / "e"), "-o",
                                        str(tmp_path / "e" / "tei" / "witnesses" / f"{path.stem}.xml")])
        assert done.exit_code == 0, done.output
    told = CliRunner().invoke(cli, ["collate", edition, "-C", str(tmp_path / "e"), "-f", "jiaokanji"])
    assert told.exit_code == 0, told.output
    assert "作「說」" in told.output or "作「悅」" in told.output


def test_speakers_that_a_commentary_names_are_declared(tmp_path: Path) -> None:
    notes = "【周生烈曰：鼎，器也。】", "【周生烈曰：烹，煮也。】", "【周生烈曰：足，所以立。】", "【某也。】"
    file = tmp_path / "a.txt"
    lines = ["鼎銘第一", *(f"鼎之為器也{note}" for note in notes), "鐘銘第二", "鐘之為器也"]
    file.write_text("\n".join(lines), encoding="utf-8")
    home = tmp_path / "e"
    assert CliRunner().invoke(cli, ["init", str(home), "--from", str(file)]).exit_code == 0
    convention = next((home / "tei/conventions").glob("*.toml"))
    rows = tomllib.loads(convention.read_text(encoding="utf-8"))
    convention.write_text('brackets = "【】"\n[unsigned]\nperson = ""\n', encoding="utf-8")
    said = CliRunner().invoke(cli, ["speakers", convention.stem, "--write", "-C", str(home)])
    assert said.exit_code == 0, said.output
    made = tomllib.loads(convention.read_text(encoding="utf-8"))["speaker"]
    persons = tomllib.loads((home / "tei/persons.toml").read_text(encoding="utf-8"))["person"]
    assert [row["prefix"] for row in made] == ["周生烈曰"]
    assert made[0]["person"] in [each["id"] for each in persons]
    assert rows["speaker"][0]["person"] == made[0]["person"]  # whom `init` had found by itself


def test_what_git_cannot_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(SourceError, match="git cannot read it"):
        branches(tmp_path)


BRANCHED = """# -*- mode: mandoku-view; -*-
#+TITLE: 鼎經
#+PROPERTY: BASEEDITION T
#+PROPERTY: WITNESS {}
<pb:KR9x0001_T_001-0001a>¶
一時大師在鼎山說器之要¶
{}¶
是時諸弟子聞已皆歡喜{}¶
"""


@pytest.mark.parametrize(("branches_", "kept", "repeated"), [
    # one word replaced, one added, one lacking, each nearly the text of T
    ({"T": ("持鼎而行", "信受"), "T@SONG": ("執鼎而行", "信受")}, ["T", "T@SONG"], []),
    ({"T": ("持鼎而行", "信受"), "T@MING": ("持其鼎而行", "信受")}, ["T", "T@MING"], []),
    ({"T": ("持鼎而行", "信受"), "T@GONG": ("持鼎行", "信受")}, ["T", "T@GONG"], []),
    # a branch that corrects a word is one too; the same words again are none
    ({"T": ("持鼎而行", "信受"), "CBETA": ("特鼎而行", "信受"), "master": ("特鼎而行", "信受")}, ["CBETA", "T"],
     ["master"]),
    # graphic variants, common forms of rare ones, and codes are of the transcription
    ({"T": ("持鼎而𨷖", "&KR0007;受"), "master": ("持鼎而鬪", "信受")}, ["T"], ["master"]),
    ({"T": ("持鼎而𨷖", "信受"), "T@YUAN": ("持鼎而行", "信受")}, ["T", "T@YUAN"], []),
    ({"T": ("持鼎而𨷖", "信受"), "master": ("持鼎而鬪", "信行")}, ["T", "master"], []),
])
def test_any_reading_of_its_own_makes_a_witness(
    branches_: dict[str, tuple[str, str]], kept: list[str], repeated: list[str], tmp_path: Path,
) -> None:
    folder = tmp_path / "KR9x0001"
    folder.mkdir()
    git(folder, "init")
    for name, words in branches_.items():
        git(folder, "checkout", "--orphan", name)
        (folder / "KR9x0001_001.txt").write_text(BRANCHED.format(name, *words), encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-m", name)
    found = expand_repositories([folder], tmp_path / "aside")
    assert [path.name for path in found.paths] == kept
    assert [line.split()[0] for line in found.report[1:]] == repeated


def test_a_branch_of_readings_has_its_own_siglum(tmp_path: Path) -> None:
    folder = tmp_path / "KR9x0001"
    folder.mkdir()
    git(folder, "init")
    for name, word in (("T", "持"), ("T@SONG", "執")):
        git(folder, "checkout", "--orphan", name)
        (folder / "KR9x0001_001.txt").write_text(BRANCHED.format(name, f"{word}鼎而行", "信受"), encoding="utf-8")
        (folder / "Readme.org").write_text("* 版本\n | T|【大】 |\n | T@SONG|【大→宋】 |\n", encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-m", name)
    said = CliRunner().invoke(cli, ["init", str(tmp_path / "e"), "--from", str(folder)])
    assert said.exit_code == 0, said.output
    catalog = tomllib.loads((tmp_path / "e" / "tei" / "catalog.toml").read_text(encoding="utf-8"))
    assert [each["siglum"] for each in catalog["source"]] == ["大", "宋"]
    assert len({each["title"] for each in catalog["source"]}) == 2
