"""Texts in JSON, as chinese-poetry keeps them, as Markdown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator

from jiaokan.errors import Message, Place, SourceError
from jiaokan.scaffold.letters import LeftOut, Received, account, letters
from jiaokan.system.json_fault import json_fault

_TEXT_KEYS = ("paragraphs", "content", "text", "para", "lines", "正文", "原文", "内容", "內容", "文本")
_NOTE_KEYS = ("comment", "notes", "comments", "note", "annotations", "注", "註", "注释", "注釋", "註釋")
_TITLE_KEYS = ("title", "chapter", "rhythmic", "name", "标题", "標題", "篇名", "书名", "書名")
_AUTHOR_KEYS = ("author", "name", "by", "commentator", "作者", "撰者")
_OTHER_KEYS = ("朝代", "年代", "版本", "来源", "來源", "出处", "出處")
_CHAPTER = re.compile(r"[㐀-鿿\U00020000-\U0003ffff]|\d")
"""What a key has that names a chapter, as 一, 學而, 1, juan-3; other keys name a kind of words."""
_FEW = 8


def json_as_markdown(text: str, name: str) -> Received:
    """Return a text as Markdown: headings, a paragraph a line, notes in 【】; the author of a comment is before it, in
    〔〕. Raises SourceError for invalid JSON or JSON without such a text."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise json_fault(text, name) or error from None
    chapters = _Chapters()
    is_book = isinstance(parsed, dict) and not any(parsed.get(key) for key in _TEXT_KEYS)
    lines = list(chapters.lines(parsed, 1 if is_book and any(parsed.get(key) for key in _TITLE_KEYS) else 2))
    if not lines:
        raise SourceError(Message(
            "no-text-in-json", keys=", ".join(list(dict.fromkeys(_keys(parsed)))[:_FEW]) or "–",
            text_keys=", ".join(_TEXT_KEYS)), place=Place(name),
                          mend=Message("give-plain-text-paragraph-line"))
    left_out = tuple(LeftOut(Message("part-key", key=key), " ".join(words)) for key, words in chapters.left_out.items())
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
        inside = [] if text else [key for key in item if key not in (note, title) and _has_chapters(key, item[key])]
        headed = title if title and (text or inside) else ""
        self.leave_out(item, {text, note, headed, *inside})
        if headed:
            yield f"{'#' * level} {str(item[headed]).replace(chr(10), ' ')}"
        if text:
            yield from self.lines(item[text], min(6, level + bool(headed)))
        for key in inside:
            named = bool(_CHAPTER.search(key))
            if named:
                yield f"{'#' * min(6, level + bool(headed))} {key.replace(chr(10), ' ')}"
            yield from self.lines(item[key], min(6, level + bool(headed) + named))
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
            if key not in used and any(map(str.strip, words := list(_values(value)))):
                self.left_out.setdefault(key, []).extend(words)


def _has_chapters(key: str, value: object) -> bool:
    """Whether a value under a key is a chapter or has some: words under a name of a chapter, or objects with text."""
    if key in (*_AUTHOR_KEYS, *_TITLE_KEYS, *_NOTE_KEYS, *_OTHER_KEYS):
        return False
    if _CHAPTER.search(key) and not isinstance(value, dict):
        return any(map(str.strip, _values(value)))
    return any(name in _TEXT_KEYS or bool(_CHAPTER.search(name)) for name in _keys(value))


def _keys(item: object) -> Iterator[str]:
    """Yield the keys in a value that have words."""
    open_ = [item]
    while open_:
        value = open_.pop()
        if isinstance(value, dict):
            yield from (key for key, words in value.items() if any(map(str.strip, _values(words))))
        if isinstance(value, list | dict):
            open_ += reversed([*(value.values() if isinstance(value, dict) else value)])


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
