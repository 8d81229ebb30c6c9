"""Takes the pairs that the program uses from two dictionaries of variant graphs, and those that look alike but are two
words: ``python -m tests.variant_dictionaries FOLDER``, with ``kVariants.txt`` of github.com/hfhchan/irg,
``koseki-variants.txt``, ``hydzd-variants.txt`` and ``non-cognates.txt`` of github.com/cjkvi/cjkvi-variants, and
Unihan_Variants.txt in the folder. 漢語大字典 (``hydzd``) only keeps a pair out of the list of look-alikes; it is not
shipped."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from jiaokan.characters.dictionaries import CONFUSABLE, IRG, KOSEKI, field
from jiaokan.characters.scripts import variants

Pairs = dict[frozenset[str], tuple[str, str]]
"""A variant and the graph it is a form of, by the two as a set."""

IRG_HEAD = """\
# From kVariants.txt of github.com/hfhchan/irg, 26 May 2023 (Henry Chan; MIT: LICENSE-irg.txt beside this): a graph and
# its variants by 康熙字典, 漢語大字典 and 教育部異體字字典. Changed: the five kinds are one; descriptions of graphs
# without code point, and pairs of confusable.txt are left out.
[forms]
"""
KOSEKI_HEAD = """\
# From koseki-variants.txt of github.com/cjkvi/cjkvi-variants, 24 September 2015 (漢字データベースプロジェクト;
# docs/licences.md): a graph and its variants by 戸籍統一文字情報 of the Ministry of Justice of Japan. Changed: pairs of
# irg.txt and confusable.txt are left out.
[forms]
"""
CONFUSABLE_HEAD = """\
# Graphs that look alike and are different words: the pairs of non-cognates.txt (github.com/cjkvi/cjkvi-variants;
# docs/licences.md) and of kSpoofingVariant (Unihan 15.0.0; LICENSE-unicode.txt beside this) that are forms of one graph
# neither by irg.txt nor by 漢語大字典, nor by two of koseki.txt, yitizi and Unihan's fields for script.
[forms]
"""
IN_USE = frozenset(map(frozenset, ("瓜𤓰", "兹玆", "錬鍊")))
"""Pairs of these lists that prints write for one another: 《經典釋文》 of 四部叢刊 has 𤓰 where 四庫全書 has 瓜, and 玆
for 兹; 錬 is the Japanese form of 鍊."""


def _rows(path: Path, separator: str) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split(separator)


def irg_pairs(path: Path) -> Pairs:
    """Return the pairs of kVariants.txt."""
    cells = (row for row in _rows(path, "\t") if len(row) == 3)
    return _as_pairs((variant.split(" ")[0], graph.split(" ")[0]) for variant, _, graph in cells)


def cjkvi_pairs(path: Path, relation: str) -> Pairs:
    """Return the pairs of a file of cjkvi-variants."""
    return _as_pairs((row[2], row[0]) for row in _rows(path, ",") if len(row) > 2 and row[1].endswith(relation))


def _as_pairs(rows: Iterable[tuple[str, str]]) -> Pairs:
    return {frozenset(row): row for row in rows if len(row[0]) == len(row[1]) == 1 and row[0] != row[1]}


def spoofing_pairs(path: Path) -> Pairs:
    """Return the pairs of kSpoofingVariant of Unihan_Variants.txt."""
    rows = (row for row in _rows(path, "\t") if len(row) == 3 and row[1] == "kSpoofingVariant")
    return _as_pairs((chr(int(row[0][2:], 16)), chr(int(other.split("<")[0][2:], 16)))
                     for row in rows for other in row[2].split())


def confusable_pairs(folder: Path, irg: Pairs, koseki: Pairs) -> Pairs:
    """Return the pairs that look alike and are forms of one graph by no dictionary of weight."""
    full = [field(name) for name in ("kTraditionalVariant", "kSimplifiedVariant")]
    great = cjkvi_pairs(folder / "hydzd-variants.txt", "variant")
    spoofing = spoofing_pairs(folder / "Unihan_Variants.txt")
    pairs = {}
    for pair, row in (cjkvi_pairs(folder / "non-cognates.txt", "non-cognate") | spoofing).items():
        left, right = row
        script = any(right in names.get(left, "") or left in names.get(right, "") for names in full)
        listed = pair in koseki and (right in variants(left) or pair in spoofing)
        compatible = any("\uf900" <= graph <= "\ufaff" or graph >= "\U0002f800" for graph in row)
        if not (script or listed or compatible or pair in irg or pair in great or pair in IN_USE):
            pairs[pair] = row
    return pairs


def _written(pairs: Pairs) -> str:
    forms = defaultdict(list)
    for variant, graph in sorted(pairs.values()):
        forms[graph].append(variant)
    return "".join(f"{graph}{''.join(forms[graph])}\n" for graph in sorted(forms))


def write(folder: Path) -> None:
    """Write the three files."""
    irg = irg_pairs(folder / "kVariants.txt")
    koseki = cjkvi_pairs(folder / "koseki-variants.txt", "variant")
    confusable = confusable_pairs(folder, irg, koseki)
    for path, head, pairs, known in (
        (CONFUSABLE, CONFUSABLE_HEAD, confusable, {}), (IRG, IRG_HEAD, irg, confusable),
        (KOSEKI, KOSEKI_HEAD, koseki, irg | confusable),
    ):
        unlisted = {pair: row for pair, row in pairs.items() if pair not in known}
        path.write_text(head + _written(unlisted), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
