"""Passages of the base text that a witness has elsewhere: from where to where, each reported once, by its clauses.

The edition has a witness's own order as marks (``milestone unit="unit"``). A passage continues as long as the witness's
words follow each other in that order. Its first and last clause name it; clauses end where any witness has punctuation
that ends one, and at the ends of units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from jiaokan.entries.extract import CLAUSE, clause_ends, entry_words, with_clause_signs
from jiaokan.entries.values import Move, Quote
from jiaokan.entries.wording import Part, Sigla, amount, graphs, names, quoted
from jiaokan.model import App, Division, Document, Item, Mark, Note, NoteGroup, Unit
from jiaokan.model.numerals import whole
from jiaokan.model.references import References
from jiaokan.model.text import edited
from jiaokan.model.walk import cached_by_document, items, marks, units

_WHOLE = 12  # a passage of at most so many graphs is quoted whole, as in other entries
_LEAST, _NAMED, _PART = 3, 8, 6
"""Clauses are quoted until they have three graphs, as 燕 alone names no passage; whole if they have at most eight, else
their first or last six. Of the units of 燕礼 half have no more than eight graphs."""


def find_moves(document: Document) -> tuple[Move, ...]:
    """Return the passages that witnesses have elsewhere, in reading order, each once."""
    return tuple(move for move in _every_move(document) if move.printed)


def unprinted_moves(document: Document) -> tuple[Move, ...]:
    """Return the passages that the edition prints elsewhere, not there: what some witnesses have more, others have in
    another place."""
    return tuple(move for move in _every_move(document) if not move.printed)


@cached_by_document
def _every_move(document: Document) -> tuple[Move, ...]:
    found: dict[tuple[str, str, str, tuple[str, ...]], Move] = {}
    for chapter in document.chapters():
        if not any(isinstance(each, App) and each.kind == "move" for each in items([chapter])):
            continue
        section = _sections(chapter)
        own = list(units([chapter]))
        events = [event for unit in own for event in (unit, *_inside(unit.content, unit.id), CLAUSE)]
        every = {(each.witness, each.unit) for unit in own for each in marks(unit.content)}
        ordered = sorted(every, key=lambda each: (each[0], [whole(n) for n in re.findall(r"\d+", each[1])]))
        ranks = {each: n for n, each in enumerate(ordered)}
        absorbed: set[str] = set()  # moves that only continue another are part of it
        for n, move in enumerate(events):
            if not isinstance(move, Move) or move.id in absorbed:
                continue
            absorbed |= _read_passage(move, _rank_before(move, events[:n], ranks), events[n + 1 :], ranks)
            move.section = section.get(move.unit, "")
            first = found.setdefault((move.unit, move.words, move.end, move.targets), move)
            first.witnesses = tuple(dict.fromkeys([*first.witnesses, *move.witnesses]))
    return tuple(found.values())


def move_sentence(move: Move, document: Document, sigla: Sigla) -> tuple[Part, ...]:
    """Return the parts of: 自「与卿燕」至「亦大夫为宾」，本义在上文「执幂者升自西阶」（6.4.3）之下。"""
    passage: list[Part] = (
        ["自", Quote(move.words), "至", Quote(move.end)] if move.end else [quoted(move.words), amount(move.words)])
    where = target_places(move, document)
    return (*passage, "，", *names(move.witnesses, "", sigla), "在", *(where or ["他处"]), "。")


def target_places(move: Move, document: Document) -> list[str | Quote]:
    """Return where a witness has a passage: 上文「执幂者升自西阶」（6.4.3）之下, each unit by its last clause; in
    another chapter by its title."""
    placed, references, titles = _places(document)
    parts: list[str | Quote] = []
    away = [each for each in move.targets if each in placed and _chapter(each) != _chapter(move.unit)]
    if away:  # there it has the very words
        return [titles.get(_chapter(away[0]), "他篇"), "（", "、".join(references[each] for each in away), "）"]
    for target in move.targets:
        if target not in placed:
            continue
        (order, unit), (here, _) = placed[target], placed[move.unit]
        words = _clauses(_printed_clauses(unit), last=True)
        parts += ["、"] if parts else []
        parts += ["下文" if order > here else "上文", quoted(words), "（", references[target], "）"]
    return [*parts, "之下"] if parts else []


def _printed_clauses(unit: Unit) -> str:
    """Return the words that the edition prints in a unit, with a sign at the end of each clause."""
    words = edited(unit.content)
    return CLAUSE.join(words[begin:end] for begin, end in pairwise(sorted({0, *clause_ends(unit.content), len(words)})))


@cached_by_document
def _places(document: Document) -> tuple[dict[str, tuple[int, Unit]], dict[str, str], dict[str, str]]:
    """Return what the sentences of all moves need: units with their number, references of units, titles of chapters."""
    numbered = {unit.id: (n, unit) for n, unit in enumerate(units(document.divisions))}
    where = References(document)
    titles = {each.id: f"《{each.title}》" for each in document.chapters() if each.title}
    return numbered, {name: where.of(name).partition(":")[2] for name in numbered}, titles


def _chapter(name: str) -> str:
    return ".".join(name.split(".")[:2])


def _clauses(words: str, *, last: bool = False) -> str:
    """Return the first, or last, clauses of a passage that have three graphs together, or its beginning, or end."""
    made = ""
    for clause in reversed(words.split(CLAUSE)) if last else words.split(CLAUSE):
        made = clause + made if last else made + clause
        if graphs(made) >= _LEAST:
            break
    if graphs(made) <= _NAMED:
        return made
    return made[-_PART:] if last else made[:_PART]


def _sections(division: Division) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in division.items:
        if isinstance(item, Division):
            found |= _sections(item)
        else:
            found |= {each.id: division.id for each in units([item])}
    return found


Event = Unit | str | Mark | Move
"""What a base text consists of: the beginning of a unit, words, the mark of a witness, a moved passage."""


class _Unprinted(str):
    """Words that only readings have."""


def _inside(content: Iterable[Item], unit: str) -> Iterator[Event]:
    for item in content:
        if isinstance(item, App) and item.kind == "move":
            moves = [each for each in item.readings if each.variant == "transposition"]
            for n, each in enumerate(moves, 1):
                name = item.id if n == 1 else f"{item.id}.{n}"
                yield Move(name, unit, "", each.witnesses, (each.target,) if each.target else ())
        elif isinstance(item, App):
            for reading in (item.lemma, *item.readings):
                yield from (each for each in _inside(reading.content, unit) if isinstance(each, (Mark, Move)))
            words = entry_words(item)
            yield words if edited(item.lemma.content) or item.kind != "variant" else _Unprinted(words)
        elif isinstance(item, Mark):
            yield item
        elif not isinstance(item, (Note, NoteGroup)):
            yield with_clause_signs([item])


def _rank_before(move: Move, events: list[Event], ranks: dict[tuple[str, str], int]) -> int | None:
    for event in reversed(events):
        if isinstance(event, Mark) and event.witness in move.witnesses:
            return ranks[event.witness, event.unit]
        if not isinstance(event, (Mark, Move)):
            break
    return None


def _read_passage(move: Move, last: int | None, events: list[Event], ranks: dict[tuple[str, str], int]) -> set[str]:
    """Read a passage from its events until the witness's own order ends; return the ids of moves that it includes. The
    passage is what the edition prints there; what only readings have is quoted if there is nothing else."""
    words, printed, waiting, taken = "", "", list[Move](), set[str]()
    for event in events:
        reached = False
        if isinstance(event, Unit):
            if (last is None and graphs(words)) or not {*move.witnesses} & {*event.sources}:
                break
        elif isinstance(event, str):
            words += event
            printed += "" if isinstance(event, _Unprinted) else event
        elif isinstance(event, Move):
            waiting += [event] if event.witnesses == move.witnesses else []
        elif event.witness == move.witnesses[0]:
            rank = ranks[event.witness, event.unit]
            if (last is None and graphs(words)) or (last is not None and rank - last not in (0, 1)):
                break
            last, reached = rank, True
        if waiting and (reached or (last is None and not graphs(words))):
            taken |= {each.id for each in waiting}
            move.targets = tuple(dict.fromkeys([*move.targets, *(t for each in waiting for t in each.targets)]))
            waiting = []
    move.printed = bool(graphs(printed)) or not graphs(words)
    words = printed if move.printed else words
    move.words = words.replace(CLAUSE, "")
    if sum(bool(graphs(each)) for each in words.split(CLAUSE)) > 1 and graphs(move.words) > _WHOLE:
        move.words, move.end = _clauses(words), _clauses(words, last=True)
    return taken
