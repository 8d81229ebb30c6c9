"""Generated witnesses: each reads back from the edition, in any order of witnesses the entries are the same, and the
edition goes through TEI."""

from __future__ import annotations

import random

from jiaokan import model
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.write import to_tei
from tests.collations import edition, witness_set
from tests.test_collate import check_laws, entries

NAME = "collation"


def made(chance: random.Random) -> str:
    """A set of witnesses, as the Python that makes it."""
    return repr(witness_set(chance))


def hold(given: str) -> None:
    """The laws of `tests.test_collate`."""
    witnesses = eval(given, vars(model))  # our own finds, no file of others
    document, _ = edition(witnesses)
    check_laws(document, witnesses)
    other, _ = edition([witnesses[0], *reversed(witnesses[1:])])
    assert entries(document) == entries(other)
    data = to_tei(document, element("teiHeader"))
    assert to_tei(from_tei(data, name="e"), element("teiHeader")) == data
