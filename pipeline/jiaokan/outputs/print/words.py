"""The code of a part of a book, and the words that it prints, as the layout's stylesheet writes both.

The stylesheet marks words in the code: ``w`` is a string of them, ``printed`` what a function of the templates prints,
``run`` what is printed as one run of letters. Strings are written as Typst here, so no code is read again.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, cast

from jiaokan.tei.tree import Element, bare, mixed_content

Kind = Literal["entry", "note", "text", "margin"]

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class PrintedRun(NamedTuple):
    """What is printed as one run of letters."""

    kind: Kind
    place: str
    """The reference of its unit and, of an entry, its sign."""
    series: str
    """Of an entry at the foot, the paragraph to which it belongs; else empty."""
    text: str


class MarkedCode:
    """A part of a book: its Typst code, and its runs of words in the order of their ends."""

    def __init__(self, part: Element) -> None:
        self.runs: list[PrintedRun] = []
        self._reference = part.get("reference") or ""
        self._pieces: list[str] = []
        self._literal: list[str] = []  # the strings that are one string so far
        self._code = ""  # what follows them
        self._read(part, [])
        self._write_literal()
        self.source = "".join(self._pieces)

    def _read(self, element: Element, words: list[str]) -> None:
        """Read what is in an element; `words` gets the words of its run."""
        for item in mixed_content(element, "book"):
            if isinstance(item, str):
                self._code += item
            elif (name := bare(item)) == "run":
                self._read_run(item)
            else:
                words.append(item.text or "")
                if name == "w":
                    self._add_literal(words[-1])

    def _read_run(self, run: Element) -> None:
        words: list[str] = []
        self._read(run, words)
        if text := "".join(words):
            place = f"{run.get('place') or self._reference} {run.get('sign') or ''}".strip()
            self.runs.append(PrintedRun(cast(Kind, run.get("kind")), place, run.get("series") or "", text))

    def _add_literal(self, text: str) -> None:
        """Add a string. Those that follow each other become one: Typst has fewer elements to set."""
        if not (self._literal and self._code == ";"):
            self._write_literal()
        self._literal.append(text)
        self._code = ""

    def _write_literal(self) -> None:
        if self._literal:
            self._pieces.append(f'"{"".join(self._literal).translate(_ESCAPES)}"')
        self._pieces.append(self._code)
        self._literal, self._code = [], ""
