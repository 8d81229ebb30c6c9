"""Messages in Chinese: `messages_zh.toml` has the wording of each English form, and is read where a message is shown.

The program words every message in English, with its values in it. A form with ``{}`` for each value finds the message
again. Values that are words of ours are translated, too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

_FRAME = re.compile(r"(\s*)(→ |Error: |)(.*)", re.DOTALL)
_QUOTES = ("'", "`", '"')
"""Between two of these stands a name as it is typed, which is no word of ours."""
_MARKS = {"Error: ": "错误："}
_PLACED = re.compile(r"(\S[^\n]*?): (.+)", re.DOTALL)
"""What a message begins with: the place, as ``tei/catalog.toml:4:1``, or what it is about."""


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """Return the Chinese wording of messages and severities by their English form, and of help by its command."""
    tables: dict[str, dict[str, str]] = tomllib.loads(
        Path(__file__).with_name("messages_zh.toml").read_text(encoding="utf-8"))
    return tables | {"messages": tables["messages"] | tables["foreign"]}


def chinese(text: str) -> str:
    """Return an English message in Chinese, line by line; what has no form in the table stays as it is."""
    return _best(text)[1]


@cache
def _best(text: str) -> tuple[int, str]:
    """Return the translation that leaves the fewest characters in English, and how many it translated."""
    forms = table()["messages"]
    if text in _exact():
        return len(text), _exact()[text]
    found = [(0, text)]
    if "\n" in text:
        lines = [_best(line) for line in text.split("\n")]
        found.append((sum(each for each, _ in lines), "\n".join(said for _, said in lines)))
    else:
        found.extend(_parted(text))  # of two that translate as much, clauses are better than one form
    for weight, piece, form in _forms():
        if piece in text and (match := _pattern(form).fullmatch(text)):
            pieces = _pieces(form)
            values = [(0, value) if pieces[n][-1:] == pieces[n + 1][:1] and pieces[n][-1:] in _QUOTES else _best(value)
                      for n, value in enumerate(match.groups())]
            found.append((weight + sum(each for each, _ in values), forms[form].format(*(said for _, said in values))))
    return max(found, key=lambda each: each[0])


def _parted(text: str) -> Iterator[tuple[int, str]]:
    """Yield a line without its indent and mark, by its clauses, and without its place."""
    frame = _FRAME.fullmatch(text)
    if frame and (frame[1] or frame[2]) and frame[3]:
        weight, said = _best(frame[3])
        yield weight + len(frame[1] + frame[2]), frame[1] + _MARKS.get(frame[2], frame[2]) + said
    if "; " in text:
        clauses = [_best(clause) for clause in text.split("; ")]
        yield sum(weight for weight, _ in clauses) + 2 * len(clauses) - 2, "；".join(said for _, said in clauses)
    for place in _PLACED.finditer(text):
        weight, said = _best(place[2])
        yield weight, f"{place[1]}：{said}"


@cache
def _exact() -> dict[str, str]:
    forms = {form: _pieces(form) for form in table()["messages"]}
    return {pieces[0]: table()["messages"][form].format() for form, pieces in forms.items() if len(pieces) == 1}


@cache
def _forms() -> list[tuple[int, str, str]]:
    """Return each form with values after the number of its characters and its longest piece."""
    return [(sum(map(len, pieces)), max(pieces, key=len), form) for form in table()["messages"]
            if len(pieces := _pieces(form)) > 1 and re.search("[A-Za-z]", "".join(pieces))]


def _pieces(form: str) -> list[str]:
    pieces = [""]
    for text, value, _, _ in Formatter().parse(form):
        pieces[-1] += text
        if value is not None:
            pieces.append("")
    return pieces


@cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile("([^\n]*?)".join(map(re.escape, _pieces(form))))
