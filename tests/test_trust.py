"""Opening, building or checking a stranger's folder changes nothing outside it and runs nothing that lies in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from pipeline.build import build
from pipeline.decisions.filing import file, writing
from pipeline.decisions.tables import Lemma
from pipeline.desk.journal import Edit, Journal, JournalLine
from pipeline.errors import JiaokanError
from pipeline.system.atomic import state_file

LEMMAS = "tei/decisions/lemmas.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "demo"
    (root / "tei" / "decisions").mkdir(parents=True)
    return root


def line(path: str, **edit: object) -> bytes:
    """A line of a journal that writes `OUT` into a file."""
    edits = (Edit(path=path, come=("OUT\n",), new="OUT\n", after="0", **edit),)  # type: ignore[arg-type]  # strings
    return msgspec.json.encode(JournalLine(n=1, do="decide", who="editors", when="", what="", edits=edits)) + b"\n"


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and ".jiaokan" not in str(path))
    return {str(path): path.read_bytes() for path in found}


def outside(tmp_path: Path) -> list[str]:
    """Paths that lead out of the folder: by `..`, absolute, by a link."""
    return ["../OUTSIDE.txt", str(tmp_path / "ABSOLUTE.txt"), "tei/../../UP.toml", "tei/away/LINKED.toml",
            "catalog.toml", ".git/config"]


def test_a_journal_in_the_folder_is_not_read(folder: Path, tmp_path: Path) -> None:
    own = folder / ".jiaokan"
    own.mkdir()
    before = files(tmp_path)
    for path in outside(tmp_path):
        for name in ("desk.pending", "desk.jsonl"):
            (own / name).write_bytes(line(path))
        journal = Journal(folder)
        assert journal.recover() is None and journal.undo("editors") is None and journal.redo("editors") is None
        assert files(tmp_path) == before


@pytest.mark.parametrize("ending", [".pending", ".jsonl"])
def test_no_journal_changes_files_outside_tei(folder: Path, tmp_path: Path, ending: str) -> None:
    (tmp_path / "victim").mkdir()
    (folder / "tei" / "away").symlink_to(tmp_path / "victim")
    kept = state_file("desk", folder, ending)
    kept.parent.mkdir(parents=True, exist_ok=True)
    before = files(tmp_path)
    for path in outside(tmp_path):
        kept.write_bytes(line(path))
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            Journal(folder).undo("editors")
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            Journal(folder).write([(path, (), ("OUT\n",))], who="editors", what="")
        assert files(tmp_path) == before


def test_a_journal_that_is_none_is_an_error_with_its_place(folder: Path) -> None:
    kept = state_file("desk", folder, ".jsonl")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(b'{"n": "x"}\n')
    with pytest.raises(JiaokanError, match="journal of the desk"):
        Journal(folder).undo("editors")


def test_a_journal_lies_with_the_user(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JIAOKAN_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Journal(folder).write([(LEMMAS, (), ("# 一\n",))], who="editors", what="")
    assert len([*(tmp_path / "state" / "jiaokan" / "desk").glob("*.jsonl")]) == 1
    assert Journal(folder).undo("editors") is not None and not (folder / LEMMAS).exists()


def test_no_lock_is_taken_and_no_decision_written_through_a_link(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "lemmas.toml").write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    decision = Lemma(unit="e:1.1", context="甲[乙]", reading="丙", resp="a", why="试", when="2026-01-01", cert="high")

    def refused() -> None:
        with pytest.raises(JiaokanError, match="leads out of the edition folder"):
            file(folder, decision)
        assert files(tmp_path) == before

    (folder / ".jiaokan").symlink_to(victim)
    refused()
    (folder / ".jiaokan").unlink()
    (folder / ".jiaokan").mkdir()
    (folder / ".jiaokan" / "decisions.lock").symlink_to(victim / "lemmas.toml")
    with pytest.raises(JiaokanError, match="leads out"), writing(folder):
        pass
    refused()
    (folder / ".jiaokan" / "decisions.lock").unlink()
    (folder / "tei" / "decisions").rmdir()
    (folder / "tei" / "decisions").symlink_to(victim)
    refused()


@pytest.mark.parametrize("name", ["tei/editions", "tei/witnesses", "build", "build/pdf"])
def test_a_build_writes_nothing_through_a_link(example: Path, tmp_path: Path, name: str) -> None:
    root, victim = Path(shutil.copytree(example, tmp_path / "demo")), tmp_path / "victim"
    shutil.move(root / name, victim)
    (root / name).symlink_to(victim)
    before = files(victim)
    with pytest.raises(JiaokanError, match="leads out of the edition folder"):
        build(root, jobs=1, force=True)
    assert files(victim) == before
