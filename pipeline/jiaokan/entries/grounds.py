"""Why a reading has its class: the tables that have its graphs, in their order of precedence, and their reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jiaokan.characters.equality import by_form, judge
from jiaokan.characters.relations import BY_SOUND, LISTS, SUBSTANTIVE, GraphPair, Judgement, known, table
from jiaokan.entries import Entry, EntryReading
from jiaokan.entries.extract import all_entries
from jiaokan.entries.values import pairs, slip
from jiaokan.errors import Message
from jiaokan.messages import CHINESE
from jiaokan.model import Document
from jiaokan.model.words import simplified

_REASONS = {  # ids of messages by what rdg/@source names
    "rule:opencc": "ground-opencc",
    "rule:yitizi": "ground-yitizi-forms-graph",
    "unihan:kTraditionalVariant": "ground-unihan-simplified-form-other-stands",
    "unihan:kSemanticVariant": "ground-unihan-word",
    "unihan:kZVariant": "ground-unihan-graph-two-designs",
    "rule:irg": "ground-irg-forms-graph",
    "rule:koseki": "ground-koseki-forms-graph",
    "rule:confusable": "ground-look-alike-two-words",
    "rule:guangyun-form": "ground-guangyun-calls-another-form-other",
    "rule:guangyun-sound": "ground-guangyun-group-homophones",
    "rule:case": "ground-same-word-capitals-not",
    "rule:encoding": "ground-encoding",
    "rule:letters": "ground-letters-one-sound",
    "rule:accents": "ground-accents",
    "rule:elision": "ground-elision",
    "rule:division": "ground-division",
    "rule:form": "ground-form",
    "rule:transliteration": "ground-transliteration",
    "rule:variants-list": "ground-variants-list",
    "rule:lemma": "ground-lemma",
    "rule:fragment": "ground-witness-begins-later-ends-earlier",
    "rule:lost-glyphs": "ground-tei-decisions-lost-glyphs-toml",
    "rule:lost-place": "ground-place-lost-transcription",
    "rule:move": "ground-witness-words-elsewhere",
    "rule:one-script": "ground-both-texts-traditional-script-word",
    "rule:printed": "ground-source-itself-prints-correction",
    "rule:order": "ground-same-graphs-another-order",
    "decision:class": "ground-editor-said",
    "decision:correction": "ground-editor-corrected-slip-transcription",
    "decision:emendation": "ground-editor-emends-against-witnesses",
    "decision:lemmas": "ground-editor-chose-lemma",
    "decision:pair": "ground-editor-judged-two-throughout-tei",
    "decision:passim": "ground-editor-decided-wherever-witness-writes",
    "decision:reject": "ground-editor-holds-no-variant",
    "decision:supplied": "ground-editor-supplied-transcription-lost"}
_TABLES = ("rule:opencc", "rule:yitizi", "rule:irg", "rule:koseki", "rule:confusable", "rule:guangyun-form", BY_SOUND)
"""Sources whose reasons `grounds` gives for a pair."""
_SURE = {"high": "", "medium": "（近是）", "low": "（存疑）"}


@dataclass(frozen=True, slots=True)
class Ground:
    """The judgement of one table on two graphs or words."""

    pair: tuple[str, str]
    judgement: Judgement
    reason: Message  # the reason, with the citation of the row if the table is a list
    decides: bool  # whether no other table takes precedence


def grounds(lemma: str, reading: str) -> tuple[Ground, ...]:
    """Return the judgements of the tables on two readings: on the words, if a list has them, else on each pair of
    graphs. Empty if the readings differ in length and no list has them. Raises JiaokanError for a faulty row of a
    list."""
    found: list[Ground] = []
    for pair in _pairs(lemma, reading):
        for number, judgement in enumerate(_judgements(*pair)):
            if judgement.source.startswith("list:"):
                row = table(name := judgement.source.removeprefix("list:"))[pair]
                reason = Message("ground-row", row=_meaning(name, row), cert=row.cert, citation=row.citation)
            else:
                reason = _reason(judgement.source, simple=simplified(pair[0]))
            found.append(Ground(pair, judgement, reason, number == 0))
    return tuple(found)


def _judgements(left: str, right: str) -> Iterator[Judgement]:
    """Yield the judgement of each table on two graphs; if none relates them, that they look alike."""
    first, *others = (*known(left, right), SUBSTANTIVE)
    formed = by_form(left, right, first) if len(left) == len(right) == 1 else first
    if formed != SUBSTANTIVE:
        yield formed
        yield from others[:-1]


def _meaning(name: str, row: GraphPair) -> Message:
    return Message(f"row-{name}", left=row.left, right=row.right)


def _reason(source: str, **values: str) -> Message:
    return Message(_REASONS[source], **values) if source in _REASONS else Message.of(source)


def _pairs(lemma: str, reading: str) -> list[tuple[str, str]]:
    if any((lemma, reading) in table(name) for name in LISTS):
        return [(lemma, reading)]
    return pairs(lemma, reading)


def cited(document: Document) -> dict[str, dict[str, str]]:
    """Return the rows of our lists on which an edition's classes rest: for each list the pairs, with their citations.
    Pairs are ``lemma/reading``, in the order of their characters. Raises JiaokanError as `grounds`."""
    found: dict[str, dict[str, str]] = {}
    for entry in all_entries(document):
        for reading in entry.readings:
            for source in reading.source.split():
                name = source.removeprefix("list:")
                for pair in _pairs(entry.lemma.words, reading.words) if name != source else ():
                    row = table(name).get(pair)
                    if row:
                        words = f"{_meaning(name, row).in_language(CHINESE)}{_SURE[row.cert]}：{row.citation}"
                        found.setdefault(name, {})["/".join(pair)] = words
    return {name: dict(sorted(found[name].items())) for name in sorted(found)}


def explain_pair(lemma: str, reading: str) -> Iterator[str]:
    """Yield lines that explain how two readings differ, and why."""
    judged = judge(lemma, reading)
    source = f" ({judged.source})" if judged.source else ""
    yield f"{lemma}/{reading}  " + (_class_name(judged.variant) or Message("ground-same")) + source
    found = grounds(lemma, reading)
    yield from _ground_lines(found)
    if judged.variant == "substantive" and not found:
        yield Message("ground-no-table")


def explain_entry(entry: Entry) -> Iterator[str]:
    """Yield lines that explain the readings of an entry, the class of each, and why."""
    yield f"{entry.id}  …{entry.before[-8:]}[{entry.lemma.words}]  {_names(entry.lemma)}"
    yield from _source_lines(entry.lemma)
    for each in entry.readings:
        yield f"  {each.words or '–'}  {_names(each)}: " + _class_name(each.variant)
        yield from _source_lines(each)
        yield from _ground_lines(grounds(entry.lemma.words, each.words))
        if side := slip(entry.lemma, each):
            yield Message("ground-slip", side=side)
    yield from (Message("ground-note", note=note) for note in entry.notes)


def _class_name(variant: str) -> str:
    return Message(f"class-{variant}") if variant else ""


def _names(reading: EntryReading) -> str:
    return ", ".join(reading.witnesses) or reading.resp


def _source_lines(reading: EntryReading) -> Iterator[str]:
    for source in reading.source.split():
        if source.startswith("#"):
            yield Message("ground-note-says", source=source.removeprefix("#"))
        elif source.startswith(("rule:", "decision:")) and source not in _TABLES:
            by = Message("certainty-of", resp=reading.resp,
                         cert=reading.cert) if reading.resp and source.startswith("decision:") else ""
            yield f"    {source}: " + Message(_REASONS.get(source, "ground-rule")) + by


def _ground_lines(found: tuple[Ground, ...]) -> Iterator[str]:
    for each in found:
        identifier = "ground-of-pair" if each.decides else "ground-of-pair-also"
        pair, judged = "/".join(each.pair), each.judgement
        name = _class_name(judged.variant)
        yield Message(identifier, pair=pair, variant=name, source=judged.source, reason=each.reason)
