"""Decisions of an editor with any words, persons and places: each is applied, or refused by name."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.fuzz import text, words
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


def made(chance: random.Random) -> str:
    """A file of decisions: its name in the first line."""
    tables = [f"# {chance.choice(FILES)}"]
    for _ in range(chance.randint(1, 3)):
        keys = chance.sample(KEYS, chance.randint(0, 7))
        tables += [f"[[{chance.choice(TABLES)}]]", *(f"{key} = {_value(chance)}" for key in keys)]
    return "\n".join(tables)


def _value(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(WORDS)
    return chance.choice(VALUES) if kind < 0.9 else json.dumps(text(chance), ensure_ascii=chance.random() < 0.5)


def hold(given: str) -> None:
    """One of three commands, by the content of the file, reads the folder with it: done, or a refusal names a file."""
    folder = built()
    path = folder / "tei/decisions" / f"{given.partition(chr(10))[0].removeprefix('# ')}.toml"
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text(given, encoding="utf-8")
    try:
        command = (("convert", "jijie", "-C", folder, "-o", folder / "x.xml"), ("doctor", folder),
                   ("collate", "lunyu", "-C", folder, "-o", folder / "y.xml"))[sum(given.encode()) % 3]
        code, _, said = jiaokan(*command)
        assert code != 2 or "tei/" in said or "→" in said, said
    finally:
        path.unlink() if before is None else path.write_bytes(before)
