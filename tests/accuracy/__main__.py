"""``python -m tests.accuracy``: tables of how much readers and collation get right, and everything that is wrong."""

from __future__ import annotations

from pathlib import Path

from jiaokan import readers
from jiaokan.collate import collate
from jiaokan.model import Document
from jiaokan.proposals.folder import FolderTexts
from jiaokan.settings.catalog import Catalog, load
from tests.accuracy import (
    Score,
    annotated,
    changes,
    collation,
    commentary,
    marked,
    moves,
    passages,
    punctuation,
    remarks,
    score,
    sources,
)
from tests.accuracy.alignment import alignments

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Score every source that has annotated passages, and the edition of which passages are collated."""
    settings = load(ROOT)
    layers(settings)
    variants(settings)
    stops(settings)


def layers(settings: Catalog) -> None:
    """Print how well the readers tell layers and speakers apart."""
    print(f"{'source':10}{'passages':>9}{'characters':>12}{'layers':>9}{'notes':>8}{'speakers':>10}")
    for source in sources():
        found = marked(readers.read(settings.sources[source], settings)[0])
        total = Score(0, 0, 0, 0)
        for path in passages(source):
            total += score(annotated(path), found)
        print(
            f"{source:10}{len(passages(source)):9}{total.characters:12}{total.layer_share:9.2%}"
            f"{total.notes:8}{total.speaker_share:10.2%}"
        )
        for wrong in total.wrong:
            print(f"    {wrong}")


def comments(settings: Catalog, edition: Document) -> None:
    """Print how many comments are one note that reads back, and what became of the remarks on the text."""
    wanted = commentary.comments(settings)
    missing = commentary.misses(edition, wanted)
    one = len(wanted) - len(missing)
    print(f"\ncomments collated by hand: {len(wanted)}, one note that reads back in each work: {one / len(wanted):.1%}")
    for miss in missing:
        print(f"    {miss.comment.place} {miss.comment.speaker}: {miss.reason}")
    found = remarks.figures(edition)
    kinds = ", ".join(f"{kind} {found.remarks[kind]}" for kind in remarks.KINDS)
    print(f"\nremarks on the text: {found.remarks.total()} ({kinds})")
    print(
        f"readings that they report: {found.reports}; in entries of collated witnesses {found.collated}, in entries of "
        f"their own {found.alone}, as the text has it {found.agreeing}, in their notes only {len(found.lost)}"
    )
    for left in found.lost:
        print(f"    {left}")


def variants(settings: Catalog) -> None:
    """Print how well entries are found, and how near the alignments are to the least cost."""
    plan = settings.editions["yili"]
    witnesses = {name: readers.read(settings.sources[name], settings)[0] for name in plan.all_witnesses()}
    edition = collate(plan, witnesses, settings)[0]
    comments(settings, edition)
    total = collation.scored(edition)
    print(
        f"\nentries of {len(list(collation.passages()))} passages collated by hand: {total.entries}, "
        f"found {total.found / total.entries:.1%}, invented {total.invented}, "
        f"class right {total.classes / max(1, total.found):.1%}"
    )
    made = changes.measured(collation.base_text(witnesses["jibian"], "5"))
    print(
        f"known changes of 乡射礼 in three made witnesses: {made.entries}, found {made.found / made.entries:.1%}, "
        f"invented {made.invented}"
    )
    there = moves.moves(moves.units_of(witnesses["jibian"], "5"), rounds=80)
    told = sum(each.is_told() for each in there)
    print(f"passages of 乡射礼 that stand elsewhere: {len(there)}, one move and no more: {told / len(there):.1%}")
    for wrong in total.wrong + made.wrong:
        print(f"    {wrong}")
    print(f"\n{'chapter, base, other witness':31}{'least':>7}{'moves':>6}{'ours':>6}{'in order: least':>26}{'ours':>6}")
    for chapter in plan.chapters:
        for each in alignments(chapter, witnesses):
            print(
                f"{chapter.n:<5}{each.base:13}{each.other:13}{each.least:7}{each.moves:6}{each.cost:6}"
                f"{each.cost / each.least - 1:8.1%}"
                f"{each.rest:18}{each.rest_cost:6}{each.rest_cost / each.rest - 1:8.2%}"
            )


def stops(settings: Catalog) -> None:
    """Print how well punctuation is proposed, by each evidence, for what is left out of it."""
    texts = FolderTexts.of(settings, "yili")
    questions = {
        "the last sixth of what a source punctuates": punctuation.of_source,
        "notes that stand in a punctuated source": punctuation.of_parallel,
        "sections left out of the editor's punctuation": punctuation.of_editor,
    }
    for title, measure in questions.items():
        print(f"\n{title:46}{'precision':>9}{'recall':>8}{'breaks':>8}{'marks':>8}{'saved':>8}{'sure':>9}")
        for name, found in measure(texts):
            print(f"  {name:44}{found.told()}")


if __name__ == "__main__":
    main()
