"""Compare collations with the apparatuses that editors published, beside CollateX where it is installed.

`python benchmarks/apparatus.py` prints a table; `--fetch` downloads the editions of ``apparatus.toml`` into
``build/apparatus`` first, `--only NAME` measures some, `--show missed` lists entries of one kind. Without downloads the
sample of this folder is measured. Each edition is collated blind from the witnesses that its apparatus implies
(`published`); docs/accuracy.md has the method and its limits.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
import tomllib
import urllib.request
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from published import BASE, Edition, Entry, Item, Items, Paragraphs, Place, Token, places, read, words_of
from tools import loose

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "apparatus"
KINDS = ("exact", "split", "merged", "overlap", "missed")
AGREED, PIECE = 20, 100
"""CollateX gets pieces of at least so many words, divided where so many agree."""


class Score(NamedTuple):
    """How an apparatus agrees with the published one: its entries by kind, shares of partitions and of inventions."""

    kinds: Counter[str]
    partition: int
    own: int
    invented: int
    seconds: float
    cases: list[tuple[str, Place, list[Place]]]

    @property
    def total(self) -> int:
        """The number of published entries."""
        return self.kinds.total()

    def row(self) -> str:
        """The figures, as cells of a table."""
        def share(count: int, whole: int) -> str:
            return f"{100 * count / max(1, whole):.1f}"

        cells = [str(self.total), share(self.total - self.kinds["missed"], self.total),
                 *(share(self.kinds[kind], self.total) for kind in KINDS[:4]), share(self.partition, self.total),
                 share(self.invented, self.own), f"{self.seconds:.1f}"]
        return " | ".join(cells)


def ours(edition: Edition) -> Paragraphs:
    """Collate the witnesses as whole texts, in the units of the edition."""
    from jiaokan.collate.base_text import base_units
    from jiaokan.model import App

    gap = " " if edition.words else ""
    texts = {name: [gap.join(words_of(items, name)) for items in edition.paragraphs] for name in edition.witnesses}
    names = {name: f"w{n}" for n, name in enumerate(edition.witnesses)}
    document, _ = loose({names[name]: [text for text in own if text] for name, own in texts.items()})()
    known = {short: name for name, short in names.items()}

    def items_of(content: Sequence[Any]) -> Iterator[Item]:
        for item in content:
            if isinstance(item, str):
                yield from (Token(word, frozenset()) for word in (item.split() if edition.words else item))
            elif isinstance(item, App) and item.kind in ("variant", "continued"):
                yield Entry(tuple((frozenset(known[name] for name in each.witnesses), tuple(items_of(each.content)))
                                  for each in (item.lemma, *item.readings)))

    def unit_of(unit: Any) -> Items:
        have = frozenset(known[name] for name in unit.sources)
        lack = frozenset(edition.witnesses) - have
        items = tuple(items_of(unit.content))
        return (Entry(((have, items), (lack, ()))),) if lack else items

    return [unit_of(unit) for unit in base_units(document.divisions[0])]


def collatex(edition: Edition) -> Paragraphs:
    """Collate with CollateX at its best setting: without segments, words by near match; in pieces, which it needs and
    which begin and end where all agree."""
    from collatex import Collation, collate

    found: Paragraphs = []
    for items in _pieces(edition.paragraphs):
        tokens = {name: words_of(items, name) for name in edition.witnesses}
        if len({tuple(own) for own in tokens.values()}) == 1:
            found.append(tuple(Token(word, frozenset()) for word in tokens[BASE]))
            continue
        given = [{"id": name, "tokens": [{"t": word} for word in own]} for name, own in tokens.items() if own]
        table = collate(Collation.create_from_dict({"witnesses": given}), segmentation=False, near_match=edition.words)
        rows = {row.header: [cell[0].token_data["t"] if cell else "" for cell in row.to_list()] for row in table.rows}
        rows.update((name, [""] * len(rows[given[0]["id"]])) for name in tokens if name not in rows)
        found.append(tuple(_joined(rows, edition)))
    return found


def _pieces(paragraphs: Paragraphs) -> Iterator[Items]:
    for items in paragraphs:
        begun = agreed = 0
        for n, item in enumerate(items):
            agreed = agreed + 1 if isinstance(item, Token) else 0
            if agreed > AGREED and n - begun > PIECE:
                yield items[begun:n - AGREED // 2]
                begun = n - AGREED // 2
        yield items[begun:]


def _joined(rows: dict[str, list[str]], edition: Edition) -> Iterator[Item]:
    """Yield the columns as entries; of Chinese, touching columns of one partition are one."""
    names = list(rows)
    run: list[tuple[str, ...]] = []
    for column in [*zip(*rows.values(), strict=True), None]:
        if run and (column is None or edition.words or _parties(column) != _parties(run[-1])):
            readings: dict[tuple[str, ...], set[str]] = {}
            for name, own in zip(names, zip(*run, strict=True), strict=True):
                readings.setdefault(tuple(word for word in own if word), set()).add(name)
            if len(readings) == 1:
                yield from (Token(word, frozenset()) for word in next(iter(readings)))
            else:
                yield Entry(tuple((frozenset(own), tuple(Token(word, frozenset()) for word in words))
                                  for words, own in readings.items()))
            run = []
        if column is not None:
            run.append(column)


def _parties(column: Sequence[str]) -> tuple[int, ...]:
    return tuple(column.index(cell) for cell in column)


def compared(edition: Edition, found: Paragraphs, seconds: float) -> Score:
    """Compare the entries of a collation with the published ones, both trimmed."""
    gold = [each for each in places(edition.paragraphs, edition.witnesses) if each.varying]
    lacking = [token.without for items in edition.paragraphs for token in _base_tokens(items)]
    own = [each for each in (_covered(each, lacking) for each in places(found, edition.witnesses)) if each]
    kinds: Counter[str] = Counter()
    cases = []
    partition = 0
    near, reverse = _touching(gold, own), _touching(own, gold)
    for each, others in zip(gold, near, strict=True):
        kind = _kind(each, others, reverse, own)
        kinds[kind] += 1
        partition += any(other.groups == each.groups for other in others)
        cases.append((kind, each, others))
    invented = [each for each, others in zip(own, reverse, strict=True) if not others]
    cases += [("invented", each, []) for each in invented]
    return Score(kinds, partition, len(own), len(invented), seconds, cases)


def _base_tokens(items: Items) -> Iterator[Token]:
    for item in items:
        if isinstance(item, Token):
            yield item
        else:
            yield from _base_tokens(next((own for names, own in item.readings if BASE in names), ()))


def _covered(place: Place, lacking: Sequence[frozenset[str]]) -> Place | None:
    """Return an entry without the witnesses that have a lacuna there; None if the others agree."""
    around = lacking[max(0, place.start - 1):place.end + 1]
    gone = frozenset.intersection(*around) if around else frozenset()
    groups = frozenset(group - gone for group in place.groups if group - gone)
    words = tuple((name, own) for name, own in place.words if name not in gone)
    return replace(place, words=words, groups=groups) if len(groups) > 1 else None


def _touching(these: Sequence[Place], others: Sequence[Place]) -> list[list[Place]]:
    """Return for each entry the others that touch it with a common varying witness."""
    ordered = sorted(others, key=lambda each: each.start)
    starts = [each.start for each in ordered]
    longest = max((each.end - each.start for each in ordered), default=0)
    return [[other for other in ordered[bisect_left(starts, each.start - longest):bisect_right(starts, each.end)]
             if other.end >= each.start and other.varying & each.varying] for each in these]


def _kind(each: Place, others: list[Place], reverse: list[list[Place]], own: list[Place]) -> str:
    if any((other.start, other.end, other.words, other.groups) == (each.start, each.end, each.words, each.groups)
           for other in others):
        return "exact"
    inside = [other for other in others if other.start < each.end and each.start < other.end] or others
    if not inside:
        return "missed"
    if len(inside) > 1:
        return "split"
    return "merged" if len(reverse[own.index(inside[0])]) > 1 else "overlap"


TOOLS: dict[str, Callable[[Edition], Paragraphs]] = {"jiaokan": ours, "collatex": collatex}


def measure(edition: Edition, tool: str) -> Score:
    """Collate with a tool and compare."""
    start = time.process_time()
    found = TOOLS[tool](edition)
    return compared(edition, found, time.process_time() - start)


def fetch(target: Path, address: str) -> None:
    """Download an edition."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with urllib.request.urlopen(address, timeout=60) as answer:
        target.write_bytes(answer.read())


