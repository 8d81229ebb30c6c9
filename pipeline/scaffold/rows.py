"""Split a file into the rows that its reader will see: paragraphs, with their level as headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.model.numerals import NUMERAL
from pipeline.readers import mandoku, plain
from pipeline.readers.common.source import Source
from pipeline.readers.common.wikitext import PAGE
from pipeline.settings.catalog import Work

CLOSING = f"右[^，。]{{0,8}}?第{NUMERAL}[章篇品]?.{{0,12}}"
"""A line that closes and counts a chapter: 右第一章五十九言."""
HEADING = rf"[^，。()（）]{{0,8}}第{NUMERAL}[章篇品]?(?:[　 ]+\S{{2,8}}){{0,3}}(?:[(（][^()（）]*[)）])?"
"""A line that counts a chapter, with book, author and note: 學而第一　何晏集解(凢十六章), 士冠禮第一　儀禮　鄭氏注."""
JUAN = "[^，。]{0,12}?[卷巻][第之]?([〇一二三四五六七八九十百]+)(?:之[一二三四五])?(?:終|终)?"
"""The first and last line of a juan."""
COMMENTS = (
    "章句|集註|集注|集解|集釋|集释|音義|音义|音註|音注|補註|補注|补注|次註|次注|校註|校注|箋註|箋注|笺注|解詁|解诂"
    "|義疏|义疏|正義|正义|索隱|索隐|注疏|註疏|注|註|疏|箋|笺|解"
)
MAKES = "奉敕撰|編撰|編纂|编纂|撰|譯|译|著|述|校定|輯|辑|編|编|傳|传|校"
"""What title pages say of a commentator, and of a maker of a book."""
BYLINE = f"\\S+[　 ]+(?:\\S{{1,8}}[　 ]+)?(?:{COMMENTS}|{MAKES})"
"""A line of the page with maker and deed, with spaces between: 晉　郭璞　撰, 登仕郎守大理評事楊　倞　注."""
_HALVES = re.compile(r"\(([^()/¶]+)/([^()/¶]+)\)")
_BLANK = " \t　"
_FINAL = frozenset("也矣焉耳乎哉")
_FEWEST = 4
"""So many notes must end with a particle. Of the notes in 孔子家語 (四部叢刊, left first) 616 have the
particle in the first half and 38 in the second; in 論語集解 (right first) 54 and 980, in 老子河上公章句 19 and 202."""
_END = re.compile(r"[，。；？！：、”」』,.;?!:]¶?$")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the text, without its markup."""

    number: int
    """The line of the file, from 1."""
    text: str
    indent: int = 0
    level: int = 0
    """How many signs mark it as a heading (``**``, ``==``, ``##``); 0 if none do."""


def rows_of(text: str, format_: str) -> tuple[Row, ...]:
    """Return the rows of a text, without blank ones."""
    lines = tuple(text.split("\n"))
    if format_ == "mandoku":
        titles = "".join(f"|{re.escape(each)}(?:[(].*)?" for each in _under_juans(lines))
        source = Source(id="", file="", lines=lines, work=Work(id="", title="", chapters=()), speakers=(), convention={
            "lines": "phrase" if by_phrase(lines) else "print", "halves": halves(text), "chapter_end": CLOSING,
            "section": HEADING + titles,
            "furniture": [{"kind": "juan", "pattern": JUAN}, {"kind": "byline", "pattern": BYLINE}],
        })
        return tuple(Row(p.number, p.text.strip(), len(p.indent), p.level) for p in mandoku.paragraphs(source))
    if format_ in ("wiki", "markdown"):
        marked = ((n, re.sub(f"{PAGE[0]}[^{PAGE}]*{PAGE[1]}", "", line), level)
                  for n, line, level in plain.unmarked_lines(lines, format_))
        return tuple(Row(n, line.strip(), _indent(line), level) for n, line, level in marked if line.strip())
    return tuple(Row(n, line.strip(), _indent(line)) for n, line in enumerate(lines, 1) if line.strip())


def _under_juans(lines: tuple[str, ...]) -> list[str]:
    """Return the indented titles below the first lines of the juan of a Mandoku text (原道訓 below 淮南鴻烈解卷一 and
    漢　高誘　注); none unless every juan has one."""
    page = [line.rstrip("¶") for line in lines if line[:1] not in ("#", "<") and line.strip("¶ \t　")]
    found: list[str] = []
    opening = [n for n, line in enumerate(page[:-3])
               if re.fullmatch(JUAN, line.strip(_BLANK)) and _indent(page[n + 1])]
    for n in opening:
        under = (line for line in page[n + 1 : n + 4]
                 if not re.fullmatch(f"{JUAN}|.+[{_BLANK}].*(?:{COMMENTS}|{MAKES})", line.strip(_BLANK)))
        line = next(under, "")
        name = re.sub("[(].*", "", line).strip(_BLANK)
        if not _indent(line) or not re.fullmatch("[㐀-鿿]{2,8}", name):
            return []
        found.append(name)
    return found if len({*found}) == len(found) > 1 else []


def by_phrase(lines: tuple[str, ...]) -> bool:
    """Whether the lines of a Mandoku text are phrases, not lines of a page: most end in punctuation."""
    text = [line for line in lines if line.strip("¶ \t　") and line[0] not in "#*<"]
    return 2 * sum(1 for line in text if _END.search(line)) > len(text)


def halves(text: str) -> Literal["right", "left"]:
    """Return which half-line of its notes a Mandoku text has first.

    The half that is read last ends the sentence, and so has most final particles (也 矣 焉: 楊樹達《詞詮》, 助詞).
    """
    pairs = _HALVES.findall(re.sub("<md:[^<>]*>|(?<=.)¶(?=.)", "", text))
    first, second = (sum(1 for pair in pairs if pair[n][-1:] in _FINAL) for n in (0, 1))
    return "left" if first >= _FEWEST and first > 2 * second else "right"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_IN_BRACKETS = re.compile(r"[(（【〈][^)）】〉]*(?:[)）】〉]|\Z)")
"""A note, or what follows an unclosed bracket; matched once, not again from each bracket in it."""


def bare(line: str) -> str:
    """Return a line without notes in brackets."""
    return _IN_BRACKETS.sub(lambda note: "" if note[0][-1] in ")）】〉" else note[0], line)
