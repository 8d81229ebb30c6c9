"""What the desk commits to git: its own pieces of its files, and nothing that others changed or staged."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pipeline.desk.journal import Committing, Journal

LEMMAS, MARKS = "tei/decisions/lemmas.toml", "tei/punctuation/e/01.txt"


def table(n: int, why: str = "试") -> str:
    return f'[[lemma]]\nunit = "e.1.{n}"\nwhy = "{why}"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An edition in a folder of a repository, with one decision that is committed."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "a")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    root = tmp_path / "books" / "e"
    (root / LEMMAS).parent.mkdir(parents=True)
    (root / LEMMAS).write_text(f"# 头\n\n{table(5)}", encoding="utf-8")
    (tmp_path / "other.txt").write_text("一\n", encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "begun")
    return root


def git(folder: Path, *said: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *said], check=True, capture_output=True, text=True).stdout


def write(root: Path, commits: Committing, path: str, come: str, gone: tuple[str, ...] = ()) -> str:
    return commits.take(Journal(root).write([(path, gone, (come,))], who="editors", what=come.splitlines()[-1]))


def test_a_decision_is_committed_and_what_others_changed_is_not(folder: Path) -> None:
    theirs = folder / LEMMAS
    theirs.write_text(theirs.read_text(encoding="utf-8") + f"\n{table(9, '他人')}", encoding="utf-8")
    (folder.parents[1] / "other.txt").write_text("二\n", encoding="utf-8")
    git(folder.parents[1], "add", "other.txt")
    commits = Committing(folder, "decision")
    assert write(folder, commits, LEMMAS, table(1)) == ""
    assert git(folder, "show", f"HEAD:./{LEMMAS}") == f"# 头\n\n{table(1)}\n{table(5)}"
    assert "他人" in theirs.read_text(encoding="utf-8") and table(1) in theirs.read_text(encoding="utf-8")
    assert git(folder, "log", "-1", "--format=%B").startswith('Decide: why = "试"\n\nDecided-by: editors')
    assert git(folder, "diff", "--cached", "--name-only").split() == ["other.txt"]
    head = "# resp: editors\n# when: 2026-11-22\n# cert: high\n# evidence:\n1.1.1\t甲。"
    assert write(folder, commits, MARKS, head) == ""
    assert git(folder, "show", f"HEAD:./{MARKS}") == head + "\n" and not git(folder, "diff", "--", MARKS)
    for _ in range(2):
        entry = Journal(folder).undo("editors")
        assert entry is not None and commits.take(entry) == ""
    assert git(folder, "show", f"HEAD:./{LEMMAS}") == f"# 头\n\n{table(5)}" and "01.txt" not in git(
        folder, "ls-tree", "-r", "--name-only", "HEAD")


def test_of_what_is_nobodys_commit_yet_nothing_is_taken_back(folder: Path) -> None:
    theirs = folder / LEMMAS
    theirs.write_text(theirs.read_text(encoding="utf-8") + f"\n{table(9, '他人')}", encoding="utf-8")
    commits = Committing(folder, "decision")
    entry = Journal(folder).write([(LEMMAS, (table(9, "他人"),), ())], who="editors", what="撤")
    before = git(folder, "rev-parse", "HEAD")
    assert "uncommitted changes by others" in commits.take(entry) and git(folder, "rev-parse", "HEAD") == before


def test_a_sitting_is_one_commit_and_a_folder_without_git_goes_on(
    folder: Path, tmp_path_factory: pytest.TempPathFactory,
) -> None:
    commits = Committing(folder, "sitting")
    for number in (1, 2, 7):
        assert write(folder, commits, LEMMAS, table(number)) == ""
    assert git(folder, "rev-list", "--count", "HEAD").strip() == "1"
    assert commits.end() == "" and git(folder, "rev-list", "--count", "HEAD").strip() == "2"
    bare = tmp_path_factory.mktemp("bare")
    (bare / LEMMAS).parent.mkdir(parents=True)
    assert write(bare, Committing(bare, "decision"), LEMMAS, table(1)).startswith("not committed: ")
    assert not git(folder, "status", "--porcelain", "--untracked-files=no")
    assert "3 decisions at the desk" in git(folder, "log", "-1", "--format=%s")
    assert commits.end() == "" and git(folder, "rev-list", "--count", "HEAD").strip() == "2"
