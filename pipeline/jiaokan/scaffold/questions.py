"""Doubts as questions: for those that one example settles, the answers and the example that each of them is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from jiaokan.errors import Message
from jiaokan.scaffold.layers import LayeredText
from jiaokan.scaffold.origins import Origins, is_named
from jiaokan.scaffold.survey import Survey
from jiaokan.structure.example_notes import is_note_line
from jiaokan.structure.weigh import rival_of


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """An answer to a doubt: its words and its example; one that `asks` for a name ends before the name."""

    label: Message
    example: str
    asks: bool = False


Line = Callable[[int], str]
"""Returns the place of a line of a text, as examples write it: a.txt:12."""


def place_of(origins: Origins, all_origins: Sequence[Origins]) -> Line:
    """Return a function that returns the place of a line of a text, with as much of the path as is needed."""
    files = {file for other in all_origins for file in other.files}
    names: list[str] = []
    for file in origins.files:
        parts = file.parts[::-1]
        name = next(("/".join(parts[:size][::-1]) for size in range(1, len(parts) + 1)
                     if sum(is_named(other, "/".join(parts[:size][::-1])) for other in files) == 1), file.name)
        names.append(name)

    def place(line: int) -> str:
        file, number = origins.lines[line - 1] if 0 < line <= len(origins.lines) else (0, 0)
        return f"{names[file]}:{number}" if number else ""

    return place


def answers_to(doubt: str, survey: Survey, text: LayeredText, place: Line) -> tuple[ExampleAnswer, ...]:
    """Return the answers to a doubt on a text; none if no single example settles it."""
    answer_to = _ANSWERS.get(doubt.id) if isinstance(doubt, Message) else None
    answers = answer_to(survey, text, place) if answer_to else ()
    return tuple(answer for answer in answers if not answer.example.startswith("="))


def _other_chapters(survey: Survey, _text: LayeredText, place: Line) -> Iterator[ExampleAnswer]:
    rival = rival_of(survey.explanations)
    for heads, label in ((survey.heads.heads, "answer-chapters-these"), (rival.heads.heads if rival else (),
                                                                        "answer-chapters-others")):
        others = {head.row for head in (rival.heads.heads if rival and label.endswith("these") else survey.heads.heads)}
        head = next((head for head in heads if head.name and head.row not in others), None)
        if head:
            yield ExampleAnswer(Message(label, title=head.title), f"{place(survey.rows[head.row].number)}=head")


def _lines_apart(survey: Survey, _text: LayeredText, place: Line) -> Iterator[ExampleAnswer]:
    heads = {head.row for head in survey.heads.heads}
    row = next((row for n, row in enumerate(survey.rows) if n > min(heads, default=-1) and n not in heads
                and (is_note_line(row, survey.notes) or (not survey.notes.lines and (row.indent or row.quoted)))), None)
    if row:
        yield ExampleAnswer(Message("answer-lines-notes"), f"{place(row.number)}=note")
        yield ExampleAnswer(Message("answer-lines-text"), f"{place(row.number)}=text")


def _unsigned_notes(survey: Survey, text: LayeredText, place: Line) -> Iterator[ExampleAnswer]:
    named = {words for words, _ in survey.notes.speakers}
    for number, line in enumerate(text.lines, 1):
        stretch = next((stretch for stretch in line if stretch.layer == "note" and (
            stretch.person == (survey.author if survey.unsigned else "")) and len(stretch.words) > 1
            and not any(words in stretch.words for words in named)), None)
        if stretch and place(number):
            if survey.author and survey.unsigned:
                yield ExampleAnswer(
                    Message("answer-speaker", person=survey.author), f"{place(number)}=note:{survey.author}")
            yield ExampleAnswer(Message("answer-speaker-other"), f"{place(number)}=note:", asks=True)
            return


_ANSWERS: dict[str, Callable[[Survey, LayeredText, Line], Iterator[ExampleAnswer]]] = {
    "chapters-could-be": _other_chapters, "lines-apart-doubt": _lines_apart,
    "speaks-unsigned-notes-unknown-notes": _unsigned_notes, "speaker-guessed": _unsigned_notes,
}
