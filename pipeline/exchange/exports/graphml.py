"""Form ``graphml``: the variant graph. Words are nodes, each witness is a path from the first node to the last.

Keys as in the GraphML of CollateX (nodes: ``number``, ``tokens``; edges: ``number``, ``type``, ``witnesses``). The
graph is that of Schmidt and Colomb, "A data structure for representing multi-version texts online" (2009).
"""

from __future__ import annotations

from collections import defaultdict
from xml.sax.saxutils import escape

from pipeline.entries import carriers
from pipeline.entries.alignment import columns
from pipeline.exchange.exports import ExportSettings
from pipeline.model import Document

_KEYS = (
    ("d0", "node", "number", "int"), ("d1", "node", "tokens", "string"), ("d2", "edge", "number", "int"),
    ("d3", "edge", "type", "string"), ("d4", "edge", "witnesses", "string"),
)


def write(document: Document, settings: ExportSettings) -> str:
    """Return the graph; witnesses that agree by the classes that count share a node."""
    nodes = [""]
    witnesses: dict[tuple[int, int], list[str]] = defaultdict(list)
    last = dict.fromkeys(carriers(document, settings.sigla), 0)
    for column in columns(document, without=settings.without, part=settings.part):
        here: dict[str, int] = {}
        for name, cell in column.cells.items():
            if cell.norm not in here:
                here[cell.norm] = len(nodes)
                nodes.append(cell.words)
            witnesses[last.get(name, 0), here[cell.norm]].append(name)
            last[name] = here[cell.norm]
    nodes.append("")
    for name, node in last.items():
        witnesses[node, len(nodes) - 1].append(name)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(f'<key id="{key}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>' for key, kind, name, type_ in _KEYS),
        '<graph id="g0" edgedefault="directed">',
        *(f'<node id="n{n}"><data key="d0">{n}</data><data key="d1">{escape(words)}</data></node>'
          for n, words in enumerate(nodes)),
    ]
    for n, ((start, end), names) in enumerate(witnesses.items()):
        sigla = escape(", ".join(settings.siglum(name) for name in names))
        lines.append(f'<edge id="e{n}" source="n{start}" target="n{end}"><data key="d2">{n}</data>'
                     f'<data key="d3">path</data><data key="d4">{sigla}</data></edge>')
    return "\n".join([*lines, "</graph>", "</graphml>"]) + "\n"
