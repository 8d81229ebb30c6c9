"""The documents name only what exists: modules, files, identifiers, options; and count no entries in prose."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import pytest

from jiaokan.cli import cli
from jiaokan.decisions.kinds import KINDS
from jiaokan.settings import layouts

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted({path.relative_to(ROOT).as_posix() for folder, pattern in (
    (ROOT, "*.md"), (ROOT / "docs", "**/*.md")) for path in folder.glob(pattern)} - {"CHANGELOG.md"})
FOLDERS = "docs|pipeline|tests|xslt|schema|benchmarks|\\.ci"
PROGRAM = {".py", ".toml", ".tsv", ".xsl", ".js", ".css", ".yml", ".typ", ".po", ".xsd", ".sch"}
OF_OTHERS = {"schema/iiif_3_0.json", "zsh_source", "fish_source"}
"""Names of other programs: a file of the IIIF validator, values of click."""
MEASURED = {"docs/accuracy.md", "docs/zh/accuracy.md", "docs/development/measured.md"}
"""Pages with dated measurements, whose figures are those of their day."""


def spans(document: str) -> list[str]:
    """Return the inline code of a document, without its blocks."""
    prose = re.sub(r"^```.*?^```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", prose)


@cache
def words() -> frozenset[str]:
    """Return the names in the sources of the program and its tests."""
    paths = [path for folder in ("pipeline", "tests", "xslt", "schema", "docs", "benchmarks", ".ci", ".github")
             for path in (ROOT / folder).rglob("*") if path.suffix in PROGRAM and "node_modules" not in path.parts]
    texts = (path.read_text(encoding="utf-8") for path in [*paths, ROOT / "pyproject.toml", ROOT / "action.yml"])
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text))


def exists(dotted: str) -> bool:
    """Whether a dotted name of the package leads to a module or what is in it."""
    parts, inside = dotted.split("."), list[str]()
    while parts:
        try:
            value = import_module(".".join(parts))
        except ImportError:
            inside.insert(0, parts.pop())
            continue
        for name in inside:
            value = getattr(value, name, None)
        return value is not None
    return False


def dead(span: str) -> bool:
    """Whether a piece of inline code names something that does not exist; what is no name of ours is not dead."""
    if span in OF_OTHERS:
        return False
    if match := re.fullmatch(r"(jiaokan(?:\.\w+)+)(?:\(.*\))?", span):
        return not exists(match[1])
    if re.fullmatch(rf"(?:{FOLDERS})/[\w./-]+", span) and not re.search(r"\b[A-Z]{2,}\b", span):
        return not (ROOT / span).exists()
    if re.fullmatch(r"[A-Za-z_]\w*_\w+(?:\(\))?|_[A-Za-z]\w*", span):
        return span.removesuffix("()") not in words()
    return False


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_in_prose_names_only_what_exists(document: str) -> None:
    names = [span for span in spans(document) if dead(span)]
    if document in MEASURED:  # what was tried may be gone; files and modules are there
        names = [name for name in names if "/" in name or "." in name]
    assert names == []


@pytest.mark.parametrize("span", ["jiaokan.stats.measures.figures(text)", "jiaokan.nowhere", "docs/measured.md",
                                  "pipeline/jiaokan/none.py", "no_such" + "_setting", "_NO_SUCH" + "_LIMIT"])
def test_a_dead_name_is_found(span: str) -> None:
    assert dead(span)


OPTIONS = {name: {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
           | {"--help"} for name in cli.list_commands(click.Context(cli))
           if (command := cli.get_command(click.Context(cli), name))}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_have_the_options_that_a_document_gives_them(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    wrong = [(command, option) for command, rest in re.findall(r"jiaokan ([a-z-]+)((?: [^\n`;|&#]*)?)", text)
             for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])", rest)
             if command in OPTIONS and option not in OPTIONS[command]]
    known = set().union(*OPTIONS.values()) | {"--version"}
    assert wrong == [] and [option for option in re.findall(r"`(--[a-z][a-z-]*)", text) if option not in known] == []


@pytest.mark.parametrize("document", sorted(set(DOCUMENTS) - MEASURED))
def test_prose_counts_no_entries_of_an_edition(document: str) -> None:
    """A count of the entries of a text changes with the program: it is in a tested block of code, or nowhere."""
    prose = re.sub(r"^```.*?^```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.M | re.S)
    assert re.findall(r"\d{1,3}(?:,\d{3})+ (?:entries|variants|notes|条)", prose) == []


@pytest.mark.parametrize("page", ["docs/decisions.md", "docs/zh/decisions.md"])
def test_each_kind_of_decision_has_its_row(page: str) -> None:
    rows = "\n".join(re.findall(r"^\|([^|]*)\|", (ROOT / page).read_text("utf-8"), re.M))
    assert {kind.name for kind in KINDS} - set(re.findall(r"`(\w+)`", rows)) == set()


@pytest.mark.parametrize("page", ["docs/print.md", "docs/zh/print.md"])
def test_each_layout_has_its_row(page: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / page).read_text("utf-8"), re.M)
    assert set(layouts.names()) - set(rows) == set()
