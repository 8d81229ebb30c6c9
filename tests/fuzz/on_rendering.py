"""Documents of any shape that the encoding allows, set as web pages and for print: every word of the text is there."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from jiaokan.validate import validate_bytes
from tests.fuzz import on_strangers, written
from tests.fuzz.commands import jiaokan

NAME = "rendering"


def made(chance: random.Random) -> str:
    """Damages of our files: what is still sound is set, the rest is for the other targets."""
    root = on_strangers.small(chance.choice(on_strangers.OURS), chance)
    return on_strangers.damaged(root, chance, chance.randint(0, 2))


def hold(given: str) -> None:
    """A sound file can be set in every form."""
    data = written(given)
    if any(each.severity == "error" for each in validate_bytes(data, name="given.xml")):
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.xml"
        file.write_bytes(data)
        command = on_strangers.DEAR[len(data) % len(on_strangers.DEAR)]
        arguments = [each.replace("FILE", str(file)).replace("OUT", str(Path(folder) / "made")) for each in command]
        code, _, said = jiaokan(*arguments)
        assert code != 2 or "font" in said or "U+" in said or "not a witness" in said, said
