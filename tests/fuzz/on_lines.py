"""What an editor types: punctuated lines, and regular expressions of a folder.

The law: a line has its graphs and says what is wrong in it by column; written again it reads the same. A pattern is
refused, or matching what is made to be hard for it ends.
"""

from __future__ import annotations

import contextlib
import random
import signal
from itertools import islice

from jiaokan.decisions.punctuation.notation import faults, read, write_notation
from jiaokan.errors import CatalogError
from jiaokan.settings.patterns import check_pattern, matcher
from tests.fuzz import text

NAME = "lines"
SIGNS = "，。、；：？！“”‘’《》〈〉·…—_|~{}"
PARTS = ("a", "甲", ".", "[^甲]", "[一二]", "\\s", "\\d", "(", ")", "(?:", "(?P<a>", "|", "*", "+", "?", "{2,}",
         "{1,9}", "*?", "+?", "^",
         "$", "(?=",
         "(?!", "(?<=", "\\1", "(?P=a)", "*+", "(?>", "\\b", "a{0,63}", "(?i)", "(?(1)a|b)")

HARD = ("a" * 48 + "!", "甲" * 48 + "!", "一甲" * 24 + "!", "a甲" * 24, " 1" * 24 + "\n")
SECONDS = 4
"""CPU seconds for all lines. A pattern may take one, and 10 microseconds a character; what is exponential would be 2 to
the power of 48."""


def made(chance: random.Random) -> str:
    """A line, or after ``/`` a pattern."""
    if chance.random() < 0.5:
        return "/" + "".join(chance.choices(PARTS, k=chance.randint(1, 9)))
    pieces = (chance.choice((chance.choice(SIGNS), chance.choice("甲乙丙丁"), text(chance, 1))) for _ in range(12))
    return "".join(islice(pieces, chance.randint(0, 12)))


def hold(given: str) -> None:
    """The law of what it is."""
    if given.startswith("/"):
        _pattern(given[1:])
        return
    line = read(given)
    wrong = list(faults(line))
    assert all(each.message and 0 <= each.column <= len(given) + 1 for each in wrong)
    assert len(line.columns) == len(line.graphs)
    if not wrong:
        again = read(write_notation(line.graphs, line.marks, line.names))
        assert again.graphs == line.graphs and not list(faults(again))
        assert [(m.sign, m.at, m.low, m.why) for m in again.marks] == [(m.sign, m.at, m.low, m.why) for m in line.marks]


def _pattern(given: str) -> None:
    try:
        pattern = check_pattern(given)
    except ValueError as error:
        assert str(error)
        return
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.suppress(CatalogError):
            for line in HARD:
                matcher(pattern).search(line)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError("a pattern that was taken does not end")
