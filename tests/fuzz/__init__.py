"""A campaign of generated inputs, each held by a law: `make fuzz MINUTES=10`, or ``python -m tests.fuzz --help``.

A target is a module here with `NAME`, `inputs()` (a strategy of hypothesis whose examples are text) and
`hold(given: str)`, which raises if the law is broken. What once broke a law is kept as a file
``tests/cases/fuzz/NAME/*.txt``, and `tests/test_fuzz.py` asks it again each time.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis.strategies import SearchStrategy

CORPUS = Path(__file__).parents[1] / "cases" / "fuzz"
"""Finds, a folder for each target."""


@dataclass(frozen=True)
class Target:
    """What is attacked, and the law that must hold."""

    name: str
    inputs: Callable[[], SearchStrategy[str]]
    hold: Callable[[str], None]

    def finds(self) -> list[Path]:
        """The inputs that once broke the law."""
        return sorted((CORPUS / self.name).glob("*.txt"))


def targets() -> dict[str, Target]:
    """Give all targets by name."""
    names = [each.name for each in pkgutil.iter_modules(__path__) if each.name.startswith("on_")]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {m.NAME: Target(m.NAME, m.inputs, m.hold) for m in modules}


def words(text: str) -> tuple[str, ...]:
    """Give the words of a list."""
    return tuple(text.split())


def written(text: str) -> bytes:
    """Give the bytes of an input: those that are no UTF-8 stand in it as lone surrogates (PEP 383)."""
    return text.encode("utf-8", "surrogateescape")


def shown(data: bytes) -> str:
    """Give bytes as an input; `written` gives them back."""
    return data.decode("utf-8", "surrogateescape")
