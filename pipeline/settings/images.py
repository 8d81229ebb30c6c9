"""Addresses of pictures of pages, from a template or from a IIIF manifest (Presentation API 2.1 and 3.0).

A manifest is read from a file of the edition folder, never from the network: a build makes no requests.
"""

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
    manifest: str = ""
    first: Annotated[int, msgspec.Meta(ge=1)] = 1
    pages: Annotated[int, msgspec.Meta(ge=1)] = 1


def faults_of_address(address: str) -> Iterator[str]:
    """Yield what is wrong with the template of addresses."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    if not scheme or scheme[1].lower() not in ("http", "https"):
        yield f"{address!r} is not a web address"
    for place in _PLACE.findall(address):
        if not _KNOWN.fullmatch(place):
            yield f"unknown placeholder {{{place}}}"
    if not _PLACE.search(address):
        yield f"{address!r} is the same for all pages"
    if re.search(r"[{}]", _PLACE.sub("", address)) or re.search(r"\s", address):
        yield f"{address!r} has an unpaired brace or white space"

_WIDEST = 99
"""The most digits of a number in an address."""


def picture(address: str, *, page: str, edition: str, n: int) -> str:
    """Return the address of the picture of one page."""
    def filled(match: re.Match[str]) -> str:
        name, _, width = match[1].partition(":")
        if name == "n":
            return str(n).zfill(min(whole(width), _WIDEST))
        return quote(page if name == "page" else edition, safe="")

    return _PLACE.sub(filled, address)


_WHOLE = "/full/max/0/default.jpg"
"""The whole picture in its best size (IIIF Image API 3.0, 4; 2.1 also has ``max``)."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """One page of a digitised book."""

    label: str
    """The library's label (``1a``, ``第三葉``); may be empty."""
    address: str
    """The address of its first picture."""


def canvases(path: Path) -> tuple[Canvas, ...]:
    """Return the canvases of a manifest, in order. Raises CatalogError if it is unreadable or none has a picture."""
    mend = "save the book's manifest (its address usually ends in manifest.json) as this file"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = f"the manifest cannot be read: {error.strerror}"
        raise CatalogError(message, place=Place(str(path)), mend=mend) from None
    except (ValueError, RecursionError):
        raise CatalogError("the manifest is not valid JSON", place=Place(str(path)), mend=mend) from None
    sequences = _as_list(_get(manifest, "sequences"))
    pages = _as_list(_get(manifest, "items")) or [each for one in sequences for each in _as_list(_get(one, "canvases"))]
    found = tuple(Canvas(_label(_get(page, "label")), address) for page in pages if (address := _picture(page)))
    if not found:
        raise CatalogError("not a IIIF manifest: no canvas has a picture", place=Place(str(path)), mend=mend)
    return found


def _picture(page: Any) -> str:
    annotations = [each for one in _as_list(_get(page, "items")) for each in _as_list(_get(one, "items"))]
    images = _as_list(_get(page, "images"))
    bodies = [_get(each, "body") for each in annotations] or [_get(each, "resource") for each in images]
    for body in bodies:
        body = next(iter(_as_list(_get(body, "items"))), body)  # of a Choice the first is the default
        service = next(iter(_as_list(_get(body, "service"))), _get(body, "service"))
        if base := _id(service):
            return base.rstrip("/") + _WHOLE
        if own := _id(body):
            return own
    return ""


def _id(thing: Any) -> str:
    name = _get(thing, "id") or _get(thing, "@id")
    return name if isinstance(name, str) and name.startswith(("https://", "http://")) else ""


def _label(label: Any) -> str:
    """Return a label, in its first language."""
    while isinstance(label, dict | list):
        if isinstance(label, dict):
            label = label["@value"] if "@value" in label else next(iter(label.values()), "")
        else:
            label = next(iter(label), "")
    return str(label or "").strip()


def _get(thing: Any, key: str) -> Any:
    return thing.get(key) if isinstance(thing, dict) else None


def _as_list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else []
