"""Refuse files that are no text, by their first bytes and their control characters, before anything decodes them."""

from __future__ import annotations

import codecs

from jiaokan.errors import Message, Place, SourceError
from jiaokan.readers.common.source import remedy_for_encoding

_SAVED, _GIVE_TEXT = Message("save-docx"), Message("give-text-made-transcription")
_PICTURE, _PACKED = Message("picture-not-text"), Message("archive-not-text")
_UNPACK = Message("unpack-archive-give-texts")
_FORMATS = (
    (b"%PDF-", Message("pdf-not-text-no-order"), _GIVE_TEXT), (b"\xd0\xcf\x11\xe0", Message("doc-not-text"), _SAVED),
    (b"{\\rtf", Message("rtf-not-text"), _SAVED), (b"PK\x03\x04", _PACKED, _UNPACK), (b"\x1f\x8b", _PACKED, _UNPACK),
    (b"BZh91AY&SY", _PACKED, _UNPACK), (b"\xfd7zXZ", _PACKED, _UNPACK), (b"7z\xbc\xaf", _PACKED, _UNPACK),
    (b"Rar!\x1a", _PACKED, _UNPACK), (b"\x89PNG", _PICTURE, _GIVE_TEXT), (b"GIF87a", _PICTURE, _GIVE_TEXT),
    (b"GIF89a", _PICTURE, _GIVE_TEXT), (b"\xff\xd8\xff", _PICTURE, _GIVE_TEXT), (b"II*\0", _PICTURE, _GIVE_TEXT),
    (b"MM\0*", _PICTURE, _GIVE_TEXT), (b"AT&TFORM", _PICTURE, _GIVE_TEXT),
)
"""Formats that are no text, by their first bytes, with what to do."""
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1a\x1b"})
"""Control characters, but those that old files of text have as ends of lines, pages and of themselves."""
_MOST = 0.05
"""Share of control characters in damaged text: bytes by chance have an eighth."""


def binary_fault(data: bytes) -> tuple[Message, Message] | None:
    """Return what a file is that is no text, and its remedy; None for text, and for UTF-16 with its mark."""
    for first, fault, mend in _FORMATS:
        if data.startswith(first):
            return fault, mend
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if b"\0" in data or controls > _MOST * len(data):
        return Message("bytes-not-text"), remedy_for_encoding(data) or Message("give-text-in-utf")
    return None


def refuse_binary(data: bytes, file: str) -> None:
    """Raise SourceError for a file that is no text."""
    if fault := binary_fault(data):
        raise SourceError(fault[0], place=Place(file), mend=fault[1])
