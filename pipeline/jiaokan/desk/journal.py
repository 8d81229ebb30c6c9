"""The desk's journal, from which decisions are undone.

The journal has a line of JSON for each decision. It is in the user's state directory
(`jiaokan.system.atomic.state_file`), never in the edition folder: replaying it changes files, and an edition folder
may come from a stranger. Nothing outside ``tei/`` is changed.

An entry is on disk before any file changes: the next desk completes what one was interrupted in (`Journal.recover`).
Lines are only appended; an undo is a line, too. Files are changed by pieces (a table with its comment, a line of
punctuation), so other people's changes in between stay, also uncommitted ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from jiaokan.decisions.filing import insert_table, remove_table, writing
from jiaokan.decisions.punctuation.files import insert_line, remove_line
from jiaokan.errors import DecisionError, JiaokanError, Message, Place
from jiaokan.model.text import common_prefix
from jiaokan.system.atomic import inside, recover, state_file, write_file

Turned = Literal["undo", "redo"]


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """The change of one file: pieces to delete and pieces to insert."""

    path: str
    """As seen from the edition folder."""
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    before: str = ""
    """sha256 of the file before, empty if there was none; where the file still has it, the edit is applied exactly."""
    after: str = ""
    at: int = 0
    """Where the texts before and after begin to differ, in characters."""
    old: str = ""
    """What stands there before, up to where they are the same again; and after:"""
    new: str = ""
    whole: bool = False
    """Whether the pieces are the whole file."""


class JournalLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the journal."""

    n: int
    do: Literal["decide", "undo", "redo"]
    who: str
    when: str
    """The time, as ISO 8601 writes it."""
    what: str
    text: str = ""
    place: str = ""
    """Id of the unit, or of what it was about."""
    of: int = 0
    """Of an undo or redo: the number of the line that it is of."""
    edits: tuple[Edit, ...] = ()


class Clash(DecisionError):
    """A place that somebody else has changed: the text to write there, and its present text."""

    def __init__(self, path: str, mine: str, theirs: str) -> None:
        super().__init__(Message("somebody-else-changed", path=path), place=Place(path),
                         mend=Message("compare-both-versions-decide-again"))
        self.path, self.mine, self.theirs = path, mine, theirs


