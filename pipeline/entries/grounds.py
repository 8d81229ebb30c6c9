"""Why a reading has its class: the tables that know its graphs, in their order of precedence, with what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.characters.equality import judge
from pipeline.characters.relations import LISTS, Judgement, known
from pipeline.characters.tables import GraphPair, table
from pipeline.entries import Entry, Said
from pipeline.entries.extract import survey
from pipeline.entries.slips import pairs, slip
from pipeline.model import Document
from pipeline.model.conversion import simplified
from pipeline.model.variants import TABLE

_SAID = {  # by what rdg/@source names
    "rule:opencc": "OpenCC converts one into the other, or both into {simple}",
    "rule:yitizi": "yitizi has them as forms of one graph",
    "unihan:kTraditionalVariant": "Unihan has one as the simplified form of the other, or of what it stands for",
    "unihan:kSemanticVariant": "Unihan has them as one word",
    "unihan:kZVariant": "Unihan has them as one graph in two designs",
    "rule:case": "the same word, in capitals or not",
    "rule:fragment": "the witness begins later or ends earlier",
    "rule:lost-glyphs": "tei/decisions/lost-glyphs.toml: the transcription lost this graph throughout",
    "rule:lost-place": "a place that is lost in the transcription",
    "rule:move": "the witness has these words elsewhere",
    "rule:one-script": "both texts are in traditional script, in which each is a word by itself",
    "rule:printed": "the source itself prints the correction",
    "rule:order": "the same graphs in another order",
    "decision:class": "the editor said so",
    "decision:correction": "the editor corrected a slip of the transcription",
    "decision:emendation": "the editor emends against all witnesses",
    "decision:lemmas": "the editor chose the lemma",
    "decision:pair": "the editor judged these two throughout: tei/decisions/characters.toml",
    "decision:passim": "the editor decided so wherever that witness writes the word in this way",
    "decision:reject": "the editor holds it for no variant",
    "decision:supplied": "the editor supplied what the transcription lost",
}
_TABLES = ("rule:opencc", "rule:yitizi")
"""What `grounds` tells of a pair of graphs."""
_SURE = {"high": "", "medium": "（近是）", "low": "（存疑）"}
_ROWS = {name: each.list.row for name, each in TABLE.items() if each.list}
"""What a row of each list says, in Chinese and in English."""
_ROWS["distinct"] = "{row.left}、{row.right}为二词", "{row.left} and {row.right} are two words"


@dataclass(frozen=True, slots=True)
class Ground:
    """What one table says of two graphs or words."""

    pair: tuple[str, str]
    judgement: Judgement
    told: str
    """Why, with the citation of the row if it is a list's."""
    decides: bool
    """Whether no other table is asked before it."""


def grounds(lemma: str, reading: str) -> tuple[Ground, ...]:
    """Give what the tables say of two readings: of the words, if a list has them, else of each pair of graphs.

    Empty where the readings differ in length and no list has them. Raises JiaokanError for a faulty row of a list.
    """
    return tuple(
        Ground(pair, each, _told(each.source, pair), number == 0)
        for pair in _pairs(lemma, reading)
        for number, each in enumerate(known(*pair))
    )


def _pairs(lemma: str, reading: str) -> list[tuple[str, str]]:
    if any((lemma, reading) in table(name) for name in LISTS):
        return [(lemma, reading)]
    return pairs(lemma, reading)


def cited(document: Document) -> dict[str, dict[str, str]]:
    """Give the rows of our lists on which an edition's classes rest: for each list the pairs, and what is cited.

    Pairs are ``lemma/reading``, in the order of their characters. Raises as `grounds`.
    """
    found: dict[str, dict[str, str]] = {}
    for entry in survey(document):
        for reading in entry.readings:
            for source in reading.source.split():
                name = source.removeprefix("list:")
                for pair in _pairs(entry.lemma.words, reading.words) if name != source else ():
                    row = table(name).get(pair)
                    if row:
                        words = f"{_ROWS[name][0].format(row=row)}{_SURE[row.cert]}：{row.citation}"
                        found.setdefault(name, {})["/".join(pair)] = words
    return {name: dict(sorted(found[name].items())) for name in sorted(found)}


def _told(source: str, pair: tuple[str, str]) -> str:
    kind, _, name = source.partition(":")
    if kind != "list":
        return _SAID.get(source, source).format(simple=simplified(pair[0]))
    row: GraphPair = table(name)[pair]
    return f"{_ROWS[name][1].format(row=row)} (sure: {row.cert}): {row.citation}"


def told_pair(lemma: str, reading: str) -> Iterator[str]:
    """Tell line by line how two readings differ, and why."""
    judged = judge(lemma, reading)
    yield f"{lemma}/{reading}  {judged.variant or 'the same'}{f' ({judged.source})' if judged.source else ''}"
    found = grounds(lemma, reading)
    yield from _lines(found)
    if judged.variant == "substantive" and not found:
        yield "    no table ties them"


def told_entry(entry: Entry) -> Iterator[str]:
    """Tell line by line the readings of an entry, the class of each, and why."""
    yield f"{entry.id}  …{entry.before[-8:]}[{entry.lemma.words}]  {_names(entry.lemma)}"
    yield from _sources(entry.lemma)
    for each in entry.readings:
        yield f"  {each.words or '–'}  {_names(each)}: {each.variant}"
        yield from _sources(each)
        yield from _lines(grounds(entry.lemma.words, each.words))
        if side := slip(entry.lemma, each):
            yield f"    the slip is the {side}'s"
    yield from (f"  note: {note}" for note in entry.notes)


def _names(said: Said) -> str:
    return ", ".join(said.witnesses) or said.resp


def _sources(said: Said) -> Iterator[str]:
    for source in said.source.split():
        if source.startswith("#"):
            yield f"    the note {source.removeprefix('#')} says so"
        elif source.startswith(("rule:", "decision:")) and source not in _TABLES:
            by = f", {said.resp} (sure: {said.cert})" if said.resp and source.startswith("decision:") else ""
            yield f"    {source}: {_SAID.get(source, 'its rule of this name')}{by}"


def _lines(found: tuple[Ground, ...]) -> Iterator[str]:
    for each in found:
        also = "" if each.decides else "also "
        yield f"    {each.pair[0]}/{each.pair[1]} {also}{each.judgement.variant}, {each.judgement.source}: {each.told}"
