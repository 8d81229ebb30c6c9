"""The pages' scripts: checked by TypeScript's compiler where it is installed, kept small, without a framework."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.programs import command

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE.parent / "xslt" / "html" / "assets").glob("*.js"))


@pytest.mark.needs("tsc")
def test_scripts_are_typed() -> None:
    compiler = [*command("tsc"), "--project", str(HERE / "scripts")]
    found = subprocess.run(compiler, capture_output=True, text=True, check=False)
    assert found.stdout == "" and found.returncode == 0


def test_scripts_are_small_and_strict() -> None:
    # Reading a witness from its own TEI, citing in four forms and pinyin took 12,000 more than the 64,000 of before;
    # keys, what a reader sets for himself, folded columns, and counts, patterns and lists of a search 20,000 more,
    # pages of persons and characters 8,000; finding a text of a library, and an index in files, 6,000;
    # the edition's numbers in a witness's text, steps of the history, and waiting for a place 6,000;
    # sections that become elements as one reads 3,000; the card of a selected word 5,000; the map of a chapter 2,000.
    assert sum(len(path.read_bytes()) for path in SCRIPTS) < 155_000
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        assert '"use strict";\n' in text, path.name
        found = [each for each in ("innerHTML", "eval(", "document.write", "fetch(", "import ") if each in text]
        assert found == [], path.name
