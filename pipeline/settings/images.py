"""Where the pictures of a print are: an address for each of its pages, from what the transcription says of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import quote

import msgspec

from pipeline.model.numerals import whole
from pipeline.settings.plans import Strict

_PLACE = re.compile(r"\{([^{}]*)\}")
_KNOWN = re.compile(r"page|edition|n(?::0[1-9])?")


class Images(Strict, frozen=True, kw_only=True):
    """The pictures of the print that a source transcribes."""

    address: str = ""
    """The address of a page's picture, an image or what IIIF gives: ``{page}`` is the page as the transcription calls
    it (``001-1a``), ``{edition}`` the edition whose page it is (``WYG``), ``{n}`` its number in that edition, counted
    from 1, ``{n:04}`` the same in four digits. Pages lead to it; they fetch it only from hosts that the project
    names."""
    manifest: str = ""
    """Instead: the manifest of IIIF that the library gives of the book, saved as a file, as seen from folder ``tei``
    (``sources/manifest.json``). A page has the picture of the canvas that is labelled as it is (``001-1a``); where the
    labels say something else, the canvases follow the pages in their order."""
    first: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Where they follow in order: which canvas shows the first page of the transcription; those before it are boards
    and blank leaves."""
    pages: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Where they follow in order: how many pages a canvas shows, 2 where both halves of a leaf are in one picture."""


def faults_of_address(address: str) -> Iterator[str]:
    """Give what is wrong with the address of pictures."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    if not scheme or scheme[1].lower() not in ("http", "https"):
        yield f"{address!r} is no address of the web"
    for place in _PLACE.findall(address):
        if not _KNOWN.fullmatch(place):
            yield f"{{{place}}} is nothing that is known of a page"
    if not _PLACE.search(address):
        yield f"{address!r} is the same for all pages"
    if re.search(r"[{}]", _PLACE.sub("", address)) or re.search(r"\s", address):
        yield f"{address!r} has a brace without its fellow, or white space"

_WIDEST = 99
"""Digits of a number in an address, at most."""


def picture(address: str, *, page: str, edition: str, n: int) -> str:
    """Give the address of the picture of one page."""
    def filled(match: re.Match[str]) -> str:
        name, _, width = match[1].partition(":")
        if name == "n":
            return str(n).zfill(min(whole(width), _WIDEST))
        return quote(page if name == "page" else edition, safe="")

    return _PLACE.sub(filled, address)
