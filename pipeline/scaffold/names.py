"""Names of men before 曰: which graphs can be a surname, which words are no name."""

from __future__ import annotations

from pipeline.annotate.speakers import names_nobody
from pipeline.annotate.surnames import is_surname

_WORKS = frozenset("詩诗書书易禮礼傳传記记經经語语志史文說说序論论箋笺誥诰謨谟頌颂雅風风本紀纪典")
"""Last graphs of what names a book, not a man, before 曰 or 云 (詩云, 傳曰, 說文云, 系本云)."""
_FUNCTION = frozenset(
    "故又或則则而皆亦自必乃名謂谓對对問问答告言所者之也其此是人"
    "一二三四五何可不有無无為为以於于今古昔王公君命按案即據据"
)
"""Graphs that do not stand in a name before 曰: particles, pronouns, verbs of saying, titles (王力, 古代漢語,
虛詞; and titles of rulers, who are quoted and do not comment)."""
_MASTERS = frozenset((
    "孔子", "夫子", "君子", "弟子", "天子", "孟子", "老子", "莊子", "庄子", "荀子", "墨子", "列子", "管子",
    "韓子", "韩子", "楊子", "揚子", "曾子", "有子", "晏子", "尸子", "文子", "孫子", "孙子",
))
"""Masters and roles: they are quoted, and comment on nothing."""


def is_commentator(name: str) -> bool:
    """Tell whether words before 曰 can name a commentator: 程子, 尹氏, 孔安國, 臣鉉等; not 君子, 詩, 或, 國語."""
    if name in _MASTERS or name[-1:] in _WORKS or names_nobody(name):
        return False
    if set(name[1:]) & _FUNCTION or name[0] in "故又或則则而按案即":
        return False
    return name[-1:] in "氏子" or is_surname(name)
