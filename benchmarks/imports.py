"""Time and memory of taking in TEI of others: generated files in CBETA's manner (lines, notes, entries), of several
sizes, beside parsing them with lxml alone.

`python benchmarks/imports.py [MEGABYTES]` (default 100 in all, in files of 1, 5 and 20 MB) prints for each size how
long parsing and the whole import take for a megabyte, their ratio, and the most resident memory of a process that
imports one file, for each megabyte of it: both columns are to stay level as files grow.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from lxml import etree

from benchmarks.generated import SEED

ROOT = Path(__file__).parents[1]
MEGA = 2**20
SIZES = (1, 5, 20)
HEAD = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>測試</title></titleStmt>
<publicationStmt><p>generated</p></publicationStmt><sourceDesc><listWit><witness xml:id="wit1">【宋】</witness>
<witness xml:id="wit2">【元】</witness><witness xml:id="wit3">【明】</witness></listWit></sourceDesc></fileDesc>
<encodingDesc><variantEncoding method="parallel-segmentation" location="internal"/></encodingDesc></teiHeader>
<text><body>
"""


def made(megabytes: int) -> bytes:
    """Give a file of about so many megabytes: chapters of paragraphs of lines, an entry in every third line."""
    chance = random.Random(SEED)
    source = (ROOT / "tei/sources/002_98d40d4b2bfd6b0e.txt").read_text(encoding="utf-8")
    graphs = "".join(c for c in source if "\u4e00" <= c <= "\u9fff")
    parts, size, line, chapter = [HEAD], 0, 0, 0
    while size < megabytes * MEGA:
        chapter += 1
        rows = [f'<div type="juan" n="{chapter}"><head>卷第{chapter}</head>']
        for _ in range(60):
            rows.append("<p>")
            for _ in range(chance.randint(2, 8)):
                line += 1
                at = chance.randrange(len(graphs) - 20)
                words = graphs[at:at + 17]
                rows.append(f'<lb n="{line:07d}"/>{words[:9]}')
                if not line % 3:
                    rows.append(f'<app><lem wit="#wit1 #wit2">{words[9]}</lem><rdg wit="#wit3">{graphs[line % 5000]}'
                                "</rdg></app>")
                rows.append(f"{words[10:]}。" + (f'<note place="inline">{words[:5]}</note>' if not line % 7 else ""))
            rows.append("</p>\n")
        rows.append("</div>\n")
        parts += rows
        size += sum(len(each.encode()) for each in rows)
    return "".join([*parts, "</body></text></TEI>"]).encode()


def measured(megabytes: int) -> tuple[float, float, float]:
    """Give seconds of work for parsing and for importing one file, and the megabytes that the latter held at most."""
    from pipeline.editions.other import as_ours

    data = made(megabytes)
    start = time.process_time()
    etree.fromstring(data)
    parsed = time.process_time() - start
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    assert as_ours(data, name="made.xml", date="2026-11-20") is not None
    whole = time.process_time() - start
    return parsed, whole, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{'file':>8}{'files':>7}{'parse s/MB':>12}{'import s/MB':>13}{'ratio':>8}{'memory MB/MB':>14}")
    for size in SIZES:
        count = max(1, total // len(SIZES) // size)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
            rows = [*pool.map(measured, [size] * count)]
        parsed, whole = (sum(row[n] for row in rows) / (size * count) for n in (0, 1))
        most = max(row[2] for row in rows) / size
        print(f"{size:>6}MB{count:>7}{parsed:>12.3f}{whole:>13.2f}{whole / parsed:>8.0f}{most:>14.0f}", flush=True)


if __name__ == "__main__":
    main()
