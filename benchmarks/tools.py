"""What is measured beside each other: each function takes witnesses and gives the work to be timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
NOWHERE = ROOT / "benchmarks" / "nowhere"
"""A folder without decisions."""


def jiaokan(given: Sequence[str]) -> Callable[[], object]:
    """The whole collation of units: tokens, alignment, moves, entries with their classes."""
    return loose({f"w{n}": [text[at:at + 40] for at in range(0, len(text), 40)] for n, text in enumerate(given)})


def loose(given: Mapping[str, Sequence[str]]) -> Callable[[], Any]:
    """The same of witnesses by name, each a row of units; the first is the base."""
    from jiaokan.collate import collate
    from jiaokan.editions.loose import LooseWitness, document

    documents = {name: document(LooseWitness(name, name, name, b"", units=tuple((unit,) for unit in units)), "1")
                 for name, units in given.items()}
    plan, catalog = _plan(list(given))
    return lambda: collate(plan, documents, catalog)


def _plan(names: Sequence[str]) -> tuple[Any, Any]:
    """A plan and a catalog for witnesses that belong to no edition folder."""
    from jiaokan.settings.catalog import Catalog, Licence, Project
    from jiaokan.settings.plans import ChapterPlan, EditionPlan

    chapter = ChapterPlan(n=1, title="1", base=names[0], witnesses=tuple(names))
    plan = EditionPlan(id="e", kind="critical", title="e", work="w", chapters=(chapter,))
    free = Licence(name="none")
    project = Project(title="t", publisher="", editors=(), date="2026-11-20", licence=free)
    return plan, Catalog(root=NOWHERE, project=project, sources={}, works={}, persons={}, editions={})


def real(count: int) -> Callable[[], object]:
    """燕礼 with all commentary, from the transcriptions of this repository."""

    import msgspec

    from jiaokan import readers
    from jiaokan.collate import collate
    from jiaokan.settings.catalog import load

    catalog = load(ROOT)
    plan = catalog.editions["yili"]
    chapter = next(each for each in plan.chapters if each.n == 6)
    names = (chapter.base, *(w for w in chapter.witnesses if w != chapter.base))[:count]
    plan = msgspec.structs.replace(plan, chapters=(msgspec.structs.replace(chapter, witnesses=names),))
    documents = {name: readers.read(catalog.sources[name], catalog)[0] for name in names}
    documents = {name: replace(document, divisions=tuple(d for d in document.chapters() if d.n == "6"))
                 for name, document in documents.items()}
    free = msgspec.structs.replace(catalog, root=NOWHERE)  # decisions fit the whole edition only
    return lambda: collate(plan, documents, free)


def align_only(given: Sequence[str]) -> Callable[[], object]:
    from jiaokan.align import align
    from jiaokan.characters.equality import akin

    return lambda: align(list(given[0]), list(given[1]), akin)


def rapidfuzz_opcodes(given: Sequence[str]) -> Callable[[], object]:
    from rapidfuzz.distance import Levenshtein

    return lambda: Levenshtein.opcodes(given[0], given[1])


def difflib_opcodes(given: Sequence[str]) -> Callable[[], object]:
    from difflib import SequenceMatcher

    return lambda: SequenceMatcher(None, given[0], given[1], autojunk=False).get_opcodes()


def collatex(given: Sequence[str]) -> Callable[[], object]:
    """CollateX with a token for each graph."""
    from collatex import Collation, collate

    witnesses = [{"id": f"w{n}", "tokens": [{"t": graph} for graph in text]} for n, text in enumerate(given)]
    return lambda: collate(Collation.create_from_dict({"witnesses": witnesses}), output="json")


TOOLS = {
    "jiaokan": jiaokan, "jiaokan align": align_only, "rapidfuzz": rapidfuzz_opcodes, "difflib": difflib_opcodes,
    "collatex": collatex,
}
