"""Positions in a checked file: line and column of each finding, and the element at a path that libxml2 reports.

lxml knows lines only, so expat reads the file again for columns.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from xml.parsers import expat

from lxml import etree

from jiaokan.errors import Place
from jiaokan.model.numerals import whole
from jiaokan.model.vocabulary import TEI
from jiaokan.tei.tree import Element, local, place
from jiaokan.validate.rule import Problem, Spot

_ATTRIBUTE = rb"\s+([^\s=>]+)\s*=\s*(?:\"[^\"]*\"|'[^']*')"
_TAG = re.compile(rb"<[^\s/>]+(?:" + _ATTRIBUTE + rb")*\s*/?>")
_PIECE = re.compile(
    rb"(?P<mark><!--.*?-->|<\?.*?\?>|<!\[CDATA\[|\]\]>)|(?P<one>&[^;<]*;|\r\n?|\])"
    rb"|(?:[\x00-\x0c\x0e-%\x27-;=-\\^-\x7f]|[\xc0-\xff][\x80-\xbf]*){1,4096}", re.S,
)
"""Between two tags: markup that is not text; what counts as one character; plain characters."""
_STEP = re.compile(r"/(?:(\*)|([^/\[:]+:)?([^/\[]+))(?:\[(\d+)\])?")


class Places:
    """The positions of the nodes of one document."""

    def __init__(self, root: Element, data: bytes, name: str) -> None:
        self.name = name
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        self.data = data = data.decode("utf-16", "replace").encode() if utf16 else data.removeprefix(b"\xef\xbb\xbf")
        self.order = {element: n for n, element in enumerate(element_node for element_node in root.iter()
                                                             if isinstance(element_node.tag, str))}
        self.lines = [-1, *(newline.start() for newline in re.finditer(b"\n", data))]
        self._last: tuple[int, int, int] = (0, 0, 1)
        """The last position: byte of its line, byte, column. A line may be the whole file."""
        self._searched: tuple[Element | None, Element | None, int, int] = (None, None, 0, 0)
        """The last text searched: element, child before it, characters, byte."""
        self.starts: list[int] = []  # the byte at which each element begins
        self.ends: list[int] = []
        parser = expat.ParserCreate("utf-8")
        open_: list[int] = []

        def start(*_: object) -> None:
            open_.append(len(self.starts))
            self.starts.append(parser.CurrentByteIndex)
            self.ends.append(0)

        def end(_: object) -> None:
            self.ends[open_.pop()] = parser.CurrentByteIndex

        parser.StartElementHandler, parser.EndElementHandler = start, end
        try:
            parser.Parse(data, True)
        except expat.ExpatError:
            self.starts.clear()

    def of(self, problem: Problem) -> Place:
        """Return the place of a problem: of its attribute or character, else of its element."""
        if problem.before and (byte := self.data.find(problem.before.encode())) >= 0:
            return self._place(byte)
        at = self.order.get(problem.element, -1)
        if not 0 <= at < len(self.starts):
            return place(problem.element, self.name)
        if problem.spot:
            return self._place(self._words(problem.element, problem.spot))
        return self._place(self._attribute(self.starts[at], problem.attribute))

    def _place(self, byte: int) -> Place:
        line = bisect_left(self.lines, byte)
        begin, at, column = self.lines[line - 1] + 1, self.lines[line - 1] + 1, 1
        if self._last[0] == begin and self._last[1] <= byte:  # a line may be the whole file
            _, at, column = self._last
        column += len(self.data[at:byte].decode("utf-8", "replace"))
        self._last = (begin, byte, column)
        return Place(self.name, line, column)

    def _attribute(self, start: int, name: str) -> int:
        tag = _TAG.match(self.data, start)
        if name and tag:
            for attribute in re.finditer(_ATTRIBUTE, tag[0]):
                if attribute[1].decode("utf-8", "replace") == name:
                    return start + attribute.start(1)
        return start

    def _words(self, element: Element, spot: Spot) -> int:
        left = spot.offset
        if self._searched[:2] == (element, spot.after) and self._searched[2] <= left:
            left, at = left - self._searched[2], self._searched[3]
        else:
            at = self._after_tag(element if spot.after is None else spot.after)
            if spot.after is not None and self.data[at - 2 : at] != b"/>":
                at = self.data.find(b">", self.ends[self.order[spot.after]]) + 1
        while piece := _PIECE.match(self.data, at):
            if piece["mark"]:
                size = 0
            elif piece["one"]:
                size = 1
            else:
                size = len(words := piece[0].decode("utf-8", "replace"))
            if left < size or (left == 0 and not piece["mark"]):
                at += 0 if piece["one"] else len(words[:left].encode())
                break
            left, at = left - size, piece.end()
        self._searched = (element, spot.after, spot.offset, at)
        return at

    def _after_tag(self, element: Element) -> int:
        start = self.starts[self.order[element]]
        tag = _TAG.match(self.data, start)
        return tag.end() if tag else start


def element_at(root: Element, path: str | None) -> Element:
    """Return the element at a path of libxml2's ``xmlGetNodePath``, or its last existing ancestor. In it ``*`` stands
    for an element of the default namespace, counted among all elements; a prefix is that which the document gives, so
    that XPath, which knows no prefix of the document, cannot follow it."""
    here = root
    for number, step in enumerate(_STEP.finditer(path or "")):
        if not number:  # the outermost element
            continue
        among = [child for child in here if isinstance(child.tag, str)]
        if not step[1]:
            prefix = (step[2] or "").removesuffix(":")
            among = [child for child in among if local(child) == step[3] and (child.prefix or "") == prefix]
        at = whole(step[4] or "", 1) - 1
        if at >= len(among):
            return here
        here = among[at]
    return here


def element_name(element: Element) -> str:
    """Return the name of an element, with its prefix if it is not TEI (``cb:div``)."""
    name = etree.QName(element)
    if name.namespace in (None, TEI) or not element.prefix:
        return name.localname
    return f"{element.prefix}:{name.localname}"
