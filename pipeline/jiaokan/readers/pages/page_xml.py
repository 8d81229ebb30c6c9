"""PAGE XML (PRImA, versions 2009 to 2019): ``PcGts/Page`` with nested regions, lines, words and glyphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jiaokan.model.numerals import whole
from jiaokan.readers.pages.layout import PageLine, PageRegion, PageWord, Points, RecognisedPage, points_of
from jiaokan.tei.tree import Element, bare, place

_TYPE = re.compile(r"structure\s*\{[^}]*?type\s*:\s*([^;}]+)")
_INDEX = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*(\d+)")


def pages_of(root: Element) -> Iterator[RecognisedPage]:
    """Yield the pages of a file."""
    for node in root.iter("{*}Page"):
        regions = [*_regions(node)]
        stated = _order(node)
        at = {key: n for n, key in enumerate(stated)}
        regions.sort(key=lambda pair: at.get(pair[0], len(at)))
        yield RecognisedPage(
            image=node.get("imageFilename", ""), width=whole(node.get("imageWidth", "")),
            height=whole(node.get("imageHeight", "")), regions=[region for _, region in regions],
            ordered=bool(stated))


def _order(page: Element) -> list[str]:
    """Return the ids of regions in the order that the file states; those of groups inside groups, too."""
    order = page.find("{*}ReadingOrder")
    return [] if order is None else [ref for group in order.iterchildren("{*}*") for ref in _group(group)]


def _group(group: Element) -> Iterator[str]:
    if group.get("regionRef"):
        yield group.get("regionRef", "")
    children = sorted(group.iterchildren("{*}*"), key=lambda child: whole(child.get("index", ""), 0))
    for child in children:
        yield from _group(child)


def _regions(parent: Element) -> Iterator[tuple[str, PageRegion]]:
    """Yield each region with text below an element with its id; one in another follows it."""
    for node in parent.iterchildren("{*}*"):
        if not bare(node).endswith("Region"):
            continue
        if bare(node) == "TextRegion":
            yield node.get("id", ""), _region(node)
        yield from _regions(node)


def _region(node: Element) -> PageRegion:
    label = _label(node)
    nodes = [*node.iterchildren("{*}TextLine")]
    indexes = [_INDEX.search(line.get("custom", "")) for line in nodes]
    if nodes and all(indexes):
        order = sorted(range(len(nodes)), key=lambda n: int(indexes[n][1]))  # type: ignore[index]  # all are matches
        nodes = [nodes[n] for n in order]
    lines = [_line(line) for line in nodes]
    if not nodes:  # text of the region alone
        lines = [PageLine(words, row=place(node, "").line) for words in _text(node).split("\n") if words.strip()]
    return PageRegion(lines, _points(node), label)


def _line(node: Element) -> PageLine:
    words = [PageWord(_text(word), _points(word)) for word in node.iterchildren("{*}Word")]
    words = words or [PageWord(_text(glyph), _points(glyph)) for glyph in node.iterchildren("{*}Glyph")]
    text = _text(node) or " ".join(word.text for word in words)
    baseline = node.find("{*}Baseline")
    return PageLine(" ".join(text.split("\n")), _points(node), () if baseline is None else _own_points(baseline),
                _label(node), [word for word in words if word.points], place(node, "").line)


def _label(node: Element) -> str:
    typed = _TYPE.search(node.get("custom", ""))
    return typed[1].strip() if typed else node.get("type", "")


def _text(node: Element) -> str:
    """Return the text of a region, line or word: of several the first by its index, else of its words or glyphs."""
    texts = sorted(node.iterchildren("{*}TextEquiv"), key=lambda text: whole(text.get("index", ""), 0))
    for text in texts:
        for name in ("Unicode", "PlainText"):
            if words := (text.findtext(f"{{*}}{name}") or "").strip():
                return words
    glyphs = "".join(_text(glyph) for glyph in node.iterchildren("{*}Glyph"))
    return glyphs or " ".join(filter(None, (_text(word) for word in node.iterchildren("{*}Word"))))


def _points(node: Element) -> Points:
    coords = node.find("{*}Coords")
    return () if coords is None else _own_points(coords)


def _own_points(node: Element) -> Points:
    if stated := node.get("points"):
        return points_of(stated)
    return points_of(" ".join(f"{point.get('x')},{point.get('y')}" for point in node.iterchildren("{*}Point")))
