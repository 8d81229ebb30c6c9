"""Split a file into the rows that its reader will see, and recognise names of makers and commentators in them.

Title pages and first lines of juan have the order dynasty, name, deed (宋　朱子　章句; 〔漢〕司馬遷 撰).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from jiaokan.annotate.speakers import is_surname, names_nobody
from jiaokan.model.numerals import NUMERAL
from jiaokan.readers import mandoku, plain
from jiaokan.readers.common.source import BLANK, PAGE, Source
from jiaokan.settings.catalog import Work

CODE = re.compile("&[A-Za-z][A-Za-z0-9_.-]*;|[\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""What stands for a character without code point: the name of an entity, a private-use character."""
CLOSING = f"右[^，。]{{0,8}}?第{NUMERAL}[章篇品]?.{{0,12}}"
"""A line that closes and counts a chapter: 右第一章五十九言."""
HEADING = (
    rf"(?:&\w+;|[^，。()（）]){{0,8}}第{NUMERAL}[章篇品]?(?:[　 ]+\S{{2,8}}){{0,3}}"
    r"(?:[(（][^()（）]*[)）](?:[　 ]*[^　 ，。()（）]{2,4})?)?"
)
"""A line that counts a chapter, with book, author and note: 學而第一　何晏集解(凢十六章), 招魂第九(魂一作䰟)楚辭."""
CASE = "[^〇一二三四五六七八九十百上中下之，。　 ][一二三四五六七八九十]{1,2}"
"""The case of 道藏 and the fascicle in it (建七), after the number of a juan."""
JUAN = (
    "[^，。第]{0,12}?[卷巻][第苐之]?([〇一二三四五六七八九十百]+|[上中下])[上中下]?(?:之[一二三四五])?"
    f"(?:終|终|{CASE})?"
)
"""The first and last line of a juan."""
COMMENTS = (
    "章句|集註|集注|集解|集釋|集释|集傳|集传|音義|音义|音註|音注|音釋|音释|補註|補注|补注|補正|补正|原註|原注|次註|次注|校註|校注"
    "|訓解|训解|訓注|訓註|訓詁|训诂|箋註|箋注|笺注|解詁|解诂|義疏|义疏|疏義|疏义|正義|正义|索隱|索隐|注疏|註疏|註釋|注釋|注释|註解|注解|義解|义解|直解|句解|口義|口义"
    "|評註|評注|评注|補疏|补疏|註補|注補|注补|注|註|疏|箋|笺|解|學|学"
)
MAKES = "奉敕撰|編撰|編纂|编纂|撰|譯|译|著|述|校定|輯|辑|選|选|編|编|傳|传|校"
"""What title pages say of a commentator (何休學: 學者言爲此經之學, 經典釋文), and of a maker of a book."""
LABELS = {
    **dict.fromkeys(("疏", "正義", "正义", "索隱", "索隐", "義疏", "义疏", "釋", "释"), "shu"),
    **dict.fromkeys(("音義", "音义", "释文", "釋文"), "yinyi"), **dict.fromkeys(("按", "案", "今按", "愚按"), "an"),
    **dict.fromkeys(("注", "註", "集解", "傳", "传", "箋", "笺"), "zhu"), "補正": "shuo", "补正": "shuo",
}
"""The kind of note that some words introduce (釋曰: the 疏 of 穀梁傳); all others introduce comments of later
commentators (shuo)."""
BEFORE = "音義|音义|釋文|释文|疏|正義|正义|重言|重意|互註|互注"
"""Words that 武英殿本十三經注疏 sets before the small type: 音義(…), 疏(…); 纂圖互註本 have 重言, 重意, 互註."""
BYLINE = f"\\S+[　 ]+(?:\\S{{1,8}}[　 ]+){{0,2}}(?:{COMMENTS}|{MAKES})"
"""A line of the page with maker and deed, with spaces between: 晉　郭璞　撰, 登仕郎守大理評事楊　倞　注."""
_HALVES = re.compile(r"\(([^()/¶]+)/([^()/¶]+)\)")
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
    quoted: str = ""
    """The sign that sets a line apart in markup: ``>`` of Markdown, ``:`` of wiki text."""


