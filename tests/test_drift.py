"""Documents, packaging and code say the same."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
import tomllib
from pathlib import Path

import click
import pytest

from pipeline import __version__
from pipeline.build.stages import BASE, STAGES
from pipeline.catalog import load
from pipeline.cli import cli
from pipeline.validate.reports import FORMATS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
MODULES = {"pylopdf-fonts-zh-cn": "pylopdf_fonts_zh_cn", "fonttools": "fontTools"}
"""Modules of packages that are called otherwise."""


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_readme_names_every_command(command: str) -> None:
    assert f"`jiaokan {command}" in text("README.md")


def test_readme_names_no_other_command() -> None:
    named = set(re.findall(r"^(?:\$ )?jiaokan ([a-z]+)|`jiaokan ([a-z]+)", text("README.md"), re.M))
    assert {first or second for first, second in named} <= set(cli.commands)


def test_readme_names_only_make_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.M))
    for document in ("README.md", "CONTRIBUTING.md"):
        assert set(re.findall(r"(?:^|`)make ([a-z]+)", text(document), re.M)) <= targets


def test_validate_offers_every_report() -> None:
    form = next(parameter for parameter in cli.commands["validate"].params if parameter.name == "form")
    assert isinstance(form.type, click.Choice)
    assert list(form.type.choices) == list(FORMATS)


def test_changelog_and_licence() -> None:
    assert re.search(rf"^## (Unreleased|{re.escape(__version__)})", text("CHANGELOG.md"), re.M)
    assert PROJECT["license"] in text("LICENSE")


def test_every_dependency_is_pinned_and_used() -> None:
    modules = {
        name.partition(".")[0]
        for path in (ROOT / "pipeline").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in names(node)
    }
    for requirement in PROJECT["dependencies"]:
        package = re.split(r"[<>=]", requirement)[0]
        assert f"\n{package.lower()}==" in CONSTRAINTS, f"{package} is not pinned"
        module = MODULES.get(package, package)
        assert module in modules, f"{package} is not used"
    known = {re.split(r"[<>=]", requirement)[0] for requirement in PROJECT["dependencies"]}
    third = modules - set(sys.stdlib_module_names) - {"pipeline"}
    assert third <= {MODULES.get(package, package) for package in known}
    for requirement in PROJECT["optional-dependencies"]["dev"]:
        assert f"\n{requirement.lower()}==" in CONSTRAINTS, f"{requirement} is not pinned"


def names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_sources_are_as_declared() -> None:
    catalog = load(ROOT)
    for entry in catalog.sources.values():
        assert hashlib.sha256(catalog.path(entry).read_bytes()).hexdigest() == entry.sha256
    assert {catalog.path(entry) for entry in catalog.sources.values()} == set((ROOT / "tei/sources").iterdir())


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_a_stage_names_all_the_program_that_it_runs(stage: object) -> None:
    """A change of anything that a stage imports must make it stale."""
    declared = [ROOT / "pipeline" / part for part in (*BASE, *stage.program)]  # type: ignore[attr-defined]
    files = [file for path in declared for file in ([path] if path.is_file() else path.rglob("*.py"))]
    for file in files:
        if file.match("build/work.py"):  # imports the rooms of all stages, each when it is called
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for name in names(node):
                if name.startswith("pipeline."):
                    path = ROOT.joinpath(*name.split("."))
                    path = path if path.is_dir() else path.with_suffix(".py")
                    assert any(path == each or each in path.parents for each in declared), f"{file.name}: {name}"
