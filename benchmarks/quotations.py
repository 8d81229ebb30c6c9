"""Quotations across a library of generated texts: seconds, memory and how many of those planted are found, by size.

Usage: python benchmarks/quotations.py [MILLIONS OF CHARACTERS …]; each size in a process of its own.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from pipeline.model import Division, Document, Note, Paragraph, Unit
from pipeline.quotations.find import quotations

SEED = 20261122
UNIT, UNITS, CHAPTERS = 24, 400, 10
"""Characters of a unit, units of a chapter, chapters of a text; a comment is twice as long as its unit."""
EVERY = 12
"""Every so many comments one quotes a unit of any text, by the title of its chapter."""
ROOT = Path(__file__).parents[1]


def library(size: int) -> tuple[list[Document], int]:
    """Make texts of so many characters in all, and say how many quotations are planted in them."""
    chance = random.Random(SEED)
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tei" / "sources").glob("*.txt")))
    graphs = "".join(c for c in source if "\u4e00" <= c <= "\u9fff")
    alphabet = sorted({*graphs})
    texts = max(1, round(size / (3 * UNIT * UNITS * CHAPTERS)))
    titles = ["".join(chance.sample(alphabet, 4)) for _ in range(texts * CHAPTERS)]
    base = [[_words(graphs, UNIT, chance) for _ in range(UNITS)] for _ in titles]
    planted, documents = 0, []
    for text in range(texts):
        divisions = []
        for n in range(CHAPTERS):
            number, items = text * CHAPTERS + n, []
            for m, words in enumerate(base[number], 1):
                said = _words(graphs, 2 * UNIT, chance).replace("云", "").replace("曰", "")
                if not chance.randrange(EVERY):
                    other = chance.randrange(len(titles))
                    planted += other != number
                    quoted = base[other][chance.randrange(UNITS)][2 : 2 + chance.randint(6, 16)]
                    said = f"{said[:12]}案{titles[other]}云{quoted}是也{said[12:30]}"
                name = f"t{text}.{n + 1}.0.{m}"
                note = Note(content=(said,), id=f"{name}.n1", target=name)
                items.append(Paragraph(content=(Unit(content=(words,), id=name), note)))
            divisions.append(Division(kind="pian", n=str(n + 1), id=f"t{text}.{n + 1}", title=titles[number],
                                      items=tuple(items)))
        documents.append(Document(id=f"t{text}", divisions=tuple(divisions)))
    return documents, planted


def _words(graphs: str, length: int, chance: random.Random) -> str:
    """Snippets of the sources, so that formulae and frequencies are those of real texts."""
    made = ""
    while len(made) < length:
        at = chance.randrange(len(graphs) - 12)
        made += graphs[at : at + chance.randint(2, 12)]
    return made[:length]


def measure(millions: float) -> None:
    """Print a line of the table."""
    documents, planted = library(round(millions * 1_000_000))
    characters = sum(len(i.content[0].content[0]) + len(i.content[1].content[0]) for d in documents for v in d.divisions
                     for i in v.items)  # type: ignore[union-attr, index, misc, arg-type]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    found = quotations(documents)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    number = sum(map(len, found.values()))
    print(f"{characters / 1e6:8.2f}{len(documents):8}{seconds:10.1f}{seconds / characters * 1e6:10.2f}{before:10.0f}"
          f"{peak:10.0f}{planted:10}{number:10}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(float(sys.argv[2]))
    else:
        print("   mill.   texts     CPU s  s/mill.  MB texts   MB peak   planted     found", flush=True)
        for size in sys.argv[1:] or ("0.3", "1", "3", "10"):
            subprocess.run([sys.executable, __file__, "--one", size], check=True)
