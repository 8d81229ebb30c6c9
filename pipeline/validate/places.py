"""Line and column of each element; lxml knows lines only, so expat reads the file again."""

from __future__ import annotations

from xml.parsers import expat

from pipeline.errors import Place
from pipeline.tei.tree import Element, place


class Places:
    """Where the elements of one document begin."""

    def __init__(self, root: Element, data: bytes, name: str) -> None:
        """Take the parsed document, the bytes that it was parsed from and the file's name."""
        self.name = name
        self.order = {element: n for n, element in enumerate(each for each in root.iter() if isinstance(each.tag, str))}
        self.starts: list[tuple[int, int]] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda *_: self.starts.append(
            (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        )
        try:
            parser.Parse(data, True)
        except expat.ExpatError:
            self.starts.clear()

    def of(self, element: Element) -> Place:
        """Give the place where an element begins."""
        at = self.order.get(element, -1)
        if 0 <= at < len(self.starts):
            return Place(self.name, *self.starts[at])
        return place(element, self.name)
