"""Published editions of strangers, damaged, taken over: a folder made of each, its witnesses collated anew, what its
editor chose as decisions.

The law: refused with a message of ours; or the folder's witnesses can be read and collated with those decisions, and
taking the edition over once more adds nothing.
"""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

from tests.fuzz import on_strangers, written
from tests.fuzz.commands import jiaokan
from tests.fuzz.on_apparatus import WITH

NAME = "adoption"
EDITION = (on_strangers.CASES / "adopt/edition.xml").read_bytes()


def made(chance: random.Random) -> str:
    """The case that shows what an editor may choose, or another file with entries, with few damages."""
    if chance.random() < 0.5:
        root = on_strangers.etree.fromstring(EDITION)
    else:
        root = on_strangers.small(chance.choice(WITH), chance)
    return on_strangers.damaged(root, chance, chance.choice((0, 1, 1, 2, 3)))


def hold(given: str) -> None:
    """Made, read, collated, taken over again."""
    with tempfile.TemporaryDirectory() as place:
        file, folder = Path(place) / "given.xml", Path(place) / "made"
        file.write_bytes(written(given))
        code, _, said = jiaokan("init", folder, "--from", file)
        if code == 2:
            assert "given.xml" in said or "→" in said, said
            return
        plans = sorted((folder / "tei/editions").glob("*.toml"))
        for source in re.findall(r'(?m)^\[\[source\]\]\nid = "(.*)"', (folder / "tei/catalog.toml").read_text("utf-8")):
            code, _, told = jiaokan("convert", source, "-C", folder, "-o", folder / f"tei/witnesses/{source}.xml")
            assert code in (0, 1), f"{said}\n{told}"
        for plan in plans:
            if 'kind = "critical"' in plan.read_text(encoding="utf-8"):
                code, _, told = jiaokan("collate", plan.stem, "-C", folder, "-o", folder / "made.xml")
                assert code in (0, 1), f"{said}\n{told}"
                before = _decided(folder)
                code, _, told = jiaokan("adopt", plan.stem, "-C", folder)
                assert code in (0, 1) or "already" in told, told
                assert _decided(folder) == before


def _decided(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "tei/decisions").rglob("*") if path.is_file()}
