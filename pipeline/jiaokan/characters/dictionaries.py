"""Dictionaries of variant graphs: those beside this module, each with its licence, and the look-alikes that are none.

``irg.txt`` is what 康熙字典, 漢語大字典 and 教育部異體字字典 say by hfhchan/irg; ``koseki.txt`` is 戸籍統一文字情報;
``confusable.txt`` has graphs that look alike and are different words (釆 and 采, 茍 and 苟, 冑 and 胄), which other
dictionaries join since scribes confuse them. ``python -m tests.variant_dictionaries`` writes the three. Rules on
components were tried and left out: they join look-alikes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from jiaokan.characters.scripts import is_common
from jiaokan.model.words import traditional

_HERE = Path(__file__).parent
VARIANTS, MEANINGS, GUANGYUN = _HERE / "unihan.txt", _HERE / "meanings.txt", _HERE / "guangyun.txt"
IRG, KOSEKI, CONFUSABLE = _HERE / "irg.txt", _HERE / "koseki.txt", _HERE / "confusable.txt"


@cache
def sections(path: Path) -> Mapping[str, list[str]]:
    """Return the lines of a file under each [section]."""
    tables: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = tables[line.strip("[]")] = []
        elif not line.startswith("#"):
            lines.append(line)
    return tables


@cache
def field(name: str, path: Path = VARIANTS) -> Mapping[str, str]:
    """Return the graphs that a file lists after each graph in a section."""
    return {row[0]: row[1:] for row in sections(path)[name]}


@cache
def sounds() -> Mapping[str, frozenset[int]]:
    """Return the numbers of the sounds that the Guangyun gives each graph."""
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for number, graphs in enumerate(sections(GUANGYUN)["sounds"]):
        for graph in graphs:
            numbers[graph].add(number)
    return {graph: frozenset(of_graph) for graph, of_graph in numbers.items()}


@cache
def _partners(path: Path) -> Mapping[str, frozenset[str]]:
    partners: defaultdict[str, set[str]] = defaultdict(set)
    for graph, forms in field("forms", path).items():
        partners[graph].update(forms)
        for form in forms:
            partners[form].add(graph)
    return {graph: frozenset(others) for graph, others in partners.items()}


def linked_by_dictionaries(graph: str) -> frozenset[str]:
    """Return what the three files link a graph to, in either direction."""
    return frozenset().union(*(_partners(path).get(graph, frozenset()) for path in (IRG, KOSEKI, CONFUSABLE)))


def is_confusable(left: str, right: str) -> bool:
    """Whether two graphs look alike and are different words."""
    return right in _partners(CONFUSABLE).get(left, ())


def dictionaries_of(left: str, right: str) -> Iterator[str]:
    """Yield the sources by which two graphs are forms of one: a dictionary has the pair, or both as variants of a third
    and one of them is rare. 戸籍統一文字 also pairs words that names exchange (予 and 豫, 商 and 啇): there two common
    graphs, and graphs with different sounds, are two words."""
    if right in _partners(IRG).get(left, ()):
        yield "rule:irg"
    if right in _partners(KOSEKI).get(left, ()) and not (_both_common(left, right) or _sound_apart(left, right)):
        yield "rule:koseki"
    elif not _both_common(left, right):
        for source, path in (("rule:irg", IRG), ("rule:koseki", KOSEKI)):
            if any(_has_both(graph, left, right, path) for graph in _partners(path).get(left, ())):
                yield source


def _has_both(graph: str, left: str, right: str, path: Path) -> bool:
    forms = field("forms", path).get(graph, "")
    return left in forms and right in forms and not (is_confusable(graph, left) or is_confusable(graph, right))


def _both_common(left: str, right: str) -> bool:
    return is_common(traditional(left)) and is_common(traditional(right))


def _sound_apart(left: str, right: str) -> bool:
    here, there = sounds().get(left), sounds().get(right)
    return bool(here and there) and sounds()[left].isdisjoint(sounds()[right])
