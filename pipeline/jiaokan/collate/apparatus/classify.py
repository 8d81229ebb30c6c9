"""Which witnesses share a reading, which reading is the lemma, and how each other reading differs from it.

Only this module decides the class of a difference: by the character tables between words; what is lost, missing, moved
or corrected by itself. Each judgement has its reason, which the TEI has in ``rdg/@source``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as changed
from typing import NamedTuple

from msgspec.structs import replace

from jiaokan.align import ABSENT, UNCOVERED, Column
from jiaokan.characters.equality import SAME, akin, heaviest, judge, judge_between, norm
from jiaokan.characters.letters import without_accents
from jiaokan.characters.relations import BY_SOUND, SUBSTANTIVE, Judgement
from jiaokan.characters.syllables import is_in_name, one_syllable
from jiaokan.collate.alignment import LOST
from jiaokan.collate.content import graphs
from jiaokan.collate.formation.likeness import likeness_groups
from jiaokan.collate.formation.types import NEAR
from jiaokan.collate.tokens import Stream
from jiaokan.decisions.characters import Choices
from jiaokan.model import App, Certainty, Content, Correction, Gap, Glyph, Inline, Reading, Supplied
from jiaokan.model.text import LOSS, SLIP, aligned, attested
from jiaokan.model.words import alphabetic, description_of, fold_case

REASONS = {ABSENT: Judgement("omission"),
           UNCOVERED: Judgement("lacuna", "rule:fragment"),
           LOST: Judgement("lacuna", "rule:lost-glyphs")}
"""The class of a reading without words, by the reason why it has none."""
ADDITION = Judgement("addition")
REORDERED = Judgement("transposition", "rule:order")
TRANSLITERATED = Judgement("transliteration", "rule:transliteration")
INFLECTED = Judgement("inflection", "rule:lemma")
DIVIDED = Judgement("spelling", "rule:division")
"""Words of an alphabet that are only divided otherwise."""
MOVED = Judgement("transposition", "rule:move")  # the class of the reading of a witness that has the words elsewhere


def move_entry(here: Iterable[str], away: Iterable[tuple[tuple[str, ...], str]]) -> App:
    """Return the entry that says which witnesses have what follows here, and which elsewhere (`away`), and where."""
    readings = [Reading(witnesses=names, variant=MOVED.variant, source=MOVED.source, target=target)
                for names, target in away]
    return App(kind="move", lemma=Reading(witnesses=tuple(here)), readings=tuple(readings))


class Between(NamedTuple):
    """The witnesses that are compared: judgements depend on the editor's choices and the scripts of their texts."""

    choices: Choices
    here: tuple[str, ...]  # ids of the witnesses of the lemma
    there: tuple[str, ...]

    def judge(self, lemma: str, reading: str) -> Judgement:
        return judge_between(self.choices, lemma, reading, self.here, self.there)


ANYBODY = Between(Choices(), (), ())  # unknown witnesses


def judge_groups(
    streams: Sequence[Stream], lemma: Group, groups: Sequence[Group], choices: Choices
) -> list[Judgement]:
    """Return the judgement of each group of witnesses against that of the lemma."""
    lemma_items = [streams[lemma.members[0]].items[cell] for cell in lemma.cells[0]]

    def judge_group(group: Group) -> Judgement:
        if group is lemma:
            return SAME
        if not group.has_words:
            return REASONS[group.kind]
        if not lemma.has_words:
            return ADDITION
        here, there = (tuple([streams[n].witness for n in side.members]) for side in (lemma, group))
        items = streams[group.members[0]].items
        judgement = compare(lemma_items, [items[cell] for cell in group.cells[0]], Between(choices, here, there))
        return in_context(streams, lemma, group, judgement)

    return list(map(judge_group, groups))


_SURER: Mapping[str, Certainty] = {"low": "medium", "medium": "high", "high": "high"}


