"""Dictionaries of variant graphs: those beside this module, each with its licence, and the look-alikes that are none.

``irg.txt`` is what 康熙字典, 漢語大字典 and 教育部異體字字典 say by hfhchan/irg; ``koseki.txt`` is 戸籍統一文字情報;
``confusable.txt`` has graphs that look alike and are different words (釆 and 采, 茍 and 苟, 冑 and 胄), which other
dictionaries join since scribes confuse them. ``python -m tests.variant_dictionaries`` writes the three. Rules on
components were tried and left out: they join look-alikes.
"""

from __future__ import annotations

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
def sounds() -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the sounds that the Guangyun gives each graph, rising."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number, graphs in enumerate(sections(GUANGYUN)["sounds"]):
        for graph in dict.fromkeys(graphs):
            numbers[graph] = (*numbers.get(graph, ()), number)
    return numbers


@cache
def _partners(path: Path) -> Mapping[str, str]:
    """Return the graphs that a file links to each graph: as strings, which take a third of the memory of sets."""
    forms = field("forms", path)
    partners = dict(forms)
    for graph, others in forms.items():
        for other in others:
            partners[other] = partners.get(other, "") + graph
    return partners


def _has_pair(path: Path, left: str, right: str) -> bool:
    return len(right) == 1 and right in _partners(path).get(left, "")


def linked_by_dictionaries(graph: str) -> frozenset[str]:
    """Return what the three files link a graph to, in either direction."""
    return frozenset().union(*(_partners(path).get(graph, "") for path in (IRG, KOSEKI, CONFUSABLE)))


def is_confusable(left: str, right: str) -> bool:
    """Whether two graphs look alike and are different words."""
    return _has_pair(CONFUSABLE, left, right)


def dictionaries_of(left: str, right: str) -> Iterator[str]:
    """Yield the sources by which two graphs are forms of one: a dictionary has the pair, or both as variants of a third
    and one of them is rare. 戸籍統一文字 also pairs words that names exchange (予 and 豫, 商 and 啇): there two common
    graphs, and graphs with different sounds, are two words."""
    if _has_pair(IRG, left, right):
        yield "rule:irg"
    if _has_pair(KOSEKI, left, right) and not (_both_common(left, right) or _sound_apart(left, right)):
        yield "rule:koseki"
    elif not _both_common(left, right):
        for source, path in (("rule:irg", IRG), ("rule:koseki", KOSEKI)):
            if any(_has_both(graph, left, right, path) for graph in _partners(path).get(left, "")):
                yield source


def _has_both(graph: str, left: str, right: str, path: Path) -> bool:
    forms = field("forms", path).get(graph, "")
    return left in forms and right in forms and not (is_confusable(graph, left) or is_confusable(graph, right))


def _both_common(left: str, right: str) -> bool:
    return is_common(traditional(left)) and is_common(traditional(right))


def _sound_apart(left: str, right: str) -> bool:
    here, there = sounds().get(left, ()), sounds().get(right, ())
    return bool(here and there) and set(here).isdisjoint(there)