def rows_of(text: str, format_: str, alone: frozenset[str] = frozenset()) -> tuple[Row, ...]:
    """Return the rows of a text, without blank ones. Lines of a page that are `alone` are rows by themselves."""
    lines = tuple(text.split("\n"))
    if format_ == "mandoku":
        named = sorted(_under_juans(lines) | _in_contents(lines) | alone)
        titles = "".join(f"|{re.escape(title)}(?:[(].*)?" for title in named)
        titles += "|《[^《》]{2,24}》"
        if stated := re.search(r"^#\+TITLE: *(\S+)", text, re.M):  # perhaps shorter (佛說…), with the case of a canon
            whole = stated[1]
            ends = "|".join(re.escape(whole[at:]) for at in range(3) if not at or len(whole) - at > LONGEST_NAME)
            titles += f"|[《【]?(?:{ends}).?[》】]?"
        source = Source(id="", file="", lines=lines, work=Work(id="", title="", chapters=()), speakers=(), convention={
            "lines": "phrase" if by_phrase(lines) else "print", "halves": halves(text), "chapter_end": CLOSING,
            "section": HEADING + titles,
            "furniture": [{"kind": "juan", "pattern": JUAN}, {"kind": "byline", "pattern": BYLINE}],
        })
        return tuple(Row(p.number, p.text.strip(), len(p.indent), p.level) for p in mandoku.paragraphs(source))
    if format_ in ("wiki", "markdown", "aozora"):
        marked = ((n, re.sub(f"{PAGE[0]}[^{PAGE}]*{PAGE[1]}", "", line), level)
                  for n, line, level in plain.unmarked_lines(lines, format_))
        return tuple(_row(n, line, level, plain.sign_apart(lines[n - 1], format_)) for n, line, level in marked
                     if line.strip())
    return tuple(_row(n, line) for n, line in enumerate(lines, 1) if line.strip())


def _under_juans(lines: tuple[str, ...]) -> set[str]:
    """Return the short indented lines below the first lines of juan and their makers in a Mandoku text: 原道訓 below
    淮南鴻烈解卷一 and 漢　高誘　注."""
    page = [line.rstrip("¶") for line in lines if line[:1] not in ("#", "<") and line.strip("¶ \t　")]
    above = re.compile(f"(?:{JUAN}|.+[{BLANK}].*(?:{COMMENTS}|{MAKES}))")
    return {match[1] for line, after in pairwise(page) if above.fullmatch(line.strip(BLANK))
            and (match := re.fullmatch(f"[{BLANK}]+([㐀-鿿]{{2,8}})(?:[(].*)?", after))}


def _in_contents(lines: tuple[str, ...]) -> set[str]:
    """Return the lines of a Mandoku text that are a title of a line with several: of a table of contents."""
    page = [line.rstrip("¶").strip(BLANK) for line in lines if line[:1] not in ("#", "<")]
    listed = {word for line in page if len(words := re.split(f"[{BLANK}]+", line)) > 1
              and all(re.fullmatch("[㐀-鿿]{2,8}", word) for word in words) for word in words}
    return {line for line in page if line in listed}


def by_phrase(lines: tuple[str, ...]) -> bool:
    """Whether the lines of a Mandoku text are phrases, not lines of a page: most end in punctuation."""
    text = [line for line in lines if line.strip("¶ \t　") and line[0] not in "#*<"]
    return 2 * sum(1 for line in text if _END.search(line)) > len(text)


def halves(text: str) -> Literal["right", "left"]:
    """Return which half-line of its notes a Mandoku text has first: the half that is read last ends the sentence, and
    so has most final particles (也 矣 焉: 楊樹達《詞詮》, 助詞)."""
    pairs = _HALVES.findall(re.sub("<md:[^<>]*>|(?<=.)¶(?=.)", "", text))
    first, second = (sum(1 for pair in pairs if pair[n][-1:] in _FINAL) for n in (0, 1))
    return "left" if first >= _FEWEST and first > 2 * second else "right"


_FEWEST_NUMBERS, _STEADY = 4, 0.8
"""Numbers count sections if there are so many, and such a share is one more than the one before or begins again; years
and quantities at the beginning of a line are not."""
_INLINE = re.compile(r"(?<!\S)\[\d{1,4}\](?=[ \t]*\w)")
"""A number of a section between words (The Latin Library); the call of a note follows its word without a blank."""


def count_sections(values: Sequence[int]) -> bool:
    """Whether numbers are those of sections."""
    steps = sum(after == before + 1 or after == 1 for before, after in pairwise(values))
    return len(values) >= _FEWEST_NUMBERS and steps >= _STEADY * (len(values) - 1)


