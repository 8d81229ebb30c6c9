"""Time and memory of taking in TEI of others, beside parsing it with lxml alone.

`python benchmarks/imports.py [MEGABYTES]` (default 100 in all, in files of 1, 5 and 20 MB) does so with generated files
in CBETA's manner (lines, notes, entries), `python benchmarks/imports.py FILE…` with these. For each it prints how long
lxml takes to parse a megabyte, and how many times as long it takes

- to make one Python object of each element (``object``): less no reader in Python can take;
- to read the text with its entries into the model, held against the file (``read``);
- to make it an edition, with ids, classes, header and our TEI (``import``);
- to parse our TEI and to read it back (``back``), this beside parsing that;

and the most resident memory of a process that imports it, for each megabyte of it. These columns are to stay level as
files grow. The last rows import several files one after another in one process: its memory is to be that of one.
"""

from __future__ import annotations

import gc
import random
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from lxml import etree

from benchmarks.generated import SEED

ROOT = Path(__file__).parents[1]
MEGA = 2**20
SIZES = (1, 5, 20)
ONE_BY_ONE = (1, 5, 20)
HEAD = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>測試</title></titleStmt>
<publicationStmt><p>generated</p></publicationStmt><sourceDesc><listWit><witness xml:id="wit1">【宋】</witness>
<witness xml:id="wit2">【元】</witness><witness xml:id="wit3">【明】</witness></listWit></sourceDesc></fileDesc>
<encodingDesc><variantEncoding method="parallel-segmentation" location="internal"/></encodingDesc></teiHeader>
<text><body>
"""


def made(megabytes: int) -> bytes:
    """Return a file of about so many megabytes: chapters of paragraphs of lines, an entry in every third line."""
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


class _Object:
    __slots__ = ("inside", "tag")

    def __init__(self, node: etree._Element) -> None:
        self.tag, self.inside = node.tag, [_Object(each) for each in node]


def seconds(work: Callable[[], object]) -> float:
    """Return the time of this process for some work, the least of three: what disturbs only adds."""
    taken = []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def read(data: bytes) -> None:
    """Read a file of others into the model with its entries, and hold that no character of it is lost."""

    from jiaokan.readers.tei.text import other_text, with_entries
    from jiaokan.system.process import without_collection
    from jiaokan.tei.lossless import check_conserved
    from jiaokan.tei.tree import parse

    with without_collection():
        root = parse(data, name="file.xml")
        document, _ = with_entries(other_text(root, "file.xml", "file"), "file.xml")
        check_conserved(root, document, "file.xml")


def measured(data: bytes) -> tuple[float, ...]:
    """Return seconds of parsing, ratios of what is more than that, and the megabytes that an import held at most."""
    from jiaokan.editions.other import stranger
    from jiaokan.tei.parse import from_tei

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made = stranger(data, name="file.xml").tei
    held = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    parser = etree.XMLParser(huge_tree=True, collect_ids=False)
    root = etree.fromstring(data, parser)
    parsed = seconds(lambda: etree.fromstring(data, parser))
    whole = seconds(lambda: stranger(data, name="file.xml"))
    back = seconds(lambda: from_tei(made, name="made.xml")) / seconds(lambda: etree.fromstring(made, parser))
    floor = 1 + seconds(lambda: _Object(root)) / parsed
    return parsed, floor, seconds(lambda: read(data)) / parsed, whole / parsed, back, held


def in_turn(files: int) -> float:
    """Return the megabytes that a process held at most which imported so many files of a megabyte, one by one."""
    from jiaokan.editions.other import stranger

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(files):
        stranger(made(1), name="file.xml")
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    given = sys.argv[1:]
    total = int(given[0]) if given and given[0].isdecimal() else 100
    named = [Path(each) for each in given if not each.isdecimal()]
    sizes = [size for size in SIZES for _ in range(max(1, total // len(SIZES) // size))]
    files = [(path.name, path.read_bytes()) for path in named]
    files = files or [(f"generated, {size} MB", made(size)) for size in sizes]
    print(f"{'file':30}{'MB':>7}{'parse s/MB':>12}{'object':>8}{'read':>7}{'import':>8}{'back':>7}{'memory MB/MB':>14}")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for (name, data), row in zip(files, pool.map(measured, [data for _, data in files]), strict=True):
            size = len(data) / MEGA
            parsed, floor, reading, whole, back, held = row
            print(f"{name[:30]:30}{size:7.2f}{parsed / size:12.4f}{floor:8.1f}{reading:7.1f}{whole:8.1f}{back:7.1f}"
                  f"{held / size:14.0f}", flush=True)
        for files_, held in () if named else zip(ONE_BY_ONE, pool.map(in_turn, ONE_BY_ONE), strict=True):
            print(f"{f'{files_} files of 1 MB, one by one':30}{'most memory MB':>54}{held:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
