"""Make the page that collates in a browser: Pyodide, the program's own modules, tables (`make docs`).

The page is static. The first visit loads all of it, at most `MOST` bytes; a service worker keeps it for later visits
without a network. Pyodide comes from npm and msgspec from PyPI, both by hash (`.ci/browser`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MOST = 12_000_000
_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide-lock.json", "python_stdlib.zip")
_SUFFIXES = (".py", ".po", ".tsv", ".txt", ".toml")
_LEFT_OUT = ("outputs/", "desk/", "relaxng/", "columns/", "build/", "scaffold/", "validate/", "data/", "structure/")
"""Folders of the program that no collation of plain text imports; `tests/test_browser.py` finds one that it does."""
_PROPERTY = re.compile(r"\\p\{(\w+)\}")


def make(out: Path, packages: Path, wheel: Path) -> int:
    """Write the page into a folder; return its size in bytes. Raises ValueError if it is larger than `MOST`.

    `packages` is Pyodide's folder of npm, `wheel` msgspec's wheel for it.
    """
    out.mkdir(parents=True, exist_ok=True)
    for name in _PYODIDE:
        shutil.copy(packages / name, out / name)
    (out / "pyodide.asm.wasm.gz").write_bytes(gzip.compress((packages / "pyodide.asm.wasm").read_bytes(), 9, mtime=0))
    for name in ("page.js", "worker.js", "page.css"):
        shutil.copy(HERE / name, out / name)
    pack(out / "program.zip", wheel)
    words = json.loads((HERE / "words.json").read_text(encoding="utf-8"))
    page = (HERE / "page.html").read_text(encoding="utf-8")
    for language, table in words.items():
        filled = re.sub(r"\{\{(\w+)\}\}", lambda match, table=table: table[match[1]], page)
        (out / f"{language}.html").write_text(filled, encoding="utf-8")
    files = sorted(path.name for path in out.iterdir())
    version = hashlib.sha256(b"".join((out / name).read_bytes() for name in files)).hexdigest()[:16]
    worker = (HERE / "offline.js").read_text(encoding="utf-8")
    (out / "offline.js").write_text(f"const VERSION = {version!r}, FILES = {files!r};\n{worker}", encoding="utf-8")
    size = sum(path.stat().st_size for path in out.iterdir())
    if size > MOST:
        raise ValueError(f"the page in the browser has {size:,} bytes, more than {MOST:,}")
    return size


def fetch() -> tuple[Path, Path] | None:
    """Fetch Pyodide from npm and msgspec's wheel for it from PyPI, both by hash; None without npm."""
    if not (npm := shutil.which("npm")):
        return None
    locked, wheels = ROOT / ".ci" / "browser", ROOT / "build" / "browser"
    subprocess.run([npm, "ci", "--prefix", locked, "--silent", "--no-audit", "--no-fund", "--ignore-scripts"],
                   check=True, stdin=subprocess.DEVNULL)
    subprocess.run([
        sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--dest", wheels,
        "--no-deps", "--only-binary", ":all:", "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14",
        "--abi", "cp314", "--require-hashes", "--requirement", ROOT / ".ci" / "requirements-browser.txt"], check=True)
    return locked / "node_modules" / "pyodide", next(wheels.glob("msgspec-*.whl"))


def pack(archive: Path, wheel: Path | None = None) -> None:
    """Write the modules and tables of the page as a zip; without a wheel, those that CPython does not have."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, data in _files():
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        if wheel:
            with zipfile.ZipFile(wheel) as built:
                for name in built.namelist():
                    out.writestr(zipfile.ZipInfo(name), built.read(name), zipfile.ZIP_DEFLATED)


def _files() -> Iterator[tuple[str, bytes]]:
    program = ROOT / "pipeline" / "jiaokan"
    for path in sorted(program.rglob("*")):
        name = path.relative_to(program).as_posix()
        if path.suffix in _SUFFIXES and not name.startswith(_LEFT_OUT):
            yield f"jiaokan/{name}", path.read_bytes()
    for path in sorted((ROOT / "xslt" / "layouts").glob("*/layout.toml")):  # names of layouts, which settings check
        yield f"jiaokan/data/{path.relative_to(ROOT).as_posix()}", path.read_bytes()
    for path in sorted((HERE / "site").glob("*.py")):
        yield path.name, path.read_bytes()
    yield "properties.json", json.dumps(_properties()).encode()
    with tempfile.TemporaryDirectory() as scratch:
        yield from _opencc(Path(scratch))
    for package, pattern in (("rapidfuzz", "**/*.py"), ("yitizi", "*.py"), ("yitizi", "*.json")):
        home = _home(package)
        for path in sorted(home.glob(pattern)):
            yield f"{package}/{path.relative_to(home).as_posix()}", path.read_bytes()


def _home(package: str) -> Path:
    spec = find_spec(package)
    assert spec and spec.origin, package
    return Path(spec.origin).parent


def _properties() -> dict[str, dict[str, list[tuple[int, int]]]]:
    """Return the characters of each property that a pattern of the program names, and of each kind of break."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "pipeline" / "jiaokan").rglob("*.py")]
    names = {"Extended_Pictographic", *(name for source in sources for name in _PROPERTY.findall(source))}
    everything = "".join(map(chr, range(0x110000)))
    tables = {"words": ("WB", _WORD_KINDS), "clusters": ("GCB", _CLUSTER_KINDS),
              "conjuncts": ("InCB", "Consonant Linker Extend")}
    return {
        "sets": {name: _ranges(name, everything) for name in sorted(names)},
        **{table: {kind: _ranges(f"{name}={kind}", everything) for kind in kinds.split()}
           for table, (name, kinds) in tables.items()},
    }


_WORD_KINDS = """CR LF Newline Extend ZWJ Regional_Indicator Format Katakana Hebrew_Letter ALetter Single_Quote
Double_Quote MidNumLet MidLetter MidNum Numeric ExtendNumLet WSegSpace"""
_CLUSTER_KINDS = "CR LF Control Extend ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT"


def _ranges(name: str, everything: str) -> list[tuple[int, int]]:
    import regex

    return [(match.start(), match.end() - 1) for match in regex.finditer(rf"\p{{{name}}}+", everything)]


def _opencc(scratch: Path) -> Iterator[tuple[str, bytes]]:
    """Yield OpenCC's settings of the two conversions that the program uses, and their dictionaries as text."""
    home = _home("opencc") / "clib"
    names: set[str] = set()
    for conversion in ("s2t", "t2s"):
        settings = (home / "share" / "opencc" / f"{conversion}.json").read_bytes()
        names |= set(re.findall(r"(\w+)\.ocd2", settings.decode()))
        yield f"opencc_tables/{conversion}.json", settings
    for name in sorted(names):
        source, target = home / "share" / "opencc" / f"{name}.ocd2", scratch / f"{name}.txt"
        subprocess.run([home / "bin" / "opencc_dict", "-f", "ocd2", "-t", "text", "-i", source, "-o", target],
                       check=True, capture_output=True)
        yield f"opencc_tables/{name}.txt", target.read_bytes()
