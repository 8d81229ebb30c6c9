"""Read files of unknown encoding and format; JSON becomes Markdown."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.errors import Place, SourceError
from pipeline.model.words import LINE_END
from pipeline.readers.common.source import UNFIT
from pipeline.system.listing import bytes_of

_COMMON = re.compile("[的一是不之人大而以有子曰為为者也其於于中天下無无所]")
_SAMPLE = 20_000
"""Characters that are examined; a page is enough."""


def decoded(path: Path) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding. Raises SourceError if the file or encoding is unreadable.
    Control characters, which XML cannot hold, become 〓, and their number is added to the name. Big5 and GB18030 decode
    each other's bytes as rare characters; the result with more of the commonest characters is taken."""
    try:
        data = bytes_of(path)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=Place(str(path))) from None
    found: dict[str, str] = {}
    is_utf16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    for name in ("utf-16",) if is_utf16 else ("utf-8-sig", "gb18030", "big5hkscs"):
        if "utf-8-sig" not in found:  # hardly any other text is valid UTF-8 by chance
            with suppress(UnicodeDecodeError):
                found[name] = data.decode(name)
    if not found:
        raise SourceError("cannot detect the encoding", place=Place(str(path)), mend="convert the file to UTF-8")
    encoding = max(found, key=lambda name: len(_COMMON.findall(found[name][:_SAMPLE])))
    text, count = UNFIT.subn("〓", LINE_END.sub("\n", found[encoding].removeprefix("\ufeff")))
    controls = f" ({count} control {'character' if count == 1 else 'characters'} written 〓)" if count else ""
    return text, encoding.removesuffix("-sig") + controls


def format_of(text: str) -> str:
    """Return the format of a text: ``tei``, ``mandoku``, ``wiki``, ``markdown`` or ``plain``."""
    head = text.lstrip()
    if head.startswith("<") and re.search(r"<(?:\w+:)?TEI\b|<teiCorpus\b", head[:_SAMPLE]):
        return "tei"
    if "mandoku" in head[:200] or re.search(r"<pb:[^<>]+>", text):
        return "mandoku"
    if re.search(r"^={1,6}[^=\n]+={1,6}\s*$|^\{\{[^\n]+|\{\{\*\|", text, re.M):  # a heading, a template, small type
        return "wiki"
    return "markdown" if re.search(r"^#{1,6} \S", text, re.M) else "plain"


_TEXT_KEYS = ("paragraphs", "content", "text", "para", "lines")


def as_markdown(text: str, name: str) -> str:
    """Return texts in JSON, as chinese-poetry keeps them, as Markdown: headings, a paragraph a line, notes in 【】.
    Raises SourceError for invalid JSON or JSON without such a text."""
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise SourceError(f"invalid JSON: {error}", place=Place(name), mend="correct it at this place") from None
    lines = [line for each in (parsed if isinstance(parsed, list) else [parsed]) for line in _lines_of_chapter(each)]
    if not lines:
        raise SourceError(f"no text found in this JSON: no key {', '.join(_TEXT_KEYS)}", place=Place(name),
                          mend="give plain text, a paragraph a line")
    return "\n".join(lines) + "\n"


def _lines_of_chapter(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    if not isinstance(item, dict):
        return
    words = next((item[key] for key in _TEXT_KEYS if item.get(key)), ())
    notes = next((item[key] for key in ("comment", "notes", "comments") if item.get(key)), ())
    title = next((item[key] for key in ("title", "chapter", "rhythmic", "name") if item.get(key)), "")
    if title and words:
        yield f"## {title}"
    for each in [words] if isinstance(words, str) else words:
        yield from _lines_of_chapter(each) if isinstance(each, dict) else [str(each).replace("\n", " ")]
    for each in [notes] if isinstance(notes, str) else notes:
        yield f"【{each}】"
