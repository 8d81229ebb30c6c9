"""The wheel works elsewhere: another environment, another folder, nothing of the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]


def run(*command: object, cwd: Path) -> str:
    """Run a command; give what it printed, fail with what it complained of."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    target = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", target, ROOT, cwd=target)
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another environment's scripts: the wheel is installed there, its dependencies are borrowed from this one."""
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(home, with_pip=False)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    borrowed = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (site / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    install = ("install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=home)
    return scripts


def test_what_travels_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("schema", "xslt"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"jiaokan/data/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "pipeline" / "jiaokan").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(ROOT / "pipeline").as_posix() in names
    assert not {name for name in names if name.startswith(("tests", "tei/", "benchmarks"))}


@pytest.mark.thorough
def test_a_folder_of_ones_own_is_built_elsewhere(scripts: Path, tmp_path: Path) -> None:
    where = run(scripts / "python", "-c", "import jiaokan; print(jiaokan.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(scripts.parent)
    run(scripts / "jiaokan", "init", "demo", cwd=tmp_path)
    told = run(scripts / "jiaokan", "build", "demo", cwd=tmp_path)
    assert "论语" in told
    for made in ("tei/editions/lunyu.xml", "html/index.html", "html/lunyu/index.html", "pdf/lunyu.pdf"):
        assert (tmp_path / "demo/build" / made).stat().st_size > 1000
    assert str(ROOT) not in told
    run(scripts / "jiaokan", "validate", "demo/tei", cwd=tmp_path)
    words = run(scripts / "jiaokan", "read", "lunyu:1.1.1", "--folder", "demo", cwd=tmp_path)
    assert words == "子曰学而时习之不亦说乎\n"
