"""Time and memory of the PDF of 礼经本义 in both layouts, as whole processes; beside XeLaTeX where it is installed.

`python benchmarks/pdf.py [REPEATS] [COPIES]`: from TEI to PDF; with COPIES (such as 10) also of a text so many times as
long. XeLaTeX sets the same characters twice, each note as a footnote: once plainly, and once as a
book with what the second pass is for.

Where the modern layout's time in Typst goes (2.4 s of 礼经本义, on 2 loaded cores): the same words as plain
paragraphs, 0.6; our page without what asks where things stand 1.3; references in the margin 0.4, springs 0.3, indexes
0.3, contents 0.1. Typst sets a book until nothing moves: once to see where all stands, once with what asks for it, once
more for what that moved. So what stands before the text must have its length the first time (`contents` of book.typ);
else all pages are set three times. What a function is given is kept for the next time, too: one that is asked for each
of some thousand places takes memory for each. PDF/A and tags cost nothing that can be measured.

Set as a whole, the text × 1, 2, 5, 10 took 4.8, 9.7, 24, 54 s and 0.7, 1.2, 2.8, 5.3 GB (444 to 4,302 pages), for
Typst holds a whole book. So a long one is set in pieces (`outputs/print/pieces`), each in a process of its own: of 仪礼
(607 pages) the largest takes 0.38 GB, not 0.95, of 礼经本义 0.30, not 0.53, for 1.37 and 1.67 times the work
of Typst (9.1 s, not 6.6; 4.9, not 2.9; joining included). What else holds memory there: layout all but 20 MB
of it, of which indexes 86, the words that they name 28; PDF/A and tags nothing. A process does not give it back: two
halves one after the other in one took 858 MB.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from lxml import etree
from measure import ROOT, Used, best, heading, ratio, row, run
from pylopdf_fonts_zh_cn import serif_path

from jiaokan import readers
from jiaokan.settings import catalog
from jiaokan.system.xslt import transform
from jiaokan.tei.header.build import witness_header
from jiaokan.tei.write import to_tei

SOURCE = "benyi"
MAKE = f"""import sys
from pathlib import Path
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.settings.plans import PrintPlan
settings = OutputSettings(print=PrintPlan(layout=sys.argv[3]), decisions=Path({str(ROOT / "tei" / "decisions")!r}))
pdf.make(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), settings)"""
TEX = r"\documentclass{book}\usepackage{xeCJK}%s\setCJKmainfont[Path=%s/]{%s}\begin{document}%s%s\end{document}"
BOOK = r"\setcounter{secnumdepth}{-1}"
PREPARED = "urn:jiaokan:prepared"


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


def tex(data: bytes, *, book: bool) -> str:
    """The same characters for XeLaTeX; as a book with titles, contents and running heads, or without."""
    root = etree.fromstring(transform("xslt/prepare/keep.xsl", data).encode())
    words = []
    for item in root.iter(f"{{{PREPARED}}}*"):
        name = etree.QName(item).localname
        if book and name in ("chapter", "section"):
            words.append(f"\\{name}{{{clean(item.get('title', ''))}}}\n")
        elif name == "passage":
            for part in item:
                notes = list(part) if str(part.tag).endswith("commentary") else []
                words += [f"\\footnote{{{clean(said(note))}}}" for note in notes] or [clean(said(part))]
            words.append("\n\n")
    font = Path(serif_path())
    return TEX % (BOOK if book else "", font.parent, font.name, "\\tableofcontents" if book else "", "".join(words))


def said(element: etree._Element) -> str:
    """Return all words of an element."""
    return "".join(map(str, element.itertext()))


def clean(text: str) -> str:
    """Leave out what TeX would read as its own."""
    return "".join(char for char in text if char not in "\\{}$&#^_~%")


def main() -> None:
    repeats, copies = (int(sys.argv[n]) if len(sys.argv) > n else (3, 1)[n - 1] for n in (1, 2))
    heading("PDF from TEI: 礼经本义, 231,000 characters, 2,489 notes")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        took = {}
        for times in dict.fromkeys([1, copies]):
            (folder / "text.xml").write_bytes(tei(times))
            for layout, asked in (("modern", "at most 3 s"), ("traditional", "at most 5 s and 600 MB")):
                command = (sys.executable, "-c", MAKE, "text.xml", "x.pdf", layout)
                used = took[layout, times] = best(run(*command, folder=folder) for _ in range(repeats))
                row(f"{layout} layout × {times}", used, asked if times == 1 else "")
        if shutil.which("xelatex"):
            beside(folder, took["modern", 1], repeats)
        else:
            print("XeLaTeX is not installed (Debian: texlive-xetex, texlive-lang-chinese)")
    for layout in ("modern", "traditional") if copies > 1 else ():
        ratio(f"{layout} layout: × {copies} takes times as long", took[layout, copies].work / took[layout, 1].work, 12)


def beside(folder: Path, ours: Used, repeats: int) -> None:
    """Two passes of XeLaTeX over the same text, of which the second finds what the first wrote for it."""
    for book, title in ((False, "words and footnotes only"), (True, "with titles and contents")):
        (folder / "text.tex").write_text(tex(tei(1), book=book), encoding="utf-8")
        passes = []
        for _ in range(repeats):
            for left in folder.glob("text.[!tx]*"):
                left.unlink()
            one, two = (run("xelatex", "-interaction=batchmode", "text.tex", folder=folder) for _ in range(2))
            passes.append(Used(one.clock + two.clock, one.work + two.work, max(one.megabytes, two.megabytes)))
        row(f"XeLaTeX twice, {title}", used := best(passes))
        ratio("  modern layout : that, by the processor", ours.work / used.work, 0.75)
        ratio("  modern layout : that, by the clock", ours.clock / used.clock, 0.75)


if __name__ == "__main__":
    main()
