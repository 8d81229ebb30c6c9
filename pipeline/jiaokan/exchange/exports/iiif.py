"""Form ``iiif``: a manifest of IIIF Presentation 3.0 with a canvas for each page that has a picture (``pb/@facs``), and
the entries and notes that begin on it as annotations; ``summary`` says what is left out.

Its addresses begin with `ADDRESS`; who publishes the manifest replaces that by the address of its folder. A page that
is a surface with corners has their size, and its lines as annotations; notes are then on the part of the page that has
their words. Other sizes are unknown without asking the server of the picture: the canvas is a plane of 1000 × 1400,
onto which a viewer fits it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from jiaokan.entries.places import PageArea, all_zones, box_of_zone, character_areas
from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.exports import ExportSettings, web_annotation
from jiaokan.model import App, Break, Document, Note, Surface, Zone
from jiaokan.model.walk import walk
from jiaokan.tei.tree import beginning

CONTEXT = "http://iiif.io/api/presentation/3/context.json"
ADDRESS = "https://example.org/"
_SIZE = {"width": 1000, "height": 1400}


def write(document: Document, settings: ExportSettings) -> str:
    """Return the manifest; raises JiaokanError if no page has a picture."""
    pages = list(_pages(document))
    if not pages:
        raise JiaokanError(Message("no-page-text-picture"), mend=Message("add-images-source-catalog-toml"))
    annotations = json.loads(web_annotation.write(document, settings))["items"]
    by_id = {annotation["id"].rpartition("#")[2]: annotation["body"] for annotation in annotations}
    left = by_id.pop(web_annotation.LEFT_OUT, None)
    base = f"{ADDRESS}{document.id}"
    header = beginning(settings.tei, name=document.id) if settings.tei else None
    title = header.findtext("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}title") if header is not None else ""
    surfaces = {surface.id: surface for surface in document.surfaces if surface.corners}
    areas = character_areas(document) if surfaces else {}
    items = [_canvas(f"{base}/canvas/{n}", page, {name: by_id[name] for name in names if name in by_id},
                     next((surfaces[name] for name in page.zone.split() if name in surfaces), None), areas)
             for n, (page, names) in enumerate(pages, 1)]
    manifest = {"@context": CONTEXT, "id": f"{base}/manifest.json", "type": "Manifest",
                "label": {"none": [title or document.id]},
                **({"summary": {left["language"]: left["value"].splitlines()}} if left else {}), "items": items}
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def _pages(document: Document) -> Iterator[tuple[Break, list[str]]]:
    """Yield each page that has a picture with the ids of the entries and notes that begin on it."""
    surfaces = {surface.id for surface in document.surfaces if surface.image}
    names: list[str] = []
    for item in walk(document):
        if isinstance(item, Break) and (item.image or item.zone in surfaces):
            names = []
            yield item, names
        elif isinstance(item, App | Note):
            names.append(item.id)


def _canvas(
    canvas: str, page: Break, bodies: Mapping[str, dict[str, object]], surface: Surface | None,
    areas: Mapping[str, Sequence[PageArea | None]],
) -> dict[str, object]:
    label = " ".join(filter(None, (page.edition, page.n))) or "–"
    image = page.image or (surface.image if surface else "")
    painted = _annotation(f"{canvas}/picture", "painting", {"id": image, "type": "Image"}, canvas)
    size, left, top = (_size_of(surface) if surface else _SIZE), 0.0, 0.0
    if surface:
        left, top = (float(corner) for corner in surface.corners.split()[:2])
    canvas_object = {"id": canvas, "type": "Canvas", "label": {"none": [label]}, **size,
                     "items": [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": [painted]}]}
    notes = []
    for n, (name, body) in enumerate(bodies.items(), 1):
        there = [area for area in areas.get(name, ()) if area and surface and area.surface == surface.id]
        notes.append(_annotation(f"{canvas}/note/{n}", "commenting", body, canvas + _fragment(there, left, top)))
    if surface:
        for zone in _lines(surface):
            body = {"type": "TextualBody", "value": zone.label or zone.kind or "line", "format": "text/plain"}
            place = _fragment([PageArea(surface.id, *box_of_zone(zone), "high")], left, top)
            notes.append(_annotation(f"{canvas}/line/{zone.id}", "tagging", body, canvas + place))
    if not notes:
        return canvas_object
    return {**canvas_object, "annotations": [{"id": f"{canvas}/notes", "type": "AnnotationPage", "items": notes}]}


def _size_of(surface: Surface) -> dict[str, int]:
    left, top, right, bottom = (float(corner) for corner in surface.corners.split())
    return {"width": max(1, round(right - left)), "height": max(1, round(bottom - top))}


def _fragment(areas: Sequence[PageArea], left: float, top: float) -> str:
    """Return the part of a canvas that has all areas, as a media fragment; empty without any."""
    if not areas:
        return ""
    x, y = min(area.left for area in areas), min(area.top for area in areas)
    width, height = max(area.right for area in areas) - x, max(area.bottom for area in areas) - y
    return f"#xywh={max(0, round(x - left))},{max(0, round(y - top))},{max(1, round(width))},{max(1, round(height))}"


def _lines(surface: Surface) -> Iterator[Zone]:
    return (zone for zone in all_zones(surface.zones)
            if zone.points and zone.id and (not zone.kind or "line" in zone.kind.lower()))


def _annotation(name: str, motivation: str, body: dict[str, object], canvas: str) -> dict[str, object]:
    return {"id": name, "type": "Annotation", "motivation": motivation, "body": body, "target": canvas}
