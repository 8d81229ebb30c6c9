"""The desk's journal: what is done is undone to the byte; whatever ends the desk, nothing that was done is lost."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.decisions.filing import insert_table, remove_table, split_tables
from jiaokan.desk.journal import Journal
from jiaokan.system.atomic import write_file
from tests.amount import some

PATH = "tei/decisions/lemmas.toml"
words = st.text("经注疏[]#=\"'\n \\", max_size=12)
places = st.tuples(st.integers(1, 3), st.integers(1, 12))


def table(place: tuple[int, int], why: str) -> str:
    said = why.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'[[lemma]]\nunit = "e.{place[0]}.{place[1]}"\nwhy = "{said}"\n'


files = st.lists(st.tuples(places, words, st.sampled_from(("", "\n", "\n\n", "# 记\n", "\n# 另\n\n"))), max_size=6).map(
    lambda rows: "# 头\n\n" + "\n".join(table(place, why) + after for place, why, after in rows)
)


@given(files, places, words)
def test_a_table_is_put_in_its_place_and_nothing_else_changes(text: str, place: tuple[int, int], why: str) -> None:
    own = table(place, why)
    made = insert_table(text, own)
    before, after = (tomllib.loads(each).get("lemma", []) for each in (text, made))
    assert len(after) == len(before) + 1 and "".join(split_tables(made)) == made
    where = next(at for at in range(len(made)) if made.startswith(own, at) and (
        made[:at].rstrip("\n") + made[at + len(own):].lstrip("\n")).replace("\n", "") == text.replace("\n", ""))
    assert where >= 0
    if before.count(after[-1]) == 0 and tomllib.loads(own)["lemma"][0] not in before:
        gone = remove_table(made, own)
        assert gone is not None and tomllib.loads(gone).get("lemma", []) == before


@pytest.mark.parametrize("full", [".pending", ".jsonl", "lemmas.toml"])
def test_what_a_full_disk_refused_is_not_written_later(
    full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / PATH
    path.parent.mkdir(parents=True)
    journal = Journal(tmp_path)
    journal.write([(PATH, (), (table((1, 1), "first"),))], who="a", what="1")
    before = path.read_text("utf-8")
    with monkeypatch.context() as patch:
        if full == ".jsonl":
            patch.setattr("os.fsync", refuse)
        else:
            patch.setattr("jiaokan.desk.journal.write_file",
                          lambda path, data: refuse() if path.name.endswith(full) else write_file(path, data))
        with pytest.raises(OSError, match="No space"):
            journal.write([(PATH, (), (table((1, 2), "refused"),))], who="a", what="2")
    assert path.read_text("utf-8") == before
    for each in (journal, Journal(tmp_path)):
        each.write([(PATH, (), (table((1, 3), "later"),))], who="a", what="3")
        assert "refused" not in path.read_text("utf-8")
        assert each.turn("undo", "a") is not None
        assert path.read_text("utf-8") == before


@pytest.mark.thorough
@given(files, st.lists(st.tuples(places, words), min_size=1, max_size=4), st.data())
def test_undone_it_is_to_the_byte_what_it_was(
    text: str, tables: list[tuple[tuple[int, int], str]], data: st.DataObject,
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        path = root / PATH
        path.parent.mkdir(parents=True)
        if exists := data.draw(st.booleans()):
            path.write_bytes(text.encode())
        journal = Journal(root)
        for place, why in tables:
            journal.write([(PATH, (), (table(place, why),))], who="a", what="试")
        done = path.read_bytes()
        while journal.turn("undo", "a"):
            pass
        assert path.read_bytes() == text.encode() if exists else not path.exists()
        again = Journal(root)
        while again.turn("redo", "a"):
            pass
        assert path.read_bytes() == done
        assert again.turn("undo", "b") is None


def decide_until_killed(root: Path, moment: int, said: Path) -> None:
    """Write decisions, each told when it is done, until the process is killed when it touches a file the nth time."""
    left = moment

    def touched(event: str, _: object) -> None:
        nonlocal left
        if event in ("open", "os.rename", "os.remove"):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(touched)
    journal = Journal(root)
    journal.recover()
    for number in range(9):
        why = f"{moment}-{number}"
        journal.write([(PATH, (), (table((1, number), why),))], who="a", what=why)
        with said.open("a", encoding="utf-8") as out:
            out.write(f"{why}\n")


def test_killed_at_any_moment_nothing_is_lost(tmp_path: Path) -> None:
    """A desk that is killed while it writes: all that it had said to be done is there, once; each file is whole."""
    path, said = tmp_path / PATH, tmp_path / "said"
    path.parent.mkdir(parents=True)
    for moment in range(1, 51, some(3, 1)):
        child = os.fork()
        if child == 0:
            decide_until_killed(tmp_path, moment, said)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert not path.exists() or tomllib.loads(path.read_text(encoding="utf-8"))
    journal = Journal(tmp_path)
    journal.recover()
    found = [each["why"] for each in tomllib.loads(path.read_text(encoding="utf-8"))["lemma"]]
    told = said.read_text(encoding="utf-8").splitlines()
    assert len(told) > some(6, 20) and {*told} <= {*found} and len(found) == len({*found}) == len(journal.entries)
    while journal.turn("undo", "a"):
        pass
    assert not path.exists()
