"""Bytes of a source as received → its lines, or an error that shows the place and names the mend."""

from __future__ import annotations

import re

from pipeline.errors import Place, SourceError
from pipeline.model.words import LINE_END

UNFIT = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document can hold (NUL, other control characters, noncharacters), and DEL."""
_CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_LIKELY = ("UTF-16LE", "UTF-16BE", "GB18030", "BIG5")
_CONTEXT = 10
"""Characters shown on each side of one that cannot be decoded; only a reader's convenience depends on it."""


def lines(data: bytes, file: str) -> tuple[str, ...]:
    """Decode UTF-8, with or without a byte order mark, and cut it at line ends of any kind.

    Raises SourceError with line, column and the text around it for what is not UTF-8, cannot stand in XML, or is
    empty.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start, file) from None
    if unfit := UNFIT.search(text):
        raise SourceError(
            f"U+{ord(unfit[0]):04X} cannot stand in a text: {_around(text, unfit.start())}",
            place=_place(text, unfit.start(), file), mend="take the character out, or write what is meant",
        )
    if not text.strip():
        raise SourceError("the file is empty", place=Place(file), mend="give the text, or leave the file out")
    return tuple(LINE_END.split(text))


def _undecodable(data: bytes, at: int, file: str) -> SourceError:
    """Say where the bytes stop being UTF-8, and what they look like."""
    before = data[:at].decode("utf-8-sig", "replace")
    mend = "convert the file to UTF-8"
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if likely := [name for name in (("UTF-16",) if marked else _LIKELY) if _reads(data, name)]:
        mend = f"it looks like {' or '.join(likely)}: iconv -f {likely[0]} -t UTF-8"
    words = f" after {before[-_CONTEXT:]!r}" if before else ""
    return SourceError(f"not UTF-8 at byte {at}{words}", place=_place(before, len(before), file), mend=mend)


def _reads(data: bytes, encoding: str) -> bool:
    """Tell whether bytes are, in an encoding, text that is Chinese for the greater part."""
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return False
    return 2 * len(_CHINESE.findall(text)) > len(text) and not UNFIT.search(text)


def _place(text: str, at: int, file: str) -> Place:
    """Give line and column, from 1, of an offset in a text."""
    ends = [match.end() for match in LINE_END.finditer(text, 0, at)]
    return Place(file, len(ends) + 1, at - (ends[-1] if ends else 0) + 1)


def _around(text: str, at: int) -> str:
    """Show the text round an offset, the character itself as ⟦⟧."""
    before, after = text[max(0, at - _CONTEXT) : at], text[at + 1 : at + 1 + _CONTEXT]
    return f"…{before}⟦{text[at]!a}⟧{after}…".replace("\n", "⏎").replace("\r", "")
