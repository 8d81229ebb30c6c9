"""A library of generated texts through a build: texts a second, memory of a worker, and a build with nothing to do.

Usage: python benchmarks/library.py FOLDER TEXTS [--jobs N] [--make]: writes the folder if it is not there (``--make``:
and stops), builds it and builds it again.

A text has about ten thousand characters: snippets of this repository's sources in any order, a third of it base text,
the rest comments in brackets, which now and then quote another text by the title of its chapter.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEED = 20261122
CHAPTERS, UNITS, UNIT = 4, 35, 24
"""Chapters of a text, units of a chapter, characters of a unit; a comment is twice as long."""
EVERY = 12
"""Every so many comments one quotes."""
CATALOG = """[project]
title = "群书"
publisher = ""
editors = ["某某"]
date = "2026-11-22"
licence = { name = "CC0 1.0", url = "https://creativecommons.org/publicdomain/zero/1.0/" }
"""
TEXT = """[[source]]
id = "{id}"
siglum = "{id}"
file = "{file}"
sha256 = "{sha256}"
work = "{id}"
title = "{title}"
authors = ["p{person}"]
dynasty = "清"
reader = "brackets"
convention = "library"
language = "lzh-Hans"
licence = {{ name = "public domain" }}

[[work]]
id = "{id}"
title = "{title}"
chapters = [
{chapters}]
"""


class Texts:
    """The texts of a library, each the same whichever others are made."""

    def __init__(self, count: int) -> None:
        sources = sorted((ROOT / "tei" / "sources").glob("*.txt"))
        whole = "".join(path.read_text(encoding="utf-8") for path in sources)
        self.graphs = "".join(c for c in whole if "\u4e00" <= c <= "\u9fff" and c not in "云曰")
        chance, alphabet = random.Random(SEED), sorted({*self.graphs})
        self.titles = [["".join(chance.sample(alphabet, 4)) for _ in range(CHAPTERS)] for _ in range(count)]

    def words(self, length: int, chance: random.Random) -> str:
        """Return snippets, so that formulae and frequencies are those of real texts."""
        made = ""
        while len(made) < length:
            at = chance.randrange(len(self.graphs) - 12)
            made += self.graphs[at : at + chance.randint(2, 12)]
        return made[:length]

    def base(self, text: int, chapter: int) -> list[str]:
        """Return the units of a chapter."""
        chance = random.Random(f"{SEED} {text} {chapter}")
        return [self.words(UNIT, chance) for _ in range(UNITS)]

    def text(self, number: int) -> str:
        """Return a text as its transcription has it."""
        chance, lines = random.Random(f"{SEED} {number}"), []
        for chapter, title in enumerate(self.titles[number]):
            lines.append(title)
            for words in self.base(number, chapter):
                said = self.words(2 * UNIT, chance)
                if not chance.randrange(EVERY):
                    other, part = chance.randrange(len(self.titles)), chance.randrange(CHAPTERS)
                    quoted = self.base(other, part)[chance.randrange(UNITS)][2 : 2 + chance.randint(6, 16)]
                    said = f"{said[:12]}案{self.titles[other][part]}云{quoted}是也{said[12:30]}"
                lines.append(f"{words}〈{said}〉")
        return "\n".join([*lines, ""])


def make(folder: Path, count: int) -> None:
    """Write the edition folder of a library."""
    texts, tei = Texts(count), folder / "tei"
    for name in ("conventions", "catalog"):
        (tei / name).mkdir(parents=True, exist_ok=True)
    (tei / "catalog.toml").write_text(CATALOG, encoding="utf-8")
    (tei / "conventions" / "library.toml").write_text('brackets = "〈〉"\n', encoding="utf-8")
    persons = (f'[[person]]\nid = "p{n}"\nname = "撰人{n}"\nlabel = "撰"\n' for n in range(count // 10 + 1))
    (tei / "persons.toml").write_text("\n".join(persons), encoding="utf-8")
    for number, titles in enumerate(texts.titles):
        name, file = f"t{number:05}", f"sources/{number // 1000:02}/t{number:05}.txt"
        data = texts.text(number).encode()
        (tei / file).parent.mkdir(parents=True, exist_ok=True)
        (tei / file).write_bytes(data)
        chapters = "".join(f'  {{ n = {n}, title = "{title}" }},\n' for n, title in enumerate(titles, 1))
        (tei / "catalog" / f"{name}.toml").write_text(TEXT.format(
            id=name, file=file, sha256=hashlib.sha256(data).hexdigest(), title=titles[0][:2] + titles[1][:2],
            person=number // 10, chapters=chapters), encoding="utf-8")


def build(folder: Path, *options: str) -> tuple[float, float, float]:
    """Build as a process; give its seconds, the CPU seconds of it and its workers, and the most memory of one in MB."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", "from jiaokan.cli import main; main()", "build", str(folder),
                           *options], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used, after.ru_maxrss / 1024


def main() -> None:
    """Make and measure."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("texts", type=int)
    asked.add_argument("--jobs", default=str(os.cpu_count() or 1))
    asked.add_argument("--make", action="store_true")
    given = asked.parse_args()
    if not given.folder.exists():
        make(given.folder, given.texts)
    if given.make:
        return
    characters = sum(len(path.read_text(encoding="utf-8")) for path in given.folder.glob("tei/sources/*/*.txt"))
    print("  texts   mill.  jobs       s   CPU s  texts/CPU s  CPU s/mill.   MB   nothing to do: s   CPU s    MB")
    wall, cpu, memory = build(given.folder, "--jobs", given.jobs)
    print(f"{given.texts:7}{characters / 1e6:8.2f}{given.jobs:>6}{wall:8.1f}{cpu:8.1f}{given.texts / cpu:13.2f}"
          f"{cpu / characters * 1e6:13.1f}{memory:5.0f}", end="", flush=True)
    wall, cpu, memory = build(given.folder)
    print(f"{wall:19.2f}{cpu:8.2f}{memory:6.0f}")


if __name__ == "__main__":
    main()
