"""What a file is, told from its bytes: the encoding, the format."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from pipeline.errors import Place, SourceError
from pipeline.model.words import LINE_END
from pipeline.readers.common.decoding import UNFIT

ENCODINGS = ("utf-8-sig", "gb18030", "big5hkscs", "utf-16")
"""In the order in which they are tried; UTF-8 first, since hardly any other text is well-formed UTF-8 by chance."""
_COMMON = re.compile("[的一是不之人大而以有子曰為为者也其於于中天下無无所]")
_SAMPLE = 20_000
"""Characters from which the script is told; a page is enough, and a long file need not be read for it."""


def decoded(path: Path) -> tuple[str, str]:
    """Give the text of a file and what it is encoded in; raises SourceError if it is no text that can be told.

    Control characters, which no XML holds and which transcriptions have by accident, become 〓 and are told. Big5 and
    GB18030 read each other's bytes as rare characters; the reading with more of the commonest is taken.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=Place(str(path))) from None
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return _held(data.decode("utf-16", "strict"), "utf-16")
    try:
        return _held(data.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError:
        read = {name: text for name in ("gb18030", "big5hkscs") if (text := _try(data, name))}
    if not read:
        raise SourceError("is text in no encoding that is known", place=Place(str(path)),
                          mend="convert it to UTF-8")
    best = max(read, key=lambda name: len(_COMMON.findall(read[name][:_SAMPLE])))
    return _held(read[best], best)


def _try(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return ""


def _held(text: str, encoding: str) -> tuple[str, str]:
    held, count = UNFIT.subn("〓", _lines(text))
    if not count:
        return held, encoding
    return held, f"{encoding} ({count} control {'character' if count == 1 else 'characters'} written 〓)"


def _lines(text: str) -> str:
    """Give a text with line feeds only, and none of the marks of byte order."""
    return LINE_END.sub("\n", text.removeprefix("\ufeff"))


def format_of(text: str) -> str:
    """Tell the format of a text: ``tei``, ``mandoku``, ``wiki``, ``markdown`` or ``plain``."""
    head = text.lstrip()
    if head.startswith("<") and re.search(r"<(?:\w+:)?TEI\b|<teiCorpus\b", head[:_SAMPLE]):
        return "tei"
    if "mandoku" in head[:200] or re.search(r"<pb:[^<>]+>", text):
        return "mandoku"
    if re.search(r"^={1,6}[^=\n]+={1,6}\s*$|^\{\{[^\n]+|\{\{\*\|", text, re.M):  # a head, a template, small type
        return "wiki"
    return "markdown" if re.search(r"^#{1,6} \S", text, re.M) else "plain"
