"""Names that several rooms share: namespaces, closed vocabularies, dynasties with their years; rows of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jiaokan.errors import Message


def table_rows(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line number, from 1, and the cells of each row; blank lines and those that begin with # are skipped."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, tuple(line.split("\t"))


TEI = "http://www.tei-c.org/ns/1.0"
"""Namespace of TEI P5."""
XML = "http://www.w3.org/XML/1998/namespace"
"""Namespace of ``xml:id`` and ``xml:lang``."""

BEFORE, AFTER = "ac", "pc"
"""Ante and post correctionem, as editions abbreviate them; they end the ids of such states of a witness."""

NOTE_SUBTYPES = {"zhu": "注", "shu": "疏", "yinyi": "音义", "an": "按语", "fuzhu": "附注", "shuo": "诸家说"}
"""Closed list of ``note/@subtype`` with its printed name."""
NOTE_SUBTYPES_ENGLISH = {
    "zhu": Message("annotation-old-commentary-base-text"), "shu": Message("subcommentary-later-commentary-both"),
    "yinyi": Message("glosses-sound-meaning"), "an": Message("remark-compiler"),
    "fuzhu": Message("annotation-appended-another"),
    "shuo": Message("opinions-later-commentators"),
}
"""The kinds of notes in English."""
TRANSMITTED = frozenset({"zhu", "shu"})
"""Kinds of notes that are transmitted with the text: an edition prints them in full, even if a work abridges them."""

REMARKS = frozenset({"jinwen", "guwen", "su", "huo", "dangzuo", "yan", "tuo", "ben"})
"""Kinds of text-critical remarks (``seg type="textcrit"/@subtype``): 今文, 古文, 俗作, 或作, 当作, 衍, 脱, 某本作."""
CHANGES = frozenset({"substitution", "omission", "addition", "displacement", "adoption", "agreement", "again", "none"})
"""What a text-critical remark can say against the text, as `jiaokan.annotate.remarks.parse.Remark.change` explains."""

REPORTED = {
    "jinwen": "今文", "guwen": "古文", "shijing": "石经", "songben": "宋本", "yueben": "岳本",
    "minben": "闽本", "jiguge": "毛本", "kanben": "刊本", "yinben": "印本", "fangben": "坊本", "jinben": "今本",
    "zhuben": "诸本", "suben": "俗本", "huoben": "或本",
}
"""Witnesses known only by what commentaries report, with their printed names: those that commentaries on any classic
name. 今文 and 古文 are Zheng Xuan's; the others are terms of 阮元《十三经注疏校勘记》. A folder adds its own
(`jiaokan.settings.lists.Lists.reported`)."""

WORKS = {
    "work-zhouli": "周礼", "work-kaogongji": "考工记", "work-shangshu": "尚书", "work-shijing": "诗",
    "work-yijing": "易", "work-yizhoushu": "逸周书", "work-guoyu": "国语", "work-zuozhuan": "左传",
    "work-gongyang": "公羊传", "work-shangshudazhuan": "尚书大传", "work-liji": "礼记", "work-dadaili": "大戴礼记",
    "work-shuowen": "说文", "work-shiwen": "经典释文",
}
"""Works cited under several titles, or by their parts, with their usual names, after 《四库全书总目》经部; any other is
called as it is cited, unless the folder names it (`jiaokan.settings.lists.Lists.works`)."""

WORD_STYLES = {
    "经文": "text", "注文": "comment", "译文": "translation", "题": "head", "结语": "trailer", "正文": "prose",
    "图": "figure", "题名": "title", "卷端": "furniture", "副题": "subtitle", "说明": "about", "说话人": "speaker",
    "舞台提示": "stage", "落款": "signed", "居中": "centred", "引文": "quotation", "编号": "number",
    "注家": "commentator", "见存": "carriers", "校改": "emended", "本名": "siglum", "夹注": "note",
}
"""The styles of our word files by their ids, with the keys of their names (``term-book-style-…``), which are in the
language of the interface: a program that saves the file may give the styles other ids."""

PROGRAM = "jiaokan"
"""``xml:id`` of the program's ``respStmt``; what it decides carries ``resp="#jiaokan"``."""
JUDGED = {
    "class": Message("editor-says-class-variant"), "correction": Message("editor-corrects-transcription"),
    "emendation": Message("editor-emends-no-witness"), "lemmas": Message("editor-chooses-printed"),
    "pair": Message("editor-says-two-graphs-other"), "passim": Message("editor-decides-graph-throughout-witness"),
    "reject": Message("editor-takes-no-variant"), "supplied": Message("editor-supplies-transcription-lost"),
}
"""What the editor judged of a reading, as the prefix ``decision:`` of ``rdg/@source`` and ``lem/@source`` names it."""
EDITORS = "editors"
"""``xml:id`` of the ``respStmt`` of the project's editors together, as ``resp`` of a decision names them."""


LATEST = 10_000
"""The year of a person without known dates, after all others."""


class Dynasty(NamedTuple):
    """A dynasty or period, by the first of its names; years before the common era are negative."""

    name: str
    begin: int
    end: int


@cache
def dynasties() -> dict[str, Dynasty]:
    """Return each dynasty under every one of its names, in both scripts."""
    by_name: dict[str, Dynasty] = {}
    for _, (names, begin, end) in table_rows((Path(__file__).parent / "dynasties.tsv").read_text(encoding="utf-8")):
        first, *others = names.split(" ")
        by_name |= dict.fromkeys((first, *others), Dynasty(first, int(begin), int(end)))
    return by_name


def dynasty(words: str) -> Dynasty | None:
    """Return the dynasty with the longest name with which some words begin (宋代, 明末清初), or None."""
    known = dynasties()
    return next((known[words[:size]] for size in range(len(words), 0, -1) if words[:size] in known), None)


def period(words: str, birth: int = 0, death: int = 0) -> int:
    """Return the year from which a person is dated: the beginning of the dynasty in `words`; if unknown, the death or
    birth (0 if unknown); `LATEST` if nothing is known."""
    known = dynasty(words)
    return known.begin if known else death or birth or LATEST
