"""Translations that somebody else's file has, as those of an edition of ours: each passage with the units that it
translates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jiaokan import model
from jiaokan.editions.translations import name_of_language
from jiaokan.readers.tei.text import OtherText
from jiaokan.readers.tei.translated import Translation
from jiaokan.tei.apparatus import inner_items, size
from jiaokan.tei.tree import LANG, add_block, element, within


def back_with_translations(document: model.Document, text: OtherText, ids: Collection[str]) -> bytes:
    """Return the element ``back`` with the translations of a file's text; empty without any. `document` is the text,
    numbered; `ids` are those of its header, which can be named as responsible."""
    units = [*_units(document)]
    if not text.translations or not units:
        return b""
    back = element("back")
    alike: dict[tuple[str, str, str], list[Translation]] = {}
    for translation in text.translations:
        alike.setdefault((translation.language, translation.name, translation.resp), []).append(translation)
    for (language, name, resp), translations in alike.items():
        known = " ".join(pointer for pointer in resp.split() if pointer.removeprefix("#") in ids)
        part = element("div", {"type": "translation", LANG: language or "und", "resp": known})
        rows = [element("p", {"corresp": " ".join(f"#{unit}" for unit in named)}, line)
                for named, lines in _level(translations, text, units) for line in lines]
        head = name or (name_of_language(language) if language else "")
        add_block(back, add_block(part, element("head", {}, head), *rows))
    return within(back)


def _level(
    translations: Sequence[Translation], text: OtherText, units: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield the passages of translations with their units, in the order of these; those of one unit are one passage."""
    rows: list[tuple[list[int], list[str]]] = []
    passages = [passage for each in translations for passage in each.passages]
    places = [] if any(passage.keys for passage in passages) else [*range(len(units))]
    for passage in passages:
        places = sorted({_unit_at(text.points[key], units) for key in passage.keys}) or places or [0]
        same = [row for row in rows if not set(row[0]).isdisjoint(places)]
        for row in same:
            rows.remove(row)
        lines = [line for row in same for line in row[1]]
        if lines and passage.goes_on:
            lines[-1:] = [" ".join([lines[-1], *passage.words])]
        else:
            lines += passage.words
        rows.append((sorted({*places, *(place for row in same for place in row[0])}), lines))
    for places, lines in sorted(rows):
        yield tuple(units[place][2] for place in places), lines


def _unit_at(at: int, units: Sequence[tuple[int, int, str]]) -> int:
    """Return the unit in which a place is; of one before, between or after units the next, else the last."""
    return next((number for number, (_, end, _) in enumerate(units) if at < end), len(units) - 1)


def _units(document: model.Document) -> Iterator[tuple[int, int, str]]:
    """Yield where each unit begins and ends, in characters of the text without notes, and its id."""
    at = 0

    def walk(items: Sequence[model.Item]) -> Iterator[tuple[int, int, str]]:
        nonlocal at
        for item in items:
            start = at
            inside = item.lemma.content if isinstance(item, model.App) else inner_items(item)
            if isinstance(item, (model.Note, model.NoteGroup)):
                continue
            if inside is None:
                at += size(item)
                continue
            yield from walk(inside)
            if isinstance(item, model.Unit) and item.id:
                yield start, at, item.id

    return walk(document.divisions)
