"""How a reading differs from the lemma: the only place of the collation where the class of a difference is decided.

The tables of characters decide between words; what is lost, lacking, moved or corrected is decided here. A class that
the editor gave stays. Each judgement carries its reason, which the TEI has in ``rdg/@source``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.characters.equality import SAME, judge, norm
from pipeline.characters.relations import Judgement
from pipeline.collate.apparatus.groups import Group
from pipeline.collate.content import graphs
from pipeline.collate.table.table import ABSENT, LOST, UNCOVERED
from pipeline.collate.tokens import Stream
from pipeline.model import App, Content, Correction, Gap, Inline, Supplied
from pipeline.model.text import LOSS, SLIP, aligned, attested

REASONS = {
    ABSENT: Judgement("omission"),
    UNCOVERED: Judgement("lacuna", "rule:fragment"),
    LOST: Judgement("lacuna", "rule:lost-glyphs"),
}
"""How a reading without words differs, by the reason why there are none."""
ADDITION = Judgement("addition")
MOVED = Judgement("transposition", "rule:move")
"""How the reading differs of a witness that has the words elsewhere."""


def judged(
    streams: Sequence[Stream], lemma: Group, groups: Sequence[Group], *, bare: bool = False
) -> list[Judgement]:
    """Judge each group of witnesses against that of the lemma; the groups are those of one run of columns.

    `bare`: all tokens are known to be strings.
    """
    if bare:
        return [
            SAME if group is lemma else REASONS[group.kind] if not group.text
            else compare_words(lemma.text, group.text) if lemma.text else ADDITION
            for group in groups
        ]
    own = [streams[lemma.members[0]].tokens[cell].item for cell in lemma.cells[0]]
    return [_against(streams, own, group) for group in groups]


def _against(streams: Sequence[Stream], own: Sequence[Inline], group: Group) -> Judgement:
    if not group.present:
        return REASONS[group.kind]
    if not own:
        return ADDITION
    tokens = streams[group.members[0]].tokens
    return compare(own, [tokens[cell].item for cell in group.cells[0]])


def against(lemma: Content, content: Content) -> Judgement:
    """Judge the content of a reading against that of a lemma; punctuation and notes do not count."""
    own, items = graphs(lemma), graphs(content)
    if not items:
        return REASONS[ABSENT] if own else SAME
    return compare(own, items) if own else ADDITION


def rejudged(app: App) -> App:
    """Give an entry with each reading judged against its lemma; a class that the editor gave stays."""
    readings = []
    for each in app.readings:
        if not each.source.startswith("decision:class"):
            judgement = against(app.lemma.content, each.content)
            if graphs(each.content) or each.variant != "lacuna":
                each = replace(each, variant=judgement.variant, source=judgement.source)
        readings.append(each)
    return replace(app, readings=tuple(readings))


def class_of_keys(first: str | int, other: str | int) -> str:
    """Give the class of the difference between two different cells of one column, by their tokens' keys.

    A number says why there is no token (``ABSENT`` …). For cutting runs of columns into entries: an entry's own
    class is that of its words together. ``lacuna-2`` and ``lacuna-3`` keep two kinds of lacunae apart.
    """
    if isinstance(first, int) or isinstance(other, int):
        code = other if isinstance(other, int) else first
        if code in (LOST, UNCOVERED):
            return f"lacuna{code}"
        return "omission" if isinstance(other, int) else "addition"
    if LOSS in (first[:1], other[:1]):
        return "lacuna"
    if SLIP in first or SLIP in other:
        return "corruption"
    return judge(first, other).variant


def compare(own: Sequence[Inline], items: Sequence[Inline]) -> Judgement:
    """Judge graphs (or objects that stand for graphs) against those of the lemma; neither is empty."""
    lost = [item for item in (*items, *own) if isinstance(item, (Supplied, Gap))]
    if lost:
        supplied = all(isinstance(item, Supplied) for item in lost)
        return Judgement("lacuna", "decision:supplied" if supplied else "rule:lost-place")
    text, lemma = attested(items), attested(own)
    meant, wanted = aligned(items), aligned(own)
    corrected = any(isinstance(item, Correction) for item in (*items, *own))
    if corrected and (text == lemma or judge(wanted, meant).variant != "substantive"):
        return Judgement("corruption", "decision:correction")
    return compare_words(lemma, text)


def compare_words(lemma: str, text: str) -> Judgement:
    """Judge words against those of the lemma; neither is empty. The same words in another order are transposed."""
    if len(text) > 1 and norm(text) != norm(lemma) and sorted(norm(text)) == sorted(norm(lemma)):
        return Judgement("transposition", "rule:order")
    return judge(lemma, text)
