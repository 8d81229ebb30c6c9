"""ARCHITECTURE.md is true: its table lists the rooms, and a module imports only from lower floors."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.rooms import FLOOR, PACKAGE, ROOT, architecture

MODULES = sorted(PACKAGE.rglob("*.py"))


def room(module: str) -> str:
    """Return the room of a dotted module."""
    return module.split(".")[1]


@dataclass(slots=True)
class Facts:
    """What a module's syntax tree shows; the trees of all modules in memory would cost more than parsing them."""

    imported: set[str] = field(default_factory=set)
    """Dotted names of all modules of the package that it imports, wherever in it."""
    called: set[str] = field(default_factory=set)
    classes: list[str] = field(default_factory=list)


@cache
def facts(path: Path) -> Facts:
    made = Facts()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            made.imported |= {alias.name for alias in node.names if alias.name.startswith("jiaokan.")}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            if str(node.module).partition(".")[0] == "jiaokan":
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                made.imported |= {name if is_module(name) else str(node.module) for name in whole} - {"jiaokan"}
        elif isinstance(node, ast.Call):
            made.called.add(ast.unparse(node.func))
        elif isinstance(node, ast.ClassDef):
            made.classes.append(node.name)
    return made


def imported(path: Path) -> set[str]:
    return facts(path).imported


@cache
def is_module(name: str) -> bool:
    """Whether a dotted name is a module or a package of this checkout."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def name_of(path: Path) -> str:
    """Return the dotted name of a module's file."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down(path: Path) -> None:
    if path == PACKAGE / "__init__.py":
        assert imported(path) == {"jiaokan.api"}
        return
    mine = room(name_of(path))
    assert mine in FLOOR, f"tests/rooms.py does not list {mine}"
    for name in imported(path):
        theirs = room(name)
        if theirs != mine:
            assert FLOOR[theirs] < FLOOR[mine], f"{path.name} (floor {FLOOR[mine]}) imports {name}"


def test_no_cycles() -> None:
    graph = {name_of(path).removesuffix(".__init__"): imported(path) for path in MODULES}
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " → ".join((*above, module))
        if module not in done:
            for other in graph.get(module, ()):
                visit(other, (*above, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize(
    ("package", "home"), [("saxonche", "system"), ("typst", "outputs"), ("click", "cli"), ("rich", "cli")]
)
def test_packages_at_home(package: str, home: str) -> None:
    pattern = re.compile(rf"^\s*(import|from) {package}\b", re.M)
    users = {room(name_of(path)) for path in MODULES if pattern.search(path.read_text(encoding="utf-8"))}
    assert users <= {home}


def test_the_library_never_prints_or_exits() -> None:
    for path in MODULES:
        if "cli" not in path.relative_to(PACKAGE).parts:
            assert not facts(path).called & {"print", "sys.exit", "exit", "quit", "input"}, path


def test_tail_is_known_to_one_module() -> None:
    """Of the house; the sealed check of RELAX NG has its own."""
    users = [path for path in MODULES if re.search(r"\.tail\b", path.read_text(encoding="utf-8"))]
    assert {*users} <= {PACKAGE / "tei" / "tree.py", PACKAGE / "relaxng" / "trees.py"}


def test_a_class_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for name in facts(path).classes:
            if not name.startswith("_"):
                homes.setdefault(name, []).append(name_of(path))
    assert not {name: where for name, where in homes.items() if len(where) > 1}


def test_the_table_of_rooms_is_current() -> None:
    assert architecture() == (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), "run `python -m tests.rooms`"


def test_every_room_is_listed() -> None:
    rooms = {room(name_of(path)) for path in MODULES if path != PACKAGE / "__init__.py"}
    assert rooms == set(FLOOR)


def dotted() -> list[str]:
    """Return the dotted names in backticks, or called in the list of interfaces, of ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    names = re.findall(r"`([a-z_]+(?:\.\w+)+)`", text) + re.findall(r"^([a-z_]+(?:\.\w+)+)\(", text, re.M)
    return sorted({name for name in names if (PACKAGE / name.split(".")[0]).is_dir() and ".NAME." not in name})


@pytest.mark.parametrize("name", dotted())
def test_names_in_the_architecture_exist(name: str) -> None:
    parts = name.split(".")
    size = next(n for n in range(len(parts), 0, -1) if is_module(".".join(["jiaokan", *parts[:n]])))
    found = import_module(".".join(["jiaokan", *parts[:size]]))
    for part in parts[size:]:
        found = getattr(found, part)
