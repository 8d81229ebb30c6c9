"""The forms of collation notes.

- stated: a quotation, and what is wrong in it (X誤作Y, 脱X, 衍X, 監本作Y), as in 張爾岐《儀禮監本正誤》;
- head: the right words, the text as it is, a discussion and whom to follow (從某本), as in 張淳《儀禮識誤》;
- gloss: words, and a gloss that names another form (本又作Y), as in 陸德明《經典釋文》.

A note quotes the text with the words that it is about. Graphs are compared by their normal form
(`jiaokan.characters.equality.norm`), so that the notes may be in another script than the edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jiaokan.characters.equality import akin, judge, norm
from jiaokan.model import Division, Note, Paragraph, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import items
from jiaokan.model.words import simplified
from jiaokan.settings.plans import TestimonyPlan


@dataclass(frozen=True, slots=True)
class Claim:
    """What a note says of a text."""

    note: str  # id of the unit of the book that has the note
    text: str  # its words
    layer: str  # ``text`` (經曰), ``note`` (注曰), or empty: not said
    quote: str = ""  # the text as it quotes it; empty if its form is unknown
    at: int = -1  # where the words in question begin in that; below zero: unknown
    on: str = ""  # these words; empty where another text has more
    readings: tuple[tuple[str, str], ...] = ()  # what texts have in their place: ids of reported witnesses, and words

    def readings_on(self, words: str) -> Iterator[tuple[str, str]]:
        """Yield the readings, with the edition's own `words` for the same in another script, and for those quoted."""
        for witness, reading in self.readings:
            if reading == self.on:
                same = norm(reading) == norm(words)
            else:
                same = judge(words, reading).variant in ("", "script")
            yield witness, words if same else reading


_HEAD = 6  # graphs of the longest head
_MARKS = re.compile(r"[\s，。、；：！？「」『』《》〈〉“”‘’()（）]")
_ALL = r"(?:[二三]?[字并俱皆]+)?"
_WRONG = re.compile(rf"(?P<before>.+?){_ALL}(?:误|讹|譌|谬)?作(?P<has>[^误作]{{1,12}}?)字?$")
_LACKS = re.compile(r"(?P<quote>.+?)(?P<below>下)?(?:误?脱|缺|无)(?P<which>下|上|第?[一二两三])?(?P<on>.+?)"
                    r"(?:[一二三四五六七八九十]+)?字$")
_EXTRA = re.compile(r"(?P<quote>.+?)(?:(?P<after>.{1,2})二字之间|(?P<below>.{1,4})下)(?:误?[羡衍]|多)一?"
                    r"(?P<has>.+?)字?$")
_ADOPTS = re.compile(r"[从從](?P<who>[^。，]{1,6})$")
_SAYS = re.compile(r"(?P<layer>经|注)曰(?P<quote>.+?)(?=经曰|注曰|$)")
_SHIWEN = re.compile(r"释文[云作曰](?P<words>[^音本又亦作]{2,4}?)(?=音|如字|本[又亦或]|刘|\w\w反)")
_FORMS = re.compile("(?:音|[本亦又或]作|今作)(?P<form>.)")
"""Another form of a glossed graph: its sound, which is mostly that of the common graph, or what other copies have."""
_GLOSS = re.compile(r"(?:本|一本|刘本|[亦又或])(?:[又亦或])?作(?P<has>.)")


def claims_of(book: Division, plan: TestimonyPlan, names: Mapping[str, str]) -> Iterator[Claim]:
    """Yield what the notes of a chapter of a book claim, in its order; one that has no known form has no quotation."""
    for block in items(book.items):
        if not isinstance(block, Paragraph):
            continue
        units = [item for item in block.content if isinstance(item, Unit)]
        if plan.form == "gloss":
            last: Unit | None = None
            for item in block.content:
                if isinstance(item, Note) and last:
                    yield from _gloss(last, counted(item.content), plan)
                last = item if isinstance(item, Unit) else last
        elif units:
            parts = [_MARKS.sub("", counted(unit.content)) for unit in units]
            read_note = _read_headed_note if plan.form == "head" else _read_statement
            text = "".join(parts)
            yield from list(read_note(units[0].id, parts, plan, names)) or [Claim(units[0].id, text, "")]


