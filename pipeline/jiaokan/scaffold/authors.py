"""Find who made a text and who speaks in its notes: by its title page, labels and signatures, and by examples."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from jiaokan.readers.plain import header_fields
from jiaokan.structure.bylines import Maker, is_commentary, makers, speaks_for
from jiaokan.structure.example_notes import ExampleVoices, voices
from jiaokan.structure.examples import PlacedExamples
from jiaokan.structure.heads import Heads
from jiaokan.structure.notes import NoteMarks, signatures, with_makers, without_quoted
from jiaokan.structure.rows import LABELS, SHORT, Row, bare

PAGE = 8
"""Rows at the beginning of a file that may be its title page. A choice."""
_COMPILES, _COLLECTION = re.compile("[編编纂輯辑集選选]+"), 4
"""What somebody made who collects the comments of others; so many speakers are a collection."""


def name_speakers(
    given: PlacedExamples, notes: NoteMarks, rows: Sequence[Row], all_makers: Sequence[Maker], title: str
) -> tuple[NoteMarks, dict[str, Any]]:
    """Return the notes with the words that introduce speakers, and the fields of a survey on makers and speakers."""
    notes = with_makers(notes, rows, all_makers)
    about = _author_of(all_makers, title, notes)
    if about["unsigned"] and not about["guessed"] and any(maker.comments for maker in all_makers):
        notes = without_quoted(notes, all_makers)
    speaking = voices(given, notes, about["unsigned"] and not about["guessed"])
    signed = {words: next((maker.name for maker in all_makers if speaks_for(words, maker)), words)
              for words in signatures(notes, rows)} | dict(speaking.signed)
    about |= _by_examples(about, speaking) | {"persons": speaking.persons, "signed": tuple(signed.items())}
    return replace(notes, speakers=tuple(dict((*notes.speakers, *speaking.speakers)).items())), about


def _by_examples(about: Mapping[str, Any], speaking: ExampleVoices) -> dict[str, Any]:
    """Return the fields on the makers of a text that the examples change: who speaks in unsigned notes, in full."""
    author = speaking.unsigned or dict(speaking.persons).get(about["author"], "")
    if not author:
        return {}
    return {"author": author, "unsigned": bool(speaking.unsigned) or about["unsigned"],
            "guessed": not speaking.unsigned and about["guessed"],
            "dynasty": next((maker.dynasty for maker in about["makers"] if maker.name == author), "")}


def makers_of(text: str, rows: Sequence[Row], heads: Heads, title: str) -> tuple[Maker, ...]:
    """Return the makers of a text from its header, its title page, and below its first heading."""
    first = heads.heads[0].row if heads.heads else 0
    below = takewhile(lambda row: makers(row, title) or len(bare(row.text)) <= SHORT, rows[first + 1 : first + PAGE])
    page = (*rows[:PAGE], *rows[max(0, first - 6) : first + 1], *below)
    named = [maker for row in page for maker in makers(row, title)]
    header = header_fields(text)
    if header.get("author"):
        named = [Maker(header["author"], header.get("times", ""), is_commentary(title)), *named]
    return tuple(dict.fromkeys(named))


def _author_of(all_makers: Sequence[Maker], title: str, notes: NoteMarks) -> dict[str, Any]:
    """Return the fields on the makers of a text, and whether unsigned notes are by one: a title page that names only
    the maker of the book (晉 郭璞 撰) leaves nobody else, but that is a guess."""
    comment = [maker for maker in all_makers if maker.comments]
    if notes.labels or len({LABELS.get(maker.act) for maker in comment}) > 1:  # 傳, 音義 and 疏 by three
        comment = [maker for maker in all_makers if LABELS.get(maker.act, "zhu" if maker.comments else "") == "zhu"]
    several = len({maker.name for maker in comment}) > 1
    if several:  # those who speak under their names leave the rest to another, else to the first
        silent = [maker for maker in comment if not any(speaks_for(words, maker) for words, _ in notes.speakers)]
        comment = silent if len({maker.name for maker in silent}) < len({maker.name for maker in comment}) else comment
        comment = comment or [maker for maker in all_makers if maker.comments][:1]
    others = [maker for maker in all_makers if maker.act not in LABELS]  # 范甯撰 beside 音義 and 疏
    who = comment or others or list(all_makers)
    alone = who[0] if len({maker.name for maker in who}) == 1 else None
    compiled = bool(alone) and not comment and len(notes.speakers) >= _COLLECTION and bool(
        _COMPILES.fullmatch(alone.act if alone else ""))  # others comment, under their names
    titled = re.match("(?P<name>.氏).*", title) if is_commentary(title) and alone and not comment else None
    if titled and alone and _COMPILES.fullmatch(alone.act):  # 陸氏易解, collected by another
        alone = replace(alone, name=titled["name"], dynasty="")
    certain = bool(comment or not (notes.brackets or notes.lines) or is_commentary(title))
    return {
        "makers": tuple(all_makers), "author": alone.name if alone else "", "dynasty": alone.dynasty if alone else "",
        "unsigned": alone is not None and not compiled, "guessed": alone is not None and not (certain and not several),
    }
