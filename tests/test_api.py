"""The Python API: its examples run, it is cheap to import, and the commands give the same."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import jiaokan
from jiaokan.cli import cli

PAGES = Path(__file__).parents[1] / "docs"
FURTHER = ("pandas", "matplotlib", "networkx")
"""Packages of other notebooks, which the page of a notebook uses and this program does not need."""
OFFERED = {name: getattr(jiaokan, name) for name in jiaokan.__all__}


def page(name: str, without: Sequence[str] = ()) -> doctest.DocTest:
    """Return the examples of a page, without the blocks that import some packages."""
    blocks = re.findall(r"^```python$(.*?)^```$", (PAGES / name).read_text(encoding="utf-8"), re.M | re.S)
    kept = [block for block in blocks if not any(f"import {other}" in block or f"from {other}" in block
                                                 for other in without)]
    return doctest.DocTestParser().get_doctest("\n".join(kept), {}, name, name, 0)


EXAMPLES = [
    *(test for name, value in OFFERED.items() for test in doctest.DocTestFinder().find(value, name, module=False)
      if test.examples),
    page("python.md"), page("notebook.md", FURTHER),
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, with the example of ``jiaokan init demo`` in it."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["init", "demo"]).exit_code == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_run(example: doctest.DocTest) -> None:
    runner, said = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), list[str]()
    example.globs |= OFFERED | {"Path": Path}
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("package", FURTHER)
def test_the_page_of_a_notebook_runs_with_what_is_installed(package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed: its block of docs/notebook.md does not run")
    test_examples_run(page("notebook.md", [other for other in FURTHER if other != package]))


def test_the_examples_of_the_docstrings_are_among_them() -> None:
    names = {example.name for example in EXAMPLES}
    assert names >= {"collate_texts", "read_source", "validate_tei", "TeiText", "TeiText.entries", "Edition"}


@pytest.mark.starts
def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, jiaokan; print([name for name in sys.modules if name.startswith('jiaokan.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_offered_and_no_other() -> None:
    for name in jiaokan.__all__:
        assert getattr(jiaokan, name).__doc__
    with pytest.raises(AttributeError, match="nothing"):
        jiaokan.__getattr__("nothing")


def test_commands_and_functions_give_the_same() -> None:
    def command(*arguments: str) -> bytes:
        done = CliRunner().invoke(cli, arguments)
        assert done.exit_code == 0, done.output
        return done.stdout_bytes

    folder = jiaokan.Edition("demo")
    assert folder.convert("jizhu").tei == command("convert", "jizhu", "-C", "demo")
    Path("a.txt").write_text("學而時習之\n", encoding="utf-8")
    Path("b.txt").write_text("學而時習\n", encoding="utf-8")
    made = jiaokan.collate_texts(["a.txt", "b.txt"])
    assert made.apparatus("csv").encode() == command("collate", "a.txt", "b.txt", "-f", "csv")
    assert made.apparatus("tei").encode() == command("collate", "a.txt", "b.txt", "-f", "tei") == made.tei
    made.save("made.xml")
    assert made.read("1") == command("read", "made.xml", "1").decode().rstrip("\n")
    assert jiaokan.read_tei("made.xml").document == made.document
    jiaokan.to_html(["made.xml"], "one", title="t")
    command("html", "made.xml", "--out", "two", "--title", "t")
    one, two = ({path.relative_to(home): path.read_bytes() for path in Path(home).rglob("*") if path.is_file()}
                for home in ("one", "two"))
    assert one == two
    jiaokan.to_pdf(made, "one.pdf", layout="traditional")
    command("pdf", "made.xml", "--out", "two.pdf", "--layout", "traditional")
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def test_a_convention_may_be_a_mapping() -> None:
    Path("my.txt").write_text("學而\n子曰：學而時習之。[馬融曰：時習。]\n", encoding="utf-8")
    convention = {"brackets": "[]"}
    Path("my.toml").write_text('brackets = "[]"\n', encoding="utf-8")
    by_file, by_mapping = (jiaokan.read_source("my.txt", reader="brackets", convention=each, chapters={1: "學而"})
                           for each in (Path("my.toml"), convention))
    assert by_file.tei == by_mapping.tei and by_file.read("1") == "子曰：學而時習之。"