def in_context(streams: Sequence[Stream], lemma: Group, group: Group, judgement: Judgement) -> Judgement:
    """Return a judgement on words by what is beside them: graphs of one syllable in a foreign name are transliteration;
    a word that looks like that of several others, and that one witness alone has, is more surely a slip."""
    if judgement.variant == "substantive" and _lemmas(streams, lemma) == _lemmas(streams, group) != ():
        return INFLECTED
    if judgement.source == BY_SOUND or judgement.variant in ("substantive", "lookalike"):
        stream, cells = streams[lemma.members[0]], lemma.cells[0]
        if _is_transliteration("".join(stream.keys[max(0, cells[0] - 2):cells[0]]), lemma.text, group.text,
                               "".join(stream.keys[cells[-1] + 1:cells[-1] + 3])):
            return TRANSLITERATED
    if judgement.variant == "lookalike" and judgement.cert and len(group.members) == 1 < len(lemma.members):
        return changed(judgement, cert=_SURER[judgement.cert])
    return judgement


def _lemmas(streams: Sequence[Stream], group: Group) -> tuple[str, ...]:
    """Return the lemmas of the words of a group; nothing if the source does not give all."""
    lemmas = [streams[group.members[0]].lemmas.get(cell, "") for cell in group.cells[0]]
    return tuple(lemmas) if all(lemmas) else ()


def _is_transliteration(before: str, lemma: str, text: str, after: str) -> bool:
    if len(lemma) != len(text):
        return False
    whole, start = before + lemma + after, len(before)
    unlike = [n for n, (x, y) in enumerate(zip(lemma, text, strict=True), start) if x != y]
    return all(one_syllable(whole[n], text[n - start])
               and is_in_name(whole[n], text[n - start], whole[:n], whole[n + 1:]) for n in unlike)


def compare_content(lemma: Content, content: Content, between: Between = ANYBODY) -> Judgement:
    """Return the judgement of the content of a reading against that of a lemma, without punctuation and notes."""
    lemma_items, items = graphs(lemma), graphs(content)
    if not items:
        return REASONS[ABSENT] if lemma_items else SAME
    return compare(lemma_items, items, between) if lemma_items else ADDITION


def judge_entry(app: App, choices: Choices = ANYBODY.choices) -> App:
    """Return an entry with each reading judged against its lemma; a class that the editor gave is kept."""
    readings = []
    for reading in app.readings:
        if not reading.source.startswith("decision:class"):
            between = Between(choices, app.lemma.witnesses, reading.witnesses)
            judgement = compare_content(app.lemma.content, reading.content, between)
            if graphs(reading.content) or reading.variant != "lacuna":
                reading = replace(
                    reading, variant=judgement.variant, source=judgement.source, cert=judgement.cert)
        readings.append(reading)
    return replace(app, readings=tuple(readings))


def class_of_keys(first: str | int, other: str | int, between: Between = ANYBODY) -> str:
    """Return the class of the difference between two cells of one column, by their tokens' keys, for cutting columns
    into entries. A number is the reason why there is no token (``ABSENT`` …). ``lacuna-2`` and ``lacuna-3`` distinguish
    two kinds of lacunae, ``near`` another spelling of a word of an alphabet."""
    if isinstance(first, int) or isinstance(other, int):
        code = other if isinstance(other, int) else first
        if code in (LOST, UNCOVERED):
            return f"lacuna{code}"
        return "omission" if isinstance(other, int) else "addition"
    if LOSS in (first[:1], other[:1]):
        return "lacuna"
    if SLIP in first or SLIP in other:
        return "corruption"
    judged = between.judge(first, other)
    variant = judged.variant
    if judged.source == BY_SOUND or variant == "lookalike":
        variant = "substantive"  # it is joined to other words beside it
    if variant == "spelling":
        return NEAR
    return NEAR if variant == "substantive" and alphabetic(first) and akin(norm(first), norm(other)) else variant


def compare(lemma_items: Sequence[Inline], items: Sequence[Inline], between: Between = ANYBODY) -> Judgement:
    """Return the judgement of graphs (or objects that represent graphs) against those of the lemma, neither empty."""
    lost = [item for item in (*items, *lemma_items) if isinstance(item, (Supplied, Gap)) or (
        isinstance(item, Glyph) and not item.standard and not description_of(item.code))]  # or nobody has identified it
    if lost:
        supplied = all(isinstance(item, Supplied) for item in lost)
        return Judgement("lacuna", corrected_by(lost) if supplied else "rule:lost-place")
    text, lemma = attested(items), attested(lemma_items)
    meant, wanted = aligned(items), aligned(lemma_items)
    corrected = [item for item in (*items, *lemma_items) if isinstance(item, Correction)]
    if corrected and (text == lemma or judge(wanted, meant).variant not in ("substantive", "lookalike")):
        return Judgement("corruption", corrected_by(corrected))
    if not alphabetic(lemma) and not alphabetic(text):
        return compare_words(lemma, text, between)
    first, other = [attested(item) for item in lemma_items], [attested(item) for item in items]  # word by word
    here, there = list(map(norm, first)), list(map(norm, other))
    if here != there and sorted(here) == sorted(there):
        return REORDERED
    if len(first) != len(other):
        return DIVIDED if joined_word(here) == joined_word(there) else SUBSTANTIVE
    return heaviest(between.judge(x, y) for x, y in zip(first, other, strict=True))


