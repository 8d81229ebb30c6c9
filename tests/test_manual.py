"""The manual of the settings is whole: every key has its words in both languages and an example that fits its type."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from jiaokan import readers
from jiaokan.cli import cli
from jiaokan.cli.explain import manual_page
from jiaokan.decisions.kinds import KINDS
from jiaokan.settings.catalog import CatalogFile, PersonsFile, PlacesFile
from jiaokan.settings.faults import faults
from jiaokan.settings.layouts import LayoutDeclaration
from jiaokan.settings.lists import KINDS as LISTS
from jiaokan.settings.manual import TOPICS, ManualKey, key_words, tables, words_of
from jiaokan.settings.plans import EditionPlan

TYPES = [CatalogFile, PersonsFile, PlacesFile, EditionPlan, LayoutDeclaration,
         *(row.convention for row in readers.manual_rows()), *(kind.table for kind in KINDS)]


def keys() -> Iterator[tuple[type, ManualKey]]:
    seen: set[str] = set()
    for kind in TYPES:
        for table in tables(kind):
            for key in table.keys:
                if key.home not in seen:
                    seen.add(key.home)
                    yield table.kind, key


@pytest.mark.parametrize(("kind", "key"), [*keys()], ids=lambda value: getattr(value, "home", ""))
def test_a_key_has_words_and_an_example_that_fits(kind: type, key: ManualKey) -> None:
    example, about = words_of(key)
    assert re.search("[A-Za-z]", about)
    assert re.search("[\u4e00-\u9fff]", about.in_language("zh"))
    table = tomllib.loads(f"{key.name} = {example}")
    assert [fault for fault in faults(table, kind) if key.name in fault.path] == []


def test_no_row_is_left_over() -> None:
    homes = {key.home for _, key in keys()} | {f"*.{key.home.partition('.')[2]}" for _, key in keys()}
    assert set(key_words()) <= homes


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_a_page(topic: str, lang: str) -> None:
    result = CliRunner().invoke(cli, ["explain", topic, "--lang", lang])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 5
    assert ("必填" in result.output or "默认" in result.output) <= (lang == "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_reader_kind_of_decision_and_list_has_a_page(lang: str) -> None:
    for topic, names in (("reader", readers.names()), ("decisions", [k.name for k in KINDS]), ("lists", [*LISTS])):
        for name in names:
            assert name in manual_page(topic, name, lang)


def test_examples_of_lists_are_rows() -> None:
    for kind in LISTS.values():
        cells = tuple(kind.example.split("\t"))
        assert len(kind.columns) - kind.optional <= len(cells) <= len(kind.columns)
        assert not kind.fault((*cells, *[""] * (len(kind.columns) - len(cells))))


def test_the_language_is_the_machines() -> None:
    for env, word in (({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_TW.UTF-8"}, "版式"), ({"LC_ALL": "C"}, "layout")):
        assert word in CliRunner().invoke(cli, ["explain", "print"], env=env).output


def test_an_unknown_thing_is_refused_with_the_nearest() -> None:
    result = CliRunner().invoke(cli, ["explain", "reader", "bracket"])
    assert (result.exit_code, "did you mean 'brackets'" in result.output) == (2, True)
