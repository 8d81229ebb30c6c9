"""Decisions of an editor with any words, persons and places: each is applied, or refused by name."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz import words
from tests.fuzz.commands import jiaokan
from tests.test_settings_fuzz import SCAFFOLD, VALUES

NAME = "decisions"
KEYS = words("""
unit reading lemma words context before after text source sic corr code standard resp why when cert witness
witnesses left right class speaker variant graph in person subtype print note
""")
TABLES = words("""
lemma reading correction glyph supplied literal boundary character print pair emendation note speaker place
transposition link
""")
WORDS = (
    '"学而时习之"', '"悦"', '"lunyu.1.1.1"', '"1.1.1"', '"lunyu:1.1.1"', '"jijie"',
    '"yishu"', '"zhuxi"', '"editors"',
    '"2026-11-20"', '"high"', '"graphic"', '["jijie", "jizhu"]', '"U+E000"', '"说"', "1", '"1.1"')
FILES = words("""
lemmas readings text text-jijie glyphs characters print boundaries-jijie notes other
""")


@cache
def built() -> Path:
    """An edition folder with the TEI of its witnesses."""
    place = Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"
    shutil.copytree(SCAFFOLD, place)
    for source in ("jijie", "jizhu", "yishu"):
        jiaokan("convert", source, "-C", place, "-o", place / f"tei/witnesses/{source}.xml")
    return place


def inputs() -> st.SearchStrategy[str]:
    """A file of decisions: its name in the first line."""
    value = st.one_of(st.sampled_from(WORDS), st.sampled_from(WORDS), st.sampled_from(VALUES))
    key = st.tuples(st.sampled_from(KEYS), value).map(lambda each: f"{each[0]} = {each[1]}")
    keys = st.lists(key, max_size=7, unique_by=lambda line: line.split(" = ")[0])
    table = st.tuples(st.sampled_from(TABLES), keys).map(lambda each: "\n".join([f"[[{each[0]}]]", *each[1]]))
    return st.tuples(st.sampled_from(FILES), st.lists(table, min_size=1, max_size=3)).map(
        lambda each: "\n".join([f"# {each[0]}", *each[1]]))


def hold(given: str) -> None:
    """The folder is read and collated with the decisions, or a refusal names their file."""
    folder = built()
    path = folder / "tei/decisions" / f"{given.partition(chr(10))[0].removeprefix('# ')}.toml"
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text(given, encoding="utf-8")
    try:
        for command in (("convert", "jijie", "-C", folder, "-o", folder / "x.xml"), ("doctor", folder),
                        ("collate", "lunyu", "-C", folder, "-o", folder / "y.xml")):
            code, _, said = jiaokan(*command)
            assert code != 2 or "tei/" in said or "→" in said, said
    finally:
        path.unlink() if before is None else path.write_bytes(before)
