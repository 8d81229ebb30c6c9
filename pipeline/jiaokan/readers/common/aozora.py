"""The notation of Aozora Bunko 青空文庫: readings ｜漢字《かな》, reading marks ［＃レ］ and endings ［＃（ヲ）］ of
kanbun, and the notes of its transcribers ［＃…］ (https://www.aozora.gr.jp/annotation/).

Readings, marks and endings become notes on their words. The signs, other notes, the legend between two lines of dashes
and the colophon (底本：…) are dropped, by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from jiaokan.model import Content, Note, Span
from jiaokan.model.walk import Replacing

Dropped = Callable[[str, str], None]

_GRAPHS = "㐀-鿿\U00020000-\U0003ffff々〆〇ヶ※"
_KANA = "ぁ-ゖァ-ヺー・ゝゞヽヾ"
_NOTATION = re.compile(
    f"(?P<bar>｜)(?P<words>[^｜《》［］\n]{{1,20}})《(?P<reading>[^《》]+)》"
    f"|(?P<graphs>[{_GRAPHS}]+)《(?P<kana>[{_KANA}]+)》"
    "|［＃(?P<mark>[一二三四五上中下甲乙丙丁天地人レ]{1,2})］|［＃（(?P<ending>[^（）［］]+)）］")
_OTHER = re.compile("［＃(?![一二三四五上中下甲乙丙丁天地人レ]{1,2}］|（[^（）［］]+）］)[^［］]*］")
_DASHES = re.compile("-{20,}")
_COLOPHON = re.compile("底本：")
_FEWEST = 2
"""Least readings or marks of a text in this notation: one in 《》 can be a title."""


def is_aozora(text: str) -> bool:
    """Whether a text has readings or reading marks of this notation."""
    return sum(1 for _ in _NOTATION.finditer(text)) >= _FEWEST


def strip_notes(lines: Sequence[str], dropped: Dropped) -> Iterator[str]:
    """Yield lines without the legend, the colophon and the notes of transcribers, which are dropped by rule."""
    legend = [n for n, line in enumerate(lines) if _DASHES.fullmatch(line.strip())][:2]
    end = next((n for n, line in enumerate(lines) if _COLOPHON.match(line)), len(lines))
    for n, line in enumerate(lines):
        explains = len(legend) == 2 and legend[0] <= n <= legend[1]
        rule = "aozora-colophon" if n >= end else "aozora-legend" if explains else ""
        for words in [line] if rule else _OTHER.findall(line):
            if words:
                dropped(rule or "aozora-note", words)
        yield "" if rule else _OTHER.sub("", line)


def head_level(line: str) -> int:
    """Return the level of the heading that a note of transcribers says a line is, from 1; 0 of other lines."""
    match = re.search("［＃[^［］]*([大中小])見出し", line)
    return "大中小".index(match[1]) + 1 if match else 0


def without_signs(line: str) -> tuple[str, str]:
    """Return a line as it is printed, readings after their words, and its signs."""
    signs = "".join(chain.from_iterable(_signs(match) for match in _NOTATION.finditer(line)))
    return _NOTATION.sub(lambda match: "".join(filter(None, match.group(*_WORDS))), line), signs


_WORDS = ("words", "reading", "graphs", "kana", "mark", "ending")


def _signs(match: re.Match[str]) -> str:
    whole = match[0]
    for words in filter(None, match.group(*_WORDS)):
        whole = whole.replace(words, "", 1)
    return whole


class WithReadings(Replacing):
    """Makes readings, reading marks and endings notes on the words before them."""

    def string(self, text: str) -> Content:
        """Return a string as words and notes."""
        pieces, at = list[str | Span | Note](), 0
        for match in _NOTATION.finditer(text):
            pieces += [text[at : match.start()]] if match.start() > at else []
            at = match.end()
            if words := match["words"] or match["graphs"]:
                pieces.append(Span(role="hi", content=(words,), subtype="ruby"))
            reading = match["reading"] or match["kana"]
            kind = "ruby" if reading else "kaeriten" if match["mark"] else "okurigana"
            pieces.append(Note(kind="gloss", subtype=kind, content=(reading or match["mark"] or match["ending"],)))
        return (*pieces, *([text[at:]] if at < len(text) else []))
