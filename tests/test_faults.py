"""A few of the faults that `make faults` tries, each through a whole build; what once broke the law is among them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amount import ALL
from tests.faults import KINDS, Shim
from tests.faults.stand import Ended, Stand, build, files, make
from tests.faults.trial import faults_of

pytestmark = [pytest.mark.long, pytest.mark.thorough]

SEED = 18
EVERY = [*(("calls", kind) for kind in KINDS), ("functions", "MemoryError"), ("functions", "KeyboardInterrupt")]
TRIED = EVERY if ALL else [("calls", "ENOSPC"), ("calls", "KeyboardInterrupt"), ("functions", "MemoryError")]


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return make(tmp_path_factory.mktemp("faults") / "demo")


def test_the_stand_has_work_for_every_stage_and_a_build_does_it(stand: Stand, tmp_path: Path) -> None:
    trial = stand.copy(tmp_path / "demo")
    ended = build(trial, shim := Shim())
    assert ended.code == 0 and files(trial) == stand.after
    assert sum(stand.before.get(name) != data for name, data in stand.after.items()) > 30
    asked = {point.split()[0] for point in ended.points}
    assert {"write", "open", "mkdir", "replace", "fsync", "unlink", "link"} <= asked
    assert not shim.points  # it stood before a copy of this process, not before this


def test_what_is_torn_is_found(stand: Stand, tmp_path: Path) -> None:
    trial = stand.copy(tmp_path / "demo")
    assert stand.torn(trial, Ended(2, "")) == []
    page = trial / "build/html/lunyu/1.html"
    page.write_bytes(page.read_bytes()[:-1])
    assert stand.torn(trial, Ended(2, "")) == ["build/html/lunyu/1.html is neither the old nor the new one"]
    page.write_bytes(stand.after["build/html/lunyu/1.html"])
    assert stand.torn(trial, Ended(2, "")) == ["the site is of two states"]
    page.unlink()
    assert stand.torn(trial, Ended(2, "")) == ["build/html/lunyu/1.html is gone"]


@pytest.mark.parametrize(("group", "kind"), TRIED)
def test_a_build_that_is_refused_something_says_so_and_heals(
    stand: Stand, group: str, kind: str, tmp_path: Path
) -> None:
    functions = group == "functions"
    count = len(build(stand.copy(tmp_path / "demo"), Shim(functions=functions)).points)
    at = random.Random(f"{SEED} {group} {kind}").randint(1, count)
    assert faults_of(stand, Shim(at=at, kind=kind, functions=functions), (), tmp_path) == []


@pytest.mark.skipif(not ALL, reason="in `make test-all`; test_edition kills a build, too")
def test_a_killed_build_heals() -> None:
    command = [sys.executable, "-m", "tests.faults.kills", "--kills", "4", "--seed", str(SEED), "--small"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 kills: 0 broke the law" in done.stdout
