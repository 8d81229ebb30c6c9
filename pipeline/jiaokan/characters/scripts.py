"""Scripts and languages: forms of graphs for display in the other script, variants, and the language of a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

from jiaokan import messages
from jiaokan.characters.writing import language_by_words, most_frequent, script_of_letter, scripts
from jiaokan.model.words import simplified, traditional

Interface = str
"""Language of the program's own words about a text: Chinese in one of its scripts (``hans``, ``hant``), or another that
has a catalogue (``en``)."""
_READ_CHINESE = frozenset({"", *chain(*(script.languages for script in scripts().values() if script.cells))})
"""Languages (BCP 47) of texts whose readers read Chinese; a text without a language is taken for Chinese."""
_FULL_FORMS = frozenset({*scripts()["Jpan"].languages, *scripts()["Kore"].languages})
"""Those of them whose graphs are nearer to the traditional forms."""
_HAN = re.compile("[㐀-鿿豈-﫿\U00020000-\U0003ffff]")
_OWN_FORMS = {"云": "云", "注": "注", "制": "製"}
"""Graphs of the program's own words that OpenCC alone converts wrongly: they say 某云, 附注, 制作."""
_HAN_BLOCK = range(0x4E00, 0xA000)  # the block CJK Unified Ideographs, which has all graphs of the program's own words
_BESIDE = 0.05
"""Share of kana or hangul from which a text is Japanese or Korean, however many of its letters are Chinese: a page of
平家物語 has about 0.5, a Chinese text that quotes a title in kana less than 0.01. The value lies between the two."""
_SAMPLE = 20_000
"""Characters from which the script is detected: one page is enough, and a long file need not be read for it."""
_UNSURE = frozenset("乾著藉徵餘於")
"""Traditional graphs that OpenCC simplifies in some words only, or that the classics keep apart from the simple."""
_LATER = frozenset("噹儘嚐罈証讚彆")
"""Traditional graphs that the Thirteen Classics never use in the sense for which modern script needs them:
噹 of a bell, 儘 in 儘管, 嚐 to taste, 罈 jar, 証 for 證, 讚 for 贊, 彆 in 彆扭. They do not make 当 尽 尝 坛 证 赞 别
doubtful; otherwise these seven would stay unconverted."""


@lru_cache(maxsize=65536)
def variants(graph: str) -> tuple[str, ...]:
    """Return the variants of a graph in nk2028's dictionary (``yitizi``)."""
    import yitizi  # of the extra `edition`: validation imports this module without it

    return tuple(yitizi.get(graph))


def traditional_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Return the traditional form of each simplified graph that has only one. Graphs that several traditional ones
    share (发 發髮) and common traditional graphs (后 后後, 云 云雲) are left out: the graph alone does not show which
    one is meant."""
    forms = {}
    for graph in sorted(set(graphs)):
        form = traditional(graph)
        only = simplified(form) == graph or not _big5(graph)  # 馀 is no other graph's form, though 餘 gives 余
        if form != graph and len(form) == 1 and only and not is_common(graph) and _is_single(graph):
            forms[graph] = form
    return forms


def simplified_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Return the simplified form of each traditional graph that OpenCC simplifies."""
    forms = {graph: simplified(graph) for graph in sorted(set(graphs)) if graph not in _UNSURE}
    return {graph: form for graph, form in forms.items() if form != graph and len(form) == 1}


def is_common(graph: str) -> bool:
    """Whether a graph is in the first level of Big5, the 5,401 graphs in common traditional use."""
    code = _big5(graph)
    return bool(code) and code[0] <= 0xC6


def _big5(graph: str) -> bytes:
    return graph.encode("big5", "ignore")


def _is_single(graph: str) -> bool:
    return _counts().get(graph, 0) <= 1


@cache
def _counts() -> dict[str, int]:
    """Return, by simplified form, the number of traditional graphs in the first level of Big5 that have it."""
    seconds = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    codes = (bytes((first, second)) for first in range(0xA4, 0xC7) for second in seconds)
    graphs = (code.decode("big5", "ignore") for code in codes)
    return Counter(form for graph in graphs if (form := simplified(graph)) != graph and graph not in _LATER)


def language_of(text: str) -> str:
    """Detect the language and script of a text (BCP 47): ``lzh-Hant``, ``lzh-Hans``, or by its letters (``und``)."""
    sample = text[:_SAMPLE]
    han = "".join(_HAN.findall(sample))
    beside = Counter(script_of_letter(char) for char in sample) if len(han) < len(sample) else Counter[str]()
    for code in ("Jpan", "Kore"):
        if beside[code] > _BESIDE * beside.total():
            return scripts()[code].language
    if 2 * len(han) < sum(char.isalpha() for char in sample):
        code = most_frequent(sample)
        return language_by_words(sample, scripts()[code]) if code else "und"
    from_full = sum(a != b for a, b in zip(han, simplified(han), strict=False))
    from_short = sum(a != b for a, b in zip(han, traditional(han), strict=False))
    return "lzh-Hans" if from_short > from_full else "lzh-Hant"


def interface_of(language: str) -> Interface:
    """Return the interface language for a text in a language (BCP 47): ``lzh-Hant`` → ``hant``, ``grc`` → ``en``; its
    own, if that has a catalogue."""
    name = language.split("-")[0]
    if name not in _READ_CHINESE or "Latn" in language:
        return messages.ENGLISH if name in _READ_CHINESE else messages.language_of(name)
    return "hant" if "Hant" in language or (name in _FULL_FORMS and "Hans" not in language) else "hans"


def is_chinese(interface: Interface) -> bool:
    """Whether the program speaks Chinese about a text."""
    return messages.language_of_interface(interface) == messages.CHINESE


def term(key: str, interface: Interface, **values: object) -> str:
    """Return a word or sentence of pages, pictures and books (`messages.terms`) with its values, which are not
    converted. Raises LookupError for an unknown key."""
    wording = messages.wording(messages.TERM + key, messages.language_of_interface(interface))
    return interface_words(wording, interface).format_map(values)


def interface_words(words: str, interface: Interface) -> str:
    """Return Chinese words of the program itself in the script of the interface, converted graph by graph. In these
    words each graph has one traditional form; a test checks it."""
    return "".join(_OWN_FORMS.get(graph) or traditional(graph) for graph in words) if interface == "hant" else words


@cache
def own_forms() -> str:
    """Return the stylesheets' parameter ``forms``: pairs of a graph and its form by `interface_words`, if another."""
    chars = [chr(code) for code in _HAN_BLOCK]
    pairs = zip(chars, traditional(" ".join(chars)).split(" "), strict=True)  # graph by graph: a space ends a word
    forms = ((char, _OWN_FORMS.get(char) or form) for char, form in pairs)
    return " ".join(char + form for char, form in forms if form != char)
