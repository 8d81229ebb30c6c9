"""What was decided at the desk committed to git, if it is wished: of each file the desk's own changes and no others.

A file as the last commit has it gets the pieces that the journal says, as `pipeline.desk.journal` puts them; what
others changed in it and have not committed stays as it is, uncommitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pipeline.desk.journal import Clash, JournalLine, carried_out
from pipeline.errors import JiaokanError
from pipeline.system.repository import commit, committed

When = Literal["", "decision", "sitting"]
_DONE = {"decide": "Decide", "undo": "Take back", "redo": "Decide again"}


class Committing:
    """Commits after each decision, or at the end of the sitting; or never."""

    def __init__(self, root: Path, when: When = "") -> None:
        self.root, self.when = root, when
        self.waiting: list[JournalLine] = []

    def take(self, entry: JournalLine) -> str:
        """Take in what was written; say why it could not be committed, if it could not."""
        if not self.when:
            return ""
        self.waiting.append(entry)
        return self.end() if self.when == "decision" else ""

    def end(self) -> str:
        """Commit what waits; say why it could not be done, if it could not: it waits on. No JiaokanError is raised."""
        if not self.waiting:
            return ""
        try:
            files = self._files()
            if files:
                commit(self.root, files, message(self.waiting))
        except JiaokanError as error:
            return f"not committed: {error.message}"
        self.waiting.clear()
        return ""

    def _files(self) -> dict[str, bytes | None]:
        """Give the files that are to be committed, those only that then are not what they were."""
        before = {edit.path: committed(self.root, edit.path) for entry in self.waiting for edit in entry.edits}
        made = dict(before)
        for edit in (edit for entry in self.waiting for edit in entry.edits):
            try:
                text = carried_out(edit, made[edit.path])
            except Clash:
                raise JiaokanError(f"{edit.path} was changed by others, who have not committed that") from None
            made[edit.path] = None if edit.after == "" and not text else text.encode()
        return {path: data for path, data in made.items() if data != before[path]}


def message(entries: Sequence[JournalLine]) -> str:
    """Give the message of a commit: what was decided, where, by whom."""
    said = [f"{_DONE[each.do]}: {each.what}" for each in entries]
    by = sorted({each.who for each in entries})
    head = said[0] if len(said) == 1 else f"{len(said)} decisions at the desk"
    rest = "" if len(said) == 1 else "\n" + "\n".join(f"- {each}" for each in said) + "\n"
    return f"{head}\n{rest}\nDecided-by: {', '.join(by)}\n"
