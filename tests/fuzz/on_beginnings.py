"""Texts that nobody has described, one or several, damaged: an edition folder is made of them, read, collated, checked.

The law: refused with a message of ours; or what `init` wrote is read and collated as it stands, and `validate` finds
no error in the TEI but of characters that the text itself has.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from pathlib import Path

from tests.fuzz import written
from tests.fuzz.commands import jiaokan

NAME = "beginnings"
CASES = Path(__file__).parents[1] / "cases"
TEXTS = tuple(sorted([*CASES.glob("readers/*/in.txt"), *CASES.glob("scaffold/*/in/*"),
                      *(CASES.parents[1] / "pipeline/jiaokan/scaffold/tei/sources").glob("*.txt")]))
NAMES = (
    "a.txt", "b.txt", "甲.txt", "1.txt", "con.txt", "a b.md", "-x.txt", "KR1a0001_001.txt", "KR1a0001_002.txt", "Ａ",
)
SIGNS = (
    "\ufeff", "\u202e", "\U000f0001", "\ue14b", "〈", "〉", "（", "）", "[", "]", "【】", "<", "&", "\u3000", "\t",
    "[[", "「", "”", "疏", "注", "曰", "□", "*", "#", "==", "{{*|", "}}", "<ref>", "卷第二\n", "右第一章\n", "\u2028",
    "e\u0301", "\n\n",
)
OWN = re.compile(r"\[(?:character|bracket|header|gaiji|glyph)[a-z-]*\]")
"""Rules on what the text itself has."""


def made(chance: random.Random) -> str:
    """Names and texts of files, as JSON; those of a folder are more alike than others."""
    first = chance.choice(TEXTS)
    beside = [path for path in TEXTS if path.parent == first.parent]
    more = range(chance.choice((0, 1, 1, 2)))
    chosen = [first, *(chance.choice(chance.choice(([first], beside, TEXTS))) for _ in more)]
    names = chance.sample(NAMES, len(chosen))
    return json.dumps([(name, _damaged(path, chance)) for name, path in zip(names, chosen, strict=True)])


def _damaged(path: Path, chance: random.Random) -> str:
    lines = path.read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    for _ in range(chance.choice((0, 0, 1, 2, 5))):
        at, other = chance.randrange(len(lines) + 1), chance.randrange(len(lines) + 1)
        line = lines[at] if at < len(lines) else "\n"
        inside = chance.randrange(len(line) + 1)
        lines[at : at + 1] = chance.choice((
            [], [line, line], [line[:inside]], [line.rstrip("\n")], lines[min(at, other) : max(at, other)][:9],
            *([line[:inside] + chance.choice(SIGNS) + line[inside:]] for _ in range(3)),
        ))
    return "".join(lines)


def hold(given: str) -> None:
    """Made, read, collated, checked."""
    with tempfile.TemporaryDirectory() as place:
        folder, files = Path(place) / "made", [Path(place) / "given" / name for name, _ in json.loads(given)]
        (Path(place) / "given").mkdir()
        for path, (_, text) in zip(files, json.loads(given), strict=True):
            path.write_bytes(written(text))
        code, _, said = jiaokan("init", folder, *(part for path in files for part in ("--from", path)))
        if code == 2:
            assert any(path.name in said for path in files) or "→" in said, said
            return
        for source in sorted((folder / "tei/sources").iterdir()):
            target = folder / f"tei/witnesses/{source.stem}.xml"
            code, _, told = jiaokan("convert", source.stem, "-C", folder, "-o", target)
            assert code in (0, 1), f"{said}\n{told}"
        for plan in sorted((folder / "tei/editions").glob("*.toml")):
            if 'kind = "critical"' in plan.read_text(encoding="utf-8"):
                code, _, told = jiaokan("collate", plan.stem, "-C", folder, "-o", plan.with_suffix(".xml"))
                assert code in (0, 1), f"{said}\n{told}"
        _, found, _ = jiaokan("validate", folder / "tei", "--fail-on", "error")
        errors = [line for line in found.splitlines() if ": error [" in line and not OWN.search(line)]
        assert not errors, errors