def joined_word(words: Iterable[str]) -> str:
    """Return words as one, without accents and signs of elision."""
    return without_accents(fold_case("".join(words)))


def compare_words(lemma: str, text: str, between: Between = ANYBODY) -> Judgement:
    """Return the judgement of words against those of the lemma, neither empty; in another order they are transposed."""
    if len(text) > 1 and norm(text) != norm(lemma) and sorted(norm(text)) == sorted(norm(lemma)):
        return REORDERED
    return between.judge(lemma, text)


PRESENT = 0


class Group(NamedTuple):
    """Witnesses (numbers of streams) that share a reading; at least one."""

    members: tuple[int, ...]
    kind: int  # ``PRESENT``, or why there are no words
    cells: tuple[tuple[int, ...], ...]  # for each member its tokens in the run
    text: str  # the words as the first member prints them
    whole: bool  # whether the members may differ among themselves, in entries inside the reading

    @property
    def has_words(self) -> bool:
        """Whether the reading has words."""
        return self.kind == PRESENT

    def columns(self, run: Sequence[Column]) -> list[Column]:
        """Return the columns of a run in which members have words, without the cells of others."""
        members = set(self.members)
        only = [tuple([cell if n in members else ABSENT for n, cell in enumerate(column)]) for column in run]
        return [column for column in only if max(column) >= 0]


def group_witnesses(
    streams: Sequence[Stream], run: Sequence[Column], members: Sequence[int], *, whole: bool
) -> list[Group]:
    """Return the witnesses grouped by what they have in these columns, in their order. With `whole`, those whose words
    are largely alike are one group."""
    sharing: dict[int | tuple[str, ...] | tuple[int], list[int]] = {}
    cells: dict[int, tuple[int, ...]] = {}
    rows = list(zip(*run, strict=True))
    nearest = _texts(streams, rows, members) if whole else {}
    for n in members:
        tokens = cells[n] = tuple([cell for cell in rows[n] if cell >= 0])
        words = (nearest[n],) if whole and tokens else tuple([streams[n].keys[cell] for cell in tokens])
        sharing.setdefault(words if tokens else min(rows[n]), []).append(n)
    groups: list[Group] = []
    for key, group in sharing.items():
        items = streams[group[0]].items
        text = "".join([attested(items[cell]) for cell in cells[group[0]]])
        kind = key if isinstance(key, int) else PRESENT
        groups.append(Group(tuple(group), kind, tuple([cells[n] for n in group]), text, whole))
    return groups


def _texts(streams: Sequence[Stream], rows: Sequence[Column], members: Sequence[int]) -> dict[int, int]:
    """Return for each member that has words in its row the first of those whose text it has."""
    present = [n for n in members if max(rows[n]) >= 0]
    keys = [tuple([streams[n].keys[cell] if cell >= 0 else cell for cell in rows[n]]) for n in present]
    return {n: present[at] for n, at in zip(present, likeness_groups(keys), strict=True)}


def corrected_group(streams: Sequence[Stream], groups: Sequence[Group]) -> Group:
    """Return the first group, or the one that prints what the editor corrected or supplied in the first."""
    first = groups[0]
    meant = "".join(aligned(streams[first.members[0]].items[cell]) for cell in first.cells[0])
    if first.whole or meant == first.text:
        return first
    return next((group for group in groups if group.text == meant), first)


def corrected_by(items: Iterable[Inline]) -> str:
    """Return what corrected or supplied words among some graphs: the source itself, or a decision; "" if nothing."""
    mended = [item for item in items if isinstance(item, (Correction, Supplied))]
    if not mended or any(item.rend for item in mended):
        return "rule:printed" if mended else ""
    return "decision:correction" if any(isinstance(item, Correction) for item in mended) else "decision:supplied"
