"""File a decision as the desk does, for tests."""

from __future__ import annotations

from pathlib import Path

from pipeline.decisions.filing import file_of, to_toml
from pipeline.decisions.tables import Decision
from pipeline.desk.journal import Journal


def file_decision(root: Path, decision: Decision) -> None:
    """Add a decision to its file."""
    name = file_of(root, decision).relative_to(root).as_posix()
    Journal(root).write([(name, [], [to_toml(decision)])], who=decision.resp, what=name)