def _read_statement(note: str, parts: Sequence[str], plan: TestimonyPlan, names: Mapping[str, str]) -> Iterator[Claim]:
    whole = "".join(parts)
    who, text = plan.witness, whole
    for name in sorted(names, key=len, reverse=True):  # the witness that is named before the verb
        if named := re.search(f"{re.escape(simplified(name))}(?=[并俱亦皆]?(?:误|讹)?[作无脱衍])", simplified(whole)):
            who, text = names[name], whole[: named.start()] + whole[named.end() :]
            break
    bare = simplified(text)
    if match := _EXTRA.fullmatch(bare):
        quote, after = text[: match.end("quote")], match["after"] or match["below"]
        at = _last(quote, after[:1] if match["after"] else after)
        if at >= 0:
            yield Claim(note, whole, "", quote, at + len(after if match["below"] else after[:1]), "",
                        ((who, text[slice(*match.span("has"))]),))
        return
    if match := _LACKS.fullmatch(bare):
        quote, on = text[: match.end("quote")], text[slice(*match.span("on"))]
        at = norm(quote).find(norm(on)) if match["which"] == "上" else _last(quote, on)
        if at >= 0:
            yield Claim(note, whole, "", quote, at, on, ((who, ""),))
        elif match["below"]:
            yield Claim(note, whole, "", quote + on, len(quote), on, ((who, ""),))
        return
    if match := _WRONG.fullmatch(bare):
        yield from _claim_substitution(note, whole, text[: match.end("before")], text[slice(*match.span("has"))], who)


