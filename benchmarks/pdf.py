"""Time and memory of the PDF of 礼经本义 in both layouts, as whole processes; beside XeLaTeX where it is installed.

`python benchmarks/pdf.py [REPEATS] [COPIES]`: seconds of work and peak memory from TEI to PDF, medians; with COPIES
(such as 10) also of a text so many times as long. XeLaTeX sets the same characters twice, with each note as a footnote.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from lxml import etree
from pylopdf_fonts_zh_cn import serif_path

from pipeline import catalog, readers
from pipeline.tei.header import witness_header
from pipeline.tei.write import to_tei
from pipeline.xslt import transform

ROOT = Path(__file__).parents[1]
SOURCE = "benyi"
LIMITS = "limits: modern 3 s and 0.75 times two passes of XeLaTeX; traditional 5 s and 600 MB; ten copies 12 times"
MAKE = f"""import sys
from pathlib import Path
from pipeline.outputs import OutputSettings, pdf
from pipeline.plans import PrintPlan
settings = OutputSettings(print=PrintPlan(layout=sys.argv[3]), decisions=Path({str(ROOT / "tei" / "decisions")!r}))
pdf.make(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), settings)"""
TEX = r"""\documentclass{book}\usepackage{xeCJK}\setCJKmainfont[Path=%s/]{%s}\begin{document}%s\end{document}"""


def run(*command: str, folder: Path) -> tuple[float, float]:
    """Give seconds of work and peak megabytes of a process."""
    with (folder / "said").open("wb") as said:
        paths = {**os.environ, "PYTHONPATH": str(ROOT)}
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said, env=paths)
        _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} failed: {(folder / 'said').read_text(errors='replace')[-600:]}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def tei(copies: int) -> bytes:
    """The text in TEI; its chapters so many times over, with ids of their own."""
    settings = catalog.load(ROOT)
    entry = settings.sources[SOURCE]
    document, _ = readers.read(entry, settings)
    data = to_tei(document, witness_header(entry, document, settings))
    head, begin, rest = data.partition(b"<body>")
    inside, end, tail = rest.rpartition(b"</body>")
    more = [inside.replace(f"{SOURCE}.".encode(), f"{SOURCE}.c{n}".encode()) for n in range(1, copies)]
    return b"".join([head, begin, inside, *more, end, tail])


def tex(data: bytes) -> str:
    """The same characters for XeLaTeX."""
    root = etree.fromstring(transform("xslt/prepare/keep.xsl", data).encode())
    words = []
    for passage in root.iter("{urn:jiaokan:prepared}passage"):
        for part in passage:
            said = "".join(map(str, part.itertext()))
            clean = "".join(char for char in said if char not in "\\{}$&#^_~%")
            words.append(f"\\footnote{{{clean}}}" if str(part.tag).endswith("commentary") else clean)
        words.append("\n\n")
    font = Path(serif_path())
    return TEX % (font.parent, font.name, "".join(words))


def main() -> None:
    repeats, copies = (int(sys.argv[n]) if len(sys.argv) > n else 3 - 2 * (n - 1) for n in (1, 2))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for times in dict.fromkeys([1, copies]):
            (folder / "text.xml").write_bytes(data := tei(times))
            for layout in ("modern", "traditional"):
                command = (sys.executable, "-c", MAKE, "text.xml", "x.pdf", layout)
                report(f"{layout} × {times}", [run(*command, folder=folder) for _ in range(repeats)])
            if shutil.which("xelatex") and times == 1:
                (folder / "text.tex").write_text(tex(data), encoding="utf-8")
                report("XeLaTeX, one pass", [run("xelatex", "-interaction=batchmode", "text.tex", folder=folder)])
    print(LIMITS)


def report(what: str, runs: list[tuple[float, float]]) -> None:
    seconds, memory = (statistics.median(run[n] for run in runs) for n in (0, 1))
    print(f"{what:20}{seconds:8.2f} s{memory:8.0f} MB", flush=True)


if __name__ == "__main__":
    main()
