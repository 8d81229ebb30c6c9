"""Generated witnesses for measurements: the same on every machine."""

from __future__ import annotations

import random
from pathlib import Path

SEED = 20261120
FORMULAE = (
    "再拜稽首", "公答再拜", "宾升自西阶", "主人降", "坐取觚洗", "宾降", "主人辞降", "宾对", "卒洗揖升", "坐奠爵于篚",
    "兴辞", "升酌膳", "执幂如初", "公坐取大夫所媵觯兴",
)


KINDS = {
    "prose": "2 % of changes", "formulaic": "fourteen phrases, 2 %", "repeated": "two phrases over and over, 2 %",
    "noisy": "prose, 50 %", "unlike": "nothing in common",
    "rotated": "each begins elsewhere and ends where it began, 2 %",
}


def texts(source: Path, kind: str, length: int, witnesses: int) -> list[str]:
    """Make witnesses of a kind: snippets of a source in any order, or phrases only, and copies with changes."""
    chance = random.Random(SEED)
    source_text = source.read_text(encoding="utf-8")
    graphs = "".join(c for c in source_text if "\u4e00" <= c <= "\u9fff")
    if kind == "unlike":
        letters = [chr(0x4E00 + n) for n in range(20_000)]
        own = [letters[n::witnesses] for n in range(witnesses)]
        return ["".join(chance.choices(own[n], k=length)) for n in range(witnesses)]
    phrases = {"formulaic": FORMULAE, "repeated": FORMULAE[:2]}.get(kind, ())
    parts: list[str] = []
    size = 0
    while size < length:
        at = chance.randrange(len(graphs) - 12)
        part = chance.choice(phrases) if phrases else graphs[at:at + chance.randint(2, 12)]
        parts.append(part)
        size += len(part)
    text = "".join(parts)[:length]
    rate = 0.5 if kind == "noisy" else 0.02
    copies = [_copied(text, graphs, rate, chance) for _ in range(witnesses - 1)]
    if kind == "rotated":
        turns = [len(copy) * n // witnesses for n, copy in enumerate(copies, 1)]
        copies = [copy[at:] + copy[:at] for copy, at in zip(copies, turns, strict=True)]
    return [text, *copies]


def _copied(text: str, graphs: str, rate: float, chance: random.Random) -> str:
    out: list[str] = []
    for graph in text:
        kind = chance.random() / rate
        if kind >= 1:
            out.append(graph)
        elif kind < 0.5:
            out.append(chance.choice(graphs))
        elif kind < 0.75:
            out += [graph, chance.choice(graphs)]
    return "".join(out)