def _claim_substitution(note: str, whole: str, before: str, reading: str, who: str) -> Iterator[Claim]:
    for size in range(min(4, len(before) // 2), 0, -1):
        on, quote = before[-size:], before[:-size]
        if (at := _last(quote, on)) >= 0:
            yield Claim(note, whole, "", quote, at, on, ((who, reading),))
            return
    size = len(reading)
    windows = ((n, _count_shared(before[n : n + size], reading)) for n in range(len(before) - size + 1))
    at, best = max(windows, key=lambda window: (window[1], window[0]), default=(-1, 0))
    if best:
        yield Claim(note, whole, "", before, at, before[at : at + len(reading)], ((who, reading),))


def _read_headed_note(
    note: str, parts: Sequence[str], plan: TestimonyPlan, names: Mapping[str, str]
) -> Iterator[Claim]:
    """Read a note of the right words as a head, the text as it is, a discussion, and whom to follow:
    遁　注曰辟逡巡按釋文云…從釋文."""
    head, rest, whole = parts[0], "".join(parts[1:]), "".join(parts)
    folded = simplified(rest)
    if len(head) > _HEAD or folded[1:2] != "曰":
        return
    known = [simplified(name) for name in names if len(name) > 1]
    short = "|".join(re.escape(name[:-1]) for name in known if name.endswith("本"))
    pattern = "|".join(["[按案从]", "释文", *([f"(?:{short})+本"] if short else []), *map(re.escape, known)])
    begun = re.compile(pattern).search(folded, 2)
    cut = begun.start() if begun else len(folded)  # the discussion: from 按 on, or where it names another copy
    match = _ADOPTS.search(folded)
    who = _witnesses_in(match["who"], names) if match else []
    passages = [(quotation, _read_correction(rest[slice(*quotation.span("quote"))], head, rest[cut:]))
                for quotation in _SAYS.finditer(folded[:cut])]
    for quotation, change in passages:
        layer, quote = "text" if quotation["layer"] == "经" else "note", rest[slice(*quotation.span("quote"))]
        base_reading = ((plan.base, change.on),) if plan.base and change else ()
        if change:
            adopted = tuple((name, change.reading) for name in who if name != plan.base)
            yield Claim(note, whole, layer, quote, change.at, change.on, (*adopted, *base_reading))
        elif (at := _last(quote, head)) >= 0 and (others := tuple(_others(rest[cut:], head, names))):
            yield Claim(note, whole, layer, quote, at, quote[at : at + len(head)], others)
        elif not any(other for _, other in passages):
            yield Claim(note, whole, layer, quote)


def _others(discussion: str, head: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what other copies have in place of the head, which the quotation has: 監本中誤作申."""
    pattern = rf"(?P<who>\w{{0,6}}本){re.escape(simplified(head))}(?:误|皆|并)*作(?P<has>.)"
    for match in re.finditer(pattern, simplified(discussion)):
        for name in _witnesses_in(match["who"], names):
            yield name, discussion[match.start("has")]


class _Change(NamedTuple):
    """Where in a quotation which words are to be replaced by which."""

    at: int
    on: str
    reading: str


def _read_correction(quote: str, head: str, discussion: str) -> _Change | None:
    """Return what the head corrects in a quotation; None if nothing shows it."""
    folded, plain = simplified(discussion), re.escape(simplified(head))
    if (at := _last(quote, head)) >= 0:
        on = quote[at : at + len(head)]
        if re.search(f"[无無]{plain}字|中[无無]|[无無]此字", folded):
            return _Change(at, on, "")
        return _Change(at, on, head) if simplified(on) != simplified(head) or on != head else None
    if re.search(f"下有{plain}字", folded):
        return _Change(len(quote), "", head)
    if (match := re.search(f"(?P<on>.)作{plain}", folded)) and quote.count(on := discussion[match.start("on")]) == 1:
        return _Change(quote.index(on), on, head)
    match = _SHIWEN.search(folded)
    glossed = discussion[slice(*match.span("words"))] if match else ""  # what 释文 has before its gloss
    for words in filter(None, (head if len(head) > 1 else "", glossed)):
        windows = [(n, _count_shared(quote[n : n + len(words)], words)) for n in range(len(quote) - len(words) + 1)]
        best = max((score for _, score in windows), default=0)
        if best and [score for _, score in windows].count(best) == 1:
            at = next(n for n, score in windows if score == best)
            return _Change(at, quote[at : at + len(words)], words)
    if len(head) > 1:
        return None
    forms = {discussion[match.start("form")] for match in _FORMS.finditer(folded)}
    alike = [n for n, graph in enumerate(quote) if graph in forms or akin(graph, head)]
    return _Change(alike[0], quote[alike[0]], head) if len(alike) == 1 else None


def _gloss(unit: Unit, note: str, plan: TestimonyPlan) -> Iterator[Claim]:
    """Words with a gloss that names another form: 擯(本又作儐)."""
    words, match = _MARKS.sub("", counted(unit.content)), _GLOSS.search(simplified(_MARKS.sub("", note)))
    if not match or not words:
        return
    reading = _MARKS.sub("", note)[match.start("has")]
    alike = [n for n, graph in enumerate(words) if akin(graph, reading)] or ([0] if len(words) == 1 else [])
    if len(alike) == 1:
        yield Claim(unit.id, f"{words}({note})", "", words, alike[0], words[alike[0]], ((plan.witness, reading),))
    else:
        yield Claim(unit.id, f"{words}({note})", "")


def _witnesses_in(text: str, names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names[name] for name in names if simplified(name).removesuffix("本") in text))


def _count_shared(first: str, second: str) -> int:
    return sum(norm(x) == norm(y) for x, y in zip(first, second, strict=False)) if len(first) == len(second) else 0


def _last(text: str, words: str) -> int:
    return norm(text).rfind(norm(words))
