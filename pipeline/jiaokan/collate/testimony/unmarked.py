"""Notes whose words follow their quotation without a mark, as in 張爾岐《儀禮監本正誤》: 升酌于堂上酌誤作酢."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jiaokan.characters.equality import akin, norm
from jiaokan.characters.shapes import find_likest
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.grammar import Authorities
from jiaokan.collate.testimony.layout import NoteText
from jiaokan.collate.testimony.types import Claim, Report, count_shared, last_start
from jiaokan.model.words import simplified
from jiaokan.settings.patterns import alternatives

_ALL = r"(?:[二三]?[字并俱皆]+)?"
_WRONG = re.compile(rf"(?P<before>.+?){_ALL}(?:误|讹|譌|谬)?作(?P<has>[^误作]{{1,12}}?)字?$")
_LACKS = re.compile(r"(?P<quote>.+?)(?P<below>下)?(?:误?脱|缺|无)(?P<which>下|上|第?[一二两三])?(?P<on>.+?)"
                    r"(?:[一二三四五六七八九十]+)?字$")
_EXTRA = re.compile(r"(?P<quote>.+?)(?:(?P<after>.{1,2})二字之间|(?P<below>.{1,4})下)(?:误?[羡衍]|多)一?"
                    r"(?P<has>.+?)字?$")
_MISTAKE = re.compile(
    "(?P<before>.+?)(?P<all>[并並皆俱])?[误誤]?作(?P<has>(?:(?![误誤作])\\w){1,4}?)[误誤非](?:[也矣]|(?=$)|(?=.))")
"""A reading called wrong in the course of a note: 初九注上无其應无作元誤又曰…."""
_AGAIN = re.compile("又[曰云]")
_DISCUSSED = re.compile("[按案]?(?P<graph>\\w)字?(?:[上下中][从從]|[从從音與与])")
_LAYER = re.compile("[注註传傳笺箋](?P<says>[云曰])?|[疏䟽]|正[义義][云曰]?")
_MORE = re.compile("[作脱脫衍]|[无無].{1,3}字")


def read_unmarked_note(note: NoteText, names: Authorities) -> Iterator[Claim]:
    """Yield the claims of a note whose words follow its quotation without a mark: of the whole note, or of the readings
    that it calls wrong one after the other, with a discussion."""
    several = note.quote.count("作") > 1  # as a whole it would be read as its last reading
    claims = [] if several else list(_read_whole(note, names))
    yield from claims or _read_mistakes(note, names)


def _read_mistakes(note: NoteText, names: Authorities) -> Iterator[Claim]:
    whole = note.quote
    bare = simplified(whole)
    end, layer = 0, ""
    for match in _MISTAKE.finditer(bare):
        before, has = (whole[slice(*match.span(name))] for name in ("before", "has"))
        marks = list(_LAYER.finditer(before))
        layer = "note" if marks else layer
        quoted = before[marks[-1].end() if marks else 0 :]
        places = [_find_correction(part, has, whole[match.end() :]) for part in _parts(quoted, match["all"])]
        if names.book and places and all(places):
            others = tuple(_other_copies(bare, whole, match.end(), names))
            for quote, at, on in filter(None, places):
                yield Claim(note.id, whole, layer, quote, at, on, (Report(names.book, has), *others))
        else:
            yield Claim(note.id, whole[match.start() : match.end()], layer)
        end = match.end()
    if end and _MORE.search(bare, end):
        yield Claim(note.id, whole[end:], "")


def _parts(quoted: str, several: str | None) -> list[str]:
    """Return the quotations of which a copy has all wrong in the same way: 非己所據又云而已剛亢皆作巳誤."""
    parts = _AGAIN.split(quoted)
    return parts if several and len(parts) > 1 else [quoted] if not several else []


def _other_copies(bare: str, whole: str, start: int, names: Authorities) -> Iterator[Report]:
    """Yield what other copies have at the place of a mistake: 興國軍本作歲是."""
    copies = alternatives(simplified(name) for name in names.witnesses)
    if match := re.compile(f"(?P<who>{copies})[亦皆]?作(?P<has>\\w)(?:$|[是非誤误]|[按案](?=\\w))").match(bare, start):
        known = next(ids for name, ids in names.witnesses.items() if simplified(name) == match["who"])
        for who in known.split():
            yield Report(who, whole[slice(*match.span("has"))])


def _find_correction(quoted: str, has: str, following: str) -> tuple[str, int, str] | None:
    """Return a quotation with the place of the words for which a copy has others: these are said again at its end, or
    begin the discussion after it (豫从予), or are the only ones of it that a table relates to the reading, or that look
    like it."""
    for quote, at, on in _find_repetitions(quoted):
        if norm(quote).count(norm(on)) == 1:
            return quote, at, on
    if len(has) > 1:
        return None
    named = _DISCUSSED.match(following)
    discussed = [at for at, graph in enumerate(quoted) if named and graph == named["graph"]]
    akins = [at for at, graph in enumerate(quoted) if akin(graph, has)]
    for places in (akins, discussed, find_likest(quoted, has) if not akins else []):
        if len(places) == 1:
            return quoted, places[0], quoted[places[0]]
    return None


def _find_repetitions(quoted: str) -> Iterator[tuple[str, int, str]]:
    """Yield a quotation, where in it the words are that follow it again (升酌于堂上酌), and these, longest first."""
    for size in range(min(SETTINGS.phrase, len(quoted) // 2), 0, -1):
        on, quote = quoted[-size:], quoted[:-size]
        if (at := last_start(quote, on)) >= 0:
            yield quote, at, on


def _read_whole(note: NoteText, names: Authorities) -> Iterator[Claim]:
    whole = note.quote
    who, text = names.book, whole
    for name in sorted(names.witnesses, key=len, reverse=True):  # the witness that is named before the verb
        if named := re.search(f"{re.escape(simplified(name))}(?=[并俱亦皆]?(?:误|讹)?[作无脱衍])", simplified(whole)):
            who, text = names.witnesses[name], whole[: named.start()] + whole[named.end() :]
            break
    bare = simplified(text)
    if match := _EXTRA.fullmatch(bare):
        quote, after = text[: match.end("quote")], match["after"] or match["below"]
        at = last_start(quote, after[:1] if match["after"] else after)
        if at >= 0:
            yield Claim(note.id, whole, "", quote, at + len(after if match["below"] else after[:1]), "",
                        (Report(who, text[slice(*match.span("has"))]),))
        return
    if match := _LACKS.fullmatch(bare):
        quote, on = text[: match.end("quote")], text[slice(*match.span("on"))]
        at = norm(quote).find(norm(on)) if match["which"] == "上" else last_start(quote, on)
        if at >= 0:
            yield Claim(note.id, whole, "", quote, at, on, (Report(who, ""),))
        elif match["below"]:
            yield Claim(note.id, whole, "", quote + on, len(quote), on, (Report(who, ""),))
        return
    if match := _WRONG.fullmatch(bare):
        before, reading = text[: match.end("before")], text[slice(*match.span("has"))]
        yield from _claim_substitution(note.id, whole, before, reading, who)


def _claim_substitution(note: str, whole: str, before: str, reading: str, who: str) -> Iterator[Claim]:
    for quote, at, on in _find_repetitions(before):
        yield Claim(note, whole, "", quote, at, on, (Report(who, reading),))
        return
    size = len(reading)
    windows = ((n, count_shared(before[n : n + size], reading)) for n in range(len(before) - size + 1))
    at, best = max(windows, key=lambda window: (window[1], window[0]), default=(-1, 0))
    if best:
        yield Claim(note, whole, "", before, at, before[at : at + len(reading)], (Report(who, reading),))
