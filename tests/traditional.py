"""Learns which traditional form a simplified graph has in which context:
``python -m tests.traditional FOLDER``, where the folder has texts in traditional graphs (``*.txt``).

The shipped table is from the transcriptions of Kanripo that docs/accuracy.md names.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from jiaokan.characters.traditional import HAN, TABLE, contexts, simple_graph

WORDS = Path(__file__).parent / "cases" / "traditional" / "words.txt"
"""Simplified graphs and the words of old books that they stand for, with the variants of each form."""
_HEAD = """\
# Which traditional form a simplified graph has: the graph, a form, in how many of 100 cases it is right, and the
# contexts that show it (_ is the graph), the most reliable first. The first line of a graph is for other contexts.
# Counted in transcriptions of Kanripo (https://www.kanripo.org, CC BY-SA 4.0); docs/accuracy.md names them.
"""
_LEAST, _GAIN = 3, 2
"""A context occurs so often, and decides so many more cases rightly than the less reliable ones. 4 and 3: 0.4 wrong
graphs more in 10,000 of texts that were not counted, a table of half the size."""
_TEXTS = 2
"""So many texts must have it. 1: 0.3 and 0.5 wrong graphs more in 10,000, a table larger by a fifth."""
_STEPS = (99.5, 99, 98, 97, 95, 90, 85, 80, 70, 60, 50, 0)
"""The lines of a graph, by percent."""


class _Case(NamedTuple):
    graphs: str
    index: int
    form: str
    text: int


def forms_of_words() -> Mapping[str, tuple[str, str]]:
    """Return for each form and variant of ``words.txt`` its simplified graph and the form."""
    forms = {}
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            simple, *words = line.split()
            forms |= {graph: (simple, word[0]) for word in words for graph in word}
    return forms


def cases(texts: Iterable[str]) -> Mapping[str, list[_Case]]:
    """Return the cases of each simplified graph that stands for several words."""
    forms, by_graph = forms_of_words(), defaultdict[str, list[_Case]](list)
    for number, text in enumerate(texts):
        graphs = "".join(char if char == "\n" else match[0] for char in text
                         if (match := HAN.match(char)) or char == "\n")
        simple = "".join(map(simple_graph, graphs))
        for index, graph in enumerate(graphs):
            if graph in forms:
                by_graph[forms[graph][0]].append(_Case(simple, index, forms[graph][1], number))
    return by_graph


def learn(texts: Iterable[str]) -> str:
    """Return the table for texts in traditional graphs."""
    return _HEAD + "".join(f"{line}\n" for graph, rows in sorted(cases(texts).items()) for line in _lines(graph, rows))


def _lines(graph: str, rows: list[_Case]) -> Iterator[str]:
    shares = Counter(case.form for case in rows)
    usual, count = shares.most_common(1)[0]
    yield f"{graph} {usual} {100 * count / len(rows):.1f}"
    if len(shares) == 1:
        return
    places = defaultdict[str, list[int]](list)
    for number, case in enumerate(rows):
        for context in contexts(case.graphs, case.index):
            places[context].append(number)
    ranked = []
    for context, numbers in places.items():
        if len(numbers) >= _LEAST:
            form, right = Counter(rows[number].form for number in numbers).most_common(1)[0]
            if len({rows[number].text for number in numbers if rows[number].form == form}) < _TEXTS:
                continue
            share = 100 * (right + shares[form] / len(rows) / 2) / (len(numbers) + 0.5)
            ranked.append((next(step for step in _STEPS if share >= step), len(context), context, form))
    ranked.sort()
    chosen = [usual] * len(rows)
    kept = []
    for step, _, context, form in ranked:
        others = [number for number in places[context] if chosen[number] != form]
        if sum((rows[number].form == form) - (rows[number].form == chosen[number]) for number in others) >= _GAIN:
            kept.append((step, form, context))
            for number in others:
                chosen[number] = form
    lines: dict[tuple[float, str], list[str]] = {}
    for step, form, context in reversed(kept):
        lines.setdefault((step, form), []).append(context)
    for (step, form), words in lines.items():
        yield " ".join((graph, form, f"{step:g}", *words))


if __name__ == "__main__":
    TABLE.write_text(learn(path.read_text(encoding="utf-8") for path in sorted(Path(sys.argv[1]).glob("*.txt"))),
                     encoding="utf-8")
