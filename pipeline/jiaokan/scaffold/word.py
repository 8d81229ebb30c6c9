"""Word files as Markdown: headings, a paragraph a line, footnotes, endnotes and small type in brackets."""

from __future__ import annotations

import re

from jiaokan.errors import Message, join_messages
from jiaokan.readers.common.word import BESIDE, NUMBERS, WordFile, WordParagraph, read_word
from jiaokan.scaffold.letters import LeftOut, Received
from jiaokan.scaffold.markup import PAIRS
from jiaokan.structure.notes import notes_of
from jiaokan.structure.rows import Row


def word_as_markdown(data: bytes, name: str) -> Received:
    """Return the text of a Word file as Markdown. Its footnotes and small type get the brackets in which its text has
    notes already, so that all notes are read as such. Raises SourceError if it is not a Word file or has no words."""
    document = read_word(data, name)
    words = [paragraph.text for paragraph in document.paragraphs]
    rows = [Row(number, text, 0, 0) for number, text in enumerate(words, 1)]
    inside = notes_of(rows)
    chars = {*"".join(words), *(char for paragraph in document.paragraphs for note in paragraph.notes
                                for char in note.words)}
    pair = inside.brackets or next((pair for pair in PAIRS if not {*pair} & chars), PAIRS[0])
    lines = [line for paragraph in document.paragraphs for line in _lines(paragraph, pair)]
    front = f"---\ntitle: {document.title.strip()}\n---\n" if document.title.strip() else ""
    doubts = tuple(_doubts(document, inside.count, pair))
    furniture = (NUMBERS, BESIDE["header"], BESIDE["footer"])
    left_out = tuple(LeftOut(part, words, part not in furniture) for part, words in document.left_out)
    marked = any(paragraph.notes or paragraph.small for paragraph in document.paragraphs)
    return Received(front + "\n".join(lines) + "\n", "docx", left_out, doubts, pair if marked else "")


def _doubts(document: WordFile, inside: int, pair: str) -> list[str]:
    called = sum(len(paragraph.notes) for paragraph in document.paragraphs)
    small = sum(len(paragraph.small) for paragraph in document.paragraphs)
    kinds = [words for count, words in (
        (called, Message("notes-of-pages", count=called)), (small, Message("passages-small-type", count=small)),
        (inside, Message("passages-in-brackets", count=inside, pair=pair))) if count]
    if not called and not small:
        return []
    return [Message("read-as-notes", pair=pair, kinds=join_messages("list-comma", kinds))]


def _lines(paragraph: WordParagraph, pair: str) -> list[str]:
    signs = [(note.at, 1, f"{pair[0]}{_flat(note.words)}{pair[1]}") for note in paragraph.notes]
    for start, end in paragraph.small:
        words = paragraph.text[start:end].strip()
        if not paragraph.head and words[0] + words[-1] != pair and "\n" not in words:
            signs += [(start, 2, pair[0]), (end, 0, pair[1])]
    parts, done = [], 0
    for at, _, sign in sorted(signs, key=lambda row: row[:2]):
        parts += [paragraph.text[done:at], sign]
        done = at
    whole = "".join([*parts, paragraph.text[done:]])
    lines = [line for line in (re.sub(r"[ \t]+", " ", line).rstrip(" ") for line in whole.split("\n")) if line.strip()]
    if not paragraph.head or not lines:
        return lines
    return [f"{'#' * min(6, paragraph.head)} {' '.join(line.strip() for line in lines)}"]


def _flat(words: str) -> str:
    return " ".join(words.split())
