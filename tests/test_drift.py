"""Documents, packaging and code say the same."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from jiaokan import __version__
from jiaokan.build.stages import ALWAYS, STAGES, Stage, files
from jiaokan.cli import cli
from jiaokan.cli._report import FORMATS
from jiaokan.settings.catalog import load
from jiaokan.settings.flat import flat_fields
from jiaokan.settings.plans import PrintPlan
from tests.amount import some_of

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
MODULES = {"markdown-it-py": "markdown_it", "pylopdf-fonts-zh-cn": "pylopdf_fonts_zh_cn", "fonttools": "fontTools",
           "pypandoc-binary": "pypandoc", "tomli-w": "tomli_w",
           "python-crfsuite": "pycrfsuite", "pillow": "PIL"}
"""Modules of packages that are called otherwise."""


COMMANDS = {name: cli.get_command(click.Context(cli), name) for name in cli.list_commands(click.Context(cli))}
DOCUMENTS = ("README.md", "README.zh.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
             *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"`jiaokan {command}" in text("docs/commands.md")


def test_every_key_of_print_is_documented() -> None:
    for key in flat_fields(PrintPlan):
        assert f"`{key}`" in text("docs/print.md")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_only_commands_that_exist(document: str) -> None:
    named = set(re.findall(r"^(?:\$ )?jiaokan ([a-z-]+)|`jiaokan ([a-z-]+)", text(document), re.M))
    assert {first or second for first, second in named} <= set(COMMANDS)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_only_make_targets_that_exist(document: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.M))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text(document), re.M)) <= targets


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text(document))
    missing = [each for each in targets if "://" not in each and not (ROOT / document).parent.joinpath(each).exists()]
    assert missing == []


FOR_DEVELOPERS = {"licences.md"}
"""Pages that are only in English."""


@pytest.mark.parametrize("name", sorted({path.name for path in (ROOT / "docs").glob("*.md")} - FOR_DEVELOPERS))
def test_a_chinese_page_has_what_the_english_one_has(name: str) -> None:
    english, chinese = text(f"docs/{name}"), text(f"docs/zh/{name}")
    blocks = re.compile(r"^```.*?^```$", re.M | re.S)
    assert blocks.findall(chinese) == blocks.findall(english)
    for line in ("## ", "|", "- "):
        assert chinese.count(f"\n{line}") == english.count(f"\n{line}"), line
    assert f"](zh/{name})" in english
    assert f"](../{name})" in chinese


def test_both_readmes_say_the_same() -> None:
    english, chinese = text("README.md"), text("README.zh.md")
    assert re.findall(r"^jiaokan.*?(?=  )", english, re.M) == re.findall(r"^jiaokan.*?(?=  )", chinese, re.M)
    links = re.compile(r"\]\(([\w./]+\.(?:md|png))\)")
    named = {link.replace("docs/zh/", "docs/") for link in links.findall(chinese)}
    assert named - {"README.md"} <= {*links.findall(english)}


def test_validate_offers_every_report() -> None:
    command = COMMANDS["validate"]
    assert command
    form = next(parameter for parameter in command.params if parameter.name == "form")
    assert isinstance(form.type, click.Choice)
    assert list(form.type.choices) == list(FORMATS)


def test_changelog_and_licence() -> None:
    assert re.search(rf"^## (Unreleased|{re.escape(__version__)})", text("CHANGELOG.md"), re.M)
    assert PROJECT["license"] in text("LICENSE")


def test_whoever_cites_the_program_cites_this_version() -> None:
    assert f"\nversion: {__version__}\n" in text("CITATION.cff")


def test_what_decides_bytes_is_pinned_as_in_the_constraints() -> None:
    exact = {each for each in PROJECT["dependencies"] if "==" in each}
    assert {"saxonche", "typst", "pylopdf-fonts-zh-cn", "uharfbuzz"} <= {each.partition("==")[0] for each in exact}
    assert exact <= set(text("constraints.txt").lower().split())


def test_every_dependency_is_pinned_and_used() -> None:
    modules = {
        name.partition(".")[0]
        for path in (ROOT / "pipeline" / "jiaokan").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in names(node)
    }
    for requirement in PROJECT["dependencies"]:
        package = re.split(r"[<>=]", requirement)[0]
        assert f"\n{package.lower()}==" in CONSTRAINTS, f"{package} is not pinned"
        module = MODULES.get(package, package)
        assert module in modules, f"{package} is not used"
    extras = ("docx", "cluster", "images")
    named = [*PROJECT["dependencies"], *(each for extra in extras for each in PROJECT["optional-dependencies"][extra])]
    known = {re.split(r"[<>=]", requirement)[0] for requirement in named}
    third = modules - set(sys.stdlib_module_names) - {"jiaokan"}
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


def test_one_module_of_the_tests_runs_a_loop() -> None:
    """A second loop in the thread of a browser is refused, in any test that comes after the browser's."""
    paths = (ROOT / "tests").rglob("*.py")
    running = [path.name for path in paths if "asyncio.run" in path.read_text(encoding="utf-8")]
    assert sorted(running) == ["asgi.py", Path(__file__).name]


@pytest.mark.starts
@pytest.mark.parametrize("stage", some_of(STAGES, 3), ids=lambda stage: stage.name)
def test_a_change_of_what_a_stage_runs_makes_it_stale(stage: Stage) -> None:
    """Whatever of the program is loaded by importing a stage's modules is among the files that are watched."""
    watched = {path for _, path in files((*ALWAYS, *stage.program))}
    modules = [
        ".".join(path.relative_to(ROOT / "pipeline").with_suffix("").parts).removesuffix(".__init__")
        for path in watched if path.suffix == ".py"
    ]
    code = f"""import importlib, sys
for name in {modules!r}: importlib.import_module(name)
print(*(m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "jiaokan"), sep="\\n")"""
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {Path(line) for line in loaded.stdout.split()} <= watched
    names = {path.name for path in watched}
    if stage.name in ("html", "pdf"):
        assert {"xslt.py", f"{stage.name}.py", "main.xsl"} <= names
    if stage.name == "collate":
        assert {"pairwise.py", "graphic.tsv", "build.py"} <= names


HASHED = ("validate", "edition", "dev")
TOOLS = {"editables", "hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
"""What builds a wheel, and is asked for nothing else."""


def pinned(name: str) -> dict[str, str]:
    """The packages of a file of requirements, with their versions; each has hashes."""
    blocks = re.split(r"\n(?=[a-z])", (ROOT / f".ci/requirements-{name}.txt").read_text(encoding="utf-8"))[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    return dict(re.split(r"==|[ ;\n]", block)[:2] for block in blocks)


@pytest.mark.parametrize("name", HASHED)
def test_what_is_hashed_is_what_is_pinned(name: str) -> None:
    for package, version in pinned(name).items():
        known = package == "colorama" or f"\n{package}=={version}\n" in f"{CONSTRAINTS}\n"
        assert known, f"run `make hashes`: {package}"
    own = [line for line in text(".ci/requirements-validate.in").splitlines() if not line.startswith("#")]
    asked = own if name == "validate" else PROJECT["dependencies"]
    asked = [*asked, *(PROJECT["optional-dependencies"]["dev"] if name == "dev" else ())]
    for requirement in asked:
        package = re.split(r"[<>=]", requirement)[0].lower().replace("_", "-")
        assert package in pinned(name), f"run `make hashes`: {package} is new"


def test_the_licence_of_each_package_is_told() -> None:
    told = set(re.findall(r"^\| \**([a-z0-9-]+)\** \|", text("docs/licences.md"), re.M)) - {"package"}
    assert told == pinned("edition").keys() - TOOLS
