"""Pictures of leaves from a folder on this machine: one WebP for each leaf of a witness, in the folder of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

from jiaokan.errors import Finding, Message, Place, visible
from jiaokan.model import Break, Document
from jiaokan.model.walk import walk
from jiaokan.outputs import Pictures

_QUALITY = 80
"""Of WebP: scans of woodblock prints take a quarter of their JPEG, and no stroke is lost to the eye. A choice."""
_WIDEST = 16383
"""Pixels of a side of a WebP (RFC 9649, 2.1)."""


def write_leaves(
    document: Document, pictures: Pictures, witness: str, folder: Path
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Write the picture of each leaf of a witness as ``leaves/WITNESS/NAME.webp`` below `folder`. Return their
    addresses, relative to it, by the names of surfaces, and a finding for each file that is no picture."""
    chosen = _of_surfaces(document, pictures)
    addresses: dict[Path, str] = {}
    findings: list[Finding] = []
    for path in dict.fromkeys(chosen.values()):
        target = folder / "leaves" / witness / f"{visible(path.stem)}.webp"
        target.parent.mkdir(parents=True, exist_ok=True)
        if reason := _write_webp(path, target):
            message = Message("picture-unreadable", reason=reason)
            mend = Message("give-picture")
            findings.append(Finding("picture-unreadable", Place(str(path)), message, mend, "warning"))
        else:
            addresses[path] = target.relative_to(folder).as_posix()
    return {name: addresses[path] for name, path in chosen.items() if path in addresses}, tuple(findings)


def _write_webp(path: Path, target: Path) -> str:
    """Write a picture as WebP; return what prevents it."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        return Message("pillow-missing")
    try:
        with Image.open(path) as picture:
            flat = picture.convert("RGB")
            flat.thumbnail((_WIDEST, _WIDEST))
            flat.save(target, "WEBP", quality=_QUALITY)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, ValueError) as error:
        return str(error)
    return ""


def _of_surfaces(document: Document, pictures: Pictures) -> dict[str, Path]:
    """Return the picture of each surface: the file that its source names, else that with the number of the page for a
    name, else the files in order."""
    by_name = {path.name: path for path in pictures.files} | {path.stem: path for path in pictures.files}
    pages = [item for item in walk(document) if isinstance(item, Break) and item.unit == "page" and item.zone]
    number = {name: page.n for page in pages for name in page.zone.split()}
    named = {surface.id: by_name.get(base) or by_name.get(PurePath(base).stem) for surface in document.surfaces
             for base in [PurePath(surface.image.replace("\\", "/")).name]}
    numbered = {surface.id: by_name.get(number.get(surface.id, "")) for surface in document.surfaces}
    for table in (named, numbered):
        if any(table.values()):
            return {name: path for name, path in table.items() if path}
    return dict(_in_order([surface.id for surface in document.surfaces], pictures))


def _in_order(names: Sequence[str], pictures: Pictures) -> list[tuple[str, Path]]:
    files = pictures.files
    places = ((name, pictures.first - 1 + n // pictures.pages) for n, name in enumerate(names))
    return [(name, files[at]) for name, at in places if at < len(files)]
