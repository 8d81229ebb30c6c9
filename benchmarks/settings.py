"""Try another value of a setting of alignment and collation: `python benchmarks/settings.py phrase=5 alike=0.5`.

The editions of ``apparatus.toml`` that are in ``build/apparatus`` are collated with the settings as they are and with
each value; exact and invented entries that differ are printed. docs/development/measured.md has what was found.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator

from apparatus import FOLDER, ROOT, measure
from published import Edition, read


def editions() -> Iterator[tuple[str, Edition]]:
    """Yield the editions that are here, by title."""
    for name, facts in tomllib.loads((ROOT / "benchmarks" / "apparatus.toml").read_text(encoding="utf-8")).items():
        path = ROOT / facts["file"] if "file" in facts else FOLDER / f"{name}.xml"
        if path.exists():
            yield facts["title"], read(path, words=facts.get("words", False))


def scores(texts: dict[str, Edition]) -> dict[str, tuple[int, int]]:
    """Return the numbers of exact and of invented entries of each edition."""
    results = {title: measure(edition, "jiaokan") for title, edition in texts.items()}
    return {title: (score.kinds["exact"], score.invented) for title, score in results.items()}


def set_everywhere(name: str, value: float) -> None:
    """Change a setting of the aligner and of collation, which are frozen for everybody else."""
    import jiaokan.align.settings
    import jiaokan.collate.settings

    for settings in (jiaokan.align.settings.SETTINGS, jiaokan.collate.settings.SETTINGS):
        if hasattr(settings, name):
            object.__setattr__(settings, name, value)


def main() -> None:
    """Print what each value changes."""
    from jiaokan.collate.settings import SETTINGS

    texts = dict(editions())
    before = scores(texts)
    print(f"{sum(exact for exact, _ in before.values())} exact, {sum(more for _, more in before.values())} invented")
    for given in sys.argv[1:]:
        name, _, value = given.partition("=")
        usual = getattr(SETTINGS, name)
        set_everywhere(name, type(usual)(value))
        after = scores(texts)
        set_everywhere(name, usual)
        changes = [f"{title} {after[title][0] - exact:+d} exact {after[title][1] - more:+d} invented"
                   for title, (exact, more) in before.items() if after[title] != (exact, more)]
        print(given, *(changes or ["nothing"]), sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
