"""The decisions and punctuated lines of a text that do not fit, each with the reason and its table."""

from __future__ import annotations

import re
from pathlib import Path

from jiaokan.desk.input_types import unfit_lines
from jiaokan.desk.questions import filed_row, table_of
from jiaokan.desk.remake import DeskEdition, ReceivedSources
from jiaokan.desk.replies import Conflict
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
