"""Recognise names: of commentators before 曰, and of authors on title pages with dynasty and deed.

Title pages and first lines of juan have the order dynasty, name, deed (宋　朱子　章句; 〔漢〕司馬遷 撰).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.annotate.speakers import is_surname, names_nobody
from pipeline.model.numerals import NUMERAL
from pipeline.scaffold.rows import COMMENTS, MAKES, Row, bare

_LAST_OF_BOOKS = frozenset("詩诗書书易禮礼傳传記记經经語语志史文說说序論论箋笺誥诰謨谟頌颂雅風风本紀纪典")
"""Last characters of titles of books before 曰 or 云 (詩云, 傳曰, 說文云, 系本云)."""
_FUNCTION_WORDS = frozenset(
    "故又或則则而皆亦自必乃名謂谓對对問问答告言所者之也其此是人"
    "一二三四五何可不有無无為为以於于今古昔王公君命按案即據据"
)
"""Characters that no name before 曰 contains: particles, pronouns, verbs of saying (王力, 古代漢語, 虛詞), titles of
rulers, who are quoted and do not comment."""
_MASTERS = frozenset((
    "孔子", "夫子", "君子", "弟子", "天子", "孟子", "老子", "莊子", "庄子", "荀子", "墨子", "列子", "管子",
    "韓子", "韩子", "楊子", "揚子", "曾子", "有子", "晏子", "尸子", "文子", "孫子", "孙子",
))
"""Masters and roles, who are quoted and do not comment."""


def is_commentator(name: str) -> bool:
    """Whether words before 曰 can name a commentator: 程子, 尹氏, 孔安國, 臣鉉等; not 君子, 詩, 或, 國語."""
    if name in _MASTERS or name[-1:] in _LAST_OF_BOOKS or names_nobody(name):
        return False
    if set(name[1:]) & _FUNCTION_WORDS or name[0] in "故又或則则而按案即":
        return False
    return name[-1:] in "氏子" or is_surname(name)


_DYNASTIES = (
    "先秦|春秋|戰國|战国|周|秦|西漢|西汉|東漢|东汉|後漢|后汉|漢|汉|三國|三国|曹魏|魏|蜀|吳|吴|西晉|西晋|東晉|东晋|晉|晋"
    "|姚秦|後秦|南朝宋|南朝梁|劉宋|刘宋|宋|南齊|齊|齐|梁|陳|陈|北魏|北齊|北周|隋|唐|五代|南唐|遼|辽|北宋|南宋|金|元|明|清|民國|民国"
)
_DYNASTY = f"(?P<dynasty>{_DYNASTIES})[朝]?"
_BRACKETED = re.compile(
    f"[〔\\[［【(（]{_DYNASTY}[〕\\]］】)）][　 ]*(?P<name>[㐀-鿿]{{2,5}}?)[　 ]*(?P<act>{COMMENTS}|{MAKES})?"
    "(?=$|[　 ,，、;；〔\\[])"
)
_BARE = re.compile(f"(?:{_DYNASTY})?(?P<name>[㐀-鿿]{{2,8}}?)(?P<act>{COMMENTS}|{MAKES})")
_COMMENT = re.compile(f"([^第]+(?:{COMMENTS}))第(?:{NUMERAL}|\\d+)")
_OFFICE = re.compile("^.{1,4}(?:令|郎|尉|卿|大夫|學士|学士|祭酒|將軍|将军|侍中)(?=..)")
"""An office before a name, by its last word (the common ones of 百官志)."""
_PART = re.compile(f"第(?:{NUMERAL}|\\d+)|[卷巻]")
"""Marks a piece of a line that names a part of the book."""
_LONGEST_NAME = 4
"""Characters of the longest name, with the place of origin (山陽王弼); longer ones are titles of chapters."""
_GIVEN = 2
"""Characters of the longest given name."""
SHORT = 24
"""Characters of the longest line of a title page, without notes: 大學(大舊音泰今讀如字)　　宋　朱子　章句."""


@dataclass(frozen=True, slots=True)
class Maker:
    """An author, editor or commentator named on a title page."""

    name: str
    dynasty: str = ""
    comments: bool = False
    """Whether his work is a commentary."""


def makers(row: Row, title: str = "") -> tuple[Maker, ...]:
    """Return the makers that a line of a title page names; none if it is not such a line."""
    if found := tuple(_BRACKETED.finditer(row.text)):
        return tuple(_maker(match) for match in found)
    line = bare(row.text)
    if not line or len(line) > SHORT:
        return ()
    pieces = [piece for piece in re.split("[　 |｜]+", line) if piece]
    plain = (match[1] if (match := _COMMENT.fullmatch(piece)) else piece for piece in pieces)  # 河上公章句第一
    kept = [piece for piece in plain if not _PART.search(piece) and piece != title]
    match = _BARE.fullmatch("".join(_without_office(kept)))
    if not match or (match["act"] in MAKES[-7:].split("|") and not match["dynasty"]):
        return ()
    maker = _maker(match)
    if len(maker.name) > _LONGEST_NAME or (match["act"] == "解" and not is_surname(maker.name)):
        return ()
    apart = len(pieces) > 1 or row.indent > 0 or row.level > 0
    return (maker,) if apart or is_surname(maker.name) else ()


def _without_office(pieces: Sequence[str]) -> list[str]:
    """Return 楊, 倞, 注 for 登仕郎守大理評事楊, 倞, 注: an office precedes surname, name and deed."""
    if len(pieces) < 3 or not re.fullmatch(f"{COMMENTS}|{MAKES}", pieces[-1]) or not 0 < len(pieces[-2]) <= _GIVEN:
        return [*pieces]
    words = pieces[-3]
    return [words[-1], *pieces[-2:]] if len(words) > _LONGEST_NAME and is_surname(words[-1]) else [*pieces]


def _maker(match: re.Match[str]) -> Maker:
    """Return a maker without his office: 傅奕 for 太史令傅奕."""
    comments = bool(re.fullmatch(COMMENTS, match["act"] or ""))
    return Maker(_OFFICE.sub("", match["name"]), match["dynasty"] or "", comments)


def is_commentary(title: str) -> bool:
    """Whether a book is a commentary by its title: 史記索隱, 道德真經注."""
    return bool(re.search(f"(?:{COMMENTS})$", title))


def plain_title(line: str) -> str:
    """Return the title of a book from a line that may also name its maker: 大學 from 大學|〔先秦〕曾參 撰."""
    return re.split("[|｜〔\\[［]|[　 ]+(?=\\S)", line.strip("《》〈〉 　"))[0].strip("《》　 ") or line
