"""A campaign of generated inputs, each held by a law: `make fuzz MINUTES=10`, or ``python -m tests.fuzz --help``.

A target is a module here with `NAME`, `made(chance)`, which makes an input, a text, of nothing but that source of
chance, and `hold(given)`, which raises if the law is broken. Each input has a seed of its own, so that it can be made
again. What once broke a law is kept as a file ``tests/cases/fuzz/NAME/*.txt``, and `tests/test_fuzz.py` asks it again
each time.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "cases" / "fuzz"
"""Finds, a folder for each target."""


@dataclass(frozen=True)
class Target:
    """What is attacked, and the law that must hold."""

    name: str
    made: Callable[[random.Random], str]
    hold: Callable[[str], None]

    def finds(self) -> list[Path]:
        """The inputs that once broke the law."""
        return sorted((CORPUS / self.name).glob("*.txt"))

    def input(self, seed: int, number: int) -> str:
        """Return the input of this number in a campaign."""
        return self.made(random.Random(f"{seed} {self.name} {number}"))


def targets() -> dict[str, Target]:
    """Return all targets by name."""
    names = [each.name for each in pkgutil.iter_modules(__path__) if each.name.startswith("on_")]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {m.NAME: Target(m.NAME, m.made, m.hold) for m in modules}


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list."""
    return tuple(text.split())


def written(text: str) -> bytes:
    """Return the bytes of an input: those that are no UTF-8 stand in it as lone surrogates (PEP 383)."""
    return text.encode("utf-8", "surrogateescape")


def shown(data: bytes) -> str:
    """Return bytes as an input; `written` gives them back."""
    return data.decode("utf-8", "surrogateescape")


ODD = (
    "", " ", "\t", "\n", "\r\n", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\u200b",
    "\ufeff", "\ufffe", "�", "🐉", "\U000f0000", "\ue14b", "e\u0301", "甲", "𠀀", "\"", "'", "\\",
    "\\n", "\"\"\"", "'''", "#", "[[", "]]", "[[lemma]]", "[/\u6ce8]", "<", "&", "&amp;", "]]>",
    "{", "}", "%s", "$1", "\\1", "=1+1", "@x", "con", "../x", "/etc/passwd", "0", "-1",
    "99999999999999999999", "1e400", "nan", "U+D800", "一", "〇", "□", "〈", "〉", "“", "”", "_", "|",
    "~",
)
"""Characters and words that are something else somewhere: of terminals, TOML, XML, tables, paths, numbers, marks."""


def text(chance: random.Random, most: int = 6) -> str:
    """Return words that are odd, or common, or of characters from anywhere (no lone surrogates)."""
    def one() -> str:
        kind = chance.random()
        if kind < 0.4:
            return chance.choice(ODD)
        if kind < 0.8:
            return chance.choice("甲乙丙丁小臣戒与者宾abz19. ，。、：")
        code = chance.choice((chance.randrange(0x20), chance.randrange(0x3000), chance.randrange(0x110000)))
        return "" if 0xD800 <= code < 0xE000 else chr(code)

    return "".join(one() for _ in range(chance.randint(0, most)))
