"""ALTO (versions 1 to 4): ``Layout/Page`` with blocks, lines and strings. Points are in the file's unit of measurement,
as the size of the page is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jiaokan.readers.pages.layout import PageLine, PageRegion, PageWord, Points, RecognisedPage, points_of, rectangle
from jiaokan.tei.tree import Element, bare, place

_HAN = re.compile("[㐀-鿿\U00020000-\U0003ffff]")
_MARGINS = ("TopMargin", "BottomMargin", "LeftMargin", "RightMargin")


def pages_of(root: Element) -> Iterator[RecognisedPage]:
    """Yield the pages of a file."""
    labels = {tag.get("ID", ""): tag.get("LABEL", "") for tags in root.iter("{*}Tags") for tag in tags.iter("{*}*")}
    about = next(root.iter("{*}sourceImageInformation"), None)
    names = [] if about is None else [
        (about.findtext(f"{{*}}{name}") or "").strip() for name in ("fileIdentifier", "fileName")]
    web = next((name for name in names if name.startswith(("http://", "https://"))), "")
    stated = [ref.get("REF", "") for order in root.iter("{*}ReadingOrder") for ref in order.iter("{*}ElementRef")]
    spaced = next(root.iter("{*}SP"), None) is not None
    pages = [*root.iter("{*}Page")]
    for node in pages:
        blocks = [*_blocks(node, labels, "", spaced)]
        at = {key: n for n, key in enumerate(stated)}
        blocks.sort(key=lambda block: at.get(block[0], len(at)))
        yield RecognisedPage(
            image=(web or next(filter(None, names[::-1]), "")) if len(pages) == 1 else "",
            width=_number(node, "WIDTH"), height=_number(node, "HEIGHT"), regions=[region for _, region in blocks],
            name=node.get("PRINTED_IMG_NR", ""), ordered=bool(stated),
            pixels=(root.findtext(".//{*}MeasurementUnit") or "pixel").strip() == "pixel")


def _blocks(parent: Element, labels: Mapping[str, str], above: str, spaced: bool) -> Iterator[tuple[str, PageRegion]]:
    """Yield the blocks of text below an element with their ids, those of composed blocks, too."""
    for node in parent.iterchildren("{*}*"):
        label = _label(node, labels) or above or (bare(node) if bare(node) in _MARGINS else "")
        if bare(node) == "TextBlock":
            lines = [_line(line, labels, spaced) for line in node.iterchildren("{*}TextLine")]
            yield node.get("ID", ""), PageRegion(lines, _points(node), label)
        else:
            yield from _blocks(node, labels, label, spaced)


def _line(node: Element, labels: Mapping[str, str], spaced: bool) -> PageLine:
    text, words = "", list[PageWord]()
    between = ""
    for part in node.iterchildren("{*}*"):
        match bare(part):
            case "String":
                content = part.get("CONTENT", "")
                both_han = bool(text and content and _HAN.match(text[-1]) and _HAN.match(content))
                text += ("" if spaced or not text or both_han else " ") + between + content
                words.append(PageWord(content, _points(part)))
                between = ""
            case "SP":
                between = " "
            case "HYP":
                text += part.get("CONTENT", "")
    words = words if len(words) > 1 else []
    return PageLine(text.strip(), _points(node), _baseline(node), _label(node, labels), words, place(node, "").line)


def _label(node: Element, labels: Mapping[str, str]) -> str:
    tags = (labels.get(ref, "") for ref in node.get("TAGREFS", "").split())
    return next(filter(None, tags), node.get("TYPE", ""))


def _baseline(node: Element) -> Points:
    stated = node.get("BASELINE", "")
    if len(points := points_of(stated)) > 1:
        return points
    if not stated.strip():
        return ()
    y = float(re.findall(r"-?[\d.]+", stated)[0]) if re.search(r"\d", stated) else 0.0  # before version 4: one number
    return ((_number(node, "HPOS"), y), (_number(node, "HPOS") + _number(node, "WIDTH"), y))


def _points(node: Element) -> Points:
    polygon = node.find("{*}Shape/{*}Polygon")
    if polygon is not None and (points := points_of(polygon.get("POINTS", ""))):
        return points
    if not node.get("WIDTH"):
        return ()
    left, top = _number(node, "HPOS"), _number(node, "VPOS")
    return rectangle(left, top, left + _number(node, "WIDTH"), top + _number(node, "HEIGHT"))


def _number(node: Element, name: str) -> float:
    try:
        return float(node.get(name, "") or 0)
    except ValueError:
        return 0.0
