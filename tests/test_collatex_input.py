"""The input of CollateX: tokens with normal forms, lemmas and sounds, and witnesses with their text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from jiaokan import collate_texts
from jiaokan.cli import cli
from jiaokan.editions.loose import collate_files
from jiaokan.entries.extract import all_entries
from jiaokan.errors import CollationError, SourceError
from jiaokan.tei.views import texts

Row = tuple[str, str, str]


def collate(*witnesses: dict[str, Any]) -> list[Row]:
    """Return lemma, reading and class of each entry."""
    data = json.dumps({"witnesses": witnesses}, ensure_ascii=False).encode()
    edition = collate_files([("in.json", data)], date="2026-01-01")
    return [(entry.lemma.words, reading.words, reading.variant)
            for entry in all_entries(edition.document) for reading in entry.readings]


def tokens(siglum: str, *rows: str) -> dict[str, Any]:
    """Return a witness of tokens written ``t|n|lemma``."""
    keys = [dict(zip(("t", "n", "lemma"), row.split("|"), strict=False)) for row in rows]
    return {"id": siglum, "tokens": [{key: value for key, value in token.items() if value} for token in keys]}


CASES: dict[str, tuple[tuple[dict[str, Any], ...], list[Row]]] = {
    "normal forms agree": (
        (tokens("A", "Arma|arma", "virumque"), tokens("B", "arma|arma", "uirumque|virumque")), []),
    "a lemma aligns, and names the inflection": (
        (tokens("A", "dixit||dico", "ei||is"), tokens("B", "dicebat||dico", "illis||ille")),
        [("dixit", "dicebat", "inflection"), ("ei", "illis", "substantive")]),
    "a token of several words is one": (
        (tokens("A", "in", "New York", "est"), tokens("B", "in", "Boston", "est")),
        [("New York", "Boston", "substantive")]),
    "graphs": (
        (tokens("甲", "天地", "玄|玄", "黃"), tokens("乙", "天地", "元|玄", "黄")), [("黃", "黄", "script")]),
    "punctuation and blanks are no words": (
        (tokens("A", "cano ", ", ", "Troiae"), tokens("B", "cano", "Troiae", ".")), []),
    "text beside tokens": (
        (tokens("A", "Arma|arma", "cano"), {"id": "B", "content": "Arma canit"}), [("cano", "canit", "substantive")]),
    "texts alone": (
        ({"id": "A", "content": "the cat sat"}, {"id": "B", "content": "the dog sat"}),
        [("cat", "dog", "substantive")]),
    "a lost character": ((tokens("甲", "天", "□", "玄"), tokens("乙", "天", "地", "玄")), [("□", "地", "lacuna")]),
}


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    witnesses, rows = CASES[case]
    assert collate(*witnesses) == rows


@given(st.lists(st.lists(st.sampled_from(["a", "b c", "Ab", "天地", "玄", ",", "é", "x’"]), min_size=1, max_size=6),
                min_size=2, max_size=4))
def test_each_witness_reads_back(rows: list[list[str]]) -> None:
    assume(all({*row} != {","} for row in rows))
    given_rows = [[{"t": word, "n": word.lower()} for word in row] for row in rows]
    witnesses = [{"id": f"W{n}", "tokens": row} for n, row in enumerate(given_rows)]
    data = json.dumps({"witnesses": witnesses}).encode()
    document = collate_files([("in.json", data)], date="2026-01-01").document
    for n, row in enumerate(rows):
        read = "".join(texts(document, f"w{n}").values())
        assert "".join(read.split()) == "".join("".join(row).split())


@pytest.mark.parametrize("witnesses", [
    [], ["A"], [{"id": "A"}], [{"id": "A", "content": "x", "tokens": [{"t": "x"}]}], [{"id": "A", "content": "x"}],
    [{"id": " ", "content": "x"}, {"id": "B", "content": "y"}], [{"id": "A", "tokens": [{"n": "x"}]}],
])
def test_other_input_is_refused(witnesses: list[Any]) -> None:
    with pytest.raises((SourceError, CollationError)):
        collate_files([("in.json", json.dumps({"witnesses": witnesses}).encode())], date="2026-01-01")


def test_nothing_to_collate_is_refused() -> None:
    with pytest.raises(CollationError):
        collate_files([])
    with pytest.raises(CollationError):
        collate_texts([])


@pytest.mark.parametrize(("command", "text", "place"), [
    ("collate", '{"witnesses": [\n {"id": "A" "content": "x"}]}', "t.json:2:13"),
    ("convert", '{"witnesses": ["A"],\n\n "table": [[[{"t": "a"}],]]}', "t.json:3:"),
    ("convert", '{"witnesses": ["A"]}', "t.json: this is not an alignment table"),
])
def test_json_that_is_broken_is_told_its_line(command: str, text: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, [command, str(tmp_path / "t.json")])
    assert done.exit_code == 2 and place in done.output
