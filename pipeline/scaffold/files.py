"""Read files of unknown encoding and format; HTML, EPUB and JSON become Markdown."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from pathlib import Path

from pipeline.errors import Message, Place, SourceError
from pipeline.model.words import LINE_END
from pipeline.readers.common.source import UNFIT
from pipeline.scaffold.markup import epub_as_markdown, html_as_markdown, json_as_markdown
from pipeline.system.listing import bytes_of

_COMMON = re.compile("[的一是不之人大而以有子曰為为者也其於于中天下無无所]")
_SAMPLE = 20_000
"""Characters that are examined; a page is enough."""
_WORD = Message("make TEI of it, which init takes: jiaokan convert NAME.docx -o NAME.xml; unpack other archives")
_SAVED = Message("save it as .docx, and make TEI of that: jiaokan convert NAME.docx -o NAME.xml")
_REFUSED = (
    (b"%PDF-", Message("a PDF is not text: it has no order of reading"),
     Message("give the text from which it was made, or a transcription")),
    (b"\xd0\xcf\x11\xe0", Message("a .doc is not text"), _SAVED), (b"{\\rtf", Message("RTF is not text"), _SAVED),
    (b"PK\x03\x04", Message("a .docx or another archive is not text"), _WORD),
)
"""Formats that are not text, by their first bytes, with what to do."""


def decoded(path: Path) -> tuple[str, str]:
    """Return the text of a file, of HTML, EPUB and JSON as Markdown, and the name of its encoding. Raises SourceError
    if it cannot be read as text. Control characters, which XML cannot hold, become 〓, and their number is added to the
    name. Big5 and GB18030 decode each other's bytes as rare characters; the result with more of the commonest
    characters is taken."""
    try:
        data = bytes_of(path)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=Place(str(path)),
                          mend="check its name and its permissions") from None
    if data[:2] == b"PK" and b"application/epub+zip" in data[:100]:
        return epub_as_markdown(data, str(path)), "epub"
    for first, fault, mend in _REFUSED:
        if data.startswith(first):
            raise SourceError(fault, place=Place(str(path)), mend=mend)
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
    if path.suffix.lower() == ".json":
        text = json_as_markdown(text, str(path))
    elif re.match(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE html|<html|<body)\b", text, re.I):
        text = html_as_markdown(text)
    elif re.match(r"\s*<(?:\?xml|!DOCTYPE)\b", text) and format_of(text) != "tei":
        raise SourceError("this is XML, but not TEI", place=Place(str(path)), mend="give TEI, HTML or plain text")
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
