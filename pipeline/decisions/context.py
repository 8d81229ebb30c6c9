"""Words that a decision expects in a text, names that it expects in a folder: found, or what comes nearest."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from pipeline.errors import DecisionError, Place, suggestion
from pipeline.model.vocabulary import EDITORS, PROGRAM

_AROUND = 6
"""So many characters more than the expected ones are quoted on each side: enough to find the place by eye."""


def passage(text: str, words: str) -> str:
    """Quote what of a text is most like some words: 「…馔于寝东…」."""
    match = difflib.SequenceMatcher(None, text, words, autojunk=False).find_longest_match()
    start = max(0, match.a - match.b - _AROUND) if match.size else 0
    end = start + len(words) + 2 * _AROUND
    return f"「{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}」"


def name(wrong: str, names: Iterable[str]) -> str:
    """Suggest the nearest of some names to a wrong one: ``; did you mean 'zhushu'?``; nothing if none is near."""
    near = suggestion(wrong, names)
    return near and f"; {near}"


def nobody(resp: str, persons: Iterable[str]) -> str:
    """Say that who is to have decided is not declared; nothing if he is, or is the editors together or the program."""
    who = [*persons, EDITORS, PROGRAM]
    return "" if resp in who else f"resp = {resp!r} is nobody in tei/persons.toml{name(resp, who)}"


def find(text: str, words: str, path: Path, before: str = "") -> int:
    """Give where words (of which a decision says those `before` apart) stand in a text; raises DecisionError unless
    they stand there exactly once."""
    first = text.find(words)
    if first < 0 or not words:
        raise DecisionError(
            f"the decision on {words!r} no longer fits: these words are not in the text; most like them is "
            f"{passage(text, words)}", place=filed(path, words, before),
            mend="correct the context to what the source now has, or withdraw the decision",
        )
    if text.find(words, first + 1) >= 0:
        raise DecisionError(
            f"the decision on {words!r} is ambiguous: these words stand there {text.count(words)} times",
            place=filed(path, words, before), mend="give a longer context",
        )
    return first


def filed(path: Path, words: str, before: str = "") -> Place:
    """Give the line of a file in which a decision says its context, or what stands before its place."""
    rows = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    told = f'"{before or words}"'
    return Place(str(path), next((n for n, row in enumerate(rows, 1) if told in row), 0))
