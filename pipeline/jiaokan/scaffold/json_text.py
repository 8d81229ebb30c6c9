"""Texts in JSON, as chinese-poetry keeps them, as Markdown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from jiaokan.errors import Message, Place, SourceError
from jiaokan.scaffold.letters import Received, account, letters

_TEXT_KEYS = ("paragraphs", "content", "text", "para", "lines")
_NOTE_KEYS = ("comment", "notes", "comments", "note", "annotations")
_TITLE_KEYS = ("title", "chapter", "rhythmic", "name")
_AUTHOR_KEYS = ("author", "name", "by", "commentator")


def json_as_markdown(text: str, name: str) -> Received:
    """Return a text as Markdown: headings, a paragraph a line, notes in 【】; the author of a comment is before it, in
    〔〕. Raises SourceError for invalid JSON or JSON without such a text."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(Message("invalid-json", error=error), place=Place(name),
                          mend=Message("correct-place")) from None
    chapters = _Chapters()
    lines = list(chapters.lines(parsed, 2))
    if not lines:
        raise SourceError(Message("no-text-found-json-no", text_keys=", ".join(_TEXT_KEYS)), place=Place(name),
                          mend=Message("give-plain-text-paragraph-line"))
    left_out = tuple((f"key {key}", " ".join(words)) for key, words in chapters.left_out.items())
    received = Received("\n".join(lines) + "\n", left_out=left_out)
    return account(sum((letters(words) for words in _values(parsed)), Counter[str]()), received, name)


class _Chapters:
    """Reads chapters, and keeps what their other keys have."""

    def __init__(self) -> None:
        self.left_out: dict[str, list[str]] = {}

    def lines(self, item: object, level: int) -> Iterator[str]:
        """Yield the lines of a chapter, or of a list of them."""
        if isinstance(item, list):
            for part in item:
                yield from self.lines(part, level)
        elif isinstance(item, dict):
            yield from self.chapter(item, level)
        elif isinstance(item, str):
            yield item.replace("\n", " ")
        elif item is not None and not isinstance(item, bool):
            yield str(item)

    def chapter(self, item: dict[str, object], level: int) -> Iterator[str]:
        """Yield the lines of a chapter: its heading, its text or the chapters in it, its notes."""
        text = next((key for key in _TEXT_KEYS if item.get(key)), "")
        note = next((key for key in _NOTE_KEYS if item.get(key)), "")
        title = next((key for key in _TITLE_KEYS if isinstance(item.get(key), str | int) and item[key]), "")
        headed = title if title and text else ""
        self.leave_out(item, {text, note, headed})
        if headed:
            yield f"{'#' * level} {str(item[headed]).replace(chr(10), ' ')}"
        if text:
            yield from self.lines(item[text], min(6, level + bool(headed)))
        notes = item.get(note) or []
        for entry in notes if isinstance(notes, list) else [notes]:
            if words := self.note(entry).strip():
                yield f"【{words}】"

    def note(self, item: object) -> str:
        """Return the words of a note, with its author in 〔〕."""
        if not isinstance(item, dict):
            return " ".join(_values(item)).replace("\n", " ")
        text = next((key for key in (*_TEXT_KEYS, "comment", "note") if item.get(key)), "")
        author = next((key for key in _AUTHOR_KEYS if isinstance(item.get(key), str) and item[key]), "")
        self.leave_out(item, {text, author})
        words = " ".join(_values(item.get(text))).replace("\n", " ")
        return f"〔{item[author]}〕{words}" if author else words

    def leave_out(self, item: dict[str, object], used: set[str]) -> None:
        for key, value in item.items():
            if key not in used and (words := list(_values(value))):
                self.left_out.setdefault(key, []).extend(words)


def _values(item: object) -> Iterator[str]:
    """Yield the strings and numbers in a value, without keys."""
    open_ = [item]
    while open_:
        value = open_.pop()
        if isinstance(value, list | dict):
            open_ += reversed([*(value.values() if isinstance(value, dict) else value)])
        elif isinstance(value, str):
            yield value
        elif value is not None and not isinstance(value, bool):
            yield str(value)
