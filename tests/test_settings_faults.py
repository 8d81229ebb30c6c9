"""Mistakes in the settings of a folder, as data: each message as an editor shall read it, before anything is read.

A case changes one file of ``tests/cases/settings/_folder`` (``case.toml``); ``message.txt`` is what `build` then says.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.cli import cli
from jiaokan.decisions.kinds import KINDS
from jiaokan.errors import JiaokanError
from jiaokan.readers import check
from jiaokan.settings.catalog import load
from jiaokan.settings.syntax import KeyPath, key_places
from jiaokan.settings.toml import read_toml

ROOT = Path(__file__).parent / "cases/settings"
CASES = sorted(path for path in ROOT.iterdir() if (path / "case.toml").exists())


def changed(case: Path, folder: Path) -> None:
    """Make a folder with the mistake of a case."""
    shutil.copytree(ROOT / "_folder", folder)
    told = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))
    path = folder / told["file"]
    if "text" in told:
        path.write_bytes(told["text"].encode(told.get("encoding", "utf-8")))
    for edit in told.get("edit", ()):
        text = path.read_text(encoding="utf-8")
        assert edit["old"] in text
        path.write_text(text.replace(edit["old"], edit["new"], 1), encoding="utf-8")


def test_the_folder_itself_is_right() -> None:
    check(load(ROOT / "_folder"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_message(case: Path, tmp_path: Path) -> None:
    folder = (tmp_path / "f").resolve()
    changed(case, folder)
    result = CliRunner().invoke(cli, ["build", str(folder)])
    assert result.exit_code == 2
    assert result.output.replace(f"{folder}/", "") == (case / "message.txt").read_text(encoding="utf-8")
    assert not list(folder.glob("tei/witnesses/*")), "something was read"


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_every_message_names_its_place_and_what_to_do(case: Path) -> None:
    message = (case / "message.txt").read_text(encoding="utf-8")
    file = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))["file"]
    assert "tei/" in message
    assert file in message or case.name == "catalog-file-missing"
    assert message.count("→") == max(1, message.count("\n  →") + message.count("\n    →"))


def test_the_cases_cover_every_file_and_every_kind_of_decision() -> None:
    files = {tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))["file"] for case in CASES}
    assert {"tei/catalog.toml", "tei/persons.toml", "tei/editions/lunyu.toml", "tei/lists/titles.tsv"} <= files
    names = [case.name for case in CASES]
    readers = ("brackets", "paragraphs", "verse", "zhushu", "plain")
    for first in (*(kind.name for kind in KINDS), "print", "list", *readers):
        assert any(name.startswith(f"{first}-") for name in names), first


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    shutil.copytree(ROOT / "_folder", folder)
    for path in (folder / "tei").rglob("*.t[os][mv]*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    check(load(folder))


def test_faults_of_several_files_are_told_together(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    shutil.copytree(ROOT / "_folder", folder)
    for name, old, new in (("catalog.toml", "siglum", "siglm"), ("persons.toml", "label = ", "lable = "),
                           ("editions/lunyu.toml", "base = ", "bas = ")):
        path = folder / "tei" / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(JiaokanError) as caught:
        load(folder)
    assert len(caught.value.several) == 3
    assert {Path(each.place.file).name for each in caught.value.several if each.place} == {
        "catalog.toml", "persons.toml", "lunyu.toml"}


_KEYS = st.text("abcdefg-_", min_size=1, max_size=4)
_SCALARS = st.one_of(st.integers(-9, 9).map(str), st.sampled_from([
    '"a # b"', "'it = [x]'", '"""one\ntwo = "three"\n"""', "'''x\n[y]'''", '"\\" = \\""', "2026-11-20", "true",
    '"注，"', "1.5",
]))
_VALUES = st.recursive(_SCALARS, lambda inner: st.one_of(
    st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
    st.lists(inner, max_size=3).map(lambda each: "[ # remark\n" + "".join(f"  {one},\n" for one in each) + "]"),
    st.dictionaries(_KEYS, _SCALARS.filter(lambda text: "\n" not in text), max_size=3).map(
        lambda each: "{ " + ", ".join(f"{key} = {value}" for key, value in each.items()) + " }"),
), max_leaves=6)


@given(st.dictionaries(_KEYS, _VALUES, max_size=5), st.lists(st.dictionaries(_KEYS, _VALUES, max_size=3), max_size=3))
def test_every_key_and_item_has_its_place(top: dict[str, str], rows: list[dict[str, str]]) -> None:
    text = "".join(f"{key} = {value}  # {key}\n" for key, value in top.items())
    for row in rows:
        text += "\n[[ rows ]]\n" + "".join(f"  {key} = {value}\n" for key, value in row.items())
    lines, found = text.split("\n"), key_places(text)

    def walk(value: object, path: KeyPath) -> None:
        line, column = found.keys.get(path) or found.values[path]
        if path and isinstance(path[-1], str):
            assert lines[line - 1][column - 1 :].startswith((path[-1], "[[ rows"))
        if isinstance(value, dict):
            for key, each in value.items():
                walk(each, (*path, key))
        elif isinstance(value, list):
            for n, each in enumerate(value):
                walk(each, (*path, n))

    for key, value in tomllib.loads(text).items():
        walk(value, (key,))


def test_a_syntax_that_is_none_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('a = “x”\nb = 1\nc = 2，\nd == 3\n', encoding="utf-8")
    with pytest.raises(JiaokanError) as caught:
        read_toml(path)
    assert [each.place.line for each in caught.value.several if each.place] == [1, 3]
