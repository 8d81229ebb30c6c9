"""Time validation as whole processes, beside jing, lxml's RELAX NG and xmlschema-validate, in one run.

`python benchmarks/validate.py [FOLDER]`: FOLDER is an edition folder with its TEI (default: this repository). For the
comparison JIAOKAN_TEI_ALL names tei_all.rng; what is not there is left out.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lxml import etree

ROOT = Path(__file__).parents[1]
JIAOKAN = (sys.executable, "-c", "from pipeline.cli import main; main()")
RELAX = "import sys; from lxml import etree; etree.RelaxNG(etree.parse(sys.argv[1])).validate(etree.parse(sys.argv[2]))"
LXML = (sys.executable, "-c", RELAX)
XSD = ROOT / "schema" / "jiaokan.xsd"


def timed(*command: object, repeats: int = 3) -> float:
    """Give the median seconds of a command; what it finds does not matter."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


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
    """Give the seconds of bare parsing, and of parsing with the schema's verdict, schema loaded."""
    schema = etree.XMLSchema(etree.parse(str(XSD)))
    data = path.read_bytes()
    bare, both = [], []
    for _ in range(7):
        start = time.perf_counter()
        tree = etree.fromstring(data)
        bare.append(time.perf_counter() - start)
        schema.validate(tree)
        both.append(time.perf_counter() - start)
    return statistics.median(bare), statistics.median(both)


def main() -> None:
    """Print a line for each measurement."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    files = [*(folder / "tei/editions").glob("*.xml"), *(folder / "tei/witnesses").glob("*.xml")]
    largest = max(files, key=lambda path: path.stat().st_size)
    print(f"{os.cpu_count()} cores, {len(files)} files, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB")
    print(f"all texts, schema, rules and sources   {timed(*JIAOKAN, 'validate', *files):7.2f} s")
    bare, both = gate(largest)
    print(f"structural gate on {largest.name:20}{both:7.3f} s, {both / bare:.1f} x bare parsing")
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        size = largest.stat().st_size
        for megabytes in (9, 87):
            path = enlarged(largest, max(1, round(megabytes * 1e6 / size)), work / f"{megabytes}.xml")
            before = timed(*JIAOKAN, "validate", path, repeats=1)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(f"one file of {path.stat().st_size / 1e6:5.1f} MB                  {before:7.2f} s, {peak:.0f} MB")
        many = work / "many"
        many.mkdir()
        sample = ROOT / "tests/cases/tei/sample.xml"
        for n in range(10_000):
            shutil.copy(sample, many / f"{n}.xml")
        seconds = timed(*JIAOKAN, "validate", many, repeats=1)
        print(f"10,000 files of {sample.stat().st_size / 1e3:.0f} kB                  {seconds:7.2f} s")
    compare(largest)


def compare(path: Path) -> None:
    """The same file by other tools, structure only."""
    print(f"{path.name}: jiaokan, schema and rules           {timed(*JIAOKAN, 'validate', path):7.2f} s")
    rng = Path(os.environ.get("JIAOKAN_TEI_ALL") or ROOT.parent / "shared/tei/tei_all.rng")
    if rng.exists():
        if shutil.which("jing"):
            print(f"{path.name}: jing, tei_all                       {timed('jing', rng, path):7.2f} s")
        print(f"{path.name}: lxml, tei_all                       {timed(*LXML, rng, path):7.2f} s")
    tool = Path(sys.executable).with_name("xmlschema-validate")
    if tool.exists():
        print(f"{path.name}: xmlschema-validate, our XSD         {timed(tool, '--schema', XSD, path):7.2f} s")


if __name__ == "__main__":
    main()
