"""``python -m tests.accuracy``: a table of how much each reader gets right, and every stretch that is wrong."""

from __future__ import annotations

from pathlib import Path

from pipeline import catalog, readers
from tests.accuracy import Score, annotated, marked, passages, score, sources

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Score every source that has annotated passages."""
    settings = catalog.load(ROOT)
    print(f"{'source':10}{'passages':>9}{'characters':>12}{'layers':>9}{'notes':>8}{'speakers':>10}")
    for source in sources():
        found = marked(readers.read(settings.sources[source], settings)[0])
        total = Score(0, 0, 0, 0)
        for path in passages(source):
            total += score(annotated(path), found)
        print(
            f"{source:10}{len(passages(source)):9}{total.characters:12}{total.layer_share:9.2%}"
            f"{total.notes:8}{total.speaker_share:10.2%}"
        )
        for wrong in total.wrong:
            print(f"    {wrong}")


if __name__ == "__main__":
    main()
