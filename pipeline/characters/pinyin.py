"""Names, titles and graphs in Hanyu pinyin without tones, for readers of English and for search.

Spelling as the Library of Congress has it (Chinese Romanization Guidelines, 2012): syllables of a title stand apart and
the first is capital (Yi li zhu shu), a surname and a given name are one word each (Ao Jigong). How a graph is read
comes from pypinyin; a reading that its word lists do not know (食 sì in 公食大夫) is for the catalog to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

COMPOUND = frozenset(re.findall("..", """万俟司马上官欧阳夏侯诸葛闻人东方赫连皇甫尉迟公羊澹台公冶宗政濮阳淳于单于太叔
申屠公孙仲孙轩辕令狐钟离宇文长孙慕容鲜于闾丘司徒司空司寇子车颛孙端木巫马公西漆雕乐正壤驷公良拓跋夹谷宰父谷梁穀梁段干
百里东郭南门呼延羊舌微生梁丘左丘东门西门南宫司馬歐陽諸葛聞人東方赫連尉遲澹臺濮陽單于公孫仲孫軒轅
鍾離長孫鮮于閭丘子車顓孫巫馬樂正壤駟夾谷東郭南門東門西門南宮""".replace("\n", "")))
"""Surnames of two graphs: those of the Hundred Surnames 百家姓, in both scripts."""


def person(name: str) -> str:
    """Give a person's name: Zheng Xuan, Sima Guang."""
    surname = 2 if name[:2] in COMPOUND and len(name) > 2 else 1
    parts = (name[:surname], name[surname:])
    return " ".join("".join(_syllables(part)).capitalize() for part in parts if part)


def title(words: str) -> str:
    """Give a title or a term: Yi li zhu shu."""
    return " ".join(" ".join(_syllables(words)).split()).capitalize()


def _syllables(words: str) -> list[str]:
    from pypinyin import lazy_pinyin  # takes a third of a second to load

    return [str(each) for each in lazy_pinyin(words, v_to_u=True)]


def readings(graphs: Iterable[str]) -> dict[str, str]:
    """Give for each syllable (``lü`` as ``lv``) all of some graphs that can be read so; graphs without a reading in
    none."""
    from pypinyin import Style, pinyin

    found: dict[str, list[str]] = {}
    for graph in sorted(set(graphs)):
        for syllable in pinyin(graph, style=Style.NORMAL, heteronym=True, errors="ignore")[:1]:
            for each in syllable:
                found.setdefault(str(each), []).append(graph)
    return {syllable: "".join(found[syllable]) for syllable in sorted(found)}