class Journal:
    """The journal of one edition folder. Each call first reads the lines that others have added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path, self.pending = (state_file("desk", root, ending) for ending in (".jsonl", ".pending"))
        self.entries: list[JournalLine] = []
        self._read = 0

    def load(self) -> None:
        """Read the lines added since the last call, except an incomplete last line.

        Raises JiaokanError for an invalid line.
        """
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            if line.strip():
                self.entries.append(_decode_line(line, self.path))
        self._read += len(whole)

    def write(
        self, edits: Sequence[tuple[str, Sequence[str], Sequence[str]]], *, who: str, what: str, text: str = "",
        place: str = "", whole: bool = False,
    ) -> JournalLine:
        """Change files, all or none, and record it; `whole`: the pieces are whole files.

        Raises Clash if a piece to delete is not there as it was, JiaokanError for a file outside ``tei/``.
        """
        with writing(self.root):
            self.recover()
            file_edits = tuple(self._edit(path, gone, come, whole=whole) for path, gone, come in edits)
            return self._record_and_apply("decide", who, what, text, place, file_edits)

    def next(self, do: Turned, who: str) -> JournalLine | None:
        """Return the line that an undo or redo of a person would act on."""
        self.load()
        done: list[JournalLine] = []
        back: list[JournalLine] = []
        known = {entry.n: entry for entry in self.entries}
        for entry in self.entries:
            if entry.who != who:
                continue
            if entry.do == "decide":
                done.append(entry)
                back.clear()
            elif (target := known.get(entry.of)) is not None:
                here, there = (done, back) if entry.do == "undo" else (back, done)
                if target in here:
                    here.remove(target)
                there.append(target)
        return next(reversed(done if do == "undo" else back), None)

    def recover(self) -> JournalLine | None:
        """Complete an interrupted write and return it; None if there is none. Lines that others added stay.

        Raises Clash if that is no longer possible, JiaokanError for files outside ``tei/``.
        """
        with writing(self.root):
            self.load()
            recover(self.pending)
            if not self.pending.exists():
                return None
            entry = _decode_line(self.pending.read_bytes(), self.pending)
            paths = [self._path(edit.path) for edit in entry.edits]
            if entry.n > len(self.entries):
                self._append(entry)
            recover(*paths)
            for edit in entry.edits:
                self._complete(edit)
            self.pending.unlink()
            return entry

    def turn(self, do: Turned, who: str) -> JournalLine | None:
        """Undo the last decision of a person that is not undone, or redo the last undone one; return None if there is
        none. Raises Clash."""
        with writing(self.root):
            self.recover()
            entry = self.next(do, who)
            if entry is None:
                return None
            edits = entry.edits
            if do == "undo":
                edits = tuple(Edit(path=edit.path, gone=edit.come, come=edit.gone, before=edit.after,
                                   after=edit.before, at=edit.at, old=edit.new, new=edit.old,
                                   whole=edit.whole) for edit in edits)
            file_edits = tuple(edit if _sum(self._bytes(edit.path)) == edit.before
                               else self._edit(edit.path, edit.gone, edit.come, whole=edit.whole) for edit in edits)
            return self._record_and_apply(do, who, entry.what, entry.text, entry.place, file_edits, of=entry.n)

    def _record_and_apply(
        self, do: Literal["decide", "undo", "redo"], who: str, what: str, text: str, place: str,
        edits: tuple[Edit, ...], of: int = 0,
    ) -> JournalLine:
        when = datetime.now(UTC).isoformat(timespec="seconds")
        entry = JournalLine(n=len(self.entries) + 1, do=do, who=who, when=when, what=what, text=text, place=place,
                            of=of, edits=edits)
        size, changed = self._read, False
        try:
            write_file(self.pending, msgspec.json.encode(entry))
            self._append(entry)
            for edit in entry.edits:
                self._apply(edit)
                changed = True
        except (OSError, JiaokanError):
            if not changed:  # what is refused as not written is not completed later
                self.pending.unlink(missing_ok=True)
                if self.path.exists():
                    os.truncate(self.path, size)
                self.entries, self._read = [line for line in self.entries if line is not entry], size
            raise
        self.pending.unlink()
        return entry

    def _edit(self, path: str, gone: Iterable[str], come: Iterable[str], *, whole: bool) -> Edit:
        data = self._bytes(path)
        before = (data or b"").decode("utf-8")
        after = apply_edit(path, before, gone, come, whole=whole)
        at = common_prefix(before, after)
        tail = common_prefix(before[at:][::-1], after[at:][::-1])
        return Edit(path=path, gone=tuple(gone), come=tuple(come), before=_sum(data),
                    after=_sum(after.encode()) if after or data is None else _sum(b""), at=at,
                    old=before[at : len(before) - tail], new=after[at : len(after) - tail], whole=whole)

    def _apply(self, edit: Edit) -> None:
        """Change a file: exactly if it is unchanged since the edit was made, else by its pieces. Raises Clash."""
        path, data = self._path(edit.path), self._bytes(edit.path)
        text = (data or b"").decode("utf-8")
        exact = text[: edit.at] + edit.new + text[edit.at + len(edit.old) :]
        after = exact if _sum(data) == edit.before else apply_edit(edit.path, text, edit.gone, edit.come,
                                                                   whole=edit.whole)
        if edit.after == "" and not after:
            path.unlink(missing_ok=True)
        else:
            write_file(path, after.encode())

    def _complete(self, edit: Edit) -> None:
        data = self._bytes(edit.path)
        if _sum(data) == edit.before:
            self._apply(edit)
        elif _sum(data) != edit.after:
            text = (data or b"").decode("utf-8")
            take, _ = _piece_functions(edit.path, whole=edit.whole)
            lacking = [piece for piece in edit.come if take(text, piece) is None]
            there = [piece for piece in edit.gone if take(text, piece) is not None]
            self._apply(self._edit(edit.path, there, lacking, whole=edit.whole))

    def _append(self, entry: JournalLine) -> None:
        data = msgspec.json.encode(entry) + b"\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            if file.tell() > self._read:
                file.truncate(self._read)  # an incomplete last line
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        self.entries.append(entry)
        self._read += len(data)

    def _path(self, path: str) -> Path:
        return inside(self.root, self.root / path, "tei")

    def _bytes(self, path: str) -> bytes | None:
        full = self._path(path)
        return full.read_bytes() if full.exists() else None


def _decode_line(line: bytes, path: Path) -> JournalLine:
    try:
        return msgspec.json.decode(line, type=JournalLine)
    except msgspec.DecodeError as error:
        raise JiaokanError(Message("invalid-line-journal-desk", error=error), place=Place(str(path)),
                           mend=Message("move-file-away-earlier-decisions")) from None


def apply_edit(path: str, text: str, gone: Iterable[str], come: Iterable[str], *, whole: bool = False) -> str:
    """Return a text without the pieces in `gone` and with those in `come`; raises Clash if one to delete is missing."""
    take, put = _piece_functions(path, whole=whole)
    after = text
    for piece in gone:
        if (left := take(after, piece)) is None:
            raise Clash(path, piece, text)
        after = left
    for piece in come:
        after = put(after, piece)
    return after


def _sum(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _piece_functions(
    path: str, *, whole: bool
) -> tuple[Callable[[str, str], str | None], Callable[[str, str], str]]:
    if path.startswith("tei/decisions/") and not whole:
        return remove_table, insert_table
    if path.startswith("tei/punctuation/") and not whole:
        return remove_line, insert_line
    return lambda text, piece: "" if text == piece else None, lambda _, piece: piece  # of settings, the whole file
