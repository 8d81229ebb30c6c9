"""The decisions and punctuated lines of a text that do not fit, each with the reason and its table."""

from __future__ import annotations

import re
from pathlib import Path

from jiaokan.decisions.filing import file_lines
from jiaokan.desk.input_types import unfit_lines
from jiaokan.desk.questions import filed_row, table_of
from jiaokan.desk.remake import DeskEdition, ReceivedSources
from jiaokan.desk.replies import Conflict, FileFault
from jiaokan.desk.texts import DeskText
from jiaokan.errors import Finding, JiaokanError, Message, Place


def find_conflicts(desk_text: DeskText, received: ReceivedSources, root: Path) -> list[Conflict]:
    """Return the decisions and punctuated lines that do not fit, of a text in the edition folder `root`."""
    rows: list[Conflict] = []
    if isinstance(desk_text, DeskEdition):
        rows += [{**filed_row(misfit.filed), "reason": misfit.why} for misfit in desk_text.decided.misfits]
        rows += [_misfit_row(root, "passim", error) for error in desk_text.decided.passim]
        rows += [_moved_row(root, finding) for finding in desk_text.decided.findings
                 if finding.rule == "decision-moved"]
    rows += [_misfit_row(root, "source", error_part) for name in desk_text.plan.all_witnesses()
             if (error := received.refused.get(name)) for error_part in error.several or (error,)]
    return [*rows, *([_misfit_row(root, "line", desk_text.fault)] if desk_text.fault else []), *unfit_lines(desk_text)]


def fault_rows(root: Path, error: JiaokanError | None) -> list[FileFault]:
    """Return what keeps the files of a folder from being read: each fault with the table of decisions that has it, or
    with the whole file."""
    return [_fault_row(root, part) for part in error.several or (error,)] if error else []


def _fault_row(root: Path, error: JiaokanError) -> FileFault:
    place = error.place or Place("")
    file = root / place.file  # an absolute path stays what it is
    place = Place(str(file), place.line)
    path, table = table_of(root, place) or (place.file, "")
    first = 0
    if file.is_relative_to(root):
        path = file.relative_to(root).as_posix()
        if not table and file.is_relative_to(root / "tei") and file.is_file():
            table = file.read_text(encoding="utf-8", errors="replace")
        elif table:
            text = file.read_text(encoding="utf-8", errors="replace")
            start = len("".join(file_lines(text)[: place.line - 1]))
            first = text[: text.rfind(table, 0, start + len(table))].count("\n")
    return {"kind": "fault", "reason": error.message, "mend": error.mend, "path": path, "line": place.line,
            "at": max(0, place.line - first), "table": table}


def key_of(conflict: Conflict) -> tuple[str, str]:
    """Return what a conflict has in common with the same one after another decision: its file, and table or reason."""
    return str(conflict["path"]).partition(":")[0], str(conflict["table"] or conflict["reason"])


def _misfit_row(root: Path, kind: str, error: JiaokanError) -> Conflict:
    path, table = table_of(root, error.place) or (str(error.place), "")
    return {"kind": kind, "reason": error.message, "path": path, "table": table}


def _moved_row(root: Path, finding: Finding) -> Conflict:
    path, table = table_of(root, Place(str(root / finding.place.file), finding.place.line)) or ("", "")
    now = f'unit = "{Message.of(finding.mend).values["place"]}"'
    return {"kind": "moved", "reason": finding.message, "path": path, "table": table,
            "mended": re.sub(r"^unit = .*$", lambda _: now, table, count=1, flags=re.M)}