HEAD = "edition | entries | found | exact | split | merged | overlap | partition | invented | CPU s"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--fetch", action="store_true", help="download the editions first")
    given.add_argument("--only", action="append", default=[], metavar="NAME")
    given.add_argument("--show", metavar="KIND", help="list the entries of a kind: missed, split, invented …")
    options = given.parse_args()
    listed = tomllib.loads((ROOT / "benchmarks" / "apparatus.toml").read_text(encoding="utf-8"))
    tools = [tool for tool in TOOLS if importlib.util.find_spec(tool)]
    for name, facts in listed.items():
        path = ROOT / facts["file"] if "file" in facts else FOLDER / f"{name}.xml"
        if options.fetch and not path.exists():
            fetch(path, facts["address"])
        if not path.exists() or (options.only and name not in options.only):
            continue
        edition = read(path, words=facts.get("words", False))
        print(f"\n{facts['title']} ({facts['use']}; {len(edition.witnesses) - 1} witnesses)\n{HEAD}", flush=True)
        for tool in tools:
            score = measure(edition, tool)
            print(f"{tool} | {score.row()}", flush=True)
            for kind, *each in score.cases if tool == "jiaokan" else ():
                if kind == options.show:
                    print(*(f"  {described(one, edition)}" for one in (each[0], *each[1])), "", sep="\n")
    if "collatex" not in tools:
        print("\ncollatex is not installed (pip install '.[bench]')")


def described(place: Place, edition: Edition) -> str:
    """Return an entry in words."""
    gap = " " if edition.words else ""
    words = {name: gap.join(own) or "om." for name, own in place.words}
    readings = {own: " ".join(name for name in words if words[name] == own) for own in words.values()}
    lemma = words.get(BASE, "")
    rest = "; ".join(f"{own} {names}" for own, names in readings.items() if own != lemma)
    return f"{place.start}–{place.end} {lemma} ] {rest}"


if __name__ == "__main__":
    main()
