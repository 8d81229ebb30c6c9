"""The prose of the code: what is public says what it is, and what raises an error says which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from jiaokan import errors

PACKAGE = Path(__file__).parents[1] / "pipeline" / "jiaokan"
MODULES = sorted(PACKAGE.rglob("*.py"))
ERRORS = frozenset(
    name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.JiaokanError)
)
Definition = ast.FunctionDef | ast.ClassDef


def public(node: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    """Return the public functions and classes of a module or class, and those in them."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and not each.name.startswith("_"):
            yield each
            if isinstance(each, ast.ClassDef):
                yield from public(each)


def raised(node: ast.FunctionDef) -> set[str]:
    """Return the errors of ours that a function itself makes and raises."""
    return {
        each.exc.func.id
        for each in ast.walk(node)
        if isinstance(each, ast.Raise) and isinstance(each.exc, ast.Call) and isinstance(each.exc.func, ast.Name)
    } & ERRORS


def raising(module: ast.Module) -> dict[ast.FunctionDef, set[str]]:
    """Give, for each function of a module, what it raises, itself or by private functions of the same module."""
    functions = [each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)]
    private = {each.name: each for each in functions if each.name.startswith("_")}
    found: dict[ast.FunctionDef, set[str]] = {}
    for function in functions:
        met, todo = {function}, [function]
        while todo:
            parts = list(ast.walk(todo.pop()))
            called = {each.id for each in parts if isinstance(each, ast.Name)}
            called |= {each.attr for each in parts if isinstance(each, ast.Attribute)}
            news = {private[name] for name in called & private.keys()} - met
            met |= news
            todo += news
        found[function] = set().union(*map(raised, met))
    return found


def is_command(node: ast.FunctionDef) -> bool:
    """Whether a function is a command: its docstring is its help, and its errors are printed as messages."""
    return any("click.command" in ast.unparse(each) for each in node.decorator_list)


def overrides(node: Definition, module: ast.Module) -> bool:
    """Whether a function is a method of a class with a base: that says what the method does."""
    return any(
        isinstance(each, ast.ClassDef) and each.bases and node in each.body for each in ast.walk(module)
    )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_is_public_is_documented(path: Path) -> None:
    module = ast.parse(path.read_text(encoding="utf-8"))
    silent = [each.name for each in public(module) if not ast.get_docstring(each) and not overrides(each, module)]
    assert (bool(ast.get_docstring(module)), silent) == (True, [])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_errors_are_named(path: Path) -> None:
    """What raises an error, itself or by private functions beside it, names it, or says "raises as …"."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    found = raising(module)
    silent = []
    for each in public(module):
        said = ast.get_docstring(each) or ""
        if isinstance(each, ast.FunctionDef) and not is_command(each) and "raises as" not in said.lower():
            silent += [f"{each.name}: {name}" for name in sorted(found[each]) if name not in said]
    assert silent == []


def test_the_test_finds_what_is_silent() -> None:
    module = ast.parse(
        "def f():\n    _h()\nclass A:\n    def g(self): ...\n    def _k(self): ...\n"
        "def _h():\n    raise SourceError('no')\n"
    )
    found = list(public(module))
    assert [each.name for each in found if not ast.get_docstring(each)] == ["f", "A", "g"]
    errors_of = raising(module)
    assert [errors_of[each] for each in found if isinstance(each, ast.FunctionDef)] == [{"SourceError"}, set()]
