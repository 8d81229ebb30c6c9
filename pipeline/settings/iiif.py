"""IIIF manifests (Presentation API 2.1 and 3.0): which picture each canvas of a digitised book shows.

A manifest is read from a file of the edition folder, never from the network: a build asks no other host.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import CatalogError, Place

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
    sequences = _list(_of(told, "sequences"))
    pages = _list(_of(told, "items")) or [each for one in sequences for each in _list(_of(one, "canvases"))]
    for page in pages:
        if address := _picture(page):
            yield Canvas(_label(_of(page, "label")), address)


def _picture(page: Any) -> str:
    """Give the address of the first picture of a canvas; empty if it has none."""
    annotations = [each for one in _list(_of(page, "items")) for each in _list(_of(one, "items"))]
    images = _list(_of(page, "images"))
    bodies = [_of(each, "body") for each in annotations] or [_of(each, "resource") for each in images]
    for body in bodies:
        body = next(iter(_list(_of(body, "items"))), body)  # a Choice of several: its first is the default
        service = next(iter(_list(_of(body, "service"))), _of(body, "service"))
        if base := _id(service):
            return base.rstrip("/") + _WHOLE
        if own := _id(body):
            return own
    return ""


def _id(thing: Any) -> str:
    name = _of(thing, "id") or _of(thing, "@id")
    return name if isinstance(name, str) and name.startswith(("https://", "http://")) else ""


def _label(said: Any) -> str:
    """Give a label, the first language's of several."""
    while isinstance(said, dict | list):
        if isinstance(said, dict):
            said = said["@value"] if "@value" in said else next(iter(said.values()), "")
        else:
            said = next(iter(said), "")
    return str(said or "").strip()


def _of(thing: Any, key: str) -> Any:
    return thing.get(key) if isinstance(thing, dict) else None


def _list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else []
