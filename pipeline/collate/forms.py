"""What an item of a text is taken for: what is printed, what must agree, what it means."""

from __future__ import annotations

from pipeline.model import Correction, Gap, Glyph, Inline, Supplied

LOSS, SLIP = "\x00", "\x02"
"""Signs in the keys of tokens, which no text can hold."""


def printed(item: Inline) -> str:
    """Give what a source prints for an item of base text; a glyph by its standard character, if decided."""
    match item:
        case str():
            return item
        case Glyph():
            return item.standard or item.code
        case Correction():
            return item.sic
        case Gap():
            return item.rend
    return ""


def key_of(item: Inline) -> str:
    """Give what two witnesses must share to agree: printed words, or the same kind of slip or loss."""
    match item:
        case Correction():
            return f"{item.sic}{SLIP}{item.corr}"
        case Supplied():
            return f"{LOSS}{item.text}"
        case Gap():
            return f"{LOSS}{item.reason}{item.rend}"
    return printed(item)


def aligned(item: Inline) -> str:
    """Give the words by which an item is compared: what it means, where an editor said so."""
    match item:
        case Correction():
            return item.corr
        case Supplied():
            return item.text
        case Gap():
            return LOSS
    return printed(item)
