"""How much of a law's inputs a run tries: `make test` a part, `make test-all` everything."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

ALL = os.environ.get("JIAOKAN_TESTS") == "all"
"""Whether this is the run before a release."""
TEI_ALL = Path(os.environ.get("JIAOKAN_TEI_ALL") or Path(__file__).parents[2] / "shared" / "tei" / "tei_all.rng")
"""The published grammar; not part of the project."""


def some(usual: int, everything: int) -> int:
    """Return how many inputs to try."""
    return everything if ALL else usual


def examples(everything: int) -> int:
    """Return how many generated inputs to try: a third by default, since `make fuzz` tries others without end."""
    return some(everything // 3, everything)


def some_of(cases: Iterable[Any], step: int) -> list[Any]:
    """Return the cases of a parametrized test, of which all but each `step`-th are left to `make test-all`. In a
    product of lists whose lengths the step does not divide, each value is still tried."""
    rows = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*row, marks=pytest.mark.thorough if n % step else ()) for n, row in enumerate(rows)]


@cache
def tei_all() -> etree.RelaxNG:
    """Return the compiled grammar of TEI (5 s to compile, so once a process); skip the test where it is missing."""
    if not TEI_ALL.exists():
        assert not os.environ.get("JIAOKAN_REQUIRE_TEI_ALL"), f"{TEI_ALL} is missing"
        pytest.skip("tei_all.rng is missing; it is not part of the project")
    return etree.RelaxNG(etree.parse(TEI_ALL))
