"""The whole road on this repository's own texts, in a copy: a build gives what is committed, and the same again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.build import BuildReport, build
from jiaokan.system.store import fingerprint
from tests.amount import ALL, some, tei_all

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.long
COMMAND = (sys.executable, "-c", "from jiaokan.cli import main; main()")


def run(*arguments: object, **environment: str) -> None:
    """Run the command in a process of its own."""
    subprocess.run([*COMMAND, *map(str, arguments)], cwd=ROOT, check=True, capture_output=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "pipeline"), **environment})


def sources_only(target: Path) -> Path:
    """Copy the edition folder without what a build makes."""
    shutil.copytree(ROOT / "tei", target / "tei")
    shutil.copytree(ROOT / "schema", target / "schema")
    for made in (target / "tei").glob("*/*.xml"):
        made.unlink()
    return target


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildReport]:
    """A copy of this folder, built from nothing; without its pages and books, but in `make test-all`."""
    root = sources_only(tmp_path_factory.mktemp("built"))
    return root, build(root, without=() if ALL else ("html", "book", "pdf", "also", "site"))


def outputs(folder: Path) -> dict[str, str]:
    """Fingerprint each file below a folder; what begins with a dot is the build's own."""
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {
        name.as_posix(): fingerprint(path) for name, path in files.items()
        if not any(part.startswith(".") for part in name.parts)
    }


def test_a_build_gives_the_committed_tei(built: tuple[Path, BuildReport]) -> None:
    for folder in ("witnesses", "editions"):
        made = {path.name: path.read_bytes() for path in (built[0] / "tei" / folder).glob("*.xml")}
        kept = {path.name: path.read_bytes() for path in (ROOT / "tei" / folder).glob("*.xml")}
        assert made.keys() == kept.keys()
        for name, data in made.items():
            assert data == kept[name], f"tei/{folder}/{name} is not what a build makes: run `make edition`, commit it"


def test_the_committed_tei_is_tei() -> None:
    """The smallest witness and edition; all in `make test-all`. That our grammar takes TEI only: `test_schema.py`."""
    for folder in ("witnesses", "editions"):
        paths = sorted((ROOT / "tei" / folder).glob("*.xml"), key=lambda path: path.stat().st_size)
        for path in paths[:some(1, len(paths))]:
            assert tei_all().validate(etree.parse(path)), [str(each) for each in tei_all().error_log][:5]


def test_no_finding_is_an_error(built: tuple[Path, BuildReport]) -> None:
    assert [finding for finding in built[1].findings if finding.severity == "error"] == []


@pytest.fixture
def complete(request: pytest.FixtureRequest) -> tuple[Path, BuildReport]:
    """A folder with every output: the example, or this one in `make test-all`."""
    if ALL:
        return request.getfixturevalue("built")
    root = request.getfixturevalue("example")
    return root, build(root)


def test_all_outputs_are_there(complete: tuple[Path, BuildReport]) -> None:
    root, report = complete
    assert report.site.is_file()
    for row in report.rows:
        assert row.figures.characters > 0
        assert all(path.is_file() for path in row.outputs)
        if row.kind != "witness":
            assert row.pages > 0
            assert (root / "build/html" / row.id / "index.html").is_file()
    assert {path.name for path in (root / "build/tei/witnesses").iterdir()} == {
        path.name for path in (root / "tei/witnesses").iterdir()
    }


def test_a_second_build_does_nothing(complete: tuple[Path, BuildReport]) -> None:
    again = build(complete[0])
    assert again.done == 0
    assert again.rows == tuple(replace(row, was_built=False) for row in complete[1].rows)


def test_another_build_gives_the_same_bytes(example: Path, tmp_path: Path) -> None:
    """Elsewhere, by one process, under other settings; `make twice` does it with all texts of this folder."""
    root = tmp_path / "somewhere" / "else"
    shutil.copytree(example, root, ignore=lambda _, names: {name for name in names if name == "build"})
    for made in (root / "tei").glob("*/*.xml"):
        made.unlink()
    run("build", root, "-j", "1", PYTHONHASHSEED="7", TZ="Asia/Shanghai", LC_ALL="C", SOURCE_DATE_EPOCH="1")
    assert outputs(root) == outputs(example)


def test_a_killed_build_leaves_every_output_whole(example: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(example, tmp_path / "demo"))
    before = outputs(root)
    for how, seconds in ((signal.SIGKILL, 1.5), (signal.SIGINT, 3.0)):
        with subprocess.Popen(
            [*COMMAND, "build", str(root), "--force"], cwd=ROOT, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "pipeline")},
        ) as process:
            time.sleep(seconds)
            process.send_signal(how)
            told = process.communicate(timeout=120)[1]
        # A child that is just starting when its parent is killed says so in Python's own words.
        assert "Traceback" not in told or (how == signal.SIGKILL and "spawn_main" in told)
        assert outputs(root) == before
    assert build(root).rows
    assert outputs(root) == before
    assert not list(root.rglob("*.part"))
