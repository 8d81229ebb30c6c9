"""Recognise the lines of a title page that name the makers of a book, and names that are one person.

Title pages and first lines of juan have the order dynasty, office, name, deed (宋　朱子　章句; 〔漢〕司馬遷 撰;
唐太子右庶子臣某注).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jiaokan.annotate.speakers import is_surname
from jiaokan.characters.equality import norm
from jiaokan.model.numerals import NUMERAL
from jiaokan.structure.rows import (
    BEFORE,
    CODE,
    COMMENTS,
    DOUBLE,
    LAST_OF_BOOKS,
    LONGEST_NAME,
    MAKES,
    SHORT,
    Row,
    bare,
    without_style,
)

_DYNASTIES = (
    "先秦|春秋|戰國|战国|周|秦|西漢|西汉|東漢|东汉|後漢|后汉|漢|汉|三國|三国|曹魏|魏|蜀|吳|吴|西晉|西晋|東晉|东晋|晉|晋"
    "|姚秦|後秦|南朝宋|南朝梁|劉宋|刘宋|宋|南齊|齊|齐|梁|陳|陈|北魏|北齊|北周|隋|唐|五代|南唐|遼|辽|北宋|南宋|金|元|明|清|民國|民国"
)
_DYNASTY = f"(?P<dynasty>{_DYNASTIES})(?!郡|縣|县|州)[朝]?"
_BRACKETED = re.compile(
    f"[〔\\[［【(（]{_DYNASTY}[〕\\]］】)）][　 ]*(?P<name>[㐀-鿿]{{2,5}}?)[　 ]*(?P<act>{COMMENTS}|{MAKES})?"
    "(?=$|[　 ,，、;；〔\\[])"
)
_BARE = re.compile(f"(?:{_DYNASTY})?(?P<name>[㐀-鿿]{{2,8}}?)(?P<act>{COMMENTS}|{MAKES})")
_COMMENT = re.compile(f"([^第]+(?:{COMMENTS})(?<!解))第(?:{NUMERAL}|\\d+)")
_DEED = f"(?:校正|改誤|音釋|{COMMENTS}|{MAKES})"
_LINK = re.compile(f"(?:{_DYNASTY})?(?P<name>[㐀-鿿]{{2,9}}?)(?:奉[敕勅制詔诏])?(?:[重并幷並]?(?P<act>{_DEED}))"
                   f"(?:[重并幷並及]*(?P<more>{_DEED}))*")
"""A name with what it made, in a row of them: 啓玄子次註林億孫竒髙保衡等奉敕校正, 漢趙氏注宋孫奭音義并疏."""
_OFFICE = re.compile(
    "^.{1,4}(?:令|郎|尉|卿|大夫|學士|学士|祭酒|將軍|将军|侍中|郡|縣|县|沙門|沙门|法師|法师|禪師|禅师|道士)(?=..)")
"""An office before a name, by its last word (the common ones of 百官志), or the place of origin (吳郡黃省曾)."""
_PART = re.compile(f"第(?:{NUMERAL}|\\d+)|[卷巻]")
"""Marks a piece of a line that names a part of the book."""
_WORDS = frozenset("選选編编傳传校")
"""Deeds that are also the last words of titles (文選, 列女傳): before them the page names the dynasty."""
_GIVEN = 2
"""Characters of the longest given name."""
_LONGEST = 2 * SHORT
"""Characters of the longest line with the offices of its makers. A choice."""
_DECREE = "(?:奉[敕勅勑旨制詔诏])"
_LONG_DEEDS = f"(?:纂集|編集|编集|重述|校正|參訂|(?<![文詩诗全選选別别總总外])集|訂|订|纂|訓|训|{COMMENTS}|{MAKES})"
_CALLED = "(?:後學|后学|門人|门人|鄉貢進士)"
"""What one calls himself before the place of origin."""
_AFTER_OFFICES = re.compile(
    f"(?P<era>大?{_DYNASTY}|{_CALLED})?(?P<who>.{{2,40}}?){_DECREE}?(?:[重并幷並及]*(?P<act>{_LONG_DEEDS}))+")
"""A maker with all his offices: 宋朝散大夫守祕書監臣某奉敕編集."""
_NEXT_MAKER = re.compile(f"(?<=[{''.join(sorted({*'撰註注疏解述集釋义義訂譯校編輯'}))}])(?={_DYNASTIES}|{_CALLED})")
_OFFICE_END = re.compile(
    "(?:開國[公侯伯子男]|令史|御史|長史|刺史|太史|内史|內史|博士|學士|学士|常侍|侍中|侍郎|舍人|舎人|大夫|將軍|将军|祭酒|司業|記室|參軍"
    "|主簿|法師|法师|禪師|沙門|沙门|居士|道士|山人|先生|老人|後學|后学|進士|真人|眞人|真逸|眞逸"
    "|[令郎尉卿監監丞相傅守牧史事臣官生士公])$")
"""The end of what precedes a name: an office by its last word (those of 百官志), a rank of nobility, how one calls
himself."""
_BEFORE_ANY = re.compile(".*(?:臣|三藏|法師|法师|禪師|禅师|沙門|沙门|和尚|大師|大师)([^臣藏師师門门尚]{2,4})")
"""What precedes any name, with surname or without: a subject's before the throne, a monk's."""
_ABOVE = re.compile("眉[批評评註注]")
"""Marks a note above the text; the words before it name the speaker (金聖歎眉批)."""
_VERB = re.compile("(?:等?[謹谨][按案]|(?<=[^曰云])[按案]|[曰云：:｜|○〇【】〔〕［］\\[\\]()（） 　]+)$")
_WROTE = re.compile("^[註注疏](?=..)")
"""What somebody wrote, before his name: 註苞氏曰."""


@dataclass(frozen=True, slots=True)
class Maker:
    """An author, editor or commentator named on a title page."""

    name: str
    dynasty: str = ""
    comments: bool = False
    """Whether his work is a commentary."""
    act: str = ""
    """What he made, in the words of the page: 注, 音義."""


def makers(row: Row, title: str = "") -> tuple[Maker, ...]:
    """Return the makers that a line of a title page names; none if it is not such a line."""
    if names := tuple(_BRACKETED.finditer(row.text)):
        return tuple(_maker(match) for match in names)
    line = bare(row.text)
    if not line or len(line) > _LONGEST or re.search(f"(?:{BEFORE})[(（]", row.text):  # 虞書音義(…) is a note
        return ()
    pieces = [piece for piece in re.split("[　 |｜]+", line) if piece]
    if len(line) > SHORT:
        return () if re.search("[，。；：？！曰也]", line) else _after_offices(pieces)
    return _makers_in_a_row("".join(pieces)) or _makers_in_pieces(pieces, row, title)


def _makers_in_pieces(pieces: Sequence[str], row: Row, title: str) -> tuple[Maker, ...]:
    """Return the makers of a row in pieces with spaces between: one, or several of whom each has his deed."""
    several = [match for piece in pieces if (match := _BARE.fullmatch(piece))]
    if len(pieces) == len(several) > 1:  # 漢孔氏傳　唐陸德明音義　孔穎達疏
        return tuple(map(_maker, several))
    plain = (match[1] if (match := _COMMENT.fullmatch(piece)) else piece for piece in pieces)  # 河上公章句第一
    parts = [piece for piece in plain if not _PART.search(piece) and piece != title]
    if len(parts) > 2 and re.fullmatch(f"{COMMENTS}|{MAKES}", parts[-1]) and len(parts[-2]) <= _GIVEN:
        words = parts[-3]  # an office before surname, name and deed: 登仕郎守大理評事楊, 倞, 注
        parts = [words[-1], *parts[-2:]] if len(words) > LONGEST_NAME and is_surname(words[-1]) else parts
    match = _BARE.fullmatch("".join(parts))
    if len(pieces) > 1 and re.fullmatch(".氏[傳传箋笺注註]", pieces[-1]):  # 堯典第一　虞書　孔氏傳
        return (Maker(pieces[-1][:2], "", comments=True, act=pieces[-1][2:]),)
    if len(pieces) > 1 and re.fullmatch(".氏", pieces[0]) and pieces[1][0] in "盡尽":  # 杜氏　盡十一年
        return (Maker(pieces[0], "", comments=True, act="注"),)
    if len(parts) > 1 and (not match or len(match["name"]) > LONGEST_NAME):  # 列子　張湛處度注, with another title
        last = _BARE.fullmatch(parts[-1])
        match = last if last and is_surname(last["name"]) else match
        if match is last and match and match["act"] in "解學学":  # 相魯　始誅　王言解, a table of contents
            return ()
    if not match or (match["act"] in _WORDS and not match["dynasty"]):
        return _after_offices(parts)
    maker = _maker(match)
    if len(match["name"]) > LONGEST_NAME and (officials := _after_offices(parts)):
        return officials
    if len(maker.name) > LONGEST_NAME:
        return ()
    if not is_surname(maker.name) and (match["act"] in "解學学" or maker.name[-1] in LAST_OF_BOOKS):
        return ()
    apart = len(pieces) > 1 or row.indent > 0 or row.level > 0 or maker.name != match["name"]
    if not maker.comments and len(maker.name) == 2 * _GIVEN and maker.name[:2] not in DOUBLE and all(
            map(is_surname, (maker.name, maker.name[2:]))):  # 韓愈李翺
        return tuple(replace(maker, name=name) for name in (maker.name[:2], maker.name[2:]))
    return (maker,) if apart or is_surname(maker.name) else ()


def _after_offices(parts: Sequence[str]) -> tuple[Maker, ...]:
    """Return the makers of a line with the offices before their names, perhaps of several after one another; each must
    have an office, a dynasty, or be called a subject (臣)."""
    named: list[Maker] = []
    for piece in _NEXT_MAKER.split(CODE.sub("〓", "".join(parts))):
        match = _AFTER_OFFICES.fullmatch(piece)
        name, is_sure = _name_after_offices(match["who"]) if match else ("", False)
        if not match or not name or not (is_sure or match["era"]) or (match["act"] in _WORDS and not match["dynasty"]):
            return ()
        named.append(Maker(name, match["dynasty"] or "", bool(re.fullmatch(COMMENTS, match["act"])), match["act"]))
    return tuple(named)


def _name_after_offices(words: str) -> tuple[str, bool]:
    """Return the name at the end of words, and whether an office precedes it: of the names that begin with a surname
    the one after the longest word for an office, else that of three graphs."""
    words = words.removesuffix("等")
    if re.fullmatch(".{0,2}太子.", words):  # 章懷太子賢
        return words, True
    if called := _BEFORE_ANY.fullmatch(words):
        return called[1], True
    ranked: list[tuple[int, bool, str]] = []
    for size in (2, 3, 4):
        name = words[-size:]
        if size <= len(words) and is_surname(name) and (size < LONGEST_NAME or name[:2] in DOUBLE):
            office = _OFFICE_END.search(words[:-size])
            ranked.append((len(office[0]) if office else 0, size == 3, name))
    longest, _, name = max(ranked, default=(0, False, ""))
    return name, longest > 0


def _makers_in_a_row(line: str) -> tuple[Maker, ...]:
    """Return the makers of a line that only consists of two or more names, each with what he made; several deeds of one
    (音義并疏) are several rows."""
    named: list[Maker] = []
    at, names = 0, 0
    while match := _LINK.match(line, at):
        first = _maker(match)
        if len(first.name) > LONGEST_NAME or _PART.search(first.name):
            return ()
        deeds = [match["act"], *filter(None, [match["more"]])]
        named += [Maker(first.name, first.dynasty, bool(re.fullmatch(COMMENTS, deed)), deed) for deed in deeds]
        at, names = match.end(), names + 1
    known = any(maker.dynasty or is_surname(maker.name) for maker in named)
    return tuple(named) if at == len(line) and names > 1 and known and any(maker.comments for maker in named) else ()


def _maker(match: re.Match[str]) -> Maker:
    """Return a maker without his office: 傅奕 for 太史令傅奕; of several the first: 林億 for 林億孫竒髙保衡等."""
    comments = bool(re.fullmatch(COMMENTS, match["act"] or ""))
    name = re.sub("音義[并幷並]?$|奉[敕勅制詔诏]$", "", _OFFICE.sub("", match["name"]))  # 孫氏音義并疏
    if name.endswith("等"):
        name = name[:-1] if len(name) <= LONGEST_NAME else name[:2] if is_surname(name[2]) else name[:3]
    return Maker(name, match["dynasty"] or "", comments, match["act"] or "")


def same_person(name: str, full: str) -> bool:
    """Whether a name is a short form of another: the given name or its last character (善 of 李善), the surname with 氏
    (趙氏 of 趙岐)."""
    a, b = norm(name), norm(full)
    if a == b:
        return True
    if len(b) < 2 or len(a) >= len(b) + (a[-1:] == "氏"):
        return False
    return b.endswith(a) or (len(a) == 2 and a[1] == "氏" and b.startswith(a[0]))


def is_given_name(name: str, full: str) -> bool:
    """Whether a name is the given name of a full one, or the end of it: 師古 and 洙 of 顏師古 and 尹洙."""
    a, b = norm(name), norm(full)
    return 0 < len(a) < len(b) <= LONGEST_NAME and b.endswith(a) and is_surname(full) and full[-1] not in "氏子"


def name_in(words: str) -> str:
    """Return the name in words that introduce a speaker: 孔安國 of 孔安國曰, 集解 of 【集解】, 某 of 某眉批：."""
    def plain(text: str) -> str:
        return _VERB.sub("", text).strip("【】〔〕［］[]()（）")

    name = plain(_ABOVE.sub("", plain(words)))
    return re.sub("(?<=..)[註注疏解]$", "", name) if is_surname(name) else name


def plain_name(name: str) -> str:
    """Return a name without what he wrote and his style: 苞氏 of 註苞氏, 蘇轍 of 潁濱蘇轍."""
    return without_style(_WROTE.sub("", name))


def is_named_by(words: str, maker: Maker) -> bool:
    """Whether words that introduce a speaker have the name of a maker: 師古曰, 臣淳風等謹按."""
    name = plain_name(name_in(words))
    return same_person(name, maker.name) or (name[0:1] == "臣" and same_person(name[1:], maker.name))


def speaks_for(words: str, maker: Maker) -> bool:
    """Whether words that introduce a speaker name a maker, or his work: 補正曰 who wrote 補正."""
    return is_named_by(words, maker) or (len(maker.act) > 1 and maker.act in name_in(words))


def is_above(words: str) -> bool:
    """Whether words introduce a note above the text."""
    return bool(_ABOVE.search(words))


def is_commentary(title: str) -> bool:
    """Whether a book is a commentary by its title: 史記索隱, 道德真經注."""
    return bool(re.search(f"(?:{COMMENTS})$", title))


def plain_title(line: str) -> str:
    """Return the title of a book from a line that may also name its maker: 大學 from 大學|〔先秦〕曾參 撰."""
    return re.split("[|｜〔\\[［]|[　 ]+(?=\\S)", line.strip("《》〈〉 　"))[0].strip("《》　 ") or line
