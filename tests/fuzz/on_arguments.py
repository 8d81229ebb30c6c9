"""Any command with any arguments: files of every kind and of none, names of texts, values that are something else.

The law: a documented exit code and a message of ours; what was refused has changed nothing, and left nothing behind.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from jiaokan.cli import cli
from tests.fuzz import text
from tests.fuzz.commands import jiaokan

NAME = "arguments"
LEFT_OUT = {"desk", "build"}
"""Commands that wait for somebody, or start processes of their own."""
FILES = (
    ".", "..", "tei", "build", "nothing", "nothing/at/all.xml", "empty", "empty.xml", "junk.xml", "junk.docx", "loop",
    "gone", "/dev/null", "/proc/self/mem", "name of 甲.xml", "-", "--", "~", "", "\x1b[31m", "a\nb", "x" * 300,
    "tei/catalog.toml", "tei/persons.toml", "tei/sources/jizhu.txt", "tei/sources", "tei/editions/lunyu.toml",
    "tei/editions/lunyu.xml", "tei/witnesses/jizhu.xml", "tei/witnesses", "tei/decisions", "schema/jiaokan.sch",
    "schema/jiaokan.xsd", "schema/jiaokan.odd", "schema/tei_all.rng.xz", "build/quotations.tsv", "bare.xml",
    "plain.txt", "new", "new.xml", "new/one.xml", "new.pdf",
)
"""Names of files in the folder that is made for each input, or of what is not there."""
WORDS = (
    "lunyu", "jizhu", "yishu", "jijie", "schema", "1", "1.1", "1.1.1", "1.1.1.n1", "99.99", "1-2", "0", "-1", "1.5",
    "nan", "zhuxi", "xml", "tei", "a4", "210mm", "210mm x 297mm", "2G", "1K", "HEAD", "HEAD~1", "--help", "2026-11-23",
    "10.5072/x", "punctuation", "chinese", "(a+)+$", "[",
)


def made(chance: random.Random) -> str:
    """A command and its arguments, as JSON."""
    names = [name for name in cli.list_commands(click.Context(cli)) if name not in LEFT_OUT]
    name = chance.choice(names)
    command = cli.get_command(click.Context(cli), name)
    given = [name]
    for parameter in command.params if command else ():
        if isinstance(parameter, click.Argument):
            most = 3 if parameter.nargs < 0 else 1
            given += [_value(parameter, chance) for _ in range(most) if chance.random() < 0.8]
        elif chance.random() < 0.25 and parameter.name != "sandbox":  # which would confine this process too
            given.append(chance.choice([*parameter.opts, *parameter.secondary_opts]))
            if not getattr(parameter, "is_flag", False) or chance.random() < 0.02:
                given.append(_value(parameter, chance))
    return json.dumps(given)


def _value(parameter: click.Parameter, chance: random.Random) -> str:
    kind = chance.random()
    if parameter.name == "out" and kind < 0.05:
        return "/dev/full"
    if isinstance(parameter.type, click.Choice) and kind < 0.8:
        return str(chance.choice(list(parameter.type.choices)))
    if isinstance(parameter.type, click.Path) and kind < 0.8:
        return chance.choice(FILES)
    if kind < 0.1:
        return text(chance).replace("\0", "")  # no system passes it on
    return chance.choice(FILES if kind < 0.4 else WORDS)


def hold(given: str) -> None:
    """Run it in a folder of its own."""
    arguments = json.loads(given)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(shutil.copytree(_folder(), Path(place) / "demo", symlinks=True))
        before = dict(_tree(Path(place)))
        os.chdir(folder)
        try:
            code, _, said = jiaokan(*arguments, typed="")
        finally:
            os.chdir(here)
        after = dict(_tree(Path(place)))
        changed = sorted(n for n in before.keys() | after.keys() if before.get(n, "") != after.get(n, ""))
        may = arguments[0] == "html"  # a text that could not be read leaves those before it
        assert code != 2 or may or not changed, f"{arguments}: refused, and changed {changed}\n{said}"


def _tree(folder: Path) -> Iterator[tuple[str, bytes | None]]:
    for path in folder.rglob("*"):
        ordinary = path.is_file() and not path.is_symlink()
        yield str(path.relative_to(folder)), path.read_bytes() if ordinary else None


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"
    assert jiaokan("init", folder)[0] == 0
    assert jiaokan("build", folder, "-j", "1")[0] == 0
    shutil.rmtree(folder / "build/html/assets", ignore_errors=True)
    tei = (folder / "tei/editions/lunyu.xml").read_text(encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "empty.xml").touch()
    (folder / "junk.xml").write_bytes(bytes(range(256)))
    (folder / "junk.docx").write_bytes(b"PK\x03\x04" + bytes(range(256)))
    (folder / "name of 甲.xml").write_text(tei, encoding="utf-8")
    (folder / "bare.xml").write_text("<TEI xmlns='http://www.tei-c.org/ns/1.0'/>", encoding="utf-8")
    (folder / "plain.txt").write_text("學而時習之（說文云）不亦說乎\n", encoding="utf-8")
    (folder / "loop").symlink_to("loop")
    (folder / "gone").symlink_to("nowhere")
    return folder
