"""Bags of a folder in which somebody put files of any name, links, and any words for what is published.

The law: refused with a message of ours, or each file of the bag has the sum that its manifest says, each is told, and
none is from outside of the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import tempfile
import zipfile
from functools import cache
from pathlib import Path

from tests.fuzz import text
from tests.fuzz.commands import jiaokan
from tests.fuzz.on_decisions import built
from tests.fuzz.on_desk import SECRET

NAME = "bundles"
NAMES = ("a\nb", "a\rb", "a%0Ab", "100%", "a b", "con", "..x", "甲", "e\u0301", "\u00e9", "\udcff", "\u202ex", "a\\b",
         "x" * 200, "  ", "-rf", "a'b\"c", "data", "manifest-sha256.txt", "z.", "\x1b[31m")
KEYS = ("authority", "doi", "idno", "keywords", "licence", "title", "place")
LINKS = ("", "", "secret", "/etc/passwd", "loop", "nowhere", "catalog.toml", "..", "/dev/zero")


@cache
def folder() -> Path:
    """A folder with the TEI of its witnesses and of its edition, and a secret beside it."""
    root = Path(shutil.copytree(built(), Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"))
    (root.parent / "secret").write_text(SECRET, encoding="utf-8")
    for plan in (root / "tei/editions").glob("jizhu*"):
        plan.unlink()
    assert jiaokan("collate", "lunyu", "-C", root, "-o", root / "tei/editions/lunyu.xml")[0] == 0
    return root


def made(chance: random.Random) -> str:
    """As JSON: files with what they are, words of the catalog, whether as a zip."""
    files = [(chance.choice(("decisions", "conventions", "lists", "front")), chance.choice((*NAMES, text(chance))),
              chance.choice((".toml", ".txt", "")), chance.choice(LINKS)) for _ in range(chance.randint(0, 3))]
    said = {chance.choice(KEYS): text(chance, 9) for _ in range(chance.choice((0, 0, 0, 0, 0, 1)))}
    return json.dumps([files, said, chance.random() < 0.5])


def hold(given: str) -> None:
    """Made, and held against its manifest; or refused."""
    files, said, packed = json.loads(given)
    root = folder()
    catalog = root / "tei/catalog.toml"
    before = catalog.read_text(encoding="utf-8")
    put = [path for each in files if (path := _put(root / "tei", *each))]
    rows = "".join(f"{key} = {json.dumps(words, ensure_ascii=False)}\n" for key, words in said.items())
    catalog.write_text(f"{before}\n[publication]\n{rows}" if said else before, encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as place:
            target = Path(place) / ("b.zip" if packed else "b")
            code, _, told = jiaokan("bundle", "lunyu", "-C", root, "-o", target)
            assert code == 0 or "→" in told, told
            if code == 0:
                _held(target if not packed else _unpacked(target, Path(place) / "open"))
    finally:
        catalog.write_text(before, encoding="utf-8")
        for path in put:
            path.unlink()


def _put(home: Path, where: str, name: str, ending: str, link: str) -> Path | None:
    """Put a file, or a link, into the folder, if the system has such names and none is there."""
    path = home / where / f"{name}{ending}"
    try:
        if "/" in name or os.path.lexists(path):
            return None
        path.parent.mkdir(exist_ok=True)
        if not link:
            path.write_text("# 甲\n", encoding="utf-8")
        else:
            path.symlink_to({"secret": home.parents[1] / "secret", "loop": path}.get(link, link))
    except (OSError, ValueError):
        return None
    return path


def _unpacked(archive: Path, target: Path) -> Path:
    with zipfile.ZipFile(archive) as file:
        assert not any(name.startswith("/") or ".." in Path(name).parts for name in file.namelist())
        for each in file.infolist():
            path = target / each.filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.read(each))
    return target / archive.stem


def _held(bag: Path) -> None:
    """RFC 8493: every file of the payload is in the manifest with its sum."""
    rows = (bag / "manifest-sha256.txt").read_bytes().decode().split("\n")[:-1]
    told = {re.sub("%(0A|0D|25)", lambda m: chr(int(m[1], 16)), row[66:]): row[:64] for row in rows}
    there = {path.relative_to(bag).as_posix(): path for path in (bag / "data").rglob("*") if not path.is_dir()}
    assert told.keys() == there.keys()
    for name, path in there.items():
        assert not path.is_symlink()
        data = path.read_bytes()
        assert hashlib.sha256(data).hexdigest() == told[name]
        assert SECRET.encode() not in data and b"root:" not in data, name


