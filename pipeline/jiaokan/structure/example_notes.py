"""Notes and speakers that agree with the editor's examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jiaokan.annotate.speakers import names_nobody
from jiaokan.readers.common.source import Bracket, nest
from jiaokan.structure.bylines import same_person
from jiaokan.structure.examples import PlacedExample, PlacedExamples
from jiaokan.structure.layers import LayerExplanation, labels_of_lines
from jiaokan.structure.notes import PAIRS, NoteMarks, notes_of
from jiaokan.structure.rows import Row

_SURE = 0.95
"""At this probability of a commentary in lines apart, one line of base text among them is an exception. A choice."""
_MOST = 0.5
"""An example of base text shows another indentation only if more than this share of the notes keeps it. A choice."""
_FIRST = 8
"""First characters of a line in a pattern for this line alone. A choice."""
_LABEL = re.compile("(?P<name>[㐀-鿿\U00020000-\U0003ffff]{1,6}?)(?P<verb>[曰云][：:]?|[：:])")
"""Words at the beginning of a note that can name who speaks."""
_SIGNED = re.compile(r"[(（〔\[【〈](?P<name>[^()（）〔〕\[\]【】〈〉]{1,6})[)）〕\]】〉][。.]?$")
"""A name, or a work, in brackets at the end of a note."""
_FEW = 2
"""Words that introduce a speaker without a verb must occur this often; graphs of a name that is sure. A choice."""


def choose_notes(given: PlacedExamples, notes: NoteMarks, lines: LayerExplanation | None) -> NoteMarks:
    """Return how notes are marked so that the examples agree; `lines` are the lines apart."""
    inside = [place for place in given.places if place.example.kind == "note"]
    for place in inside:
        row = given.rows[place.row]
        if not _is_bracketed(row, notes.brackets) and not _is_apart(row) and (
                pair := next((pair for pair in PAIRS if _is_bracketed(row, pair, place.example.words)), "")):
            notes = replace(notes_of(given.rows, pair), lines=notes.lines, calls=notes.calls, speakers=notes.speakers)
    texts = [place for place in given.places if place.example.kind in ("text", "head", "no-head")]
    for place in texts:
        row = given.rows[place.row]
        whole = bool(notes.brackets) and bool(place.example.words) and any(
            place.example.words in text for text in _read_brackets(row, notes.brackets))
        if whole and place.example.kind == "text":
            notes = replace(notes, brackets="", count=0, separators="", speakers=(), across=False)
    noted = [given.rows[place.row] for place in inside if not _is_bracketed(given.rows[place.row], notes.brackets)
             and (_is_apart(given.rows[place.row]) or place.words in ("", place.line))]  # words of a line have no end
    based = [given.rows[place.row] for place in texts if place.example.kind == "text" and not place.example.words]
    if not noted and not any(_fits(notes.lines, row) for row in based):
        return notes
    patterns = (notes.lines, *_patterns(given.rows, notes, lines, noted, based))
    chosen = next(pattern for pattern in patterns if all(_fits(pattern, row) for row in noted)
                  and not any(_fits(pattern, row) for row in based))
    before, after = (sum(_fits(pattern, row) for row in given.rows) for pattern in (notes.lines, chosen))
    labels = () if not lines or notes.lines or not chosen else lines.labels
    return replace(notes, lines=chosen, count=max(0, notes.count - before + after),
                   speakers=(*labels, *notes.speakers))


def _patterns(
    rows: Sequence[Row], notes: NoteMarks, lines: LayerExplanation | None, noted: Sequence[Row], based: Sequence[Row]
) -> Iterator[str]:
    """Yield patterns of lines of notes, the most general first; the last one fits only what the examples name."""
    now = notes.lines
    if now and based and not noted and (lines is None or lines.pattern != now or lines.probability < _SURE):
        yield ""
    if lines:
        yield lines.pattern
    if now and now.isspace():
        exact = f"{now}(?!　)"
        if sum(_fits(exact, row) for row in rows) > _MOST * sum(_fits(now, row) for row in rows):
            yield exact
    for row in noted:
        sign = _sign_of(row)
        labels = "|".join(re.escape(words) for words, _ in labels_of_lines([row.text] * len(row.text)))
        if sign:
            yield sign
            yield f"{sign}(?!　)"
        if labels:
            yield f"{sign}(?:{labels})"
    named = [f"{_sign_of(row)}{re.escape(row.text[:_FIRST])}" for row in noted if not _fits(now, row)]
    others = "|".join(re.escape(row.text[:_FIRST]) for row in based)
    blank = now if now.isspace() else ""
    rule = f"{blank}(?!　*(?:{others})){now.removeprefix(blank)}" if now and others else now
    yield "|".join(filter(None, [rule, *named])) if blank or not named else "|".join([*named, *filter(None, [rule])])


def _sign_of(row: Row) -> str:
    return row.quoted or "　" * row.indent


def _is_apart(row: Row) -> bool:
    return bool(_sign_of(row))


def _fits(pattern: str, row: Row) -> bool:
    """Whether a row is a note by the pattern of such lines."""
    if not pattern:
        return False
    if row.quoted and pattern == row.quoted:
        return True
    return bool(re.match(pattern, "　" * row.indent + row.text if pattern[0] in " 　\t" else row.text))


def is_note_line(row: Row, notes: NoteMarks) -> bool:
    """Whether a row is a note by the marks of a text."""
    return _fits(notes.lines, row) or bool(notes.calls and re.match(notes.calls, row.text))


def _read_brackets(row: Row, pair: str) -> list[str]:
    return [piece.text()[len(pair) // 2 : -1] for piece in nest(row.text, pair) if isinstance(piece, Bracket)]


def _is_bracketed(row: Row, pair: str, words: str = "") -> bool:
    return bool(pair) and any(words in text for text in _read_brackets(row, pair))


@dataclass(frozen=True, slots=True)
class ExampleVoices:
    """Who speaks by the examples."""

    speakers: tuple[tuple[str, int], ...] = ()
    """Further words that introduce speakers, with their number."""
    persons: tuple[tuple[str, str], ...] = ()
    """Who speaks after some words, and names of one person."""
    signed: tuple[tuple[str, str], ...] = ()
    """Words at the end of notes, and whose these are."""
    unsigned: str = ""
    """Who speaks in unsigned notes; empty if no example says so."""


def voices(given: PlacedExamples, notes: NoteMarks, certain: bool) -> ExampleVoices:
    """Return who speaks so that the examples of notes by somebody agree; `certain`: who speaks in unsigned notes is
    known, so that a note by another has words that name him."""
    speaking = ExampleVoices(persons=given.persons)
    for place in given.places:
        who = place.example.value
        if place.example.kind != "note" or not who:
            continue
        label, is_signed = _label_of(place, who, notes, given.rows, certain)
        if is_signed:
            speaking = replace(speaking, signed=(*speaking.signed, (label, who)))
        elif label:
            known = label in dict((*notes.speakers, *speaking.speakers))
            count = sum(row.text.count(label) for row in given.rows)
            speaking = replace(speaking, persons=((label, who), *speaking.persons),
                            speakers=speaking.speakers if known else (*speaking.speakers, (label, count)))
        else:
            speaking = replace(speaking, unsigned=who)
    return speaking


def _note_at(row: Row, place: PlacedExample, notes: NoteMarks) -> tuple[str, str]:
    """Return the note in a row that an example means, by its words or those of its line; and its words from these on.
    Of several notes without a hint it is the first."""
    texts = _read_brackets(row, notes.brackets) if notes.brackets and not _fits(notes.lines, row) else []
    texts = texts or [row.text]
    words = place.example.words
    if words and (whole := next((text for text in texts if words in text), "")):
        return whole, whole[whole.index(words) :]
    pieces = sorted(re.split(r"\W+", place.line), key=len, reverse=True)
    whole = next((text for piece in pieces for text in texts if len(piece) > 1 and piece in text), texts[0])
    return whole, whole


def _label_of(
    place: PlacedExample, who: str, notes: NoteMarks, rows: Sequence[Row], certain: bool
) -> tuple[str, bool]:
    """Return the words that name the speaker of a note: at its beginning, or (then True) at its end; "" if it is
    unsigned."""
    whole, text = _note_at(rows[place.row], place, notes)
    if named := re.search(f"{re.escape(who)}[曰云：:]", whole):
        return named[0], False
    if declared := [words for words, _ in notes.speakers if text.startswith(words)]:
        return max(declared, key=len), False
    match = _LABEL.match(text)
    if match and (same_person(match["name"], who) or who.startswith(match["name"])
                  or place.example.words == match[0]):
        return match[0], False
    signed = _SIGNED.search(text)
    if signed and _occurs(signed["name"], rows):
        return signed["name"], True
    longer = match and (len(match["name"]) > _FEW or not names_nobody(match["name"]))
    if certain and match and longer and len(match["name"]) >= _FEW and _occurs(
            match[0], rows, _FEW + (match["verb"][0] == "云")):  # 云 also cites
        return match[0], False
    return "", False


def _occurs(words: str, rows: Sequence[Row], least: int = _FEW) -> bool:
    return sum(row.text.count(words) for row in rows) >= least
