"""Lines of a text and those of the files that it was made of: examples name the latter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jiaokan.structure.examples import Example

_AHEAD = 60
"""Most adjacent lines that the conversion of a file can drop, as the table before a text in Markdown. A choice."""
_SIGNS = " \t　=#"


@dataclass(frozen=True, slots=True)
class Origins:
    """For each line of a text, from 1, its file and line there; line 0 for one that the program added."""

    files: tuple[Path, ...]
    lines: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    """The lines of the text."""

    @classmethod
    def of(cls, files: Sequence[Path], received: Iterable[str], pages: Iterable[str], text: str) -> Origins:
        """Return the origins of a text, made of `pages`, which were made of `received` files."""
        joined: list[tuple[int, int]] = []
        before: list[str] = []
        for number, (file, page) in enumerate(zip(received, pages, strict=True)):
            lines = page.rstrip("\n").split("\n")
            before += lines
            joined += [(number, line) for line in _follow(file.split("\n"), lines)]
        words = text.split("\n")
        if words != [*before, ""]:
            joined = [joined[line - 1] if line else (0, 0) for line in _follow(before, words)]
        return cls(tuple(files), tuple(joined), tuple(words))

    def line_of(self, example: Example) -> int:
        """Return the line of the text, from 1, that an example names; 0 if it is not in it."""
        files = {n for n, file in enumerate(self.files) if is_named(file, example.file)}
        return next((n for n, (file, line) in enumerate(self.lines, 1) if file in files and line == example.line
                     and (not example.words or example.words in self.words[n - 1])),
                    next((n for n, (file, line) in enumerate(self.lines, 1)
                          if file in files and line == example.line), 0))


def is_named(file: Path, name: str) -> bool:
    """Whether a name means a file: its path, or the end of it (學而/text.txt)."""
    return f"/{file.as_posix()}".endswith(f"/{name.replace(chr(92), '/').removeprefix('./')}")


def plain_line(line: str) -> str:
    """Return a line without the marks of its format and outer white space."""
    return re.sub(r"<(?:pb|md):[^<>]*>|^[#=>*:]+[ \t]*|[ \t]*=+$|¶", "", line.strip(_SIGNS[:3])).strip(_SIGNS[:3])


def _follow(old: Sequence[str], new: Sequence[str]) -> Iterator[int]:
    """Yield for each new line the old one, from 1, of which it is or of which it is a part; 0 if there is none."""
    at = 0
    for line in new:
        if at < len(old) and line == old[at]:
            at += 1
            yield at
            continue
        key = line.strip(_SIGNS)
        source = next((n for n in range(max(0, at - 1), min(at + _AHEAD, len(old))) if key and key in old[n]), None)
        if source is None:
            yield 0
        else:
            at = source + 1
            yield at
