"""The TOML of an edition folder: what is wrong is named with its place and the nearest right thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.errors import CatalogError
from pipeline.settings.catalog import load
from pipeline.settings.plans import EditionPlan
from pipeline.settings.toml import typed

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
    ("siglum = ", "siglm = ", "did you mean `siglum`"),
    ('work = "lunyu"', 'work = "lunyv"', "did you mean 'lunyu'"),
    ('file = "sources/a.txt"', 'file = "../../etc/passwd"', "outside the edition's folder"),
    ('file = "sources/a.txt"', 'file = "/etc/passwd"', "outside the edition's folder"),
    ("authors = []", 'authors = ["nobody"]', "'nobody' is not declared"),
    ('id = "a"', 'id = "../a"', "is not of the form"),
    ("[[work]]", "[[work", "not TOML"),
    ('lzh-Hans', "zh-CN", "language"),
])
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load(folder(tmp_path, GOOD.replace(old, new)))
    assert says in str(caught.value) and "catalog.toml" in str(caught.value)


def test_an_edition_with_an_unknown_witness(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"e\.toml: edition 'e': witness 'b' is not declared"):
        load(folder(tmp_path, edition='id = "e"\nkind = "reading"\ntitle = "t"\nwitness = "b"\n'))


@pytest.mark.parametrize(("line", "says"), [
    ('layout = "tradtional"', "did you mean `traditional`"),
    ('layouts = ["modrn"]', "did you mean `modern`"),
    ('omit = ["colofon"]', "did you mean `colophon`"),
    ('papper = "a4"', "did you mean `paper`"),
    ('paper = "folio"', "known values: 170x240, a4, a5"),
    ("columns = 99", "<= 20"),
])
def test_a_wrong_choice_of_print_is_refused_with_the_nearest_right_one(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f'id = "x"\nkind = "reading"\ntitle = "x"\n[print]\n{line}\n', encoding="utf-8")
    with pytest.raises(CatalogError, match=re.escape(says)) as caught:
        typed(path, EditionPlan)
    assert caught.value.place is not None and caught.value.place.line == 5


def test_no_catalog(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="init"):
        load(tmp_path)
