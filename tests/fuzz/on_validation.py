"""Damaged TEI of ours: our quick verdict, its reasons and the rules agree, and one that is sound prints as it did."""

from __future__ import annotations

import random

from jiaokan.errors import TeiError
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element, parse
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate_bytes
from jiaokan.validate.schema import jiaokan
from tests.fuzz import on_strangers, written

NAME = "validation"


def made(chance: random.Random) -> str:
    """Damages of the one file that shows every construct, and of such as show one."""
    root = on_strangers.small(chance.choice(on_strangers.OURS), chance)
    return on_strangers.damaged(root, chance, chance.randint(1, 3))


def hold(given: str) -> None:
    """A verdict of no has a reason with a line; what is valid and sound is in the encoding and comes back."""
    data = written(given)
    try:
        root = parse(data, name="given.xml")
    except TeiError:
        return
    found = validate_bytes(data, name="given.xml")
    assert all(each.message and each.place.file == "given.xml" for each in found)
    valid = not jiaokan.check(root)
    assert valid or any(each.rule == "structure" for each in found)
    if valid and not any(each.severity == "error" for each in found):
        document = from_tei(data, name="given.xml")
        assert from_tei(to_tei(document, element("teiHeader")), name="again.xml").divisions == document.divisions
