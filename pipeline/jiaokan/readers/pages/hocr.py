"""hOCR (1.0 to 1.2): HTML whose elements of the classes ``ocr_page``, ``ocr_carea``, ``ocr_line`` … have boxes in their
title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jiaokan.readers.pages.layout import PageLine, PageRegion, PageWord, Points, RecognisedPage, points_of, rectangle
from jiaokan.tei.tree import Element, place

_IMAGE = re.compile(r"\bimage\s+(?:\"([^\"]*)\"|'([^']*)'|([^;\s]+))")
_BOX = re.compile(r"(?<![\w-])bbox((?:\s+-?\d+(?:\.\d+)?){4})")
_POLYGON = re.compile(r"\b(?:poly|cuts?path)\s((?:\s*-?\d+(?:\.\d+)?)+)")
_BETWEEN_HAN = re.compile("(?<=[㐀-鿿\U00020000-\U0003ffff]) (?=[㐀-鿿\U00020000-\U0003ffff])")
"""White space between the elements of Chinese words, which is no text."""
_PAGE = re.compile(r"\b(?:lpageno|ppageno)\s+\"?([^\";]+)")
_AREAS = frozenset({"ocr_carea", "ocrx_block", "ocr_column", "ocr_footnote", "ocr_marginalia", "ocr_float"})
_LINES = frozenset({"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocr_pageno"})
_WORDS = frozenset({"ocrx_word", "ocr_word"})


def pages_of(root: Element) -> Iterator[RecognisedPage]:
    """Yield the pages of a file."""
    for node in root.iter("{*}*"):
        if "ocr_page" in _classes(node):
            title = node.get("title", "")
            image, box, number = _IMAGE.search(title), _box(title), _PAGE.search(title)
            right, bottom = (box[2] if box else (0, 0))
            yield RecognisedPage(
                image=next(filter(None, image.groups()), "") if image else "", width=right, height=bottom,
                regions=[*_regions(node)], name=number[1].strip() if number else "", ordered=True)


def _regions(page: Element) -> Iterator[PageRegion]:
    """Yield the paragraphs of a page, or its areas without paragraphs; lines in neither are regions of one line."""
    open_: Element | None = None
    region = PageRegion([])
    words = [node for node in page.iter("{*}*") if _classes(node) & _WORDS]
    lines = [node for node in page.iter("{*}*") if _classes(node) & _LINES]
    for node in lines or dict.fromkeys(up for word in words if (up := word.getparent()) is not None):
        home = _above(node, page)
        if home is None or home is not open_:
            if region.lines:
                yield region
            open_ = home
            label = "" if home is None else next((name for name in _classes(home) if name != "ocr_carea"), "")
            region = PageRegion([], () if home is None else _box(home.get("title", "")), label)
        region.lines.append(_line(node))
    if region.lines:
        yield region


def _above(line: Element, page: Element) -> Element | None:
    up = line.getparent()
    while up is not None and up is not page:
        if _classes(up) & {*_AREAS, "ocr_par"}:
            return up
        up = up.getparent()
    return None


def _line(node: Element) -> PageLine:
    parts = (part for part in node.iter("{*}*") if _classes(part) & _WORDS)
    words = [PageWord(_text(part), _box(part.get("title", ""))) for part in parts]
    title, label = node.get("title", ""), next((name for name in _classes(node) if name in _LINES), "")
    text = _BETWEEN_HAN.sub("", _text(node)) if words else _text(node)
    return PageLine(text, _box(title), (), "" if label in ("ocr_line", "ocrx_line") else label,
                [word for word in words if word.points], place(node, "").line)


def _text(node: Element) -> str:
    return " ".join("".join(map(str, node.itertext())).split())


def _classes(node: Element) -> frozenset[str]:
    return frozenset(node.get("class", "").split())


def _box(title: str) -> Points:
    if polygon := _POLYGON.search(title):
        return points_of(polygon[1])
    box = _BOX.search(title)
    if not box:
        return ()
    left, top, right, bottom = map(float, box[1].split())
    return rectangle(left, top, right, bottom)
