"""Time collation against length, number of witnesses and kind of text, beside CollateX, difflib and rapidfuzz.

`python benchmarks/collate.py`; prints a table and the ratios, and draws ``build/bench-collate.svg``. Each row is a
process of its own, so that its memory is its own; what takes longer than a minute is stopped. CollateX-Python is
measured if it is installed (``pip install '.[bench]'``).
"""

from __future__ import annotations

import importlib.util
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generated import texts
from plot import plot

ROOT = Path(__file__).parents[1]
SOURCE = next((ROOT / "tei" / "sources").glob("002_*.txt"))
"""礼经本义: its graphs, as they follow each other, are the stuff of generated texts."""
LIMIT = 60
"""Seconds after which a row is stopped."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: who collates what."""

    tool: str
    kind: str
    """``prose`` (2 % of changes), ``formulaic`` (fourteen phrases, 2 %), ``noisy`` (prose, 50 %), ``real`` (燕礼)."""
    length: int
    witnesses: int


@dataclass(frozen=True, slots=True)
class Result:
    """What it took; no seconds: stopped."""

    seconds: float | None
    megabytes: float


OURS, ALIGN = "jiaokan", "jiaokan align"
ROWS = (
    *(Row(OURS, "prose", n, w) for n in (2_000, 20_000, 200_000) for w in (2, 4)), Row(OURS, "prose", 20_000, 8),
    Row(OURS, "formulaic", 20_000, 4), Row(OURS, "noisy", 20_000, 4), Row(OURS, "real", 0, 2), Row(OURS, "real", 0, 4),
    *(Row(ALIGN, "prose", n, 2) for n in (2_000, 20_000, 200_000)),
    *(Row(tool, "prose", n, 2) for tool in ("rapidfuzz", "difflib") for n in (2_000, 20_000)),
    *(Row("collatex", "prose", n, 2) for n in (200, 500, 2_000)),
)


