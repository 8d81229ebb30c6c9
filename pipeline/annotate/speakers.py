"""Words before 曰: who speaks, or seems to. Those whom nobody declared are what an editor of a new text must name.

A name is what stands between the last stop before 曰 (punctuation, brackets, white space, a word that ends sentences)
and 曰, without a word that only leads to it (故, 案). ``speech.tsv`` knows what is no name: the formulae of rites
(对曰, 主人曰), words that cite a work (传曰, 诗曰), words that resume (又曰).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from pipeline.annotate.index import evened
from pipeline.annotate.tables import rows
from pipeline.settings.lists import NONE, Lists

Kind = Literal["unknown", "known", "formula"]
"""Declared, declared nowhere, or no name (a formula, a work, a word that resumes)."""
_LONGEST = 5
"""Characters of the longest name: a surname and a given name of two each, and 氏 or 子."""
_ENDS = "也矣耳焉哉乎欤耶"
"""Particles that end a sentence (王力《古代汉语》语气词): no name has one."""
_ENDS_OR_TITLE = frozenset(f"{_ENDS}《》〈〉")
_STOP = rf"[^\w]|[_\d○{_ENDS}]"
"""What stands between a name and the words before it."""
_LEADS = "[故又则按案引然而即如惟唯盖葢夫今若且及亦]"
"""Conjunctions and verbs that only lead to a name (故郑氏曰, 案郑氏曰): they belong to none."""
_OPENING = frozenset("【〈（(《[「“○ \u3000")
"""What may stand before a name that opens a comment."""
_GLOSS = re.compile(
    rf"(?:[^\W曰]{{1,4}}曰[^\W曰]{{1,2}}?[^\w]*)*?[^\W曰]{{1,4}}曰[^\W曰]?[^\W曰{_ENDS}](?=\W|$)"
)
"""One or several glosses 某曰某: a thing and what it is called, as 爾雅 has them (竹曰籩木曰豆; 邢昺疏: 別其名也)."""
_NEAR = 20
"""So many graphs before a comment may hold what it explains; a phrase or two."""
_PERSON = "氏子公生"
"""Last graphs of what a person is called: such a one is never glossed by 曰."""
_AROUND = 8
"""Characters of context shown on each side; only a reader's convenience depends on it."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One place where someone speaks, or seems to."""

    name: str
    where: str
    """Id of the note or unit, or the line of a file."""
    context: str
    """The words round it, the name between ‹ ›."""
    opens: bool
    """Nothing stands before it in its note or line, or only a bracket or white space: so begins who comments."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Words before 曰 with how often they stand there and where."""

    name: str
    kind: Kind
    places: tuple[Utterance, ...]

    @property
    def opening(self) -> int:
        """How often it opens a comment; who is only quoted seldom does."""
        return sum(each.opens for each in self.places)


def names_nobody(words: str, lists: Lists = NONE) -> bool:
    """Whether words before 曰 cannot be a name: a particle in them ends a sentence, they cite a work (《魏略》, or one
    that the program's or the folder's list of titles has, also with its author before it: 司馬彪續漢書), or they
    resume."""
    if not _ENDS_OR_TITLE.isdisjoint(words) or _formulae(lists).fullmatch(evened(words)):
        return True
    return evened(words).endswith(_titles(lists))


def is_gloss(comment: str, base: str) -> bool:
    """Whether a comment on the `base` text before it says what a thing is called (方丈曰堵), and nobody speaks.

    After 曰 one or two graphs stand, then a stop or the end; who comments says more, or ends with a particle (鄭玄曰
    非也). And a word of the gloss is in the last words of the base text: it is what is explained. Where what is so
    called is no name (八十曰耄耄昏惑也 on 老耄), the base's word after 曰 is enough: unpunctuated, a gloss has no stop.
    """
    words = comment.replace("/", "")  # the sign of Mandoku between half-lines
    what, _, called = words.partition("曰")
    if what[-1:] in _PERSON:
        return False
    if not is_surname(what) and called[:1] in set(base[-_NEAR:]) - {""}:
        return True
    found = _GLOSS.match(words)
    return found is not None and not (set(found[0]) - {"曰"}).isdisjoint(base[-_NEAR:])


def said(text: str, where: str, verbs: str = "曰") -> Iterator[Utterance]:
    """Give every place of a text where a name may stand before a verb of speech."""
    for match in re.finditer(_pattern(verbs), text):
        start, name = match.start("name"), match["name"]
        before = text[max(0, start - _AROUND) : start]
        opens = not match["stop"] or match["stop"] in _OPENING
        yield Utterance(name, where, f"{before}‹{name}›{text[match.end() : match.end() + _AROUND + 1]}", opens)


