"""The campaign's finds, asked again, and a few new inputs of each target: `make fuzz` asks for minutes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import Target, targets, written

TARGETS = targets()
FINDS = [(target, path) for target in TARGETS.values() for path in target.finds()]


@pytest.mark.parametrize(("target", "path"), FINDS, ids=lambda each: getattr(each, "stem", getattr(each, "name", "")))
def test_a_find_of_the_campaign_stays_mended(target: Target, path: Path) -> None:
    target.hold(path.read_bytes().decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_its_targets_hold(name: str, data: st.DataObject) -> None:
    target = TARGETS[name]
    text = data.draw(target.inputs())
    assert written(text) is not None
    target.hold(text)
