"""Collation: several witnesses of a work become the text, apparatus and commentary of an edition.

In come the documents of the witnesses, the plan of an edition and the editor's decisions; out go the edition's document
and findings. Read first `chapter` (the passes over a chapter), `tokens` (content to tokens; the room `align` makes
columns of them) and `apparatus` (columns to entries).

The algorithm, in the order of the code (`chapter.COLLATING`, `DECIDING`, then `parallels.link_chapters`):

1. Each witness becomes a sequence of tokens, one a graph, with a printed key and a normal form; punctuation, spaces and
   notes are attached to the token beside them (`tokens`; the token of a text and a normal form, ``t`` and ``n``, is
   that of CollateX and the Gothenburg model).
2. Every witness is aligned with the base by its normal forms (`align.pairwise`): k-grams that occur once in each text
   are anchors (patience diff, B. Cohen), the heaviest rising chain of them is kept, and gaps are divided again.
3. What no anchor divides is aligned at least cost with affine gaps (Gotoh 1982, with the three matrices that Altschul
   and Erickson 1986 ask for when tracing back), in a band that cannot miss it (Ukkonen 1985); larger gaps by
   Levenshtein's distance (rapidfuzz).
4. Pairs that unlike text outweighs are removed (`align.pairs`), gaps are moved to the edges of units (`align.blocks`),
   and what is unpaired on both sides is searched for transpositions (`align.moves`).
5. The pairwise alignments are merged into one table with a column for each token of the base; what the base lacks is
   aligned among the other witnesses, the longest first: a star alignment with the base as its centre, not CollateX's
   variant graph (`align`); then each witness is aligned again with the columns of all others (`align.refine`).
6. The columns are cut where who agrees with whom, or how they differ, changes (`formation`); each cut that is
   not unanimous is an entry of the parallel segmentation method (TEI Guidelines 12.2.3), nested where witnesses lack a
   longer passage, and `apparatus.classify` decides how each reading differs.
7. The notes of one speaker are aligned as one text, so that notes that works divide or place differently find each
   other; each has an apparatus of its own (`notes`).
8. The editor's decisions are applied, or refused by name (`editorial`).
9. Entries and notes get their ids, pointers follow them (`identifiers`); readings that notes report become readings of
   their entries (`reports`), and notes with the same words under two names point to each other.
10. In an edition that is cited by the pages of its base's print these are restored (`assemble`).
11. Last, sentences that a witness has in another chapter become transpositions that point there (`parallels`).

All constants are in `settings`; what changing one does is measured in docs/development/measured.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jiaokan.collate.chapter import collate_chapter, reference_form
from jiaokan.collate.editorial import refuse_misfits, unused_errors, used_passim
from jiaokan.collate.parallels import link_chapters
from jiaokan.decisions.kinds import MISFITS, check, load
from jiaokan.decisions.readings import unknown
from jiaokan.decisions.tables import CharacterPair, LostGlyphs, Passim, ReadingDecision
from jiaokan.errors import DecisionError, Finding, raise_all
from jiaokan.model import Division, Document
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.process import without_collection

__all__ = ["collate", "collate_chapter", "join"]


@without_collection()
def collate(
    plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Document, tuple[Finding, ...]]:
    """Return the edition collated from its witnesses (by id), and findings for a philologist. Raises CollationError for
    a witness or base chapter that is missing, DecisionError that lists the editor's decisions which do not fit."""
    decisions = load(catalog.root, ReadingDecision)
    for table in (LostGlyphs, CharacterPair, Passim):
        check(load(catalog.root, table), catalog.persons, {*catalog.sources, *plan.all_witnesses()})
    refuse_misfits((filed, why) for filed in decisions if (why := unknown(filed.decision, plan, catalog)))
    done: list[tuple[Division, tuple[Finding, ...]]] = []
    conflicts: list[DecisionError] = []
    for chapter in plan.chapters:
        try:
            done.append(collate_chapter(plan, chapter, witnesses, catalog))
        except DecisionError as error:
            conflicts.append(error)
    raise_all(conflicts, MISFITS)
    throughout = [filed for filed in load(catalog.root, Passim) if filed.decision.edition == plan.id]
    raise_all(unused_errors((used_passim(division, throughout) for division, _ in done), throughout), MISFITS)
    return join(plan, done, reference_form(plan, witnesses))


def join(
    plan: EditionPlan, chapters: Iterable[tuple[Division, tuple[Finding, ...]]], reference: str = ""
) -> tuple[Document, tuple[Finding, ...]]:
    """Return the edition of chapters that were collated apart, in the plan's order; `reference` is how it is cited."""
    done = list(chapters)
    divisions = tuple(link_chapters([division for division, _ in done]))
    document = Document(id=plan.id, divisions=divisions, reference=reference)
    return document, tuple(finding for _, findings in done for finding in findings)
