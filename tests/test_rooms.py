"""The first paragraph of each room: what comes in, what goes out, and which three modules to read first."""

from __future__ import annotations

import ast
import re

import pytest

from tests.rooms import FLOOR, PACKAGE

ALONE = {"errors", "messages"}  # rooms of one module


def introduction(room: str) -> str:
    """Return the paragraph after the first line of a room's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[1].split()) if "\n\n" in docstring else ""


def exists(room: str, name: str) -> bool:
    """Whether a module of a room, or of the package, has a dotted name."""
    paths = (base.joinpath(*name.split(".")) for base in (PACKAGE / room, PACKAGE))
    return any(path.is_dir() or path.with_suffix(".py").exists() for path in paths)


@pytest.mark.parametrize("room", sorted(FLOOR.keys() - ALONE))
def test_a_room_says_what_it_does(room: str) -> None:
    words = introduction(room)
    assert re.match(r"In comes? .+[;.] (?i:out) goe?s? .+\. Read first ", words), f"{room}: {words}"
    named = re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)` ?(?:\(|,|and|\.)", words.partition("Read first ")[2] + ".")
    assert len(named) == 3, f"{room} names {named}"
    assert all(exists(room, name) for name in named), f"{room} names {[n for n in named if not exists(room, n)]}"


@pytest.mark.parametrize("room", sorted(ALONE))
def test_a_room_of_one_module_has_no_others(room: str) -> None:
    assert not [path for path in (PACKAGE / room).rglob("*.py") if path.name != "__init__.py"]
