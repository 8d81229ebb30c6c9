"""The words of a book as its Typst code has them: those of each paragraph, note and entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([(){}])|([a-z][a-z-]*)(?=\()', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_PRINTED = {"quoted": 0, "siglum": 0, "variant-class": 0, "lost": 0, "corrected": 0, "figure-mark": 0, "figure-lost": 0,
            "collated": 0, "translation": 1}
"""Calls that print a string, and which of their strings it is. Strings in braces are always printed."""
_REFERENCES = {"at": 0, "ended": 1}
"""Calls with the reference of the words around them, and which of their strings it is."""

Kind = Literal["entry", "note", "text", "margin"]


class PrintedRun(NamedTuple):
    """What is printed as one run of letters."""

    kind: Kind
    place: str
    """The reference of its unit and, of an entry, its sign."""
    series: str
    """Of an entry at the foot, the paragraph to which it belongs; else empty."""
    text: str


@dataclass(slots=True)
class _Call:
    """An open bracket of the code."""

    name: str  # of the call, or the bracket
    kind: Kind | None = None  # what its words are; without it they are part of the words around it
    reference: str = ""
    strings: list[str] = field(default_factory=list)  # its arguments
    words: list[str] = field(default_factory=list)
    closing: str = ""  # printed at its end

    def collect(self) -> PrintedRun | None:
        """Return its words if they are a run and there are any."""
        sign, series = "", ""
        if self.kind == "entry":
            sign = self.strings[0] if self.strings else ""
            series = self.strings[-1] if len(self.strings) > 1 else "variant"
        text = "".join(self.words)
        foot = series if self.name == "entry" else ""
        return PrintedRun(self.kind, f"{self.reference} {sign}".strip(), foot, text) if self.kind and text else None


def printed_words(code: str, reference: str) -> Iterator[PrintedRun]:
    """Yield the words of a chapter in the order of their ends; `reference`: that of the chapter."""
    calls, name = [_Call("")], ""
    for token in _TOKEN.finditer(code):
        string, bracket, called = token.groups()
        call = calls[-1]
        if string is not None:
            if len(call.strings) == _REFERENCES.get(call.name, -1) and string:
                reference = string
                for outer in calls:
                    outer.reference = outer.reference if outer.kind == "entry" else reference
            if call.name == "{" or len(call.strings) == _PRINTED.get(call.name, -1):
                call.words.append(_ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), string))
            call.strings.append(string)
        elif bracket in ("(", "{"):
            calls.append(_open(calls, name if bracket == "(" and name else bracket, reference))
        elif bracket and len(calls) > 1:
            call.words += [call.closing] if call.closing else []
            calls.pop()
            if words := call.collect():
                yield words
        name = called or ""


def _open(calls: list[_Call], name: str, reference: str) -> _Call:
    """Return a call that begins inside others."""
    outer = calls[-1]
    if name == "entry" or (name == "(" and any(call.name == "endnotes" for call in calls)):
        return _Call(name, "entry", reference)
    if name == "crown":
        return _Call(name, "margin", reference)
    if len(calls) == 1:
        return _Call(name, "note" if name == "note" else "text", reference)
    supplied = name == "supplied" or (name, outer.name) == ("{", "corrected")
    if supplied:  # its brackets are like those of numbers
        outer.words.append("〔")
    return _Call(name, words=outer.words, closing="〕" if supplied else "")
