"""Damaged sources of every format: nothing is lost, and what was read goes through TEI."""

from __future__ import annotations

import json
import random

from jiaokan.decisions.characters import Decisions
from jiaokan.tei.header.build import witness_header
from jiaokan.tei.lossless import check_tei
from jiaokan.tei.write import to_tei
from tests import test_readers_damage as damage

NAME = "readers"
SOURCES = tuple(sorted(damage.SOURCES))


def made(chance: random.Random) -> str:
    """A stretch of one of our sources, damaged, or nonsense: as JSON, the source and its lines."""
    name = chance.choice(SOURCES)
    if chance.random() < 0.7:
        lines = damage.damaged(chance, damage.SOURCES[name].lines)
    else:
        lines = "".join(damage.piece(chance) for _ in range(chance.randint(0, 40))).split("\n")
    return json.dumps([name, lines], ensure_ascii=False, indent=0)


def hold(given: str) -> None:
    """The laws of `tests.test_readers_damage`."""
    name, lines = json.loads(given)
    document = damage.read(damage.SOURCES[name], lines)
    if document:
        document = Decisions().apply(document)
        tei = to_tei(document, witness_header(damage.SETTINGS.sources[name], document, damage.SETTINGS))
        check_tei(document, tei)