def run(row: Row) -> Result:
    """Measure one row in this process, after a short warm-up that loads the tables of characters.

    Time is that of the processor, whatever else the machine does.
    """
    work = TOOLS[row.tool]
    work(texts(SOURCE, "prose", 60, 2))()
    task = _real(row.witnesses) if row.kind == "real" else work(texts(SOURCE, row.kind, row.length, row.witnesses))
    start = time.process_time()
    task()
    seconds = time.process_time() - start
    return Result(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _jiaokan(given: Sequence[str]) -> Callable[[], object]:
    """The whole collation of units: tokens, alignment, moves, entries with their classes."""
    from pipeline.collate import collate
    from pipeline.model import Document
    from pipeline.witnesses import Witness, document

    names = [f"w{n}" for n in range(len(given))]
    documents: dict[str, Document] = {}
    for name, text in zip(names, given, strict=True):
        units = tuple((text[at:at + 40],) for at in range(0, len(text), 40))
        documents[name] = document(Witness(name, name, name, None, units), "1")
    plan, catalog = _plan(names)
    return lambda: collate(plan, documents, catalog)


def _plan(names: Sequence[str]) -> tuple[Any, Any]:
    """A plan and a catalog for witnesses that belong to no edition folder."""
    from pipeline.catalog import Catalog, Licence, Project
    from pipeline.plans import ChapterPlan, EditionPlan

    chapter = ChapterPlan(n=1, title="1", base=names[0], witnesses=tuple(names))
    plan = EditionPlan(id="e", kind="critical", title="e", work="w", chapters=(chapter,))
    free = Licence(name="none")
    project = Project(title="t", publisher="", editors=(), date="2026-11-20", licence=free)
    nowhere = ROOT / "benchmarks" / "nowhere"
    return plan, Catalog(root=nowhere, project=project, sources={}, works={}, persons={}, editions={})


def _real(count: int) -> Callable[[], object]:
    """燕礼 with all commentary, from the transcriptions of this repository."""
    from dataclasses import replace

    import msgspec

    from pipeline import readers
    from pipeline.catalog import load
    from pipeline.collate import collate

    catalog = load(ROOT)
    plan = catalog.editions["yili"]
    chapter = next(each for each in plan.chapters if each.n == 6)
    names = (chapter.base, *(w for w in chapter.witnesses if w != chapter.base))[:count]
    plan = msgspec.structs.replace(plan, chapters=(msgspec.structs.replace(chapter, witnesses=names),))
    documents = {name: readers.read(catalog.sources[name], catalog)[0] for name in names}
    documents = {name: replace(document, divisions=tuple(d for d in document.chapters() if d.n == "6"))
                 for name, document in documents.items()}
    return lambda: collate(plan, documents, catalog)


def _align(given: Sequence[str]) -> Callable[[], object]:
    from pipeline.characters.equality import akin
    from pipeline.collate.align import align

    return lambda: align(list(given[0]), list(given[1]), akin)


def _rapidfuzz(given: Sequence[str]) -> Callable[[], object]:
    from rapidfuzz.distance import Levenshtein

    return lambda: Levenshtein.opcodes(given[0], given[1])


def _difflib(given: Sequence[str]) -> Callable[[], object]:
    from difflib import SequenceMatcher

    return lambda: SequenceMatcher(None, given[0], given[1], autojunk=False).get_opcodes()


def _collatex(given: Sequence[str]) -> Callable[[], object]:
    """CollateX with a token for each graph."""
    from collatex import Collation, collate

    witnesses = [{"id": f"w{n}", "tokens": [{"t": graph} for graph in text]} for n, text in enumerate(given)]
    return lambda: collate(Collation.create_from_dict({"witnesses": witnesses}), output="json")


TOOLS = {OURS: _jiaokan, ALIGN: _align, "rapidfuzz": _rapidfuzz, "difflib": _difflib, "collatex": _collatex}


def measured(row: Row) -> Result:
    """Measure a row in a process of its own."""
    command = [sys.executable, __file__, json.dumps(asdict(row))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    except subprocess.TimeoutExpired:
        return Result(None, 0)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{row}: {error.stderr}")
    return Result(**json.loads(done.stdout))


def ratios(found: dict[Row, Result]) -> list[tuple[str, float, float]]:
    """Give what the project asks of itself: name, measured, at most."""
    def took(kind: str, length: int, count: int) -> float:
        return found[Row(OURS, kind, length, count)].seconds or math.inf

    usual = took("prose", 20_000, 4)
    return [
        ("200,000 : 20,000 characters", took("prose", 200_000, 4) / usual, 16),
        ("4 : 2 witnesses", usual / took("prose", 20_000, 2), 3.2),
        ("formulaic : prose", took("formulaic", 20_000, 4) / usual, 3),
        ("noisy : prose", took("noisy", 20_000, 4) / usual, 3),
        ("seconds for 4 × 20,000", usual, 0.3), ("seconds for 4 × 200,000", took("prose", 200_000, 4), 4),
        ("megabytes for 4 × 200,000", found[Row(OURS, "prose", 200_000, 4)].megabytes, 500),
    ]


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(asdict(run(Row(**json.loads(sys.argv[1]))))))
        return
    there = importlib.util.find_spec("collatex") is not None
    found: dict[Row, Result] = {}
    print(f"{'':14} {'text':10} {'length':>8} {'witnesses':>9} {'seconds':>9} {'MB':>6}")
    for row in ROWS:
        if row.tool != "collatex" or there:
            found[row] = result = measured(row)
            seconds = f"{result.seconds:9.3f}" if result.seconds is not None else f"    > {LIMIT}"
            shown = f"{row.length:,}" if row.length else "燕礼"
            head = f"{row.tool:14} {row.kind:10} {shown:>8} {row.witnesses:>9}"
            print(f"{head} {seconds} {result.megabytes:6.0f}", flush=True)
    if not there:
        print("collatex       not installed (pip install '.[bench]')")
    print()
    for name, value, most in ratios(found):
        print(f"{name:30} {value:8.2f}  (at most {most:g}){'' if value <= most else '  MISSED'}")
    target = ROOT / "build" / "bench-collate.svg"
    target.parent.mkdir(exist_ok=True)
    lines = {tool: [(row.length, result.seconds) for row, result in found.items()
                    if (row.tool, row.kind, row.witnesses) == (tool, "prose", 2) and result.seconds] for tool in TOOLS}
    target.write_text(plot(lines), encoding="utf-8")
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
