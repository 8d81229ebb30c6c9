"""Cut the columns of a text into segments: agreement, single differences, longer absences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from jiaokan.align import ABSENT, UNCOVERED, Column
from jiaokan.characters.equality import norm, spelled_alike
from jiaokan.collate.alignment import LOST
from jiaokan.collate.apparatus.classify import NEAR, Between, class_of_keys
from jiaokan.collate.apparatus.likeness import Key, likeness_groups
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.tokens import Stream
from jiaokan.decisions.characters import Choices
from jiaokan.model.variants import TABLE
from jiaokan.model.words import alphabetic

JOINING = frozenset(name for name, kind in TABLE.items() if kind.joins)
"""Classes that are one difference if adjacent between the same groups."""

SUBSTANCE = frozenset({"substantive", "omission", "addition"})  # classes of other or missing words

Relation = tuple[tuple[int, ...], tuple[str, ...]]
"""The groups of witnesses, and the class of each group against the first."""
Keys = Sequence[tuple[Key, ...]]  # the keys of each column, by witness; a number is the reason why there is none
Relations = Sequence[Relation | None]  # of each column; None if all agree


class Segment(NamedTuple):
    """Columns that are treated together."""

    kind: Literal["same", "entry", "absence"]
    start: int
    end: int


def segments(
    streams: Sequence[Stream], columns: Sequence[Column], members: Sequence[int], choices: Choices
) -> list[Segment]:
    """Return the columns cut into segments, in order; together they hold every column once."""
    cells = list(zip(*columns, strict=True))
    own_keys = [[streams[n].keys[cell] if cell >= 0 else cell for cell in cells[n]] for n in members] if cells else []
    keys: list[tuple[Key, ...]] = list(zip(*own_keys, strict=True))
    width = len(members)
    odd = [at for at, row in enumerate(keys) if row.count(row[0]) != width or row[0].__class__ is int]
    if not odd:
        return [Segment("same", 0, len(keys))] if keys else []
    names = [streams[n].witness for n in members]
    between = [Between(choices, (names[0],), (name,)) for name in names]
    relations: list[Relation | None] = [None] * len(keys)
    for at in odd:
        row = keys[at]
        groups = tuple([row.index(key) for key in row])
        classes = [class_of_keys(row[0], key, between[n]) for n, key in enumerate(row) if n and groups[n] == n]
        relations[at] = groups, tuple(classes)
    runs: list[Segment] = []
    todo = [(0, len(columns))]
    while todo:
        start, end = todo.pop()
        absence = _longest_absence(keys, start, end) if len(odd) >= SETTINGS.phrase else None
        if absence is None:
            runs.extend(_cut(keys, relations, (start, end)))
        else:
            runs.append(Segment("absence", *absence))
            todo += [(start, absence[0]), (absence[1], end)]
    runs = _join_replaced(keys, relations, sorted(runs, key=lambda segment: segment.start))
    runs = _join_unlike(keys, runs)
    return list(_join_around(keys, _join_rephrased(relations, runs), _is_shifted))


def _join_unlike(keys: Keys, runs: list[Segment]) -> list[Segment]:
    """Join adjacent differences in all of which the same witnesses have nothing, if the others have unlike texts there:
    several additions at one place are one entry, though chance sets equal words side by side in them."""
    out: list[Segment] = []
    at = 0
    while at < len(runs):
        end, lacking = at + 1, _lacking(keys, runs[at])
        while lacking and end < len(runs) and _lacking(keys, runs[end]) == lacking:
            end += 1
        columns = keys[runs[at].start:runs[end - 1].end]
        if end - at > 1 and len(set(likeness_groups(_present_rows(columns, lacking)))) > 1:
            out.append(Segment("absence", runs[at].start, runs[end - 1].end))
        else:
            out += runs[at:end]
        at = end
    return out


def _lacking(keys: Keys, segment: Segment) -> frozenset[int]:
    """Return who lacks all words of a difference."""
    if segment.kind == "same" or int not in map(type, keys[segment.start]):
        return frozenset()
    rows = zip(*keys[segment.start:segment.end], strict=True)
    return frozenset(n for n, row in enumerate(rows) if set(row) == {ABSENT})


def _present_rows(columns: Keys, lacking: Collection[int]) -> list[tuple[Key, ...]]:
    return [row for n, row in enumerate(zip(*columns, strict=True)) if n not in lacking]


def _join_replaced(keys: Keys, relations: Relations, runs: list[Segment]) -> list[Segment]:
    """Join words that only some have to what the others have for them beside them: one phrase for another."""
    out: list[Segment] = []
    for segment in runs:
        last = out[-1] if out else None
        if last and last.kind != "same" != segment.kind:
            near = SETTINGS.is_near_in_length(segment.end - segment.start, last.end - last.start)
            if near and _is_phrase_for_phrase(keys, relations, last, segment):
                out[-1] = Segment("entry", last.start, segment.end)
                continue
        out.append(segment)
    return out


def _is_phrase_for_phrase(keys: Keys, relations: Relations, first: Segment, second: Segment) -> bool:
    """Whether some have the words of one segment, and exactly the others those of the other; or the same witnesses lack
    some of these words and have others for the rest: which of the words are missing is then arbitrary."""
    here = _holders(keys, second)
    there = _holders(keys, first) if here else ()
    if there and all(x != y for x, y in zip(here, there, strict=True)):
        return True
    every = relations[first.start:second.end]
    classes = {name for relation in every if relation for name in relation[1]}
    return len({relation and relation[0] for relation in every}) == 1 and "substantive" in classes <= SUBSTANCE


def _holders(keys: Keys, segment: Segment) -> tuple[bool, ...]:
    """Return who has the words of a segment, if all who have them agree and the others lack all; else nothing."""
    if segment.kind == "same" or int not in map(type, keys[segment.start]):
        return ()
    rows = keys[segment.start:segment.end]
    sides = {tuple(isinstance(key, str) for key in row) for row in rows}
    agreed = all(len({key for key in row if isinstance(key, str)}) == 1 for row in rows)
    plain = not any(key in (LOST, UNCOVERED) for row in rows for key in row)
    return next(iter(sides)) if len(sides) == 1 and agreed and plain and False in next(iter(sides)) else ()


def _longest_absence(keys: Keys, start: int, end: int) -> tuple[int, int] | None:
    best: tuple[int, int] | None = None
    for n, row in enumerate(zip(*keys[start:end], strict=True)):
        if row.count(ABSENT) + row.count(UNCOVERED) < SETTINGS.phrase:
            continue
        begun = -1
        for at in range(start, end + 1):
            lacking = at < end and keys[at][n] in (ABSENT, UNCOVERED)
            if lacking and begun < 0:
                begun = at
            elif not lacking and begun >= 0:
                size = at - begun
                if size >= SETTINGS.phrase and (best is None or (size, -begun) > (best[1] - best[0], -best[0])):
                    best = begun, at
                begun = -1
    return best


def _cut(keys: Keys, relations: Relations, where: tuple[int, int]) -> list[Segment]:
    runs: list[Segment] = []
    for at in range(*where):
        kind: Literal["same", "entry"] = "same" if relations[at] is None else "entry"
        last = runs[-1] if runs else None
        if last is not None and last.kind == kind and (kind == "same" or _belong(keys, relations, last.start, at)):
            runs[-1] = Segment(kind, last.start, at + 1)
        else:
            runs.append(Segment(kind, at, at + 1))
    return list(_join_around(keys, runs, _is_swap)) if len(runs) > 2 else runs


def _belong(keys: Keys, relations: Relations, start: int, at: int) -> bool:
    """Whether a column is one entry with the differences before it, which begin at `start`: of one kind and between the
    same groups, but for words of an alphabet that are only spelled otherwise; a word that some divide; a graph that
    only some have beside one for which some have another. Shares of published entries: docs/accuracy.md."""
    before, here = relations[at - 1], relations[at]
    if before is None or here is None:
        return False
    pairs = list(zip(before[1], here[1], strict=False))
    if before[0] == here[0] and all(x == y != NEAR or (x in JOINING and y in JOINING) for x, y in pairs):
        return True
    columns = keys[at - 1], keys[at]
    gaps = [n for n, column in enumerate(columns) if len({*column} - {ABSENT}) == 1]
    if len(gaps) != 1:
        return bool(gaps) and _is_division(*columns)
    if gaps == [0] and at - 1 > start:  # the word belongs to what precedes it
        return False
    if any(isinstance(key, str) and alphabetic(key) for key in columns[gaps[0]]):
        return _is_division(*columns)
    return columns[gaps[0]][0] == ABSENT and "substantive" in (before, here)[1 - gaps[0]][1]


def _is_division(first: tuple[Key, ...], second: tuple[Key, ...]) -> bool:
    """Whether two columns of words of an alphabet are one word that some divide (natalis, non talis): both words of a
    witness are more like both of the first than each like each."""
    lemma = [key if isinstance(key, str) else "" for key in (first[0], second[0])]
    for pair in {*zip(first[1:], second[1:], strict=True)}:
        words = [key if isinstance(key, str) else "" for key in pair]
        if all(x != y for x, y in zip(words, lemma, strict=True)) and "" in words + lemma:
            apart = max(spelled_alike(x, y) for x, y in zip(words, lemma, strict=True))
            if spelled_alike("".join(words), "".join(lemma)) > max(apart, SETTINGS.alike):
                return True
    return False


def _join_around(
    keys: Keys, runs: list[Segment], joined: Callable[[Keys, Segment, Segment, Segment], bool]
) -> Iterator[Segment]:
    at = 0
    while at < len(runs):
        if at + 2 < len(runs) and joined(keys, runs[at], runs[at + 1], runs[at + 2]):
            yield Segment("entry", runs[at].start, runs[at + 2].end)
            at += 3
        else:
            yield runs[at]
            at += 1


def _is_swap(keys: Keys, first: Segment, between: Segment, last: Segment) -> bool:
    """Whether words changed places: those of the first segment, absent in some, are those of the last, absent in the
    others; or some have in the first what the others have in the last, and the reverse (自今及古, 自古及今)."""
    if (first.kind, between.kind, last.kind) != ("entry", "same", "entry"):
        return False
    if between.end - between.start > SETTINGS.few:
        return False
    if {*keys[first.start]}.isdisjoint(keys[last.start]) and int not in map(type, keys[first.start]):
        return False
    width = range(len(keys[0]))
    here = [_words(keys, first, n) for n in width]
    there = [_words(keys, last, n) for n in width]
    if "" not in here and "" not in there:
        orders = {*zip(here, there, strict=True)}
        return len(orders) == 2 and all(x != y and (y, x) in orders for x, y in orders)
    texts = {words for words in here + there if words}
    return len(texts) == 1 and all(bool(x) != bool(y) for x, y in zip(here, there, strict=True))


def _is_shifted(keys: Keys, first: Segment, between: Segment, last: Segment) -> bool:
    """Whether those who have fewer words before one graph that all have, have more behind it (法輪, 輪轉; 過迦葉,
    遇釋迦). A word of an alphabet that is kept divides."""
    if (first.kind, between.kind, last.kind) != ("entry", "same", "entry") or between.end - between.start > 1:
        return False
    if any(isinstance(key, str) and alphabetic(key) for key in keys[between.start]):
        return False
    here, there = (
        [sum(isinstance(key, str) for key in row) for row in zip(*keys[segment.start:segment.end], strict=True)]
        for segment in (first, last))
    sizes = sorted({*zip(here, there, strict=True)})
    return len(sizes) == 2 and sizes[0][0] < sizes[1][0] and sizes[0][1] > sizes[1][1]


def _words(keys: Keys, segment: Segment, n: int) -> str:
    cells = [keys[at][n] for at in range(segment.start, segment.end)]
    return norm("".join(key for key in cells if isinstance(key, str)))


def _join_rephrased(relations: Relations, runs: list[Segment]) -> list[Segment]:
    """Join differences between the same witnesses with hardly a word between: a sentence in other words is one place of
    variation (Colwell and Tune 1964), though chance keeps some of its words. Less than a third is kept, and not each
    word has another for it: 人多伎巧 for 民多知慧 are two words for two."""
    out: list[Segment] = []
    at = 0
    while at < len(runs):
        run = [runs[at]]
        parties = _parties_of(relations, runs[at])
        for segment in runs[at + 1:] if parties else ():
            if (segment.end - segment.start > 1) if segment.kind == "same" else (
                _parties_of(relations, segment) != parties
            ):
                break
            run.append(segment)
        run = run[:-1] if run[-1].kind == "same" and len(run) > 1 else run
        columns = relations[run[0].start:run[-1].end]
        same = columns.count(None)
        uneven = any(name != "substantive" for relation in columns if relation for name in relation[1])
        enough = sum(segment.kind == "entry" for segment in run) >= SETTINGS.few and 3 * same < len(columns)
        out += [Segment("entry", run[0].start, run[-1].end)] if enough and uneven else run
        at += len(run)
    return out


def _parties_of(relations: Relations, segment: Segment) -> tuple[int, ...]:
    """Return the groups of a segment of words that differ in substance, if they are the same in all its columns."""
    first = relations[segment.start]
    if segment.kind != "entry" or first is None:
        return ()
    same = all(relation and relation[0] == first[0] and SUBSTANCE.issuperset(relation[1])
               for relation in relations[segment.start:segment.end])
    return first[0] if same else ()
