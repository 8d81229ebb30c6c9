"""Time and memory of the HTML edition as whole processes: this repository's texts, and editions with many entries.

`python benchmarks/pages.py [REPEATS]`. Each is `jiaokan html` from TEI to the finished site. The generated editions are
two witnesses that differ in every twentieth graph, once in units of forty graphs and once as one unit.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generated import texts
from measure import JIAOKAN, ROOT, Used, best, heading, ratio, row, run

SOURCE = next((ROOT / "tei" / "sources").glob("002_*.txt"))
TEXTS = ("tei/editions/yili.xml", "tei/witnesses/benyi.xml", "tei/witnesses/gangmu.xml")
"""The critical edition and the two editions to read."""
EVERY = 20
PUBLISHED = "The TEI Stylesheets on such texts, as published, not measured here: 11.4 s and 53.7 s, 4.7 times as long"


def site(*files: Path, folder: Path, repeats: int) -> Used:
    """Make a site of some files, so many times."""
    return best(run(*JIAOKAN, "html", *files, "--out", folder / "site") for _ in range(repeats))


def edition(entries: int, unit: int, folder: Path) -> Path:
    """Write the TEI of two generated witnesses with so many entries, in units of so many graphs."""
    first = texts(SOURCE, "prose", entries * EVERY, 1)[0]
    second = list(first)
    for at in range(EVERY // 2, len(second), EVERY):
        second[at] = "甲" if second[at] == "乙" else "乙"
    files = [folder / "a.txt", folder / "b.txt"]
    for file, text in zip(files, (first, "".join(second)), strict=True):
        file.write_text("\n".join(text[at:at + unit] for at in range(0, len(text), unit)), encoding="utf-8")
    target = folder / f"entries-{entries}-{unit}.xml"
    run(*JIAOKAN, "collate", *files, "-f", "tei", "-o", target)
    return target


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    heading("HTML from TEI")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = site(*(ROOT / text for text in TEXTS), folder=folder, repeats=repeats)
        row("all chapters of 仪礼 and both editions to read", found, "at most 6 s")
        for unit, title in ((40, "in units of 40 graphs"), (10**6, "in one unit")):
            took = []
            for entries in (5_000, 10_000):
                found = site(edition(entries, unit, folder), folder=folder, repeats=repeats)
                row(f"{entries:,} entries in {entries * EVERY:,} graphs, {title}", found)
                took.append(found.work)
            ratio("twice as many take times as long", took[1] / took[0], 2.2)
        print(PUBLISHED)


if __name__ == "__main__":
    main()
