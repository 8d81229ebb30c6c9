"""Examples of encoding (``egXML`` of the Guidelines): shown as they are written, line by line."""

from __future__ import annotations

from lxml import etree

from jiaokan.model import Line, Paragraph, Space, Unit
from jiaokan.readers.tei.elements import name_of
from jiaokan.tei.tree import Element, alone

_EXAMPLES = "http://www.tei-c.org/ns/Examples"
_DECLARES = f' xmlns="{_EXAMPLES}"'
_DEEPEST = 20
"""More blanks before a line are not shown: they are the layout of the file around the example."""


def is_example(node: Element) -> bool:
    """Whether an element is an example of XML."""
    return name_of(node) in ("egXML", f"{{{_EXAMPLES}}}egXML")


def example(node: Element) -> Paragraph:
    """Return an example as its lines of XML, without the declaration of its namespace."""
    copy = alone(node)
    written = etree.tostring(copy, encoding="unicode", with_tail=False).replace(_DECLARES, "")
    rows = [row for row in written.replace("\t", "    ").split("\n") if row.strip()]
    edge = min((len(row) - len(row.lstrip()) for row in rows[1:]), default=0)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        depth = min(len(row) - len(row.lstrip()) - edge, _DEEPEST) if number else 0
        blanks = (Space(text=" " * depth),) if depth > 0 else ()
        lines.append(Line(content=(*blanks, " ".join(row.split()))))
    return Paragraph(content=(Unit(content=tuple(lines), verse=True),), form="code")
