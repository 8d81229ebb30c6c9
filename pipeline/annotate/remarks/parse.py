"""What a text-critical remark reports: whose reading, which words, in place of which words of the text.

A remark is read by the patterns of ``readings.tsv``; one that says several things is parted first (``clauses.tsv``).
Whose reading it is, is told by its kind, by ``traditions.tsv`` or, for a conjecture, by who makes it. The words that
it is about are sought in the text that it comments on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Literal

from pipeline.annotate.index import evened, folded, found_in
from pipeline.annotate.remarks.locate import Where, beside, lacking, numbered, standing
from pipeline.annotate.tables import WORD, filled, rows, traditions
from pipeline.model import Span
from pipeline.model.numerals import numeral
from pipeline.model.pointers import id_of, range_of
from pipeline.model.text import counted
from pipeline.settings.lists import NONE, Lists

Change = Literal["substitution", "omission", "addition", "adoption", "agreement", "again", "none", ""]
"""As `pipeline.model.vocabulary.CHANGES`; empty if a remark does not say it."""

_UNTOLD: Change = ""
_TRADITIONS = {"jinwen": "jinwen", "guwen": "guwen", "su": "suben", "huo": "huoben"}
"""Whose reading a remark of a kind reports, where the kind says it."""
_ADOPTED = frozenset({"jinwen", "guwen", "zhengben"})
"""Traditions whose readings later texts took over."""
_GLOSSED = re.compile(rf"(?:^|[也矣])(?:.{{0,3}}曰)?({WORD}){WORD}{{1,2}}也$")
"""The word that is explained just before 读或为某: 媵送也."""
_SHORT = 4
"""A text of no more characters than these may be meant as a whole (此衍文). 2 or 8 changes nothing in the texts of this
repository."""
_STOP = re.compile("[。！？；]")
_CLAUSE = 21
"""A text without stops of no more characters than these may be one sentence: of the 燕礼 as 十三经注疏 is punctuated,
19 of 20 sentences have no more than 21 (half of them 10)."""
_DOUBT = re.compile(
    r"(?<!无)(?:[疑恐似盖葢殆]|或(?=[当是]))(?:其|此|亦|上下|者)?(?=[当是有脱衍误譌讹阙即为乃一文])|[欤与乎]$"
)
"""Words by which an editor says that he conjectures and is not sure, before what he conjectures: 疑当作, 恐误, 似脱,
盖衍文 in 阮元's 十三经注疏校勘记. Without what must follow, 似 would be found in remarks on that very word."""
_AFTER = re.compile("^[盖葢](?:文|字|本)?[脱衍误]")
_CONJECTURES = frozenset({"dangzuo", "yan", "tuo"})
_ELSEWHERE = re.compile("周礼|考工记|小篆|古作")

"""Words by which 或作 reports no text of the work but a way of writing (小篆, 古作) or another work."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What one text-critical remark says about the text."""

    kind: str
    """Its subtype: ``jinwen``, ``guwen``, ``su``, ``huo``, ``dangzuo``, ``yan``, ``tuo``, ``ben``."""
    change: Change
    """What the tradition has against the text. ``adoption``: somebody follows 今文 or 古文; ``agreement``: it has what
    the text has (今从毛本); ``again``: the reading of the remark before (石经亦误); ``none``: the remark refuses a
    change or says only what is followed; empty if it does not say which words."""
    tradition: str
    """Id of the reported witness (`pipeline.settings.lists.Lists.reported`) or of the person who conjectures; empty if
    unknown."""
    reported: str
    """The words of the tradition; empty for an omission, or where the remark does not give them."""
    on: str
    """The words of the text in their place; empty for an addition, or where they are not to be told."""
    target: str
    """Where those words stand, a place between characters for an addition; the id alone if they are not found."""
    doubtful: bool = False
    """Whether who says it says himself that he is not sure: 疑, 恐, 似, 盖."""


def read(span: Span, text: str, *, said: str = "", after: str = "", lists: Lists = NONE) -> Remark:
    """Give what a marked remark says; `text` is that of the unit or note that its target names or lies in.

    Whose reading it is, the span says. `said` is what stands before it in its note, `after` what follows. Offsets are
    those of `pipeline.model.pointers`.
    """
    known = range_of(span.target)
    where = Where(id_of(span.target), text, hint=known.offset if known else None, said=said)
    words = clauses(counted(span.content), lists)[0]
    remark = parsed(words, span.subtype, where, lists=lists)
    return replace(remark, tradition=span.ref, target=span.target, doubtful=doubtful(words, span.subtype, after))


def doubtful(words: str, kind: str, after: str = "") -> bool:
    """Tell whether who makes a conjecture says that he is not sure of it; `after` is what follows its words."""
    return kind in _CONJECTURES and bool(_DOUBT.search(evened(words)) or _AFTER.search(evened(after)))


def more(span: Span, text: str, lists: Lists = NONE) -> Iterator[Remark]:
    """Give what a marked remark says besides, with its own target in `text`, and the same of other texts it names."""
    if span.subtype == "ben":
        for tradition in _texts(counted(span.content), lists)[1:]:
            yield replace(read(span, text, lists=lists), tradition=tradition)
    yield from islice(told(span, Where(id_of(span.target), text), lists), 1, None)


