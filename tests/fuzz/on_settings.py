"""Any value for any key of a folder's TOML: a documented exit code, and a refusal that names the file."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.fuzz import text
from tests.test_settings_fuzz import SCAFFOLD, TABLES, VALUES, changed, held

NAME = "settings"
NAMES = tuple(str(path.relative_to(SCAFFOLD)) for path in TABLES)
HOW = ("value", "value", "value", "double", "gone", "key")


@cache
def folder() -> Path:
    """The worked example."""
    return Path(shutil.copytree(SCAFFOLD, Path(tempfile.mkdtemp(prefix="jiaokan-fuzz-")) / "demo"))


def made(chance: random.Random) -> str:
    """One to three changes of one table: as JSON, its name, and key, value and kind of each change."""
    changes = [(chance.randrange(61), chance.choice((chance.choice(VALUES), text(chance), json.dumps(text(chance)))),
                chance.choice(HOW)) for _ in range(chance.randint(1, 3))]
    return json.dumps([chance.choice(NAMES), changes])


def hold(given: str) -> None:
    """The law of `tests.test_settings_fuzz`, with one of its commands."""
    name, changes = json.loads(given)
    path = folder() / name
    before = path.read_bytes()
    said = before.decode()
    for key, value, where in changes:
        try:
            said = changed(said, key, value, where)
        except ZeroDivisionError:  # no key is left
            break
    path.write_bytes(said.encode("utf-8", "surrogatepass"))
    try:
        held(folder(), path.name, only=len(said) % 2)
    finally:
        path.write_bytes(before)
