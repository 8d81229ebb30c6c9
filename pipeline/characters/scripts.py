"""Characters in the other script, by OpenCC, and their variants, by yitizi: the only imports of both in this room."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal

_SURROGATE = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Give the simplified form of a graph."""
    return _converted("t2s", graph)


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Give the first traditional form of a graph."""
    return _converted("s2t", graph)


@lru_cache(maxsize=65536)
def variants(graph: str) -> tuple[str, ...]:
    """Give the graphs that nk2028's dictionary of variants (``yitizi``) ties to a graph."""
    import yitizi  # as OpenCC below

    return tuple(yitizi.get(graph))


def _converted(name: str, graph: str) -> str:
    """Convert by OpenCC; half a surrogate pair, which is no character, stays."""
    if _SURROGATE.search(graph):
        return graph
    return str(_converter(name).convert(graph))


@cache
def _converter(name: str) -> Any:
    from opencc import OpenCC  # of the extra `edition`: validation imports this module, and does without

    return OpenCC(name)


_UNSURE = frozenset("乾著藉徵餘於")
"""Traditional graphs that OpenCC simplifies in some words only, or that the classics keep apart from the simple."""

_LATER = frozenset("噹儘嚐罈証讚彆")
"""Traditional graphs that nowhere stand in the Thirteen Classics in the sense for which modern script needs them:
噹 of a bell, 儘 in 儘管, 嚐 to taste, 罈 jar, 証 for 證, 讚 for 贊, 彆 in 彆扭. They do not make 当 尽 尝 坛 证 赞 别
doubtful; without them so many more would stay as they are."""


def traditional_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Give the traditional form of each simplified graph that has one only.

    A graph that several traditional ones share (发 發髮), or that is a common traditional graph by itself (后 后後,
    云 云雲), is left out: which one is meant is not to be seen from the graph.
    """
    found = {}
    for graph in sorted(set(graphs)):
        form = traditional(graph)
        only = simplified(form) == graph or not _in_big5(graph)  # 馀 is no other graph's form, though 餘 gives 余
        if form != graph and len(form) == 1 and only and not _common(graph) and _single(graph):
            found[graph] = form
    return found


def simplified_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Give the simplified form of each traditional graph that OpenCC simplifies."""
    forms = {graph: simplified(graph) for graph in sorted(set(graphs)) if graph not in _UNSURE}
    return {graph: form for graph, form in forms.items() if form != graph and len(form) == 1}


def unsure_graphs(graphs: Iterable[str]) -> str:
    """Give the graphs that may have a traditional form, which `traditional_forms` cannot tell: 后 发."""
    return "".join(g for g in sorted(set(graphs)) if (_counts().get(g, 0) > 0 and _common(g)) or not _single(g))


def word_by_itself(graph: str) -> bool:
    """Tell whether a graph that is simplified from others (后 from 後) is in common traditional use by itself."""
    return _common(graph)


def _common(graph: str) -> bool:
    """Whether a graph is in the first level of Big5, the 5,401 graphs in common traditional use."""
    try:
        return graph.encode("big5")[0] <= 0xC6
    except UnicodeEncodeError:
        return False


def _in_big5(graph: str) -> bool:
    """Whether a graph is in Big5 at all, so in traditional use by itself."""
    try:
        graph.encode("big5")
    except UnicodeEncodeError:
        return False
    return True


def _single(graph: str) -> bool:
    return _counts().get(graph, 0) <= 1


@cache
def _counts() -> dict[str, int]:
    """How many traditional graphs in Big5 have each simplified form."""
    counts: dict[str, int] = {}
    for first in range(0xA4, 0xC7):
        for second in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            try:
                graph = bytes((first, second)).decode("big5")
            except UnicodeDecodeError:
                continue
            form = simplified(graph)
            if form != graph and graph not in _LATER:
                counts[form] = counts.get(form, 0) + 1
    return counts


Interface = Literal["hans", "hant", "en"]
"""What the program speaks of a text: Chinese in one of its scripts, or English."""
_READ_CHINESE = frozenset({"", "lzh", "zh", "och", "cmn", "yue", "ja", "ko"})
"""Languages (BCP 47) of texts whose readers read Chinese; a text of which nobody says it is taken for Chinese."""
_FULL_FORMS = frozenset({"ja", "ko"})
"""Those of them whose graphs are nearer to the traditional forms."""

_HAN = re.compile("[㐀-鿿豈-﫿\U00020000-\U0003ffff]")
_OWN_FORMS = {"云": "云", "注": "注", "制": "製"}
"""Graphs of the program's own words that are not what OpenCC makes of them alone: they say 某云, 附注, 制作."""
_HAN_BLOCK = range(0x4E00, 0xA000)
"""The block CJK Unified Ideographs, in which all graphs of the program's own words are."""
_SAMPLE = 20_000
"""Characters from which the script is told; a page is enough, and a long file need not be read for it."""


def language_of(text: str) -> str:
    """Tell the language and script of a text as BCP 47: ``lzh-Hant``, ``lzh-Hans``, or that of other letters."""
    sample = text[:_SAMPLE]
    han = _HAN.findall(sample)
    letters = [char for char in sample if char.isalpha()]
    if 2 * len(han) < len(letters):
        return _by_letters(letters)
    whole = "".join(han)
    from_full = sum(a != b for a, b in zip(whole, simplified(whole), strict=False))
    from_short = sum(a != b for a, b in zip(whole, traditional(whole), strict=False))
    return "lzh-Hans" if from_short > from_full else "lzh-Hant"


def _by_letters(letters: list[str]) -> str:
    """Tell a language from its letters alone, as far as they tell it; ``und`` (undetermined) if they do not."""
    names = {"GREEK": "grc", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "DEVANAGARI": "sa-Deva",
             "LATIN": "und-Latn"}
    found = [unicodedata.name(letter, "").split(" ")[0] for letter in letters[:2000]]
    best = max(set(found), key=found.count, default="")
    return names.get(best, "und")


def interface_of(language: str) -> Interface:
    """Give what the program speaks of a text of a language (BCP 47): ``lzh-Hant`` → ``hant``, ``grc`` → ``en``."""
    name = language.split("-")[0]
    if name not in _READ_CHINESE or "Latn" in language:
        return "en"
    return "hant" if "Hant" in language or (name in _FULL_FORMS and "Hans" not in language) else "hans"


def spoken(words: str, interface: Interface) -> str:
    """Give Chinese words of the program itself in the script that it speaks; OpenCC takes them graph by graph.

    In these words each graph has one traditional form, which a test holds.
    """
    return "".join(_OWN_FORMS.get(graph) or traditional(graph) for graph in words) if interface == "hant" else words


@cache
def own_forms() -> str:
    """Give the parameter ``forms`` of the stylesheets: each graph that `spoken` writes otherwise, and its form."""
    chars = [chr(code) for code in _HAN_BLOCK]
    return " ".join(char + form for char in chars if (form := spoken(char, "hant")) != char)