def told(span: Span, where: Where, lists: Lists = NONE) -> Iterator[Remark]:
    """Give all that a marked remark says, about another text than its target names."""
    for words in clauses(counted(span.content), lists):
        said = parsed(words, span.subtype, where, lists=lists)
        yield replace(said, tradition=span.ref, doubtful=doubtful(words, span.subtype))


def clauses(words: str, lists: Lists = NONE) -> tuple[str, ...]:
    """Part a remark that says several things (今文无则,下无燕); the parts are written out."""
    for pattern, parts in _clauses(lists):
        if match := pattern.search(evened(words)):
            return tuple(_expanded(part, match, words) for part in parts.split("|"))
    return (words,)


def _expanded(part: str, match: re.Match[str], words: str) -> str:
    r"""Give a part of a clause with its groups (\1) as the words themselves have them."""
    return re.sub(r"\\(\d)", lambda group: words[slice(*match.span(int(group[1])))], part)


@lru_cache(maxsize=8)
def _clauses(lists: Lists) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(filled(pattern, lists)), parts) for pattern, parts in rows("clauses", lists))


def parsed(words: str, kind: str, where: Where, speaker: str = "", lists: Lists = NONE) -> Remark:
    """Give what the words of a remark say about a text; `speaker` is who says so."""
    tradition = tradition_of(words, kind, speaker, lists)
    change, match = next(_matches(evened(words), kind, lists), (_UNTOLD, None))
    said = _groups(match, words)
    if match is None or change in ("none", "again", "agreement", "adoption"):
        own = said.get("own") if change == "agreement" else ""
        had = where.find(own) if own and len(found_in(where.text, own)) == 1 else None
        return Remark(kind, change, speaker if change == "adoption" else tradition, "", "", str(had or where.id))
    has, on = said.get("has") or "", said.get("on") or ""
    if kind == "huo" and not on and (glossed := _GLOSSED.search(evened(where.said))):
        on = where.said[glossed.start(1)]
    if every := said.get("all"):
        on = _sentence(where) if "句" in every else where.text if len(folded(where.text)) <= _SHORT else on
    if number := said.get("count"):
        on = _counted(number, where) if change == "omission" else on
        has = where.said[-_number(number):] if change == "addition" else has
    if change == "addition":
        named = said.get("place") or ""
        place = beside(named, said.get("side") or "下", where) if named else lacking(has, where)
        return Remark(kind, change, tradition, has, "", place)
    if within := said.get("within"):
        inside = where.find(within)
        if not inside:
            return Remark(kind, change, tradition, has, on, where.id)
        where = replace(where, hint=inside.offset + where.printed(inside).find(on))
    may_have = tradition in _ADOPTED
    named, found = standing(on, has, where, adopted=kind == "dangzuo" or may_have, may_have=may_have)
    return Remark(kind, change, tradition, has, named, str(found) if found else where.id)


def _sentence(where: Where) -> str:
    """Give the text, if it is one sentence: that of which 此一句 says something; empty if it is several."""
    text = where.text.strip()
    return "" if _STOP.search(text[:-1]) or len(folded(text)) > _CLAUSE else text.rstrip("。！？；")


def _groups(match: re.Match[str] | None, words: str) -> dict[str, str]:
    """Give what the named groups of a match in evened words have in the words themselves; groups without a match are
    empty."""
    return {name: words[slice(*match.span(name))] for name in match.re.groupindex if match[name]} if match else {}


def _counted(number: str, where: Where) -> str:
    """Give the so many words that a remark is on: the whole text, if it has so many, else those before the remark."""
    return numbered(_number(number), where)


def _number(number: str) -> int:
    """Give the value of a Chinese number, as words are counted (两 is 二)."""
    return numeral(number.replace("两", "二"))


def tradition_of(words: str, kind: str, speaker: str = "", lists: Lists = NONE) -> str:
    """Give whose reading a remark reports; empty if that is no tradition of the text (小篆作), or unknown."""
    if kind == "huo" and _ELSEWHERE.search(evened(words)):
        return ""
    if kind == "ben":
        return next(iter(_texts(words, lists)), "")
    return _TRADITIONS.get(kind, speaker)


def _texts(words: str, lists: Lists) -> list[str]:
    """Give the texts that a remark names (石经及印本), in order; 诸本 only where it names no other."""
    words = evened(words)
    named = [(words.find(name), name, known) for name, known in traditions(lists) if name in words]
    found = list(dict.fromkeys(known for _, _, known in sorted(named)))
    return [known for known in found if known != "zhuben"] or found


@lru_cache(maxsize=8)
def _table(lists: Lists) -> tuple[tuple[frozenset[str], Change, re.Pattern[str]], ...]:
    return tuple(
        (frozenset(kinds.split()), change, re.compile(filled(p, lists)))  # type: ignore[misc]
        for kinds, change, p in rows("readings", lists)
    )


def _matches(words: str, kind: str, lists: Lists) -> Iterator[tuple[Change, re.Match[str]]]:
    for kinds, change, pattern in _table(lists):
        if ("*" in kinds or kind in kinds) and (match := pattern.search(words)):
            yield change, match
