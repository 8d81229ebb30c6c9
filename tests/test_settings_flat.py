"""Tables that are flat in TOML and composed in the program (`jiaokan.settings.flat`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from jiaokan.errors import CatalogError
from jiaokan.readers.brackets.convention import BracketsConvention, convention
from jiaokan.settings.flat import FLAT, flat_fields, value_of, with_values
from jiaokan.settings.plans import EditionPlan, PrintPlan
from jiaokan.settings.toml import parse_table, to_type
from jiaokan.settings.values import Strict
from tests.plans import print_plan

FILE = Path("tei/editions/e.toml")
HEAD = 'id = "e"\nkind = "reading"\ntitle = "T"\nwitness = "w"\n'
COMPOSED = (PrintPlan, BracketsConvention)


class Sheet(Strict, frozen=True, kw_only=True):
    """A part with a key that is required and one that is not."""

    wide: int
    colour: str = "white"


class Leaf(Strict, frozen=True, kw_only=True):
    """A table with a part."""

    sheet: Annotated[Sheet, FLAT]
    note: str = ""


class Quire(Strict, frozen=True, kw_only=True):
    """Rows, named rows and an optional table of the same type."""

    rows: tuple[Leaf, ...] = ()
    named: dict[str, Leaf] = msgspec.field(default_factory=dict)
    last: Leaf | None = None


@pytest.mark.parametrize("kind", COMPOSED)
def test_a_part_has_no_name_of_a_key(kind: type) -> None:
    fields = flat_fields(kind)
    assert not {flat.part for flat in fields.values()} & set(fields)


@pytest.mark.parametrize("kind", COMPOSED)
def test_no_struct_of_a_composed_table_is_large(kind: type) -> None:
    own = set(kind.__annotations__)
    parts = {flat.part for flat in flat_fields(kind).values()} - {""}
    sizes = [len(own), *(sum(flat.part == part for flat in flat_fields(kind).values()) for part in parts)]
    assert max(sizes) <= 12, sizes


def test_the_keys_of_the_parts_stand_in_the_table_of_the_file() -> None:
    table = parse_table(f'{HEAD}[print]\npaper = "a5"\nlevel = "all"\nlayout = "vertical"\n'
                        '[print.margins]\ntop = 9\n', FILE)
    plan = to_type(table, EditionPlan).print
    assert (plan.page.paper, plan.variants.level, plan.layout, plan.page.margins.top) == ("a5", "all", "vertical", 9)
    assert plan == print_plan(paper="a5", level="all", layout="vertical", margins={"top": 9})


@pytest.mark.parametrize(("line", "words"), [
    ('papper = "a5"', "paper"),  # nearest name in a part
    ("base_sise = 12", "base_size"),  # of another part
    ("layot = 'modern'", "layout"),  # beside the parts
])
def test_an_unknown_key_has_its_line_and_the_nearest_name(line: str, words: str) -> None:
    with pytest.raises(CatalogError) as raised:
        to_type(parse_table(f"{HEAD}[print]\n{line}\n", FILE), EditionPlan)
    assert "tei/editions/e.toml:6" in str(raised.value)
    assert f"did you mean '{words}'?" in str(raised.value)


@pytest.mark.parametrize("name", sorted({flat.part for flat in flat_fields(PrintPlan).values()} - {""}))
def test_the_file_cannot_name_a_part(name: str) -> None:
    with pytest.raises(CatalogError, match=rf"unknown key `{name}`"):
        to_type(parse_table(f'{HEAD}[print.{name}]\npaper = "a5"\n', FILE), EditionPlan)


def test_a_wrong_value_in_a_part_has_its_line() -> None:
    with pytest.raises(CatalogError, match=r"e\.toml:7") as raised:
        to_type(parse_table(f'{HEAD}[print]\npaper = "a5"\nbase_size = 99\n', FILE), EditionPlan)
    assert "base_size" in str(raised.value)


def test_parts_in_rows_named_rows_and_optional_tables() -> None:
    text = ('[[rows]]\nwide = 1\n[[rows]]\nwide = 2\nnote = "n"\n[named.a]\nwide = 3\ncolour = "red"\n'
            "[last]\nwide = 4\n")
    quire = to_type(parse_table(text, FILE), Quire)
    assert [(leaf.sheet.wide, leaf.note) for leaf in quire.rows] == [(1, ""), (2, "n")]
    assert quire.named["a"].sheet == Sheet(wide=3, colour="red")
    assert quire.last == Leaf(sheet=Sheet(wide=4))


def test_a_required_key_of_a_part_is_missing_in_the_table() -> None:
    with pytest.raises(CatalogError, match="`wide`") as raised:
        to_type(parse_table('[[rows]]\nnote = "n"\n', FILE), Quire)
    assert ":1" in str(raised.value)


def test_values_by_their_keys() -> None:
    plan = with_values(PrintPlan(), layout="vertical", apparatus="chapter", keys="line")
    assert (value_of(plan, "layout"), value_of(plan, "apparatus"), value_of(plan, "keys")) == (
        "vertical", "chapter", "line")
    assert plan == print_plan(layout="vertical", apparatus="chapter", keys="line")
    with pytest.raises(KeyError):
        with_values(plan, variants=None)


def test_a_convention_reports_a_fault_in_a_part_at_its_key() -> None:
    table = parse_table('brackets = "()"\nseparators = "○"\nnumber = ".*"\n', Path("tei/conventions/s.toml"))
    with pytest.raises(CatalogError, match=r"s\.toml:3"):
        convention("s", table)
