"""`jiaokan build --scheduler`: the same bytes as on one machine, also where a worker dies; refusals for people."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan.build import Event, build, cluster
from jiaokan.build.cluster import _task
from jiaokan.build.stages import steps
from jiaokan.cli import cli
from jiaokan.errors import JiaokanError
from jiaokan.settings import catalog as catalogs
from tests.faults.stand import DEMO, files

pytestmark = [pytest.mark.long, pytest.mark.thorough]

ROOT = Path(__file__).parents[1]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path / "demo"))


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Those of a scheduler and of its workers; they end with the test."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for each in started:
        each.kill()
        each.wait()


def start(processes: list[subprocess.Popen[bytes]], home: Path, name: str, *options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{name}", "--scheduler-file",
               home / "scheduler.json", "--no-dashboard", *options]
    log = (home / "log.txt").open("ab")
    with log:
        processes.append(subprocess.Popen([str(each) for each in command], cwd=ROOT, stdout=log, stderr=log))
    return processes[-1]


def address(home: Path, workers: int = 2) -> str:
    from distributed import Client

    with Client(scheduler_file=str(home / "scheduler.json"), timeout=60) as client:
        client.wait_for_workers(workers, timeout=60)
        return str(client.scheduler.address)


def test_a_worker_that_dies_is_replaced_and_the_bytes_are_those_of_one_machine(
    demo: Path, tmp_path: Path, processes: list[subprocess.Popen[bytes]], capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = Path(shutil.copytree(demo, tmp_path / "alone"))
    build(alone, jobs=1)
    start(processes, tmp_path, "scheduler", "--port", 0, "--host", "127.0.0.1")
    for _ in range(2):
        start(processes, tmp_path, "worker", "--nthreads", 1, "--no-nanny", "--local-directory", tmp_path)
    killed: list[str] = []

    def watch(event: Event) -> None:
        """Once a page is begun, both workers are at work: kill one."""
        if event.kind == "start" and event.step.stage == "html" and not killed:
            killed.append(event.step.name)
            processes[-1].kill()

    report = build(demo, scheduler=address(tmp_path), watch=watch)
    assert killed and processes[-1].poll() is not None
    assert report.done == report.total and not report.errors
    assert files(demo) == files(alone)
    assert not list(demo.rglob("*.part"))

    def lose(event: Event) -> None:
        if event.kind == "done":
            processes[0].kill()

    monkeypatch.setattr(sys.modules["jiaokan.build.run"], "PATIENCE", 2)
    with pytest.raises(JiaokanError, match="the scheduler was lost"):
        build(demo, scheduler=address(tmp_path, 1), force=True, watch=lose)
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_of_its_own_is_started_and_ended(demo: Path) -> None:
    done = subprocess.run([sys.executable, "-c", "from jiaokan.cli import main; main()", "build", str(demo), "-j", "1",
                           "--scheduler", "local"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    every = len(steps(catalogs.load(demo), demo / "build"))
    assert f"{every} of {every} steps had to be made" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tls://127.0.0.1:9", "http://127.0.0.1", "scheduler"])
def test_a_scheduler_that_is_not_there_is_one_message(
    address: str, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    done = CliRunner().invoke(cli, ["build", str(demo), "--scheduler", address])
    assert done.exit_code == 2 and "cannot be reached" in done.stderr and "Traceback" not in done.stderr


def test_a_worker_that_sees_other_files_refuses(demo: Path, tmp_path: Path) -> None:
    catalog = catalogs.load(demo)
    step = next(each for each in steps(catalog, tmp_path / "out") if each.stage == "read")
    with pytest.raises(JiaokanError, match="a worker has other files or another version of the program for `read "):
        _task(step, catalog, "another key")
