"""All constants of alignment and collation are in one table, with unit, effect and source."""

from __future__ import annotations

import ast
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from jiaokan.align import table_of_settings
from jiaokan.collate.settings import SETTINGS
from tests.constants import MEASURED, measured
from tests.rooms import PACKAGE

MOST = 20
FOLDERS = ("align", "collate")
ELSEWHERE = {
    "GAP", "RELATED", "FAR",  # units of cost
    "ABSENT", "UNCOVERED", "LOST", "PRESENT",  # reasons in columns
    "WHOLE",  # a value of `_is_unit`
    "_SHOWN", "SUGGESTED",  # how much a message shows
    "_HEAD",  # graphs of a name with 曰
}
"""Numbers of modules that are no thresholds."""


def test_there_are_few() -> None:
    assert len(list(table_of_settings(SETTINGS))) <= MOST


@pytest.mark.parametrize("setting", list(table_of_settings(SETTINGS)), ids=lambda setting: setting[0])
def test_each_says_what_it_does(setting: tuple[str, float, tuple[str, str, str]]) -> None:
    name, value, about = setting
    assert value > 0 and all(about), name


def test_a_setting_is_not_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        SETTINGS.phrase = 5  # type: ignore[misc]


def test_the_table_is_current() -> None:
    assert measured() == MEASURED.read_text(encoding="utf-8"), "run `python -m tests.constants`"


def numbers(path: Path) -> set[str]:
    """Return the names of a module that are numbers written there, alone or in a tuple."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
                isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in _parts(node.value)):
            names |= {part.id for target in node.targets for part in _parts(target) if isinstance(part, ast.Name)}
    return names


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.UnaryOp):
        return _parts(node.operand)
    if isinstance(node, ast.BinOp):
        return [*_parts(node.left), *_parts(node.right)] if isinstance(node.op, ast.Pow) else []
    return [part for item in node.elts for part in _parts(item)] if isinstance(node, ast.Tuple) else [node]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_has_thresholds_of_its_own(folder: str) -> None:
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        assert numbers(path) <= ELSEWHERE, path


def test_a_threshold_in_a_module_shows(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('A = 3\nB, C = 0.5, 10**6\nD = "x"\nE = A * 2\nF = -1\nG = (1, 2)\n', encoding="utf-8")
    assert numbers(path) == {"A", "B", "C", "F", "G"}
