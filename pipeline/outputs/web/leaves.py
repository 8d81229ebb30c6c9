"""The pictures of a print's pages, for the pages of the site: on which leaf each unit and comment of a text begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from pipeline.model import Break, Document, Head, Note, Trailer, Unit
from pipeline.model.pointers import address
from pipeline.model.walk import items

_PLACED = (Unit, Note, Head, Trailer)


def as_xml(document: Document) -> str:
    """Give the leaves of a text that have a picture: ``leaves/leaf[@on, @n, @ed, @image]``, each on the unit, comment,
    head or trailer in which it begins, or with which it begins; empty if there is none."""
    rows: list[str] = []
    for place, page in _begun(document):
        names = f"on={quoteattr(place)} n={quoteattr(page.n)} ed={quoteattr(page.edition)}"
        rows.append(f"<leaf {names} image={quoteattr(page.image)}/>")
    return f'<leaves xmlns="urn:jiaokan:prepared">{"".join(rows)}</leaves>' if rows else ""


def _begun(document: Document) -> Iterator[tuple[str, Break]]:
    """Give each page that has a picture, with the unit, comment, head or trailer that it begins, or begins in."""
    waiting: list[Break] = []
    inside = ""
    for block in items(document.divisions, into=lambda item: not isinstance(item, _PLACED)):
        if _pictured(block):
            waiting.append(block)
        elif isinstance(block, _PLACED) and block.id:
            inside = block.id
            waiting += filter(_pictured, items(block.content))
            yield from ((block.id, each) for each in waiting)
            waiting = []
    yield from ((inside, each) for each in waiting if inside)


def _pictured(item: Any) -> bool:
    return isinstance(item, Break) and item.unit == "page" and bool(item.image)


def origins(hosts: Iterable[str]) -> str:
    """Give what a Content-Security-Policy says of hosts: scheme, host and port, with spaces between them."""
    parts = (address(host) for host in hosts)
    return " ".join(dict.fromkeys(f"{each.scheme}://{each.netloc}" for each in parts if each.scheme and each.netloc))
