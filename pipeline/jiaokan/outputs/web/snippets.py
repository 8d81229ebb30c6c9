"""Snippets: what each witness has for an entry, as places in the pictures of its leaves. A page has them in a script of
its own, which fetches a picture when the reader asks for it; a text without pictures has no such script."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from jiaokan.characters.scripts import Interface, term
from jiaokan.entries.places import PageArea, reading_areas
from jiaokan.errors import Finding
from jiaokan.model import Break, Document, Surface
from jiaokan.model.walk import walk
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.web.leaves import write_leaves
from jiaokan.system.listing import resource
from jiaokan.tei.parse import from_tei

Row = tuple[str, str, tuple[float, float], list[tuple[float, float, float, float]], str]
_Picture = tuple[str, tuple[float, float, float, float]]
"""Address, and the corners of the plane that it fills."""
_CERTAINTIES = ("high", "medium", "low")


def write_snippets(
    document: Document, settings: OutputSettings, sigla: Mapping[str, str], interface: Interface, folder: Path
) -> tuple[str, tuple[Finding, ...]]:
    """Write ``places-PAGE.js`` for each chapter with entries that have a place on a picture that pages may fetch, and
    pictures from folders. Return the names of these pages, separated by spaces, and findings on pictures."""
    allowed = tuple(host.rstrip("/") + "/" for host in settings.image_hosts)
    documents: dict[str, Document] = {}
    pictures: dict[str, dict[str, _Picture]] = {}
    findings: list[Finding] = []
    for name in [*sigla, *(name for name in settings.witnesses if name not in sigla)]:
        data = settings.witnesses.get(name, b"")
        if b"<facsimile" not in data:
            continue
        witness, local = from_tei(data, name=name), dict[str, str]()
        if name in settings.pictures:
            local, unreadable = write_leaves(witness, settings.pictures[name], name, folder)
            findings += unreadable
        if shown := _pictures(witness, allowed, local):
            documents[name], pictures[name] = witness, shown
    pages: dict[str, dict[str, list[Row]]] = {}
    chapters = {division.id: division.n or division.kind for division in document.divisions}
    for entry, by_witness in reading_areas(document, documents).items():
        rows = [row for name, areas in by_witness.items()
                for row in _rows(sigla.get(name, name), areas, pictures[name])]
        page = next((page for chapter, page in chapters.items() if entry.startswith(f"{chapter}.")), "")
        if rows and page:
            pages.setdefault(page, {})[entry] = rows
    code = resource("xslt/html/snippets.js").read_text(encoding="utf-8").rstrip() if pages else ""
    marks = {cert: term(f"cert-{cert}", interface) for cert in _CERTAINTIES}
    for page, entries in pages.items():
        values = (entries, term("page-image", interface), marks)
        (folder / f"places-{page}.js").write_text(
            f"{code}({', '.join(json.dumps(value, ensure_ascii=False) for value in values)});\n", encoding="utf-8")
    return " ".join(pages), tuple(findings)


def _pictures(document: Document, allowed: tuple[str, ...], local: Mapping[str, str]) -> dict[str, _Picture]:
    """Return the address of the picture of each surface that pages may fetch, with the corners of its plane."""
    by_page = {name: page.image for page in walk(document) if isinstance(page, Break) and page.image
               for name in page.zone.split()}
    pictures: dict[str, _Picture] = {}
    for surface in document.surfaces:
        image = local.get(surface.id, "") or by_page.get(surface.id, "") or surface.image
        corners = corners_of(surface)
        if corners and (surface.id in local or image.startswith(allowed)):
            pictures[surface.id] = image, corners
    return pictures


def corners_of(surface: Surface) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom of a surface; None if it does not state them."""
    corners = [float(corner) for corner in surface.corners.split()]
    return (corners[0], corners[1], corners[2], corners[3]) if len(corners) == 4 else None


def _rows(
    siglum: str, areas: Iterable[PageArea], pictures: Mapping[str, _Picture],
) -> list[Row]:
    """Return a row for each surface of a reading: siglum, picture, its size, boxes, and the least certainty."""
    by_surface: dict[str, list[PageArea]] = {}
    for area in areas:
        if area.surface in pictures:
            by_surface.setdefault(area.surface, []).append(area)
    rows: list[Row] = []
    for surface, parts in by_surface.items():
        image, (left, top, right, bottom) = pictures[surface]
        boxes = [(round(area.left - left, 1), round(area.top - top, 1), round(area.right - area.left, 1),
                  round(area.bottom - area.top, 1)) for area in parts]
        cert = max((area.cert for area in parts), key=_CERTAINTIES.index)
        rows.append((siglum, image, (right - left, bottom - top), boxes, cert))
    return rows
