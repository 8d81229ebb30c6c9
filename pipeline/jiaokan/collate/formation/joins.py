"""Join stretches that are one place of variation, though their columns differ between unlike groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from jiaokan.align import ABSENT, UNCOVERED
from jiaokan.characters.equality import spelled_alike
from jiaokan.collate.alignment import LOST
from jiaokan.collate.formation.likeness import likeness_groups, word_weight
from jiaokan.collate.formation.types import NEAR, Keys, Relations, Row, Segment
from jiaokan.collate.settings import SETTINGS
from jiaokan.model.words import alphabetic

SUBSTANCE = frozenset({"substantive", "omission", "addition"})  # classes of other or missing words


def join_segments(keys: Keys, relations: Relations, runs: list[Segment]) -> list[Segment]:
    """Return segments in order, with those joined that an editor would report together."""
    runs = _join_unlike(keys, _join_replaced(keys, relations, runs))
    runs = _join_rewriting(keys, relations, _join_rephrased(keys, relations, runs))
    return list(join_around(keys, runs, _is_shifted))


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


def _present_rows(columns: Keys, lacking: Collection[int]) -> list[Row]:
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


def join_around(
    keys: Keys, runs: list[Segment], joined: Callable[[Keys, Segment, Segment, Segment], bool]
) -> Iterator[Segment]:
    """Yield segments, each three in a row as one entry if `joined` says so."""
    at = 0
    while at < len(runs):
        if at + 2 < len(runs) and joined(keys, runs[at], runs[at + 1], runs[at + 2]):
            yield Segment("entry", runs[at].start, runs[at + 2].end)
            at += 3
        else:
            yield runs[at]
            at += 1


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


def _join_rephrased(keys: Keys, relations: Relations, runs: list[Segment]) -> list[Segment]:
    """Join differences between the same witnesses with hardly a word between: a sentence in other words is one place of
    variation (Colwell and Tune 1964), though chance keeps some of its words, or sets two beside each other that are
    spelled alike. Less than a third is kept or alike, and not each word has another for it: 人多伎巧 for 民多知慧 are
    two words for two."""
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
        where = range(run[0].start, run[-1].end)
        classes = {name for at in where if (relation := relations[at]) for name in relation[1]}
        count = sum(segment.kind == "entry" for segment in run)
        enough = count > 1 and _is_rewritten(keys, relations, where, many=count >= SETTINGS.few)
        out += [Segment("entry", where.start, where.stop)] if enough and classes != {"substantive"} else run
        at += len(run)
    return out


def _join_rewriting(keys: Keys, relations: Relations, runs: list[Segment]) -> list[Segment]:
    """Join differences in all of which the same witnesses differ from all others, if they have other sentences there: a
    rewritten stretch is one entry, inside which the others, or they, may differ in a word."""
    out: list[Segment] = []
    at = 0
    while at < len(runs):
        ends = (_end_of_rewriting(keys, relations, runs, at, group) for group in _groups_against(relations, runs[at]))
        end = max(ends, default=at + 1)
        out += runs[at:end] if end == at + 1 else [Segment("absence", runs[at].start, runs[end - 1].end)]
        at = end
    return out


def _groups_against(relations: Relations, segment: Segment) -> set[frozenset[int]]:
    """Return the groups of witnesses that differ from the base in the first column of a difference; none if there are
    only two groups of one witness each."""
    first = relations[segment.start]
    if segment.kind == "same" or first is None or len(first[0]) <= 2:
        return set()
    heads = first[0]
    groups = {frozenset(n for n, head in enumerate(heads) if head == other) for other in {*heads} - {heads[0]}}
    return groups | {frozenset(n for n, head in enumerate(heads) if head != heads[0])}


def _end_of_rewriting(
    keys: Keys, relations: Relations, runs: list[Segment], at: int, group: frozenset[int]
) -> int:
    """Return the number of the segment after the longest run from `at` that a group of witnesses has rewritten; else of
    the one after `at`. One word between two differences may be kept."""
    end = last = at
    while end < len(runs):
        segment = runs[end]
        if segment.kind != "same" and _stands_apart(relations, segment, group):
            last = end
        elif segment.kind != "same" or segment.end - segment.start > 1:
            break
        end += 1
    columns = keys[runs[at].start:runs[last].end]
    rows = list(zip(*columns, strict=True))
    others = [n for n in range(len(rows)) if n not in group]
    count = sum(segment.kind != "same" for segment in runs[at:last + 1])
    if count < SETTINGS.few or any(LOST in rows[n] or UNCOVERED in rows[n] for n in range(len(rows))):
        return at + 1
    unlike = all(_is_chance(rows[n], rows[other]) for n in group for other in others)
    heads = likeness_groups(rows) if unlike else ()
    parties = [{heads[n] for n in members} for members in (group, others)] if heads else []
    return last + 1 if parties and all(len(party) == 1 for party in parties) else at + 1


def _stands_apart(relations: Relations, segment: Segment, group: frozenset[int]) -> bool:
    """Whether a group of witnesses shares no word of a difference with the others."""
    for relation in relations[segment.start:segment.end]:
        heads = relation[0] if relation else (0,)
        here = {head for n, head in enumerate(heads) if n in group}
        if not here or not here.isdisjoint(head for n, head in enumerate(heads) if n not in group):
            return False
    return True


def _is_chance(left: Row, right: Row) -> bool:
    """Whether two texts of one place share so little of the shorter one that it may be chance, and are not so many
    words for as many: less than a third of its words, and of an alphabet by letters, spelled alike or not."""
    pairs = [(x, y) for x, y in zip(left, right, strict=True) if isinstance(x, str) and isinstance(y, str)]
    here, there = ([key for key in row if isinstance(key, str)] for row in (left, right))
    if min(len(here), len(there)) < SETTINGS.phrase or len(pairs) == len(left):
        return False
    equal = [x for x, y in pairs if x == y]
    alike = [x for x, y in pairs if alphabetic(x) and spelled_alike(x, y) >= SETTINGS.alike]
    by_letters = any(map(alphabetic, here))
    kept, least = word_weight(alike), min(word_weight(here), word_weight(there))
    return 3 * len(equal) < min(len(here), len(there)) and (not by_letters or 3 * kept < least)


def _is_rewritten(keys: Keys, relations: Relations, where: range, *, many: bool) -> bool:
    """Whether the groups share so little in these columns that chance may have kept it: if there are many differences,
    less than a third of the words, and of an alphabet less than a third by letters, spelled alike or not; else what is
    kept is lost in phrases that all groups have."""
    heads = {number for at in where if (relation := relations[at]) for number in relation[0]}
    weights = {at: word_weight([keys[at][n] for n in heads]) for at in where}
    equal = [at for at in where if relations[at] is None]
    alike = [at for at in where if NEAR in (relations[at] or ((), ()))[1]]
    kept, total = sum(weights[at] for at in equal + alike), sum(weights.values())
    if many:
        by_letters = any(isinstance(key, str) and alphabetic(key) for at in where for key in keys[at])
        return 3 * len(equal) < len(where) and (not by_letters or 3 * kept < total)
    shortest = min(sum(isinstance(keys[at][n], str) for at in where) for n in heads)
    return shortest >= SETTINGS.phrase and SETTINGS.lost_in * kept < total


def _parties_of(relations: Relations, segment: Segment) -> tuple[int, ...]:
    """Return the groups of a segment of words that differ in substance, if they are the same in all its columns."""
    first = relations[segment.start]
    if segment.kind != "entry" or first is None:
        return ()
    same = all(relation and relation[0] == first[0] and {*SUBSTANCE, NEAR}.issuperset(relation[1])
               for relation in relations[segment.start:segment.end])
    return first[0] if same else ()
