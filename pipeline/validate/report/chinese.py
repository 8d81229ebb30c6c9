"""What validation says, in Chinese: each message has an English form and a Chinese one, in ``chinese.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path

from pipeline.errors import Finding

_SECOND = re.compile(r" \(see line (\d+), column (\d+)\)$")
_SLOT = re.compile(r"\{(\d*)\}")


def in_chinese(finding: Finding) -> Finding:
    """Give a finding with its message and mend in Chinese; what has no Chinese form stays as it is."""
    return replace(finding, message=translated(finding.message), mend=translated(finding.mend))


def severity(name: str) -> str:
    """Give a severity's name in Chinese."""
    return str(_tables()["severities"].get(name, name))


def translated(words: str) -> str:
    """Give a message in Chinese; words that it quotes from the file stay."""
    second = _SECOND.search(words)
    if second:
        return f"{translated(words[: second.start()])}（参见第 {second[1]} 行第 {second[2]} 列）"
    for pattern, form in _forms():
        if found := pattern.fullmatch(words):
            return _filled(form, found)
    return words


def _filled(form: str, found: re.Match[str]) -> str:
    """A Chinese form with what stood in the slots of the English one."""
    order = count(1)
    return _SLOT.sub(lambda slot: _part(found[int(slot[1] or next(order))]), form)


def _part(words: str) -> str:
    """What stands in a slot: a message itself, or a word of ours, or the file's words."""
    if words in _tables()["words"]:
        return str(_tables()["words"][words])
    return translated(words)


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "chinese.toml").read_text(encoding="utf-8"))


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each English form as a pattern, those with the most words of ours first."""
    forms = sorted(_tables()["messages"].items(), key=lambda form: -len(_SLOT.sub("", form[0])))
    return tuple((_pattern(english), chinese) for english, chinese in forms)


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(re.escape(english).replace(r"\{\}", "(.*?)"), re.S)
