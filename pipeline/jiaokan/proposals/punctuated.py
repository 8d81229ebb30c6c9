"""Punctuated texts of any kind, to learn from: plain text, Markdown, TEI and other XML, a file or a folder of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.model.marks import SOURCE, STOPS, graphs
from jiaokan.proposals.passages import PRINTED, BarePassage, PunctuatedPassage, source_marks
from jiaokan.readers.common.source import decode_lines
from jiaokan.tei.tree import Element, local, mixed, parse

_BLOCKS = frozenset(("p", "ab", "l", "note"))
_FORMS = frozenset((".txt", ".md", ".xml", ".tei"))
_HAN = re.compile("[\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_SHORTEST = 6
"""Graphs of a paragraph: shorter ones are mostly headings."""


def punctuated_passages(paths: Iterable[Path]) -> Iterator[PunctuatedPassage]:
    """Yield the paragraphs of texts that have stops, at least `PRINTED` for each graph; each words once.

    Raises JiaokanError (SourceError, TeiError) for a path that does not exist and for a file that cannot be read.
    """
    seen: set[str] = set()
    for path in paths:
        if not path.exists():
            raise JiaokanError(Message("no-file-folder"), place=Place(str(path)))
        files = [each for each in sorted(path.rglob("*")) if each.suffix.lower() in _FORMS] if path.is_dir() else [path]
        for file in files:
            name = re.sub("[{}]", "", Path(file.relative_to(path).parts[0] if path.is_dir() else file.name).stem)
            for text in _paragraphs(file):
                marks = [mark for mark in source_marks(text) if mark.sign in STOPS]
                keys = graphs(text)
                if len(keys) < _SHORTEST or len(marks) < PRINTED * len(keys) or keys in seen:
                    continue
                seen.add(keys)
                yield PunctuatedPassage(passage=BarePassage(text=name, ref="1", graphs=keys), marks=tuple(marks))


def _paragraphs(file: Path) -> Iterator[str]:
    data = file.read_bytes()
    if file.suffix.lower() not in (".xml", ".tei"):
        lines = decode_lines(data, str(file)) if data.strip() else ()
    else:
        lines = tuple(_words(each) for each in parse(data, name=str(file)).iter() if local(each) in _BLOCKS)
    for line in lines:
        yield "".join(char for char in line if char in SOURCE or _HAN.match(char))


def _words(block: Element) -> str:
    """Return the words of a block, without those of blocks in it."""
    return "".join(each if isinstance(each, str) else "" if local(each) in _BLOCKS else _words(each)
                   for each in mixed(block, ""))
