"""Sealed rooms know nothing of editions: they import `errors` and themselves only, and their README's example runs."""

from __future__ import annotations

import ast
import doctest
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.rooms import PACKAGE, ROOT


@dataclass(frozen=True)
class Sealed:
    """A room that could be published alone."""

    name: str
    packages: tuple[str, ...]
    """The packages of others that it may import."""
    tests: tuple[str, ...]
    """Files of tests that use nothing else of the program."""


ROOMS = (
    Sealed("align", ("rapidfuzz",), ("test_align.py",)),
    Sealed("relaxng", ("elementpath", "lxml", "regex", "xmlschema"), ("test_relaxng.py",)),
    Sealed("columns", (), ("test_sealed_columns.py",)),
)
HEADS = ("What comes in", "What goes out", "An example", "Read first", "What it is held to")
LINES = 75  # a page


def imported(path: Path) -> set[str]:
    """Return the dotted names of all modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names |= ({f"jiaokan.{alias.name}" for alias in node.names} if node.module == "jiaokan"
                      else {node.module or ""})
    return names


def strangers(names: set[str], ours: tuple[str, ...], packages: tuple[str, ...]) -> set[str]:
    """Return the names that are neither of the standard library, nor of these modules of ours, nor of packages."""
    known = {*sys.stdlib_module_names, *packages}
    inside = tuple(f"{module}." for module in ours)
    return {name for name in names
            if name.partition(".")[0] not in known and name not in ours and not name.startswith(inside)}


@pytest.mark.parametrize("sealed", ROOMS, ids=lambda sealed: sealed.name)
def test_a_sealed_room_imports_nothing_of_the_house(sealed: Sealed) -> None:
    ours = (f"jiaokan.{sealed.name}", "jiaokan.errors")
    for path in sorted((PACKAGE / sealed.name).rglob("*.py")):
        assert not strangers(imported(path), ours, sealed.packages), path
    for name in sealed.tests:
        names = imported(ROOT / "tests" / name) - {"tests.amount"}
        assert not strangers(names, ours, (*sealed.packages, "hypothesis", "pytest")), name


@pytest.mark.parametrize(
    ("source", "broken"),
    [
        ("from jiaokan.model import Unit", {"jiaokan.model"}),
        ("def f():\n    import jiaokan.characters.equality", {"jiaokan.characters.equality"}),
        ("from jiaokan import tei", {"jiaokan.tei"}),
        ("import numpy", {"numpy"}),
        ("from jiaokan.aligner import x", {"jiaokan.aligner"}),
        ("import re\nfrom jiaokan.errors import Message\nfrom jiaokan.align.blocks import Pair", set()),
        ("from rapidfuzz.distance import Levenshtein", set()),
    ],
)
def test_a_broken_seal_shows(tmp_path: Path, source: str, broken: set[str]) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    assert strangers(imported(path), ("jiaokan.align", "jiaokan.errors"), ("rapidfuzz",)) == broken


@pytest.mark.parametrize("sealed", ROOMS, ids=lambda sealed: sealed.name)
def test_the_example_of_a_sealed_room_runs(sealed: Sealed) -> None:
    path = PACKAGE / sealed.name / "README.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == list(HEADS)
    assert len(lines) <= LINES
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried and not failed


@pytest.mark.parametrize("sealed", ROOMS, ids=lambda sealed: sealed.name)
def test_the_interface_of_a_sealed_room_is_its_init(sealed: Sealed) -> None:
    """Modules of other rooms import a sealed room by its name, not by its modules."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if not path.is_relative_to(PACKAGE / sealed.name):
            inner = {name for name in imported(path) if name.startswith(f"jiaokan.{sealed.name}.")}
            assert not inner, path