def sections_apart(text: str) -> str:
    """Return a text with a new line before each number of a section that stands in a line."""
    numbers = [int(match[0][1:-1]) for match in _INLINE.finditer(text)]
    if not count_sections(numbers) or len(numbers) < _STEADY * len(re.findall(r"\[\d{1,4}\]", text)):
        return text
    return re.sub(rf"[ \t]+(?={_INLINE.pattern})", "\n", text)


def _row(n: int, line: str, level: int = 0, quoted: str = "") -> Row:
    return Row(n, line.strip(), len(line) - len(line.lstrip()), level, quoted)


_IN_BRACKETS = re.compile(r"[(（【〈][^)）】〉]*(?:[)）】〉]|\Z)")
"""A note, or what follows an unclosed bracket; matched once, not again from each bracket in it."""


def bare(line: str) -> str:
    """Return a line without notes in brackets."""
    return _IN_BRACKETS.sub(lambda note: "" if note[0][-1] in ")）】〉" else note[0], line)


LAST_OF_BOOKS = frozenset("詩诗書书易禮礼傳传記记經经語语志史文說说序論论箋笺誥诰謨谟頌颂雅風风本紀纪典")
"""Last characters of titles of books before 曰 or 云 (詩云, 傳曰, 說文云, 系本云)."""
_FUNCTION_WORDS = frozenset(
    "故又或則则而皆亦自必乃名謂谓對对問问答荅術术告言曰云所者之也其此是人"
    "一二三四五何可不有無无為为以於于今古昔王公君帝命按案即據据"
)
"""Characters that no name before 曰 contains: particles, pronouns, verbs of saying (王力, 古代漢語, 虛詞), titles of
rulers, who are quoted and do not comment."""
DOUBLE = frozenset((
    "司馬", "司马", "歐陽", "欧阳", "諸葛", "诸葛", "皇甫", "公孫", "公孙", "上官", "令狐", "夏侯", "尉遲",
    "長孫", "长孙", "慕容", "司徒", "司空", "東方", "东方", "淳于", "鍾離", "宇文", "端木", "澹臺", "公羊",
    "穀梁", "谷梁", "赫連", "申屠", "濮陽", "東郭",
))
"""Surnames of two graphs (百家姓)."""
_MASTERS = frozenset((
    "孔子", "夫子", "君子", "弟子", "天子", "孟子", "老子", "莊子", "庄子", "荀子", "墨子", "列子", "管子",
    "韓子", "韩子", "楊子", "揚子", "曾子", "有子", "晏子", "尸子", "文子", "孫子", "孙子",
))
"""Masters and roles, who are quoted and do not comment."""


def is_short_name(name: str) -> bool:
    """Whether one character before 曰 can be the name of a commentator (咸曰, 光曰 in 五臣注揚子法言)."""
    return len(name) == 1 and name not in _FUNCTION_WORDS | LAST_OF_BOOKS | frozenset("子補补正箋笺疏注註")


def is_commentator(name: str) -> bool:
    """Whether words before 曰 can name a commentator: 程子, 尹氏, 孔安國, 臣鉉等; not 君子, 詩, 或, 國語."""
    if name in _MASTERS or (len(name) > 3 and name[-2:] in _MASTERS):  # 論語孔子曰
        return False
    if name[-1:] in LAST_OF_BOOKS or names_nobody(name):
        return False
    if name[-1:] == "子" and name[-2:-1] in LAST_OF_BOOKS:  # 論語子曰
        return False
    if set(name[1:]) & _FUNCTION_WORDS or name[0] in "故又或則则而按案即云曰問问對对":
        return False
    return name[-1:] in "氏子" or is_surname(name)


def without_style(name: str) -> str:
    """Return a name without the style or place before it: 蘇轍 of 潁濱蘇轍; any other name as it is."""
    if len(name) < 4 or name[-1] in "氏子" or (name[:2] in DOUBLE and len(name) == 4):
        return name
    return next((name[-size:] for size in (3, 2) if is_surname(name[-size:]) and is_commentator(name[-size:])
                 and not set(name[:-size]) & _FUNCTION_WORDS), name)


LONGEST_NAME = 4
"""Characters of the longest name, with the place of origin (山陽王弼); longer ones are titles of chapters."""
SHORT = 24
"""Characters of the longest line of a title page, without notes: 大學(大舊音泰今讀如字)　　宋　朱子　章句."""
