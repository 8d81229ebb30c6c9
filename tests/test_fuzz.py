"""The campaign's finds, asked again, and a few new inputs of each target: `make fuzz` asks for minutes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import Target, shown, targets

pytestmark = pytest.mark.thorough

TARGETS = targets()
FINDS = [(target, path) for target in TARGETS.values() for path in target.finds()]
FEW = 6
"""Inputs of each target that are asked each time; some are whole commands."""


@pytest.mark.parametrize(("target", "path"), FINDS, ids=lambda each: getattr(each, "stem", getattr(each, "name", "")))
def test_a_find_of_the_campaign_stays_mended(target: Target, path: Path) -> None:
    target.hold(shown(path.read_bytes()))


@pytest.mark.parametrize("name", TARGETS)
def test_its_targets_hold(name: str) -> None:
    for number in range(FEW):
        TARGETS[name].hold(TARGETS[name].input(18, number))


@pytest.mark.parametrize("name", TARGETS)
def test_an_input_is_made_again_from_its_seed(name: str) -> None:
    made = [TARGETS[name].input(18, number) for number in range(FEW)]
    assert made == [TARGETS[name].input(18, number) for number in range(FEW)]
    assert len({*made}) > 1
