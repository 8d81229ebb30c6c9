"""The TOML of an edition folder: what is wrong is named with its place and the nearest right thing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from jiaokan.build.stages import steps
from jiaokan.editions.witness import accept
from jiaokan.errors import CatalogError
from jiaokan.settings.catalog import load
from jiaokan.settings.names import RESERVED
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import Language
from jiaokan.settings.toml import load_as
from jiaokan.system.store import Store, cache_folder

GOOD = """
[project]
title = "t"
publisher = "p"
editors = ["e"]
date = "2026-01-01"
licence = { name = "CC0" }

[[work]]
id = "lunyu"
title = "论语"
chapters = [{ n = 1, title = "学而" }]

[[source]]
id = "a"
siglum = "甲"
file = "sources/a.txt"
sha256 = "00"
work = "lunyu"
title = "论语"
authors = []
dynasty = ""
reader = "brackets"
language = "lzh-Hans"
licence = { name = "public domain" }
"""


def folder(root: Path, catalog: str = GOOD, edition: str = "") -> Path:
    home = root / "tei"
    (home / "editions").mkdir(parents=True)
    (home / "catalog.toml").write_text(catalog, encoding="utf-8")
    if edition:
        (home / "editions" / "e.toml").write_text(edition, encoding="utf-8")
    return root


def test_a_good_catalog(tmp_path: Path) -> None:
    catalog = load(folder(tmp_path, edition='id = "e"\nkind = "reading"\ntitle = "t"\nwitness = "a"\n'))
    assert catalog.sources["a"].siglum == "甲"
    assert catalog.editions["e"].all_witnesses() == ("a",)


@pytest.mark.parametrize(("old", "new", "says"), [
    ("siglum = ", "siglm = ", "did you mean 'siglum'"),
    ('work = "lunyu"', 'work = "lunyv"', "did you mean 'lunyu'"),
    ('file = "sources/a.txt"', 'file = "../../etc/passwd"', "outside the edition's folder"),
    ('file = "sources/a.txt"', 'file = "/etc/passwd"', "outside the edition's folder"),
    ("authors = []", 'authors = ["nobody"]', "unknown person id 'nobody' in `authors`"),
    ('id = "a"', 'id = "../a"', "is not of the form"),
    ('id = "a"', 'id = "schema"', "is used by the program"),
    ('id = "a"', 'id = "con"', "is the name of a device on Windows"),
    ('id = "a"', f'id = "{"a" * 300}"', "300 characters"),
    ('dynasty = ""', 'dynasty = ""\nconvention = "../../../etc/x"', "is not the plain name of a file"),
    ('dynasty = ""', 'dynasty = ""\nconvention = "aux"', "is not the plain name of a file"),
    ("[[work]]", "[[work", "invalid TOML"),
    ('lzh-Hans', "literary_chinese", "language"),
])
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load(folder(tmp_path, GOOD.replace(old, new)))
    assert says in str(caught.value) and "catalog.toml" in str(caught.value)


def test_an_edition_with_an_unknown_witness(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"e\.toml:4:11: unknown source id 'b' in `witness`"):
        load(folder(tmp_path, edition='id = "e"\nkind = "reading"\ntitle = "t"\nwitness = "b"\n'))


@pytest.mark.parametrize(("line", "says"), [
    ('layout = "tradtional"', "did you mean 'traditional'"),
    ('layouts = ["modrn"]', "did you mean 'modern'"),
    ('omit = ["colofon"]', "did you mean 'colophon'"),
    ('papper = "a4"', "did you mean 'paper'"),
    ('paper = "folio"', "allowed values: 170x240, a4, a5"),
    ("columns = 99", "from 3 to 20"),
])
def test_a_wrong_choice_of_print_is_refused_with_the_nearest_right_one(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f'id = "x"\nkind = "reading"\ntitle = "x"\n[print]\n{line}\n', encoding="utf-8")
    with pytest.raises(CatalogError, match=re.escape(says)) as caught:
        load_as(path, EditionPlan)
    assert caught.value.place is not None and caught.value.place.line == 5


@pytest.mark.parametrize("name", sorted(RESERVED | {"nul", "com1", "lpt9"}))
def test_an_edition_with_a_name_of_the_program_or_of_windows(tmp_path: Path, name: str) -> None:
    with pytest.raises(CatalogError, match=f"edition id '{name}' is "):
        load(folder(tmp_path, edition=f'id = "{name}"\nkind = "reading"\ntitle = "t"\nwitness = "a"\n'))


def test_what_stands_at_the_top_of_the_outputs_is_reserved(tmp_path: Path) -> None:
    plan = EditionPlan(id="e", kind="reading", title="", witness="w")
    catalog = load(folder(tmp_path))
    made = [p for step in steps(msgspec.structs.replace(catalog, editions={"e": plan}), tmp_path / "out")
            for p in step.outputs if step.stage == "site"]
    assert {path.stem for path in made} <= RESERVED


def test_no_catalog(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="init"):
        load(tmp_path)


@pytest.mark.parametrize("tag", ["grc", "en", "sa-Latn", "lzh-Hant-TW", "ko-Kore", "zh-Latn-pinyin", "en-x-early"])
def test_a_language_is_any_tag_of_its_form(tag: str) -> None:
    assert msgspec.convert(tag, Language) == tag


@pytest.mark.parametrize("tag", ["", "English", "lzh_Hant", "lzh-hant", "文言", "en-"])
def test_what_is_no_language_tag_is_refused(tag: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(tag, Language)


def library(root: Path, *parts: str) -> Path:
    """A catalog whose project stands in ``catalog.toml``, and whose rows in a part each."""
    project, *rows = re.split(r"(?=\[\[)", GOOD.strip())
    folder(root, project)
    (root / "tei" / "catalog").mkdir()
    for name, part in zip("abcd", [*rows, *parts], strict=False):
        (root / "tei" / "catalog" / f"{name}.toml").write_text(part, encoding="utf-8")
    return root


def test_rows_of_a_catalog_may_stand_in_files_of_their_own(tmp_path: Path) -> None:
    whole = load(folder(tmp_path / "one"))
    parts = load(library(tmp_path / "parts"))
    assert (parts.sources, parts.works, parts.project) == (whole.sources, whole.works, whole.project)


def test_a_fault_of_a_part_is_told_with_its_file(tmp_path: Path) -> None:
    work, source = re.split(r"(?=\[\[)", GOOD.strip())[1:]
    other = work.replace('id = "lunyu"', 'id = "b"')
    root = library(tmp_path, other.replace("n = 1", "n = 0") + source.replace('id = "a"', 'id = "b"'))
    with pytest.raises(CatalogError) as caught:
        load(root)
    told = [str(each) for each in caught.value.several]
    assert any("c.toml:" in each and "0 is not a chapter number" in each for each in told)
    assert any("c.toml:" in each and "'甲' is the siglum of two sources" in each for each in told)
    (root / "tei" / "catalog" / "c.toml").write_text('[[source]]\nid = "c"\n[project]\n', encoding="utf-8")
    with pytest.raises(CatalogError, match="missing") as caught:
        load(root)
    assert all("c.toml" in str(each) for each in caught.value.several)


def test_the_checksum_of_a_source_is_written_into_its_part(tmp_path: Path) -> None:
    root = library(tmp_path)
    catalog = load(root)
    assert accept(catalog.sources["a"], catalog, "11").name == "b.toml"
    assert load(root).sources["a"].sha256 == "11"


def example_folder(root: Path) -> Path:
    """A copy of the worked example."""
    shutil.copytree(Path(__file__).parents[1] / "pipeline" / "jiaokan" / "scaffold" / "tei", root / "tei")
    return root


@pytest.mark.parametrize("make", [library, example_folder])
def test_settings_are_cached_until_a_file_changes(
    make: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jiaokan.system.store.TICK", -1)  # as if the files had not just been written
    root = make(tmp_path)
    first = load(root)
    with monkeypatch.context() as patch:
        patch.setattr("jiaokan.settings.catalog.read_toml", None)
        again = load(root)
    assert msgspec.structs.replace(again, lists=first.lists) == first and again.lists.rows == first.lists.rows
    for changed in sorted(root.glob("tei/**/*.toml")):
        if "decisions" not in changed.parts and "conventions" not in changed.parts:
            before = changed.read_text(encoding="utf-8")
            changed.write_text(f"[nothing]\n{before}", encoding="utf-8")
            with pytest.raises(CatalogError):
                load(root)
            changed.write_text(before, encoding="utf-8")
            load(root)


def test_a_damaged_entry_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jiaokan.system.store.TICK", -1)
    root = library(tmp_path)
    first = load(root)
    entry = Store(cache_folder("settings", root)).path("catalog")
    whole = entry.read_bytes()
    for damaged in (b"", whole[:-10], b"\xff" * 50):
        entry.write_bytes(damaged)
        assert load(root).sources == first.sources
        assert len(entry.read_bytes()) == len(whole)
