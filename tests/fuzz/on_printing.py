"""Any table [print] of an edition, on a book of four chapters: volumes, layouts, papers, layers, columns.

The law: refused with a message of ours, or the source of the pages is made and has each word of the book that is asked
for.
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from jiaokan.errors import JiaokanError
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.pdf import typst_source
from jiaokan.settings.consistency import faults_of_print
from jiaokan.settings.flat import flat_fields
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.toml import TomlTable, to_type
from tests.fuzz import text
from tests.test_volumes import book

NAME = "printing"
PLAN = Path("nowhere/tei/editions/t.toml")
VALUES = (0, 1, -1, 10**30, -0.0, 1e308, True, "", [], {}, [""], [2, "3"], [[1]], {"x": 1})
WORDS = ("", "a4", "大32开", "140x203", "105x148", "0x0", "30x20", "9999x9999", "〓", "丙篇", "zheng", "#000", "5 mm")

UNITS = 4 * 11
"""The units of the book, all of which have these words."""


@cache
def given() -> bytes:
    """The book, in prepared form."""
    return book()


def made(chance: random.Random) -> str:
    """As JSON: a table, in which most is of the type that it should be."""
    return json.dumps(_table(msgspec.inspect.type_info(PrintPlan), chance, 0.15))


def _table(kind: Any, chance: random.Random, often: float) -> dict[str, Any]:
    keys = flat_fields(kind.cls).items()
    said = {key: _value(flat.field.type, chance) for key, flat in keys if chance.random() < often}
    return said | ({text(chance): chance.choice(VALUES)} if chance.random() < 0.01 else {})


def _value(kind: Any, chance: random.Random) -> Any:
    """Return a value of a type, now and then another."""
    if chance.random() < 0.03:
        return chance.choice((*VALUES, text(chance), [text(chance)]))
    match kind:
        case msgspec.inspect.LiteralType():
            return chance.choice(kind.values)
        case msgspec.inspect.BoolType():
            return chance.random() < 0.5
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            least, most = (kind.ge or 0), kind.le or 60
            return chance.choice((least, most, chance.randint(int(least), int(most)), least - 1, most + 0.5))
        case msgspec.inspect.StructType():
            return _table(kind, chance, 0.4)
        case msgspec.inspect.UnionType():
            return _value(chance.choice(kind.types), chance)
        case msgspec.inspect.Metadata():
            return _value(kind.type, chance)
        case msgspec.inspect.VarTupleType():
            return [_value(kind.item_type, chance) for _ in range(chance.randint(0, 3))]
    return chance.choice(WORDS)


def hold(given_: str) -> None:
    """A refusal says what is wrong; else the source of its pages is made."""
    try:
        table = TomlTable({"print": json.loads(given_)}, paths=(PLAN,))
        plan = to_type(table["print"], PrintPlan, name=PLAN.name)
        if any(faults_of_print(table, PLAN)):
            return
        source = typst_source(given(), OutputSettings(print=plan))
    except JiaokanError as error:
        assert str(error)
        return
    said = re.sub("[^\u3400-\u9fff]", "", source)  # columns part the graphs
    assert len(re.findall("天命[谓謂]性", said)) >= UNITS, plan
