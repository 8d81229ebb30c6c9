"""Texts in JSON, as chinese-poetry keeps them: chapters with a title and paragraphs; written as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pipeline.errors import Place, SourceError

_TITLES = ("title", "chapter", "rhythmic", "name")
_TEXTS = ("paragraphs", "content", "text", "para", "lines")
_NOTES = ("comment", "notes", "comments")


def as_markdown(text: str, name: str) -> str:
    """Give chapters as heads and paragraphs as lines, notes in 【】; raises SourceError for what holds no such text."""
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise SourceError(f"is no JSON: {error}", place=Place(name), mend="see the place that is named") from None
    lines = [line for each in (parsed if isinstance(parsed, list) else [parsed]) for line in _chapter(each)]
    if not lines:
        raise SourceError(f"no text is found in this JSON: none of {', '.join(_TEXTS)}", place=Place(name),
                          mend="write it as plain text, a paragraph a line")
    return "\n".join(lines) + "\n"


def _chapter(item: Any) -> Iterator[str]:
    """Give the lines of one member of the list."""
    if isinstance(item, str):
        yield item
    if not isinstance(item, dict):
        return
    words = next((item[key] for key in _TEXTS if item.get(key)), ())
    notes = next((item[key] for key in _NOTES if item.get(key)), ())
    title = next((item[key] for key in _TITLES if item.get(key) and item[key] is not words), "")
    if title and words:
        yield f"## {title}"
    for each in [words] if isinstance(words, str) else words:
        yield from _chapter(each) if isinstance(each, dict) else [str(each).replace("\n", " ")]
    for each in [notes] if isinstance(notes, str) else notes:
        yield f"【{each}】"
