"""Quotations across a library of generated texts: seconds, memory and how many of those planted are found, by size.

Usage: python benchmarks/quotations.py [MILLIONS OF CHARACTERS …]; each size in a process of its own. The texts are laid
out on disk as they are made (`jiaokan.proposals.library`).
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jiaokan.model import Division, Document, Note, Paragraph, Unit
from jiaokan.proposals.library import Library
from jiaokan.proposals.quotations import quotations_in

SEED = 20261122
UNIT, UNITS, CHAPTERS = 24, 400, 10
"""Characters of a unit, units of a chapter, chapters of a text; a comment is twice as long as its unit."""
EVERY = 12
"""Every so many comments one quotes a unit of any text, by the title of its chapter."""
ROOT = Path(__file__).parents[1]


class Generated:
    """A library of so many characters in all; each text is the same whichever others are made."""

    def __init__(self, size: int) -> None:
        source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tei" / "sources").glob("*.txt")))
        self.graphs = "".join(c for c in source if "\u4e00" <= c <= "\u9fff")
        self.texts = max(1, round(size / (3 * UNIT * UNITS * CHAPTERS)))
        chance, alphabet = random.Random(SEED), sorted({*self.graphs})
        self.titles = ["".join(chance.sample(alphabet, 4)) for _ in range(self.texts * CHAPTERS)]
        self.planted = 0

    def unit(self, chapter: int, number: int) -> str:
        """Return the words of a unit."""
        return _words(self.graphs, UNIT, random.Random(f"{SEED} {chapter} {number}"))

    def text(self, text: int) -> Document:
        """Make a text, and count the quotations that are planted in it."""
        chance = random.Random(f"{SEED} {text}")
        divisions = []
        for n in range(CHAPTERS):
            number, items = text * CHAPTERS + n, []
            for m in range(1, UNITS + 1):
                said = _words(self.graphs, 2 * UNIT, chance).replace("云", "").replace("曰", "")
                if not chance.randrange(EVERY):
                    other = chance.randrange(len(self.titles))
                    self.planted += other != number
                    quoted = self.unit(other, chance.randint(1, UNITS))[2 : 2 + chance.randint(6, 16)]
                    said = f"{said[:12]}案{self.titles[other]}云{quoted}是也{said[12:30]}"
                name = f"t{text}.{n + 1}.0.{m}"
                note = Note(content=(said,), id=f"{name}.n1", target=name)
                items.append(Paragraph(content=(Unit(content=(self.unit(number, m),), id=name), note)))
            divisions.append(Division(kind="pian", n=str(n + 1), id=f"t{text}.{n + 1}", title=self.titles[number],
                                      items=tuple(items)))
        return Document(id=f"t{text}", divisions=tuple(divisions))


def _words(graphs: str, length: int, chance: random.Random) -> str:
    """Snippets of the sources, so that formulae and frequencies are those of real texts."""
    made = ""
    while len(made) < length:
        at = chance.randrange(len(graphs) - 12)
        made += graphs[at : at + chance.randint(2, 12)]
    return made[:length]


def measure(millions: float) -> None:
    """Print a line of the table."""
    made = Generated(round(millions * 1_000_000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quotations.sqlite"
        laying, names = 0.0, []
        with Library(path) as library:
            for number in range(made.texts):
                document = made.text(number)
                start = time.process_time()
                names.append(library.lay(document))
                laying += time.process_time() - start
            start = time.process_time()
            found = sum(map(len, quotations_in(library, names).values()))
            seeking = time.process_time() - start
            characters = sum(sum(library.head(name).graphs.values()) for name in names)
        size = path.stat().st_size / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{characters / 1e6:8.2f}{made.texts:8}{laying:10.1f}{seeking:10.1f}"
          f"{(laying + seeking) / characters * 1e6:10.2f}{peak:10.0f}{size:10.0f}{made.planted:10}{found:10}",
          flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(float(sys.argv[2]))
    else:
        print("   mill.   texts   laid: s   sought  s/mill.   MB peak   MB disk   planted     found", flush=True)
        for size in sys.argv[1:] or ("0.3", "1", "3", "10"):
            subprocess.run([sys.executable, __file__, "--one", size], check=True)
