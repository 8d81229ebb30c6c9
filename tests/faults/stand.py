"""The small folder that is built again and again: built once, then changed so that a build has all to do; what its
files were and will be; and what must hold of them whenever a build was stopped."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from tests.faults import Shim

Files = dict[str, bytes]
_APART = multiprocessing.get_context("forkserver")
"""Copies of a process that has loaded the program and done nothing. A copy of one that has set a PDF waits for ever for
the threads that Typst had there."""
DEMO = Path(__file__).parents[2] / "pipeline" / "jiaokan" / "scaffold"
SCHEMA = Path(__file__).parents[2] / "schema"
_KEPT = "build/.cache/kept"
"""What a person's own cache has: verdicts, hashes of files, settings; different from folder to folder."""
RECORDS = "build/.cache/build.json"
_OURS = re.compile(r"^(?:build|tei/witnesses|tei/editions/[\w-]+\.xml)")
_OFFERED = re.compile(rb'<a href="\.\./files/[^"]+\.pdf">[^<]*</a>')
"""How a page offers a PDF: one that could not be made is not offered."""
_LISTING = re.compile(r"build/html/(?:manifest\.jsonld|[\w-]+/first-[\w-]+\.(?:woff|css))")
"""Lists the files of the site, or has the characters of its first screens: without a PDF that could not be made."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    """Its exit code; negative: the signal that ended the process."""
    said: str
    """What it wrote to both streams."""
    points: tuple[str, ...] = ()
    """What it asked of the system, if a shim counted."""


@dataclass(frozen=True)
class Stand:
    """A folder in two states: as it was built before, and as it will be when what was changed has been built."""

    folder: Path
    """Built before, then changed; trials work on copies of it."""
    before: Files
    after: Files
    mended: set[str] = field(default_factory=set)
    """States of the folder from which a build has made what it should: it need not be asked from them again."""

    def copy(self, target: Path) -> Path:
        """Return a copy of it to be built."""
        return Path(shutil.copytree(self.folder, target))

    def torn(self, trial: Path, ended: Ended) -> list[str]:
        """Return what is not whole after a build that failed: a file neither of before nor of after, a site of two."""
        now, faults = files(trial), []
        gone = ended.code == 1  # a PDF that could not be made, and what offers it
        for name, data in now.items():
            if ".part" in name or (gone and _LISTING.fullmatch(name)):
                continue  # what was not finished is told by `faults_of`
            if not any(_same(data, state.get(name), gone) for state in (self.before, self.after)):
                faults.append(f"{name} is neither the old nor the new one")
        for name in {*self.before, *self.after} - {*now}:
            if not (name not in self.before or name not in self.after or (gone and name.endswith(".pdf"))):
                faults.append(f"{name} is gone")
        site = {name: data for name, data in now.items() if name.startswith("build/html/")
                and not name.endswith(".pdf") and not (gone and _LISTING.fullmatch(name))}
        if not any(all(_same(data, state.get(name), gone) for name, data in site.items())
                   for state in (self.before, self.after)) and not any("is neither" in each for each in faults):
            faults.append("the site is of two states")
        return faults

    def healed(self, trial: Path) -> list[str]:
        """Return what a build after that left otherwise than one that nothing disturbed."""
        now = files(trial)
        return sorted(name for name in {*now, *self.after} if now.get(name) != self.after.get(name))


def make(folder: Path) -> Stand:
    """Make the small folder: a critical edition of three witnesses, its site and its PDF."""
    shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(SCHEMA, folder / "schema")
    (folder / "tei/editions/jizhu.toml").unlink()
    _built(folder)
    before = files(folder)
    for name, old, new in (("tei/catalog.toml", 'date = "', 'url = "https://example.org/"\ndate = "'),
                           ("tei/editions/lunyu.toml", 'title = "', 'title = "新')):
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} has no {old}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with tempfile.TemporaryDirectory() as other:
        _built(Path(shutil.copytree(folder, Path(other) / "demo")))
        after = files(Path(other) / "demo")
    return Stand(folder, before, after)


def _built(folder: Path) -> None:
    ended = build(folder)
    assert ended.code == 0, ended.said


def files(folder: Path) -> Files:
    """Return what a build makes in a folder, by name; of its records only that they can be read."""
    made = _read(folder)
    if RECORDS in made:
        json.loads(made.pop(RECORDS))
    return {name: data for name, data in made.items() if not name.startswith(_KEPT)}


def _read(folder: Path) -> Files:
    """Read what a build made; again, if what outlived the killed process put a file in its place meanwhile."""
    while True:
        with suppress(FileNotFoundError):
            found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
            return {name: path.read_bytes() for name, path in found.items()
                    if _OURS.match(name) and path.name != ".lock"}


def _same(data: bytes, other: bytes | None, gone: bool) -> bool:
    if other is None or data == other:
        return other is not None
    return gone and _OFFERED.sub(b"", data) == _OFFERED.sub(b"", other)


def build(folder: Path, shim: Shim | None = None, *options: str, temporary: Path | None = None) -> Ended:
    """Build a folder in a process of its own, which a shim may stand before; its modules are loaded already."""
    _APART.set_forkserver_preload(["tests.faults.stand", "jiaokan.cli.build", "jiaokan.build.work"])
    reader, writer = _APART.Pipe(duplex=False)
    child = _APART.Process(target=_child, args=(writer, folder, shim, options, temporary))
    child.start()
    writer.close()
    try:
        told = json.loads(reader.recv_bytes())
    except EOFError:  # it was killed
        told = {}
    child.join()
    return Ended(child.exitcode or 0, told.get("said", ""), tuple(told.get("points", ())))


def _child(
    writer: Connection, folder: Path, shim: Shim | None, options: tuple[str, ...], temporary: Path | None
) -> None:
    code, said = here(folder, shim, *options, temporary=temporary)
    writer.send_bytes(json.dumps({"said": said, "points": shim.points if shim else []}).encode())
    os._exit(code)


def here(folder: Path, shim: Shim | None, *options: str, temporary: Path | None = None) -> tuple[int, str]:
    """In a process that does nothing else: run the command as `jiaokan` does; gives its exit code and what it said."""
    from jiaokan.cli import main

    if temporary:
        tempfile.tempdir = os.environ["TMPDIR"] = str(temporary)
    os.environ["JIAOKAN_CACHE"] = str(folder / _KEPT)
    sys.argv = ["jiaokan", "build", str(folder), *(options or ("--jobs", "1"))]
    said = os.memfd_create("said") if hasattr(os, "memfd_create") else os.open(folder / ".said", os.O_RDWR | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(said, stream)
    sys.stdout, sys.stderr = (open(stream, "w", encoding="utf-8", closefd=False) for stream in (1, 2))  # noqa: SIM115
    code = 0
    try:
        if shim:
            shim.main = os.getpid()
            shim.install()
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException as error:  # nothing but SystemExit leaves the command line
        code = 70
        print(f"not caught: {error!r}", file=sys.stderr)
    sys.setprofile(None)
    sys.stdout.flush()
    sys.stderr.flush()
    return code, os.pread(said, os.lseek(said, 0, os.SEEK_END), 0).decode(errors="replace")
