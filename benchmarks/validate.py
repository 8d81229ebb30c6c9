"""Time validation as whole processes, beside jing, lxml's RELAX NG and xmlschema-validate, in one run.

`python benchmarks/validate.py [FOLDER]`: FOLDER is an edition folder with its TEI (default: this repository). For the
comparison JIAOKAN_TEI_ALL names tei_all.rng; what is not there is left out.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from lxml import etree
from measure import JIAOKAN, ROOT, best, heading, ratio, row, run

RELAX = "import sys; from lxml import etree; etree.RelaxNG(etree.parse(sys.argv[1])).validate(etree.parse(sys.argv[2]))"
LXML = (sys.executable, "-c", RELAX)
XSD = ROOT / "schema" / "jiaokan.xsd"
FOUND = range(256)
"""What tools end with does not matter: they may find something, and xmlschema-validate tells by it how much."""


def enlarged(path: Path, times: int, target: Path) -> Path:
    """Write a file whose body is that of another so many times, each with ids of its own."""
    head, body, foot = re.split(r"(?<=<body>)|(?=</body>)", path.read_text(encoding="utf-8"))
    name = re.search(r'<TEI [^>]*xml:id="([^"]*)"', head)[1]  # type: ignore[index]
    own = re.compile(rf'(xml:id="|[" ]#|\(){re.escape(name)}\.|<div type="pian" n="')
    with target.open("w", encoding="utf-8") as out:
        out.write(head)
        for n in range(times):
            out.write(own.sub(lambda found, n=n: f"{found[1]}{name}.{n}9" if found[1] else f"{found[0]}{n}9", body))
        out.write(foot)
    return target


def gate(path: Path) -> tuple[float, float]:
    """Return the seconds of bare parsing, and of parsing with the schema's verdict, schema loaded."""
    schema = etree.XMLSchema(etree.parse(str(XSD)))
    data = path.read_bytes()
    bare, both = [], []
    for _ in range(7):
        start = time.process_time()
        tree = etree.fromstring(data)
        bare.append(time.process_time() - start)
        schema.validate(tree)
        both.append(time.process_time() - start)
    return min(bare), min(both)


def main() -> None:
    """Print a line for each measurement."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    files = [*(folder / "tei/editions").glob("*.xml"), *(folder / "tei/witnesses").glob("*.xml")]
    largest = max(files, key=lambda path: path.stat().st_size)
    size = largest.stat().st_size
    heading("Validation (schema, rules, sources)")
    title = f"all {len(files)} files of this project, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB"
    row(title, best(run(*JIAOKAN, "validate", *files, codes=FOUND) for _ in range(3)), "at most 3 s")
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        for megabytes, asked in ((9, "at most 12 s"), (87, "at most 2,000 MB")):
            path = enlarged(largest, max(1, round(megabytes * 1e6 / size)), work / f"{megabytes}.xml")
            used = run(*JIAOKAN, "validate", path, codes=FOUND)
            row(f"one file of {path.stat().st_size / 1e6:.1f} MB", used, asked)
        many(work)
    bare, both = gate(largest)
    ratio(f"parsing {largest.name} with the schema: times bare parsing", both / bare, 3)
    compare(largest)


def many(work: Path) -> None:
    """Ten thousand small files, no two the same, and once more, when the verdicts are kept."""
    folder = work / "many"
    folder.mkdir()
    os.environ["JIAOKAN_CACHE"] = str(work / "cache")
    sample = (ROOT / "tests/cases/tei/sample.xml").read_text(encoding="utf-8")
    for n in range(10_000):
        (folder / f"{n}.xml").write_text(sample.replace("<title>", f"<title>{n} ", 1), encoding="utf-8")
    for what in (f"10,000 files of {len(sample.encode()) / 1e3:.0f} kB", "the same again"):
        used = run(*JIAOKAN, "validate", folder, codes=FOUND)
        row(what, used, f"{used.work / used.clock:.1f} of {os.cpu_count()} processors at work")


def compare(path: Path) -> None:
    """The same file by other tools, structure only."""
    heading(f"{path.name} alone, {path.stat().st_size / 1e6:.1f} MB")
    row("jiaokan: schema, rules, sources", best(run(*JIAOKAN, "validate", path, codes=FOUND) for _ in range(3)))
    tool = Path(sys.executable).with_name("xmlschema-validate")
    if tool.exists():
        row("xmlschema-validate: our XSD", run(tool, "--schema", XSD, path, codes=FOUND))
    rng = os.environ.get("JIAOKAN_TEI_ALL", "")
    if not Path(rng).is_file():
        print("jing and lxml: set JIAOKAN_TEI_ALL to tei_all.rng")
        return
    row("lxml, RELAX NG: tei_all", run(*LXML, rng, path, codes=FOUND))
    if shutil.which("jing"):
        row("jing: tei_all", run("jing", rng, path, codes=FOUND))


if __name__ == "__main__":
    main()
