"""Classical Chinese in traditional graphs: each graph by its context.

A simplified graph can stand for several words: 后 for 後 and 后, 几 for 幾 and 几. OpenCC knows the words of today; in
the classics 尸 is no 屍 and 左个 no 左個. ``traditional.txt`` has for each such graph the contexts in which old books
have one or the other form, the most reliable first: a decision list (Yarowsky 1994, Decision lists for lexical
ambiguity resolution). ``python -m tests.traditional`` writes it; docs/accuracy.md says how often it is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from jiaokan.characters.scripts import is_common
from jiaokan.decisions import tables
from jiaokan.decisions.kinds import load_file
from jiaokan.errors import CatalogError, Message
from jiaokan.model.words import simplified, traditional

TABLE = Path(__file__).parent / "traditional.txt"
BEFORE_AFTER = ((2, 2), (1, 3), (3, 1), (0, 3), (3, 0), (1, 2), (2, 1), (0, 2), (2, 0), (1, 1), (0, 1), (1, 0))
"""Lengths of the contexts before and after a graph, in graphs. A choice: with the graphs that stand anywhere within six
beside it, too, forms of texts that were not counted were right as often."""
HAN = re.compile("[㐀-鿿豈-﫿\U00020000-\U0003ffff]")
SURE = 0.95
"""Probability from which on a form needs no proofreading. Of texts that were not counted, 114 to 119 places in 10,000
graphs have less, and 1.2 to 1.7 wrong forms are not among them; at 0.9 these are 88 to 100 and 2.0 to 3.7, at 0.99 182
to 229 and 0.3 (docs/accuracy.md)."""


@dataclass(frozen=True, slots=True)
class FormChoice:
    """The form that a graph gets: its place in the text, in characters; the context that decides, with _ for the
    graph, or nothing if none is known; and the share of the cases in old books in which the form is right."""

    at: int
    graph: str
    form: str
    context: str
    probability: float


Decided = Mapping[tuple[str, str], str]
"""The forms that the editor decided, by graph and context, both simplified, or by graph and layer."""


@dataclass(frozen=True, slots=True)
class _Forms:
    usual: str
    probability: float
    contexts: Mapping[str, tuple[int, str, float]]
    """By context: its rank, the form, and how often it is right."""


def in_traditional(text: str, decided: Decided = MappingProxyType({}), layer: str = "") -> str:
    """Return a classical text in traditional graphs, one for each of its graphs."""
    forms = list(text)
    for choice in choose_forms(text, decided, layer):
        forms[choice.at] = choice.form
    return "".join(forms)


def choose_forms(text: str, decided: Decided = MappingProxyType({}), layer: str = "") -> Iterator[FormChoice]:
    """Yield the graphs of a text whose traditional form is another or depends on the context. Decisions come first;
    one whose context is the name of a layer holds for all of its text.

    Graphs that are traditional already stay, variants among them, too (於, 絶).
    """
    places = [match.start() for match in HAN.finditer(text)]
    graphs = "".join(simple_graph(text[at]) for at in places)
    lengths = {tuple(map(len, context.split("_"))) for _, context in decided if "_" in context}
    for index, at in enumerate(places):
        graph, simple = text[at], graphs[index]
        if graph != simple:
            continue
        forms = _table().get(simple)
        fitting = [context for context in (*_around(graphs, index, lengths), layer)
                   if (simple, context) in decided] if decided else []
        if fitting:
            context = max(fitting, key=lambda context: ("_" in context, len(context)))
            yield FormChoice(at, graph, decided[simple, context], context, 1.0)
        elif forms is None:
            form = usual_form(simple)
            if form != graph:
                yield FormChoice(at, graph, form, "", 1.0)
        else:
            ranked = [(*forms.contexts[context], context) for context in contexts(graphs, index)
                      if context in forms.contexts]
            _, form, probability, context = min(ranked, default=(0, forms.usual, forms.probability, ""))
            yield FormChoice(at, graph, form, context, probability)


def contexts(graphs: str, index: int) -> Iterator[str]:
    """Yield the contexts of a graph in a text of simplified graphs without punctuation: 左_即, _即位."""
    yield from _around(graphs, index, BEFORE_AFTER)


def _around(graphs: str, index: int, lengths: Iterable[tuple[int, ...]]) -> Iterator[str]:
    for before, after in lengths:
        if index >= before and index + after < len(graphs):
            context = f"{graphs[index - before:index]}_{graphs[index + 1:index + 1 + after]}"
            if "\n" not in context:
                yield context


def load_forms(path: Path) -> Decided:
    """Return the decided traditional forms by graph and context or layer, if the file exists. Raises CatalogError if it
    is malformed or decides one place twice."""
    decided: dict[tuple[str, str], str] = {}
    for filed in load_file(path, tables.TraditionalForm):
        row = filed.decision
        for _, message, mend in row.faults():
            raise CatalogError(message, place=filed.place, mend=mend)
        for context in (*row.contexts, row.layer) if row.layer else row.contexts:
            key = simple_graph(row.graph), "".join(map(simple_graph, context)) if "_" in context else context
            if decided.setdefault(key, row.form) != row.form:
                raise CatalogError(Message("is-decided-twice", code=f"{row.graph} {context}"), place=filed.place)
    return decided


@cache
def simple_graph(graph: str) -> str:
    """Return the simplified form of a graph, or itself if that is not one graph."""
    simple = simplified(graph)
    return simple if len(simple) == 1 else graph


@cache
def usual_form(simple: str) -> str:
    """Return the traditional form of a graph that is not in the table. A common traditional graph is its own form."""
    form = traditional(simple)
    return form if len(form) == 1 and not is_common(simple) else simple


@cache
def _table() -> Mapping[str, _Forms]:
    rows: dict[str, list[tuple[str, float, list[str]]]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            graph, form, percent, *words = line.split(" ")
            rows.setdefault(graph, []).append((form, float(percent) / 100, words))
    tables = {}
    for graph, lines in rows.items():
        (usual, probability, _), *others = lines
        ranked = ((context, form, share) for form, share, words in others for context in words)
        tables[graph] = _Forms(usual, probability, {
            context: (rank, form, share) for rank, (context, form, share) in enumerate(ranked)})
    return tables
