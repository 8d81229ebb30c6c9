"""`jiaokan compare`: each planted change between two releases is named once, and nothing else is."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.cli import cli
from jiaokan.editions.compare import compare
from jiaokan.tei.parse import from_tei
from tests.browsing import SAMPLE

OLD = SAMPLE.decode()


def changed(*pairs: tuple[str, str]) -> list[tuple[str, str, str, str]]:
    new = OLD
    for old, other in pairs:
        assert old in new, old
        new = new.replace(old, other, 1)
    found = compare(from_tei(SAMPLE, name="old"), from_tei(new.encode(), name="new"))
    return [(each.kind, each.reference, each.old, each.new) for each in found]


def test_nothing_changed() -> None:
    assert changed() == []


def test_words_of_a_note() -> None:
    (kind, reference, old, new), = changed(("戒与者謂留群臣也", "戒與者謂留群臣也"))
    assert (kind, reference) == ("text", "sample:6.1.1.n1")
    assert old.replace("戒与者", "戒與者") == new != old


def test_a_reading_and_what_it_rests_on() -> None:
    (kind, reference, old, new), = changed((">象觚<", ">象瓠<"))
    assert (kind, reference) == ("readings", "sample:6.1.1.a2")
    assert old.replace("象觚", "象瓠") == new != old
    lemma = OLD[: OLD.index(">象觯</lem>")].rpartition("<lem")[2]
    (kind, reference, old, new), = changed((f"<lem{lemma}>象觯</lem>", f'<lem{lemma} cert="low">象觯</lem>'))
    assert (kind, reference) == ("decision", "sample:6.1.1.a2") and "low" in new and "low" not in old


@pytest.mark.parametrize("form", ["text", "csv"])
def test_command_lists_changes(tmp_path: Path, form: str) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    old.write_bytes(SAMPLE)
    new.write_text(OLD.replace(">象觚<", ">象瓠<", 1), encoding="utf-8")
    done = CliRunner().invoke(cli, ["compare", str(old), str(new), "-f", form])
    assert done.exit_code == 0, done.output
    if form == "csv":
        (row,) = csv.DictReader(done.stdout.lstrip("\ufeff").splitlines())
        assert row["kind"] == "readings" and row["reference"] == "sample:6.1.1.a2" and "象瓠" in row["new"]
    else:
        assert "sample:6.1.1.a2\treadings\t" in done.stdout
