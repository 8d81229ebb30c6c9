"""``facsimile``: the surfaces of a document's pages, with their pictures and zones."""

from __future__ import annotations

from collections.abc import Iterator

from jiaokan.model import Surface, Zone
from jiaokan.tei.tree import ID, Element, add_block, bare, element

_CORNERS = ("ulx", "uly", "lrx", "lry")
_PATH, _LINE = "path", "baseline"


def write_facsimile(surfaces: tuple[Surface, ...]) -> Element:
    """Return the element of surfaces."""
    root = element("facsimile")
    for surface in surfaces:
        corners = dict(zip(_CORNERS, surface.corners.split(), strict=False))
        node = element("surface", _stated({ID: surface.id, "n": surface.n, **corners}))
        if surface.image:
            picture = {"url": surface.image, "width": surface.width, "height": surface.height}
            add_block(node, element("graphic", _stated(picture)))
        add_block(node, *map(_zone, surface.zones))
        add_block(root, node)
    return root


def _zone(zone: Zone) -> Element:
    node = element("zone", _stated({
        ID: zone.id, "type": zone.kind, "subtype": zone.label, "points": zone.points, "rotate": zone.rotate}))
    if zone.baseline:
        add_block(node, element(_PATH, {"type": _LINE, "points": zone.baseline}))
    add_block(node, *map(_zone, zone.zones))
    return node


def _stated(values: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}


def read_facsimile(root: Element) -> tuple[tuple[Surface, ...], list[str]]:
    """Return the surfaces of a file, and what of its ``facsimile`` they do not have: names of elements and attributes
    (``@start``). Corners of zones become points."""
    left: list[str] = []
    nodes = (node for facsimile in root.iterchildren("{*}facsimile") for node in _surfaces(facsimile, left))
    return tuple(_surface(node, left) for node in nodes), left


def ids_of(surfaces: tuple[Surface, ...]) -> frozenset[str]:
    """Return the ids of surfaces and of all zones in them."""
    names = {surface.id for surface in surfaces}
    zones = [zone for surface in surfaces for zone in surface.zones]
    while zones:
        zone = zones.pop()
        names.add(zone.id)
        zones += zone.zones
    return frozenset(names - {""})


def _surfaces(parent: Element, left: list[str]) -> Iterator[Element]:
    for child in parent.iterchildren("{*}*"):
        if bare(child) == "surface":
            yield child
        else:
            left.append(bare(child))
            if bare(child) == "surfaceGrp":
                yield from _surfaces(child, left)


def _surface(node: Element, left: list[str]) -> Surface:
    _note_others(node, {ID, "n", *_CORNERS}, left)
    pictures = [*node.iterchildren("{*}graphic")]
    for picture in pictures:
        _note_others(picture, {"url", "width", "height"}, left)
    left += [bare(child) for child in node.iterchildren("{*}*") if bare(child) not in ("graphic", "zone")]
    left += ["graphic"] * (len(pictures) > 1)
    first = pictures[0] if pictures else element("graphic")
    stated = [node.get(name, "") for name in _CORNERS]
    return Surface(
        id=node.get(ID, ""), n=node.get("n", ""), corners=" ".join(stated) if all(stated) else "",
        image=str(first.get("url", "")), width=str(first.get("width", "")), height=str(first.get("height", "")),
        zones=tuple(_read_zone(child, left) for child in node.iterchildren("{*}zone")))


def _read_zone(node: Element, left: list[str]) -> Zone:
    _note_others(node, {ID, "type", "rendition", "subtype", "points", "rotate", *_CORNERS}, left)
    paths = [path for path in node.iterchildren("{*}path") if path.get("type") == _LINE]
    left += [bare(child) for child in node.iterchildren("{*}*") if bare(child) != "zone" and child not in paths[:1]]
    return Zone(
        id=node.get(ID, ""), points=" ".join(node.get("points", "").split()) or _rectangle(node),
        kind=node.get("type", "") or node.get("rendition", ""), label=node.get("subtype", ""),
        baseline=paths[0].get("points", "") if paths else "", rotate=node.get("rotate", ""),
        zones=tuple(_read_zone(child, left) for child in node.iterchildren("{*}zone")))


def _rectangle(node: Element) -> str:
    left, top, right, bottom = (node.get(name, "") for name in _CORNERS)
    return f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}" if left and top and right and bottom else ""


def _note_others(node: Element, known: set[str], left: list[str]) -> None:
    left += [f"@{key}" for key in map(str, node.keys()) if key not in known]
