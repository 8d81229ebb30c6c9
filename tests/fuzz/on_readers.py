"""Damaged sources of every format: nothing is lost, and what was read goes through TEI."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from pipeline.decisions.characters import Decisions
from pipeline.tei.header.build import witness_header
from pipeline.tei.kept import hold_tei
from pipeline.tei.write import to_tei
from tests import test_readers_damage as damage

NAME = "readers"


def inputs() -> st.SearchStrategy[str]:
    """Stretches of our sources, damaged, and nonsense: as JSON, the source and its lines."""
    def lines(name: str) -> st.SearchStrategy[str]:
        nonsense = st.lists(st.one_of(st.sampled_from(damage.PIECES), damage.TEXT), max_size=40).map(
            lambda pieces: "".join(pieces).split("\n"))
        taken = st.one_of(damage.damage(damage.SOURCES[name].lines), nonsense)
        return taken.map(lambda found: json.dumps([name, found], ensure_ascii=False, indent=0))

    return st.sampled_from(sorted(damage.SOURCES)).flatmap(lines)


def hold(given: str) -> None:
    """The laws of `tests.test_readers_damage`."""
    name, lines = json.loads(given)
    document = damage.read(damage.SOURCES[name], lines)
    if document:
        document = Decisions(glyphs={}).apply(document)
        tei = to_tei(document, witness_header(damage.SETTINGS.sources[name], document, damage.SETTINGS))
        hold_tei(document, tei)