@cache
def _pattern(verbs: str) -> re.Pattern[str]:
    """Give the pattern of a name: from a stop, or the beginning, to a verb of speech."""
    name = f"(?P<name>[^\\W\\d_{_ENDS}]{{1,{_LONGEST}}}?)(?=[{re.escape(verbs)}])"
    return re.compile(f"(?P<stop>^|{_STOP})(?:{_LEADS}(?=\\w\\w))?{name}")


def strangers(
    texts: Iterable[tuple[str, str]], known: Iterable[str], verbs: str = "曰", lists: Lists = NONE
) -> tuple[Stranger, ...]:
    """Give the words before verbs of speech in some texts, each (where, text); who opens most comments comes first.

    `known` are the words that introduce declared speakers, with or without the verb, and their names; `lists` those of
    the edition folder: what else stands before 曰 in its texts and names nobody who comments.
    """
    declared = {word.rstrip("曰云日谓:") for word in known} - {""}
    found: dict[str, list[Utterance]] = {}
    for where, text in texts:
        for each in said(text, where, verbs):
            found.setdefault(each.name, []).append(each)
    listed = [Stranger(name, _kind(name, declared, lists), tuple(places)) for name, places in found.items()]
    return tuple(sorted(listed, key=lambda each: (-each.opening, -len(each.places), each.name)))


def _kind(name: str, declared: set[str], lists: Lists) -> Kind:
    if name in declared:
        return "known"
    return "formula" if _formulae(lists).fullmatch(evened(name)) else "unknown"


@lru_cache(maxsize=8)
def _titles(lists: Lists) -> tuple[str, ...]:
    """Give the titles of works, as `evened` has them; of two graphs or more: one alone ends many a name."""
    return tuple(evened(row[0]) for row in rows("titles", lists) if len(row[0]) > 1)


@lru_cache(maxsize=8)
def _formulae(lists: Lists) -> re.Pattern[str]:
    """Give the pattern of what stands before 曰 and names nobody who comments."""
    return re.compile("|".join(f"(?:{pattern})" for pattern, _ in rows("speech", lists)))


_SURNAMES = frozenset(
    "趙錢孫李周吳鄭王馮陳褚衛蔣沈韓楊朱秦尤許何呂施張孔曹嚴華金魏陶姜戚謝鄒喻柏水竇章雲蘇潘葛奚范彭郎魯韋昌馬苗鳳"
    "花方俞任袁柳酆鮑史唐費廉岑薛雷賀倪湯滕殷羅畢郝鄔安常樂于時傅皮卞齊康伍余元卜顧孟平黃和穆蕭尹姚邵湛汪祁毛禹狄"
    "米貝明臧計伏成戴談宋茅龐熊紀舒屈項祝董梁杜阮藍閔席季麻強賈路婁危江童顏郭梅盛林刁鍾徐邱駱高夏蔡田樊胡凌霍虞萬"
    "支柯昝管盧莫經房裘繆干解應宗丁宣賁鄧郁單杭洪包諸左石崔吉鈕龔程嵇邢滑裴陸榮翁荀羊於惠甄麴家封芮羿儲靳汲邴糜松"
    "井段富巫烏焦巴弓牧隗山谷車侯宓蓬全郗班仰秋仲伊宮寧仇欒暴甘鈄厲戎祖武符劉景詹束龍葉幸司韶郜黎薊薄印宿白懷蒲邰"
    "從鄂索咸籍賴卓藺屠蒙池喬陰鬱胥能蒼雙聞莘黨翟譚貢勞逄姬申扶堵冉宰酈雍郤璩桑桂濮牛壽通邊扈燕冀郟浦尚農溫別莊晏"
    "柴瞿閻充慕連茹習宦艾魚容向古易慎戈廖庾終暨居衡步都耿滿弘匡國文寇廣祿闕東歐殳沃利蔚越夔隆師鞏厙聶晁勾敖融冷訾"
    "辛闞那簡饒空曾毋沙乜養鞠須豐巢關蒯相查后荊紅游竺權逯蓋益桓公譙苞臣赵钱孙吴郑冯陈卫蒋韩杨许吕张严华谢邹苏鲁韦"
    "马凤鲍费贺汤罗毕邬乐时齐顾黄萧贝计谈庞纪项贾娄颜钟骆万卢经应单诸龚陆荣储乌车宁刘龙叶蓟怀从赖阴闻谭贡劳边农温"
    "庄阎习鱼广阙东欧师巩聂简饶关荆权盖鄚"
)
"""The surnames of 百家姓 (Song), of whose double ones (司馬, 皇甫) the first graph; with 桓, 公(孫), 譙, 苞 from what
何晏 and 裴駰 gather, and 臣, by which editors call themselves before the throne."""


def is_surname(name: str) -> bool:
    """Tell whether a name begins with a surname."""
    return name[:1] in _SURNAMES
