"""Names, titles and graphs in Hanyu pinyin without tones, for readers of English and for search.

Spelling as the Library of Congress has it (Chinese Romanization Guidelines, 2012): syllables of a title stand apart and
the first is capital (Yi li zhu shu), a surname and a given name are one word each (Ao Jigong). How a graph is read
comes from pypinyin; a reading that its word lists do not know (食 sì in 公食大夫) is for the catalog to say.
"""

from __future__ import annotations

from collections.abc import Iterable

from pypinyin import Style, lazy_pinyin, pinyin

_COMPOUND = frozenset(
    "万俟 司马 上官 欧阳 夏侯 诸葛 闻人 东方 赫连 皇甫 尉迟 公羊 澹台 公冶 宗政 濮阳 淳于 单于 太叔 申屠 公孙 仲孙 轩辕 令狐 "
    "钟离 宇文 长孙 慕容 鲜于 闾丘 司徒 司空 司寇 子车 颛孙 端木 巫马 公西 漆雕 乐正 壤驷 公良 拓跋 夹谷 宰父 谷梁 穀梁 段干 "
    "百里 东郭 南门 呼延 羊舌 微生 梁丘 左丘 东门 西门 南宫 歐陽 諸葛 聞人 東方 赫連 尉遲 澹臺 濮陽 單于 公孫 仲孫 軒轅 "
    "鍾離 長孫 慕容 鮮于 閭丘 子車 顓孫 巫馬 樂正 壤駟 夾谷 段干 東郭 南門 東門 西門 南宮 司馬".split()
)
"""Surnames of two graphs: those of the Hundred Surnames 百家姓, in both scripts."""


def person(name: str) -> str:
    """Give a person's name: Zheng Xuan, Sima Guang."""
    surname = 2 if name[:2] in _COMPOUND and len(name) > 2 else 1
    parts = (name[:surname], name[surname:])
    return " ".join("".join(_syllables(part)).capitalize() for part in parts if part)


def title(words: str) -> str:
    """Give a title or a term: Yi li zhu shu."""
    return " ".join(" ".join(_syllables(words)).split()).capitalize()


def _syllables(words: str) -> list[str]:
    return [str(each) for each in lazy_pinyin(words, v_to_u=True)]


def readings(graphs: Iterable[str]) -> dict[str, str]:
    """Give for each syllable (``lü`` as ``lv``) all of some graphs that can be read so; graphs without a reading in
    none."""
    found: dict[str, list[str]] = {}
    for graph in sorted(set(graphs)):
        for syllable in pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore")[:1]:
            for each in syllable:
                found.setdefault(str(each), []).append(graph)
    return {syllable: "".join(found[syllable]) for syllable in sorted(found)}
