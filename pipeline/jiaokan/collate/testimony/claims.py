"""What collation notes claim of a text: their statements (`grammar`), each on words of what the note quotes.

Two forms have no mark between quotation and statement, and rows of their own (`headed`, `unmarked`). Graphs are
compared by their normal form (`jiaokan.characters.equality.norm`), so that the notes may be in another script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from jiaokan.annotate.citations import works
from jiaokan.annotate.index import to_simplified
from jiaokan.characters.equality import akin, norm
from jiaokan.characters.shapes import find_likest
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.glosses import fit_reading, has_glosses
from jiaokan.collate.testimony.grammar import Authorities, NoteStatements, StatedReading, read_note
from jiaokan.collate.testimony.headed import read_headed_note
from jiaokan.collate.testimony.layout import NoteText, note_texts
from jiaokan.collate.testimony.types import Claim, Report, forms
from jiaokan.collate.testimony.unmarked import read_unmarked_note
from jiaokan.model import Division
from jiaokan.model.words import simplified

_LAYERS = (("shu", re.compile("[疏䟽]")), ("note", re.compile("[注註笺箋傳传](?!曰|云)|集解")))
_FILLERS = frozenset("注註疏䟽經经傳传箋笺此其則则故又或云曰言否葢盖蓋似恐疑上下文中字句第一")
"""Graphs that lead to quoted words and are none of them (注象骨)."""
_STATES = re.compile("[作誤误譌訛讹脱脫衍倒疊叠無无缺闕阙]|(?<!根)本[又亦或此]*[云有多]|[本下上]多|[多增少]一")
_WHICH = {"上": 0, "前": 0, "首": 0, "下": -1, "後": -1, "后": -1, "末": -1}
_UNNAMED = frozenset({"huoben", "suben", "jinben", ""})
_BOTH = re.compile("^[兩两二三]")


def states_reading(words: str) -> bool:
    """Whether a note has a verb or mark with which notes state readings; others only explain or compare."""
    return _STATES.search(words) is not None


def claims_of(book: Division, names: Authorities, form: str = "", base: str = "") -> Iterator[Claim]:
    """Yield what the notes of a chapter of a book claim, in its order; a note that states nothing in a known form has
    no quotation. `form` is that of a book whose notes have one, `base` the witness that it quotes as the text."""
    notes = list(note_texts(book))
    gloss = has_glosses(notes)
    for note in notes:
        if note.form == "type" and not _STATES.search(note.words):
            if not gloss:  # 或躍在淵作淵誤(後同): what states is in the size of the quotation
                yield from read_unmarked_note(replace(note, words=""), names)
            yield Claim(note.id, "", "", note.quote, short=True)
            continue  # a gloss of sound or sense, which only marks a place
        if note.form == "space" and (form == "head" or (not form and simplified(note.parts[1])[1:2] == "曰")):
            claims = list(read_headed_note(note, names, base))
        elif note.words:
            claims = list(_place_statements(note, read_note(note.words, names, gloss), base))
        else:
            claims = list(read_unmarked_note(note, names))
        yield from claims or [Claim(note.id, note.text, "", short=note.form == "type")]


def _place_statements(note: NoteText, reading: NoteStatements, base: str) -> Iterator[Claim]:
    for statement in reading.statements:
        stated = _find_in_gloss if note.form == "type" else _find_in_quotation
        places = list(stated(_divide_at_verb(statement, note.quote), note.quote))
        for at, on, has in places:
            supports = (*reading.supports, *([base] if base else []))
            yield _claim(note, replace(statement, has=has), at, on, supports)
        if not places:
            yield Claim(note.id, note.text, "")
    if reading.unread:
        yield Claim(note.id, reading.unread, "")


def _divide_at_verb(statement: StatedReading, quote: str) -> StatedReading:
    """Return a statement whose words and reading have 作 themselves (監本作射作作揖), divided at the one that is the
    verb: the words before it are quoted, and are as many as those after."""
    if statement.change != "substitution" or statement.on or "作" not in statement.has:
        return statement
    whole = f"作{statement.has}"
    halves = [(whole[:at], whole[at + 1 :]) for at, graph in enumerate(whole) if at and graph == "作"]
    fitting = [(on, has) for on, has in halves if len(on) == len(has) and _only(quote, on) >= 0]
    return replace(statement, on=fitting[0][0], has=fitting[0][1]) if len(fitting) == 1 else statement


def _find_in_quotation(statement: StatedReading, quote: str) -> Iterator[tuple[int, str, str]]:
    if statement.change == "omission" and statement.on and quote.endswith("下") and not _starts(quote, statement.on):
        yield len(quote) - 1, statement.on, ""  # 斬袪之恨下, 監本脱今日猶在四字: 下 leads to what is lacking
        return
    if to_simplified(statement.on) in works():
        return  # 俗本左傳作: a copy of another work
    has, places = statement.has, list(_places(statement, quote))
    if statement.change == "substitution" and len(places) == 1:
        has = _cut_to(statement, places[0][1])
    if not places and statement.on and statement.change == "substitution" and not _starts(quote, statement.on):
        has = statement.full  # 文義當作世仕王朝: what leads to the reading is none of the words
        places = list(_likest(quote, has)) if len(has) > SETTINGS.chance else []
    yield from ((at, on, has) for at, on in places)


def _cut_to(statement: StatedReading, words: str) -> str:
    """Return a reading without what explains it, if of the words before its verb only the last are those in question:
    則此七郡應作十郡郡二千騎正合 has two graphs for 七郡."""
    has, cut = statement.has, len(statement.has) < len(statement.full)
    explained = len(words) < len(statement.on) and (cut or len(has) > len(words) + SETTINGS.chance)
    return has[: len(words)] if explained else has


def _claim(note: NoteText, statement: StatedReading, at: int, on: str, supports: tuple[str, ...]) -> Claim:
    has = {"repetition": "", "transposition": on[::-1]}.get(statement.change, "") or statement.has
    if statement.change == "omission" or statement.same:
        has = on if statement.same else ""
    person = not statement.who
    reports = [Report(who, has, person, statement.doubtful) for who in statement.who or (statement.person,)]
    reports += [Report(who, on) for who in supports if who not in statement.who and (not person or who == supports[-1])]
    quote = note.quote
    if statement.change == "omission" and quote[at : at + len(on)] != on:
        quote = quote[:at] + on + quote[at:].removesuffix("下")
    layer, begin = _layer(quote, at)
    after = (match.start() for _, pattern in _LAYERS for match in pattern.finditer(quote, at + len(on)))
    return Claim(note.id, note.text, layer, quote, at, on, tuple(reports), begin, min(after, default=-1),
                 short=note.form == "type" and len(quote) <= SETTINGS.phrase)


def _layer(quote: str, at: int) -> tuple[str, int]:
    """Return the layer that a quotation names last before a place, and where its words begin: 經文疏正常在君左右."""
    marks = {match.end(): layer for layer, pattern in _LAYERS for match in pattern.finditer(quote[:at])}
    return (marks[max(marks)], max(marks)) if marks else ("", 0)


def _places(statement: StatedReading, quote: str) -> Iterator[tuple[int, str]]:
    """Yield where in the quotation the words in question are, and these words; nothing if that is not clear."""
    if statement.change == "addition":
        at = _addition(statement, quote)
        begin = at - len(statement.has) if statement.side == "上" else at
        had = quote[max(begin, 0) : begin + len(statement.has)]
        if at >= 0 and forms(had) == forms(statement.has):
            yield begin, had  # the note quotes the text with them
        elif at >= 0:
            yield at, ""
    elif statement.change == "repetition":
        at = _only(quote, statement.has)
        if at >= 0:
            yield at + len(statement.has), ""
    elif statement.place or (statement.side and statement.on):
        at = _addition(statement, quote)
        here = at if statement.side == "下" else at - len(statement.on)
        if at >= 0:
            there = here >= 0 and forms(quote[here : here + len(statement.on)]) == forms(statement.on)
            yield here if there else at, quote[here : here + len(statement.on)] if there else statement.on
    elif statement.count and not statement.on:
        size = statement.count
        if statement.side or size == len(quote):
            at = len(quote) - size if statement.side == "下" else 0
            yield at, quote[at : at + size]
    elif statement.on:
        yield from _find_named(statement, quote)
    elif statement.change == "substitution":
        yield from _likest(quote, statement.has)


def _find_named(statement: StatedReading, quote: str) -> Iterator[tuple[int, str]]:
    on, which = statement.on, 1
    if statement.all and len(_starts(quote, on)) > 1:
        yield from ((at, quote[at : at + len(on)]) for at in _starts(quote, on))
        return
    if on == "此" and len(quote) == 1:
        yield 0, quote  # 本今無此字
        return
    if statement.within and (at := _only(quote, f"{statement.within}")) >= 0:
        yield at + len(statement.within) - len(on), on
        return
    if _BOTH.match(on) and not _starts(quote, on) and _starts(quote, on[1:]):
        yield from ((at, quote[at : at + len(on) - 1]) for at in _starts(quote, on[1:]))
        return
    if not _starts(quote, on):
        bare = _bare(on, quote)
        which = _WHICH.get(on[: len(on) - len(bare)][-1:], 1) if bare else 1
        on = bare
    at = _only(quote, on, which) if on else -1
    if at >= 0:
        yield at, quote[at : at + len(on)]


def _bare(words: str, quote: str) -> str:
    """Return words without what leads to them (注象骨 for 象骨), of which the quotation has all; else nothing."""
    for start in range(1, len(words)):
        if words[start - 1] not in _FILLERS:
            break
        if _starts(quote, words[start:]):
            return words[start:]
    last = words.rpartition("此")[2]
    return last if last != words and last and _starts(quote, last) else ""


_SENTENCE = frozenset({"此", "句", "此句", "本句", "句末"})


def _addition(statement: StatedReading, quote: str) -> int:
    """Return where in the quotation the words are that a text has besides; below zero if that is not clear."""
    if not statement.place or statement.place in _SENTENCE:
        return {"下": len(quote), "上": _layer(quote, len(quote))[1]}.get(statement.side, -1)
    tails = (statement.place[start:] for start in range(1, len(statement.place) - SETTINGS.chance))
    place = statement.place if _starts(quote, statement.place) else _bare(statement.place, quote) or next(
        (tail for tail in tails if _starts(quote, tail)), "")
    at = _only(quote, place)
    if at < 0:
        return -1
    return at + (len(place) // 2 if statement.side in ("间", "間") else len(place) * (statement.side == "下"))


def _starts(quote: str, words: str) -> list[int]:
    text, sought = forms(quote), forms(words)
    return [at for at in range(len(text) - len(sought) + 1) if text.startswith(sought, at)] if sought else []


def _only(quote: str, words: str, which: int = 1) -> int:
    """Return where words are: in one place, or in a row (賓賓: the last), or the first or last if `which` says so; in
    the layer that the quotation names last, if they are there."""
    starts = _starts(quote, words)
    begin = max((match.end() for _, pattern in _LAYERS for match in pattern.finditer(quote)), default=0)
    starts = [at for at in starts if at >= begin] or starts
    if not starts or which < 1:
        return starts[which] if starts else -1
    row = all(after - before == len(words) for before, after in pairwise(starts))
    return starts[-1] if row else -1


def _likest(quote: str, has: str) -> Iterator[tuple[int, str]]:
    """Yield the words of the quotation in place of which a text has others, by what the two share: at least half; of
    more than a word both ends too, or all but one graph, since a reading may be cut short or go on with its reasons."""
    size = len(has)
    there = _starts(quote, has)  # words beside these that begin or end a graph off are the same words, not turned ones
    turned = [n for n in range(len(quote) - size + 1)
              if sorted(forms(quote[n : n + size])) == sorted(forms(has)) and quote[n : n + size] != has
              and all(abs(at - n) >= size for at in there)]
    if size > 1 and turned:  # the words in another order: 羊牛, 監本作牛羊
        yield from ((n, quote[n : n + size]) for n in turned if len(turned) == 1)
        return
    shared = [(sum(norm(x) == norm(y) for x, y in zip(quote[n : n + size], has, strict=True)), n)
              for n in range(len(quote) - size + 1)]
    best = max(shared, default=(0, -1))
    words = quote[best[1] : best[1] + size]
    if 2 * best[0] >= size and words != has and [count for count, _ in shared].count(best[0]) == 1:
        ends = norm(words[0]) == norm(has[0]) and norm(words[-1]) == norm(has[-1])
        if size <= SETTINGS.chance or ends or best[0] >= size - 1:
            yield best[1], words
    elif size == 1:
        alike = [n for n, graph in enumerate(quote) if akin(graph, has)] or find_likest(quote, has)
        yield from ((n, quote[n]) for n in alike if len(alike) == 1)
    elif size >= SETTINGS.phrase:
        yield from _find_between_ends(quote, has)


def _find_between_ends(quote: str, has: str) -> Iterator[tuple[int, str]]:
    """Yield the words of the quotation that begin and end as a reading of another length and are like it:
    且主之且襄仲辭之者 for 且受之而襄仲辭之者."""
    ends = [at + 1 for at in _starts(quote, has[-1])]
    spans = [(at, end) for at in _starts(quote, has[0]) for end in ends if end - at >= SETTINGS.phrase]
    shared = {(at, end): sum(block.size for block in SequenceMatcher(
        None, forms(quote[at:end]), forms(has), autojunk=False).get_matching_blocks()) for at, end in spans}
    best = max(shared.values(), default=0)
    likest = [span for span in spans if shared[span] == best >= SETTINGS.alike * max(span[1] - span[0], len(has))]
    least = min((end - at for at, end in likest), default=0)
    if [end - at for at, end in likest].count(least) == 1:
        likest = [(at, end) for at, end in likest if end - at == least]
        yield likest[0][0], quote[slice(*likest[0])]


def _find_in_gloss(statement: StatedReading, quote: str) -> list[tuple[int, str, str]]:
    """Return the words of a short quotation that a gloss gives another form of, and this form."""
    has = statement.has
    if statement.change == "substitution" and statement.on in ("", "字"):
        place = fit_reading(quote, has, not _UNNAMED.intersection(statement.who))
        return [place] if place else []
    return [(at, on, has) for at, on in _places(statement, quote)]
