"""Collation: several witnesses of a work become the text, apparatus and commentary of an edition.

The algorithm, in the order of the code (`chapter.PASSES`, then `cross_chapter`):

1. Each witness becomes a sequence of tokens, one a graph, with a printed key and a normal form; punctuation, spaces and
   notes are attached to the token beside them (`tokens`; the token of a text and a normal form, ``t`` and ``n``, is
   that of CollateX and the Gothenburg model).
2. Every witness is aligned with the base by its normal forms (`align.pairwise`): k-grams that stand once in each text
   are anchors (patience diff, B. Cohen), the heaviest rising chain of them is kept, and gaps are divided again.
3. What no anchor divides is aligned at least cost with affine gaps (Gotoh 1982, with the three matrices that Altschul
   and Erickson 1986 ask for when tracing back), in a band that cannot miss it (Ukkonen 1985); larger gaps by
   Levenshtein's distance (rapidfuzz).
4. Pairs that unlike text outweighs are taken back (`align.support`), gaps are moved to the edges of units
   (`align.gaps`), and what is unpaired on both sides is searched for transpositions (`align.transpositions`).
5. The pairwise alignments are merged into one table with a column for each token of the base; what the base lacks is
   aligned among the other witnesses, the longest first: a star alignment with the base as its centre, not CollateX's
   variant graph (`table`).
6. The columns are cut where who agrees with whom, or how they differ, changes (`apparatus.segments`); each cut that is
   not unanimous is an entry of the parallel segmentation method (TEI Guidelines 12.2.3), nested where witnesses lack a
   longer passage, and `apparatus.classify` says how each reading differs.
7. The notes of one speaker are aligned as one text, so that notes that works divide or place differently find each
   other; each has an apparatus of its own (`commentary`).
8. The editor's decisions are applied (`editorial`), or refused by name.
9. Entries and notes get their ids, pointers follow them (`identifiers`); readings that notes report become readings of
   the entries that they are about (`reported`), and notes with the same words under two names point to each other.
10. In an edition that is cited by the pages of its base's print these come back (`pages`).
11. Last, sentences that a witness has in another chapter become transpositions that point there (`cross_chapter`).

What a change of a constant does is said beside it, where nothing else is named of the edition in this repository: 1,152
entries of variants, 64 moves, 173 entries and 223 comments collated by hand, and 577 known changes of made witnesses
(``tests/accuracy``). "Changes nothing" holds of these texts, and bounds no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.collate.chapter import collate_chapter
from pipeline.collate.cross_chapter import across
from pipeline.collate.editorial.chapter import met, refuse, unfit
from pipeline.collate.pages import paged
from pipeline.decisions import kinds
from pipeline.decisions.kinds import check, load
from pipeline.decisions.readings import unknown
from pipeline.decisions.tables import CharacterPair, LostGlyphs, Passim, ReadingDecision
from pipeline.errors import DecisionError, Finding, raise_all
from pipeline.model import Division, Document
from pipeline.model.references import is_printed
from pipeline.model.rewrite import without_breaks
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan
from pipeline.system.collection import without_collection

__all__ = ["collate", "collate_chapter", "form_of", "join"]


@without_collection()
def collate(
    plan: EditionPlan, witnesses: Mapping[str, Document], catalog: Catalog
) -> tuple[Document, tuple[Finding, ...]]:
    """Collate an edition from its witnesses (by id): the edition, and what a philologist should look at.

    Raises CollationError for a witness or base chapter that is missing, DecisionError that lists the decisions of
    the editor which no longer fit.
    """
    given, witnesses = witnesses, {name: without_breaks(document) for name, document in witnesses.items()}
    form = plan.reference or form_of(plan, witnesses)
    decisions = load(catalog.root, ReadingDecision)
    for table in (LostGlyphs, CharacterPair, Passim):
        check(load(catalog.root, table), catalog.persons, {*catalog.sources, *plan.all_witnesses()})
    refuse((each, why) for each in decisions if (why := unknown(each.decision, plan, catalog)))
    conflicts: list[DecisionError] = []
    done: list[tuple[Division, tuple[Finding, ...]]] = []
    for chapter in plan.chapters:
        try:
            division, found = collate_chapter(plan, chapter, witnesses, catalog)
            if is_printed(form):
                own = next(each for each in given[chapter.base].divisions if each.n == str(chapter.n))
                division = paged(division, own, chapter.base, plan.id, form)
            done.append((division, found))
        except DecisionError as error:
            conflicts.append(error)
    if len(conflicts) > 1:
        raise DecisionError("\n".join(str(error) for error in conflicts))
    if conflicts:
        raise conflicts[0]
    throughout = [each for each in load(catalog.root, Passim) if each.decision.edition == plan.id]
    raise_all(unfit((met(division, throughout) for division, _ in done), throughout), kinds.MISFITS)
    return join(plan, done, form)


def join(
    plan: EditionPlan, chapters: Iterable[tuple[Division, tuple[Finding, ...]]], reference: str = ""
) -> tuple[Document, tuple[Finding, ...]]:
    """Put chapters, collated apart in the plan's order, together as the edition, cited in the form `reference`."""
    done = list(chapters)
    divisions = tuple(across([division for division, _ in done]))
    document = Document(id=plan.id, divisions=divisions, reference=reference)
    return document, tuple(finding for _, findings in done for finding in findings)


def form_of(plan: EditionPlan, witnesses: Mapping[str, Document]) -> str:
    """Give the form in which the base is cited; its pages are those of the base's print."""
    return next((witnesses[chapter.base].reference for chapter in plan.chapters if chapter.base in witnesses), "")
