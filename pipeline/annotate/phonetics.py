"""Phonetic glosses inside notes: AB反 and AB切 (fanqie), X音Y, X读若Y, 读如字 (duruo).

反 also means to go back, 切 to cut, 音 music. So AB反 counts only where A spells initials (``spellers.tsv``) and
nothing follows that one goes back to; X音Y only where Y ends the gloss and X is neither a tone nor an instrument.
"""

from __future__ import annotations

import re
from functools import cache

from pipeline.annotate.index import Index, folded, rewrite_notes
from pipeline.annotate.placing import Found, placed
from pipeline.annotate.tables import rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Role, Span

_WORD = r"[^\s　。,、;:?!“”‘’《》()<>○]"
_NOT_AFTER = (
    "位命于於其之席坐而奠面还東东西南北觯射币告馈馔复者求自讥疑乎以幂逺远谓后至此立尊工哭国國酌祀言是"
    "阼门屈生吉尸黍在与"
)
_COMMON = "之而以其于於为為有在即正下则則自亲親司所人是与與如用无無将將上也此曰"
_OUTSIDE = "也谓郑注曰者"
_AGAIN = "又旧古并叶"
_MUSIC = "声聲八五六其之乐樂宫宮商角徵征羽节節官众眾同无無据以者谓知审正此遗今德得律乐"
_NOT_SPELT = "节節乐樂声聲律者调調义義动動居属屬金石相和象疏之而可故虽雖书書物今从於于也颂今久不"
_ENDS = re.compile(rf"[\s　○。,、;】]|$|又|同|俗作|反|刘|也|非|亦|{_WORD}音|{_WORD}{{2,3}}[反切]")
_BEFORE = re.compile(r"(?:^|[\s　○])\S?$|(?:又作|释文|[又刘])$")
_AFTER = re.compile(rf"[\s　○]|$|俗作|{_WORD}音|{_WORD}{{2,3}}[反切](?![{_NOT_AFTER}])")


@cache
def _pattern() -> re.Pattern[str]:
    """Give the pattern of all glosses; group ``x`` is the word that is spelt."""
    spellers = "".join(sorted(set("".join(row[1] for row in rows("spellers.tsv", 2)))))
    fanqie = rf"(?P<fanqie>[{spellers}](?!氏){_WORD}[反切](?=后同|(?![{_NOT_AFTER}])))"
    same = rf"(?:(?P<by>依注|[一又旧古并]|陆氏|叶)音|(?<![{_MUSIC}])音)(?P<y>[^{_NOT_SPELT}\s　○。,])"
    known = rf"{_WORD}{{0,8}}?(?P<q>{_WORD}){_WORD}{{0,8}}?之(?P=q)|{_WORD}{{1,9}}?之(?P=x)"
    phrase = rf"[如为](?:{known})|(?P<v>[若如])今之(?P=v)"
    read = (
        rf"读(?:{phrase}|[若如曰为]{_WORD}(?=[\s　○。,也非同]|$|{_WORD}{_WORD})|与{_WORD}同)|音义[如同]{_WORD}"
    )
    tone = rf"(?:读|^{_WORD})[平上去入]声$|读[平上去入]声|读如字|^如字$"
    return re.compile(rf"(?P<x>{_WORD})?(?:{fanqie}|(?P<duruo>(?P<same>{same})|{read}|{tone}))")


def phonetics(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its phonetic glosses marked, each with the word that it spells."""
    index = Index.of(document)

    def rewrite(note: Note, text: str) -> Content:
        if not any(sign in text for sign in "反切音读声字"):
            return (text,)
        base = "".join(index.base[anchor] for anchor in index.anchors(note))
        return _marked(text, base)

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "punct", "fanqie", "duruo"})), ()


def _marked(text: str, base: str) -> Content:
    """Put the glosses of a string into spans; the word spelt belongs to its gloss where it can be told."""
    found: list[Found] = []
    done = 0
    for match in _pattern().finditer(text):
        role: Role = "fanqie" if match["fanqie"] else "duruo"
        known = bool(match["x"]) and folded(match["x"]) in base
        if match["same"] and not _sounds(text, match, known):
            continue
        if role == "fanqie" and not _spells(text, match, match.start() == done, known):
            continue
        start = match.start(role)
        if match["x"] and match["x"] not in _OUTSIDE and (known or match.start() == done or role == "duruo"):
            start = match.start("x")
        found.append(Found(start, match.end(), Span(role=role, content=())))
        done = match.end()
    return placed(text, found)


def _spells(text: str, match: re.Match[str], begins: bool, known: bool) -> bool:
    """Judge a likely AB反: it stands at an edge of the gloss, or spells a word that the note speaks of."""
    before, after = text[: match.start("fanqie")], text[match.end() :]
    if begins or _BEFORE.search(before) or _AFTER.match(after):
        return True
    word = match["x"] or ""
    usual = match["fanqie"][0] in _COMMON or word in _COMMON or after.startswith("也")
    return known and not usual and (before.endswith(f"也{word}") or text.count(word) > 1)


def _sounds(text: str, match: re.Match[str], known: bool) -> bool:
    """Judge a likely X音Y: it ends there, or X is a word that the note speaks of."""
    word = match["x"] or "。"
    if match["by"] or word in _AGAIN or _ENDS.match(text, match.end()) or _BEFORE.search(text[: match.start()]):
        return True
    return word not in _COMMON and (known or text.count(word) > 1)
