"""The table ``statements.tsv`` with its marks filled: how collation notes say what a copy has."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from jiaokan.annotate.index import NUMBERS
from jiaokan.model.vocabulary import table_rows
from jiaokan.settings.patterns import alternatives

WORD = "(?:[^\\W\\d_]|[\U000f0000-\U000ffffd])"
"""A graph; those of Plane 15 are the names of graphs without code point (&KR0014;) while a note is read."""
ERROR = "[误讹譌谬伪混]"
DOUBT = "[疑恐似亦盖葢当应或其此殆必为是误乃明]"
ALL = "[俱皆并竝亦各悉多直]*(?!字)"
_STOPS = (
    "$", f"(?!{WORD})", "[依从据考](?={A}|{P})", "{A}", "{P}", "今[依从据考改以仍案按增补删移订]",
    f"{ERROR}(?:$|也|矣|今|从|[盖葢]|{{A}}|(?!{WORD}))", "[盖葢]", "从之", "仍[从依其之旧]", "[故则][知以]", "[按案]",
    "非是?(?:$|今|也)", "为?是(?:$|也|矣|今)", "[疑恐]", f"与{WORD}{{1,4}}[合同异]", "殊(?:误|不|非|无)", f"者{ERROR}",
    "不可[解晓通读断]", f"{ERROR}{{2}}", f"谓{WORD}{{1,8}}也$", "文[义势]", "似", "证之",
    "传写", "字之误", "(?:[后下注上]字?)+[并皆]?同", "[他各诸]本", "[皆俱]?后人", "[皆俱](?:误|非)", "乃",
    "未[详知审]",
)
"""Where quoted words end; {A} is a name of a copy, {P} of a person."""


class StatementRow(NamedTuple):
    """A row of ``statements.tsv``."""

    change: str
    who: str
    pattern: str
    example: str


@cache
def rows() -> tuple[StatementRow, ...]:
    """Return the rows of ``statements.tsv`` in their order."""
    text = (Path(__file__).parent / "statements.tsv").read_text(encoding="utf-8")
    return tuple(StatementRow(*cells) for _, cells in table_rows(text))


@lru_cache(maxsize=16)
def compiled_rows(
    copies: tuple[str, ...], persons: tuple[str, ...]
) -> tuple[tuple[StatementRow, re.Pattern[str]], ...]:
    """Return the rows, each with its pattern in which copies and persons have these names, in simplified script."""
    names, people = f"(?:{alternatives(copies)})", f"(?:{alternatives(persons)})"
    several = f"{names}(?:[及与并、]?{names})*{ALL}"
    stop = "|".join(_STOPS).replace("{A}", names).replace("{P}", people)
    word = f"(?:(?!{names}){WORD})"
    quoted = f"(?:(?!字|{ERROR}){word})"
    marks = {
        "{A}": f"(?P<who>{several})", "{B}": f"(?P<who>{several})?", "{W}": word, "{O}": quoted,
        "{N}": NUMBERS, "{X}": ERROR, "{D}": DOUBT, "{Z}": f"(?:[{NUMBERS}]*字|(?={stop}))", "{Z0}": stop,
        "{G}": f"(?:(?:^|(?<=。))(?P<on>(?![本又亦或今音如]){quoted}{{1,2}}?(?<![反音同切]))[{NUMBERS}]*字?)?",
        "{F}": (f"(?={stop}|字?(?:$|非)|者非|[又或亦]{{1,2}}[音作]|[又或亦]?{word}{{2}}反|[音同皆]|下(?=[及皆文注同])"
                f"|{word}作)"),
    }
    return tuple((row, re.compile(_fill_marks(row.pattern, marks).removeprefix("^"))) for row in rows())


def _fill_marks(pattern: str, marks: dict[str, str]) -> str:
    for mark, meaning in marks.items():
        pattern = pattern.replace(mark, meaning)
    return pattern


@lru_cache(maxsize=16)
def turn_pattern(persons: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of what begins a turn: a speaker (敖繼公云, 臣紱按) or a discussion (按)."""
    people = alternatives(persons)
    return re.compile(
        f"(?P<official>臣{WORD}{{1,3}}?)[按案]|(?P<person>{people})(?P<says>[云曰谓]|以为|疑(?={WORD}))|"
        f"(?<![据依从今引])[按案](?=$|{WORD})")
