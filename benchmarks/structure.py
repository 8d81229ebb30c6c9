"""Fit the weights of `jiaokan/structure/weights.tsv` on annotated raw texts, and print how many are explained rightly.

    python benchmarks/structure.py FOLDER [--write] TEXT…

FOLDER holds texts as folders with ``input/`` and ``gold.toml`` ([[chapter]] with ``start``, its first words). Named
texts are those to fit on, the design half; without names all. The other half is only scored: divide texts alternately
by name, forms of one text together, and keep the division. The weights of today were fitted on 15 texts of such a half,
the cases of ``tests/cases/scaffold``, and four Kanripo texts of which the numbers of chapters were removed.

The model is a conditional logit: of the explanations of a text, the right ones together should have the greatest
probability. Weights are drawn to their prior, and keep its sign: a text must not be better for having sentences as
titles.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from math import exp
from pathlib import Path

from jiaokan.scaffold.survey import group_files, survey
from jiaokan.structure import weights
from jiaokan.structure.heads import Heads
from jiaokan.structure.rows import Row
from jiaokan.structure.weigh import MeasuredRows, measure

TABLE = Path(weights.__file__).with_name("weights.tsv")
PULL, STEPS, RATE, NEAR, LEAST = 0.15, 600, 0.1, 400, 0.1
LAYERS = "lines apart"
"""Rows that weigh lines apart: a logistic model of 14 texts, six with a commentary in such lines; fitted likewise."""
Choice = tuple[dict[str, float], bool]


def choices(folder: Path) -> list[Choice]:
    """Return the features of each explanation of a text, and whether it is right."""
    gold = tomllib.loads((folder / "gold.toml").read_text(encoding="utf-8"))
    files = [folder / "input" / name for name in gold["from"] if not name.endswith((".bundle", ".xml"))]
    found: list[Choice] = []
    for group in group_files(files):
        text = survey(*group)
        page = MeasuredRows.of(text.rows)
        found += [(measure(explanation.heads, page), is_right(explanation.heads, text.rows, gold))
                  for explanation in text.explanations]
    return found


def is_right(heads: Heads, rows: Sequence[Row], gold: dict[str, object]) -> bool:
    """Whether each annotated chapter of one level begins shortly below a head, and nothing else has one."""
    chapters = gold["chapter"]
    assert isinstance(chapters, list)
    words = [re.sub(r"\W", "", row.text) for row in rows]
    text, starts = "".join(words), [sum(map(len, words[:head.row])) for head in heads.heads]
    for level in {chapter.get("level", 1) for chapter in chapters}:
        places = [text.find(chapter["start"]) for chapter in chapters if chapter.get("level", 1) == level]
        hits = {max((n for n, start in enumerate(starts) if place - NEAR <= start <= place), default=-1)
                for place in places if place >= 0} - {-1}
        if len(hits) >= 0.95 * max(len(places), len(starts)):
            return True
    return False


def fit(texts: Sequence[Sequence[Choice]], prior: dict[str, float]) -> dict[str, float]:
    """Return the weights by gradient ascent."""
    fitted = dict(prior)
    known = [text for text in texts if any(right for _, right in text)]
    for _ in range(STEPS):
        slope = {name: PULL * (prior[name] - fitted[name]) for name in fitted}
        for text in known:
            sizes = [exp(sum(fitted.get(name, 0) * value for name, value in row.items())) for row, _ in text]
            rights = sum(size for size, (_, right) in zip(sizes, text, strict=True) if right)
            for size, (row, right) in zip(sizes, text, strict=True):
                for name, value in row.items():
                    slope[name] = slope.get(name, 0) + ((size / rights if right else 0) - size / sum(sizes)) * value
        for name in fitted:
            moved = fitted[name] + RATE * slope[name] / max(1, len(known) / 10)
            sign = 1 if prior[name] > 0 else -1
            fitted[name] = moved if name.startswith("kind") or moved * sign > LEAST else LEAST * sign
    return fitted


def main(arguments: Sequence[str]) -> None:
    folder, names = Path(arguments[0]), [name for name in arguments[1:] if name != "--write"]
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    prior = {name: float(value) for name, _, value in rows[1:] if not name.startswith(LAYERS)}
    texts = {path.parent.name: choices(path.parent) for path in sorted(folder.glob("*/gold.toml"))}
    fitted = fit([texts[name] for name in names or texts], prior)
    for label, table in (("prior", prior), ("fitted", fitted)):
        best = {name: max(text, key=lambda row: sum(table.get(key, 0) * value for key, value in row[0].items()))
                for name, text in texts.items() if text}
        others = [name for name in texts if name not in names]
        for half, members in (("fitted on", names or [*texts]), ("others", others if names else [])):
            rights = [best[name][1] for name in members if name in best]
            print(f"{label}: {half}: {sum(rights)} of {len(rights)} right")
    if "--write" in arguments:
        lines = ["\t".join(rows[0]), *(f"{name}\t{fitted[name]:.2f}\t{prior[name]}" for name in prior),
                 *("\t".join(row) for row in rows[1:] if row[0].startswith(LAYERS))]
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
