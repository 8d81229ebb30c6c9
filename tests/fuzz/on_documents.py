"""The TEI round trip: parsing what was written gives the same document, and writing that the same bytes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model
from jiaokan.model import Line, Note, NoteGroup, Unit
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.write import to_tei
from tests.documents import BLOCKS, DOCUMENTS, INLINES, WORDS, canonical

NAME = "documents"
POOL = 60
"""So many of each strategy are drawn once; inputs are made by crossing them."""


@cache
def pool() -> tuple[tuple[Any, ...], ...]:
    """Documents, blocks, what stands in a line, and words, the same in every run."""
    return tuple(map(_drawn, (DOCUMENTS, BLOCKS, INLINES, WORDS)))


def _drawn(strategy: Any) -> tuple[Any, ...]:
    found: list[Any] = []
    once = settings(max_examples=POOL, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck))
    once(given(strategy)(lambda each: found.append(each)))()
    return tuple(found)


def made(chance: random.Random) -> str:
    """A document into which parts of others are crossed, as the Python that makes it."""
    document = chance.choice(pool()[0])
    for _ in range(chance.randint(1, 5)):
        document = _crossed(document, chance)
    return repr(document)


def _crossed(node: Any, chance: random.Random) -> Any:
    """Change one of the lists of a node, or of one that it holds."""
    lists = [name for name in node.__struct_fields__ if name in ("items", "content", "notes", "readings", "divisions")
             and isinstance(getattr(node, name), tuple)]
    inner = [(name, n) for name in lists for n, each in enumerate(getattr(node, name)) if isinstance(each, Struct)]
    inner += [("lemma", 0)] if hasattr(node, "lemma") and isinstance(node.lemma, Struct) else []
    if inner and chance.random() < 0.75:
        name, n = chance.choice(inner)
        if name == "lemma":
            return replace(node, lemma=_crossed(node.lemma, chance))
        parts = list(getattr(node, name))
        parts[n] = _crossed(parts[n], chance)
        return replace(node, **{name: tuple(parts)})
    return _changed(node, chance.choice(lists), chance) if lists else node


def _changed(node: Any, name: str, chance: random.Random) -> Any:
    """Put something into a list that may stand there, double or take out something."""
    parts = list(getattr(node, name))
    at = chance.randint(0, len(parts))
    verse = isinstance(node, Unit) and node.verse
    fresh = {"items": pool()[1], "content": (*pool()[2], *pool()[3])}.get(name, ())
    if chance.random() < 0.6 and fresh and not verse:
        parts[at:at] = [chance.choice(fresh)]
    elif parts and chance.random() < 0.5:
        parts[at:at] = [chance.choice(parts)]
    elif len(parts) > verse:
        del parts[at : at + 1]
    if isinstance(node, NoteGroup):
        parts = [each for each in parts if isinstance(each, Note)]
    if name == "content":
        parts = [*canonical([each for each in parts if not isinstance(each, Line) or verse])]
    return replace(node, **{name: tuple(parts)})


def hold(given: str) -> None:
    """The law of `tests.test_tei_roundtrip`."""
    document = eval(given, vars(model))  # our own finds, no file of others
    data = to_tei(document, element("teiHeader"))
    assert from_tei(data, name="generated.xml") == document
    assert to_tei(document, element("teiHeader")) == data
