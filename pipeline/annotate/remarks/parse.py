"""Parses text-critical remarks: whose reading, which words, in place of which words of the text.

The patterns are those of ``readings.tsv``; a remark of several clauses is split first (``clauses.tsv``). The kind of
remark or ``traditions.tsv`` shows whose reading it is, or its speaker if it is a conjecture. The words that it is about
are searched in the text commented on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Literal

from pipeline.annotate.index import WORD, compiled, find_words, rows, search_form, to_simplified, traditions
from pipeline.annotate.remarks.locate import Where, counted_words, locate_replaced, place_beside, place_lacking
from pipeline.model import Span
from pipeline.model.numerals import numeral
from pipeline.model.pointers import id_of, range_of
from pipeline.model.text import counted
from pipeline.settings.lists import NONE, Lists
from pipeline.settings.patterns import Expression

Change = Literal["substitution", "omission", "addition", "adoption", "agreement", "again", "none", ""]
"""As `pipeline.model.vocabulary.CHANGES`; empty if a remark gives none."""

_UNTOLD: Change = ""
_TRADITIONS = {"jinwen": "jinwen", "guwen": "guwen", "su": "suben", "huo": "huoben"}
"""Traditions whose readings a kind of remark always reports."""
_ADOPTED = frozenset({"jinwen", "guwen", "zhengben"})
"""Traditions whose readings later texts adopted."""
_GLOSSED = re.compile(rf"(?:^|[也矣])(?:.{{0,3}}曰)?({WORD}){WORD}{{1,2}}也$")
"""The word that is explained just before 读或为某: 媵送也."""
_SHORT = 4
"""Most characters of a text that may be meant as a whole (此衍文)."""
_STOP = re.compile("[。！？；]")
_CLAUSE = 21
"""Most characters of a text without stops that may be one sentence (docs/measured.md)."""
_DOUBT = re.compile(
    r"(?<!无)(?:[疑恐似盖葢殆]|或(?=[当是]))(?:其|此|亦|上下|者)?(?=[当是有脱衍误譌讹阙即为乃一文])|[欤与乎]$"
)
"""Words of doubt before a conjecture (疑当作, 恐误, 似脱, 盖衍文 in 阮元's 十三经注疏校勘记), not that word itself."""
_AFTER = re.compile("^[盖葢](?:文|字|本)?[脱衍误]")
_CONJECTURES = frozenset({"dangzuo", "yan", "tuo"})
_ELSEWHERE = re.compile("周礼|考工记|小篆|古作")
"""With these, 或作 reports a way of writing (小篆, 古作) or another work, not a text of this one."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A parsed remark."""

    kind: str
    """Its subtype: ``jinwen``, ``guwen``, ``su``, ``huo``, ``dangzuo``, ``yan``, ``tuo``, ``ben``."""
    change: Change
    """How the tradition differs from the text. ``adoption``: somebody follows 今文 or 古文; ``agreement``: no
    difference (今从毛本); ``again``: as the remark before (石经亦误); ``none``: no change; empty if none is named."""
    tradition: str
    """Id of the reported witness or of the person who conjectures; empty if unknown."""
    reported: str
    """The words of the tradition; empty for an omission, or if the remark does not give them."""
    on: str
    """The words of the text in their place; empty for an addition, or if unknown."""
    target: str
    """Pointer to those words, to a place between characters for an addition; the id alone if they are not found."""
    doubtful: bool = False
    """Whether the speaker expresses doubt: 疑, 恐, 似, 盖."""


def read(span: Span, text: str, *, lead: str = "", after: str = "", lists: Lists = NONE) -> Remark:
    """Parse a marked remark on `text`, the unit or note of its target; `lead` and `after` are the words beside it."""
    known = range_of(span.target)
    where = Where(id_of(span.target), text, hint=known.offset if known else None, lead=lead)
    words = split_clauses(counted(span.content), lists)[0]
    remark = parse(words, span.subtype, where, lists=lists)
    return replace(remark, tradition=span.ref, target=span.target, doubtful=is_doubtful(words, span.subtype, after))


def is_doubtful(words: str, kind: str, after: str = "") -> bool:
    """Whether a conjecture expresses doubt; `after` are the words after it."""
    return kind in _CONJECTURES and bool(_DOUBT.search(to_simplified(words)) or _AFTER.search(to_simplified(after)))


def further_remarks(span: Span, text: str, lists: Lists = NONE) -> Iterator[Remark]:
    """Yield the other clauses of a marked remark on `text`, and its reading for the other texts that it names."""
    if span.subtype == "ben":
        for tradition in _texts(counted(span.content), lists)[1:]:
            yield replace(read(span, text, lists=lists), tradition=tradition)
    yield from islice(remarks_in(span, Where(id_of(span.target), text), lists), 1, None)


def remarks_in(span: Span, where: Where, lists: Lists = NONE) -> Iterator[Remark]:
    """Yield all clauses of a marked remark, as remarks on another text than that of its target."""
    for words in split_clauses(counted(span.content), lists):
        remark = parse(words, span.subtype, where, lists=lists)
        yield replace(remark, tradition=span.ref, doubtful=is_doubtful(words, span.subtype))


def split_clauses(words: str, lists: Lists = NONE) -> tuple[str, ...]:
    """Split a remark of several clauses (今文无则,下无燕); the clauses are written out."""
    for pattern, parts in _clauses(lists):
        if match := pattern.search(to_simplified(words)):
            return tuple(_expand(part, match, words) for part in parts.split("|"))
    return (words,)


def _expand(part: str, match: re.Match[str], words: str) -> str:
    r"""Fill the groups (\1) of a clause with the words as the remark writes them."""
    return re.sub(r"\\(\d)", lambda group: words[slice(*match.span(int(group[1])))], part)


@lru_cache(maxsize=8)
def _clauses(lists: Lists) -> tuple[tuple[Expression, str], ...]:
    return tuple((compiled("clauses", pattern, lists), parts) for pattern, parts in rows("clauses", lists))


def parse(words: str, kind: str, where: Where, speaker: str = "", lists: Lists = NONE) -> Remark:
    """Parse the words of a remark on a text by `speaker`."""
    tradition = tradition_of(words, kind, speaker, lists)
    simple = to_simplified(words)
    tried = ((change, pattern.search(simple)) for kinds, change, pattern in _table(lists) if kinds & {"*", kind})
    change, match = next((each for each in tried if each[1]), (_UNTOLD, None))
    named = ((name, match.span(name)) for name in match.re.groupindex if match[name]) if match else ()
    groups = {name: words[start:end] for name, (start, end) in named}
    if match is None or change in ("none", "again", "agreement", "adoption"):
        own = groups.get("own") if change == "agreement" else ""
        had = where.find(own) if own and len(find_words(where.text, own)) == 1 else None
        return Remark(kind, change, speaker if change == "adoption" else tradition, "", "", str(had or where.id))
    has, on = groups.get("has") or "", groups.get("on") or ""
    if kind == "huo" and not on and (glossed := _GLOSSED.search(to_simplified(where.lead))):
        on = where.lead[glossed.start(1)]
    if every := groups.get("all"):
        if "句" in every:  # the text, if it is one sentence
            text = where.text.strip()
            several = _STOP.search(text[:-1]) or len(search_form(text)) > _CLAUSE
            on = "" if several else text.rstrip("。！？；")
        elif len(search_form(where.text)) <= _SHORT:
            on = where.text
    if count := groups.get("count"):
        number = numeral(count.replace("两", "二"))
        on = counted_words(number, where) if change == "omission" else on
        has = where.lead[-number:] if change == "addition" else has
    if change == "addition":
        beside = groups.get("place")
        place = place_beside(beside, groups.get("side") or "下", where) if beside else place_lacking(has, where)
        return Remark(kind, change, tradition, has, "", place)
    if within := groups.get("within"):
        inside = where.find(within)
        if not inside:
            return Remark(kind, change, tradition, has, on, where.id)
        where = replace(where, hint=inside.offset + where.printed(inside).find(on))
    may_have = tradition in _ADOPTED
    replaced, found = locate_replaced(on, has, where, adopted=kind == "dangzuo" or may_have, may_have=may_have)
    return Remark(kind, change, tradition, has, replaced, str(found) if found else where.id)


def tradition_of(words: str, kind: str, speaker: str = "", lists: Lists = NONE) -> str:
    """Return whose reading a remark reports; empty if unknown, or if it is not one of the text (小篆作)."""
    if kind == "huo" and _ELSEWHERE.search(to_simplified(words)):
        return ""
    if kind == "ben":
        return next(iter(_texts(words, lists)), "")
    return _TRADITIONS.get(kind, speaker)


def _texts(words: str, lists: Lists) -> list[str]:
    """Return the texts that a remark names (石经及印本), in order; 诸本 only if it names no other."""
    words = to_simplified(words)
    named = [(words.find(name), name, known) for name, known in traditions(lists) if name in words]
    found = list(dict.fromkeys(known for _, _, known in sorted(named)))
    return [known for known in found if known != "zhuben"] or found


@lru_cache(maxsize=8)
def _table(lists: Lists) -> tuple[tuple[frozenset[str], Change, Expression], ...]:
    return tuple(
        (frozenset(kinds.split()), change, compiled("readings", p, lists))  # type: ignore[misc]
        for kinds, change, p in rows("readings", lists)
    )
