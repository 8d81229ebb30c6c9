"""Read files of unknown encoding and format; JSON becomes Markdown, branches of a repository become folders."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.errors import Place, SourceError
from pipeline.model.words import LINE_END
from pipeline.readers.common.source import UNFIT
from pipeline.system.atomic import write_file
from pipeline.system.listing import bytes_of
from pipeline.system.repository import branches, is_repository, texts

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


def expand_repositories(paths: Sequence[Path], into: Path) -> tuple[list[Path], list[str]]:
    """Return the paths with each Kanripo repository replaced by folders of its branches, which are witnesses (WYG,
    SBCK), below `into`, and a line of report for each. Branches without Mandoku (``_data``), or with the same texts as
    another, are left out. Raises SourceError if git cannot read them."""
    made: list[Path] = []
    report: list[str] = []
    for path in paths:
        found = _texts_of_branches(path, into / path.name) if path.is_dir() and is_repository(path) else {}
        if len(found) < 2:
            made.append(path)
            continue
        made += found.values()
        report.append(f"{path.name}: {len(found)} branches as witnesses: {', '.join(found)}")
    return made, report


def _texts_of_branches(repository: Path, into: Path) -> dict[str, Path]:
    """Write the texts of each branch, without branches that repeat another, as master and main mostly do."""
    found: dict[str, Path] = {}
    seen: list[list[bytes]] = [[]]
    for name, commit in sorted(branches(repository).items(), key=lambda each: (each[0] in ("master", "main"), each[0])):
        mandoku = {path: data for path, data in sorted(texts(repository, commit).items())
                   if format_of(data.decode("utf-8-sig", "replace")) == "mandoku"}
        if [*mandoku.values()] in seen:
            continue
        seen.append([*mandoku.values()])
        found[name] = into / name.replace("/", "-")
        for path, data in mandoku.items():
            target = found[name] / Path(path).name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, data)
    return found
