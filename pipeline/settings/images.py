"""Where the pictures of a print are: an address for each of its pages, from what the transcription says of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import msgspec

from pipeline.errors import CatalogError, Place
from pipeline.model.numerals import whole
from pipeline.settings.values import Strict

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


_WHOLE = "/full/max/0/default.jpg"
"""The whole picture in its best size (IIIF Image API 3.0, 4; 2.1 knows ``max``, too)."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """One page of a digitised book."""

    label: str
    """What its library calls it (``1a``, ``第三葉``); empty if it says nothing."""
    address: str
    """The address of its first picture."""


def canvases(path: Path) -> tuple[Canvas, ...]:
    """Give the canvases of a manifest in their order.

    Raises CatalogError for a file that cannot be read, is no JSON, or has no canvas with a picture.
    """
    mend = "save the manifest of the book (its address ends mostly in manifest.json) as this file"
    try:
        told = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        said = f"the manifest cannot be read: {error.strerror}"
        raise CatalogError(said, place=Place(str(path)), mend=mend) from None
    except (ValueError, RecursionError):
        raise CatalogError("the manifest is no JSON", place=Place(str(path)), mend=mend) from None
    found = tuple(_canvases(told))
    if not found:
        said = "no canvas with a picture is in it: it is no manifest of IIIF"
        raise CatalogError(said, place=Place(str(path)), mend=mend)
    return found


def _canvases(told: Any) -> Iterator[Canvas]:
    sequences = _as_list(_get(told, "sequences"))
    pages = _as_list(_get(told, "items")) or [each for one in sequences for each in _as_list(_get(one, "canvases"))]
    for page in pages:
        if address := _picture(page):
            yield Canvas(_label(_get(page, "label")), address)


def _picture(page: Any) -> str:
    annotations = [each for one in _as_list(_get(page, "items")) for each in _as_list(_get(one, "items"))]
    images = _as_list(_get(page, "images"))
    bodies = [_get(each, "body") for each in annotations] or [_get(each, "resource") for each in images]
    for body in bodies:
        body = next(iter(_as_list(_get(body, "items"))), body)  # a Choice of several: its first is the default
        service = next(iter(_as_list(_get(body, "service"))), _get(body, "service"))
        if base := _id(service):
            return base.rstrip("/") + _WHOLE
        if own := _id(body):
            return own
    return ""


def _id(thing: Any) -> str:
    name = _get(thing, "id") or _get(thing, "@id")
    return name if isinstance(name, str) and name.startswith(("https://", "http://")) else ""


def _label(said: Any) -> str:
    """Give a label, the first language's of several."""
    while isinstance(said, dict | list):
        if isinstance(said, dict):
            said = said["@value"] if "@value" in said else next(iter(said.values()), "")
        else:
            said = next(iter(said), "")
    return str(said or "").strip()


def _get(thing: Any, key: str) -> Any:
    return thing.get(key) if isinstance(thing, dict) else None


def _as_list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else []
