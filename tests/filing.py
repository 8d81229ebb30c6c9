"""File a decision as the desk does, and folders with two editors, for tests."""

from __future__ import annotations

from pathlib import Path

from jiaokan.decisions.filing import file_of, to_toml
from jiaokan.decisions.tables import Decision
from jiaokan.desk.journal import Journal


def file_decision(root: Path, decision: Decision) -> None:
    """Add a decision to its file."""
    name = file_of(root, decision).relative_to(root).as_posix()
    Journal(root).write([(name, [], [to_toml(decision)])], who=decision.resp, what=name)


def two_editors(root: Path) -> None:
    """Declare two editors of a folder, `jia` and `yi`."""
    catalog, persons = root / "tei" / "catalog.toml", root / "tei" / "persons.toml"
    text = catalog.read_text(encoding="utf-8")
    assert 'editors = ["某某"]' in text
    catalog.write_text(text.replace('editors = ["某某"]', 'editors = ["甲某", "乙某"]'), encoding="utf-8")
    rows = "".join(f'\n[[person]]\nid = "{key}"\nname = "{name}某"\nlabel = "{name}"\n'
                   for key, name in (("jia", "甲"), ("yi", "乙")))
    persons.write_text(persons.read_text(encoding="utf-8") + rows, encoding="utf-8")
