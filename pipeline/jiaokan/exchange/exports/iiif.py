"""Form ``iiif``: a manifest of IIIF Presentation 3.0 with a canvas for each page that has a picture (``pb/@facs``), and
the entries and notes that begin on it as annotations.

Its addresses begin with `ADDRESS`; who publishes the manifest replaces that by the address of its folder. The sizes of
pictures are unknown without asking their server: a canvas is a plane of 1000 × 1400, onto which a viewer fits them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.exports import ExportSettings, web_annotation
from jiaokan.model import App, Break, Document, Note
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
    base = f"{ADDRESS}{document.id}"
    header = beginning(settings.tei, name=document.id) if settings.tei else None
    title = header.findtext("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}title") if header is not None else ""
    items = [_canvas(f"{base}/canvas/{n}", page, [by_id[name] for name in names if name in by_id])
             for n, (page, names) in enumerate(pages, 1)]
    manifest = {"@context": CONTEXT, "id": f"{base}/manifest.json", "type": "Manifest",
                "label": {"none": [title or document.id]}, "items": items}
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def _pages(document: Document) -> Iterator[tuple[Break, list[str]]]:
    """Yield each page that has a picture with the ids of the entries and notes that begin on it."""
    names: list[str] = []
    for item in walk(document):
        if isinstance(item, Break) and item.image:
            names = []
            yield item, names
        elif isinstance(item, App | Note):
            names.append(item.id)


def _canvas(canvas: str, page: Break, bodies: list[dict[str, object]]) -> dict[str, object]:
    label = " ".join(filter(None, (page.edition, page.n))) or "–"
    painted = _annotation(f"{canvas}/picture", "painting", {"id": page.image, "type": "Image"}, canvas)
    canvas_object = {"id": canvas, "type": "Canvas", "label": {"none": [label]}, **_SIZE,
                     "items": [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": [painted]}]}
    if not bodies:
        return canvas_object
    notes = [_annotation(f"{canvas}/note/{n}", "commenting", body, canvas) for n, body in enumerate(bodies, 1)]
    return {**canvas_object, "annotations": [{"id": f"{canvas}/notes", "type": "AnnotationPage", "items": notes}]}


def _annotation(name: str, motivation: str, body: dict[str, object], canvas: str) -> dict[str, object]:
    return {"id": name, "type": "Annotation", "motivation": motivation, "body": body, "target": canvas}
