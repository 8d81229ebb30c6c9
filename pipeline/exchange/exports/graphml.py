"""Form ``graphml``: the variant graph. Words are nodes, each witness is a path from the first node to the last.

Keys as in the GraphML of CollateX (nodes: ``number``, ``tokens``; edges: ``number``, ``type``, ``witnesses``). The
graph is that of Schmidt and Colomb, "A data structure for representing multi-version texts online" (2009).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from pipeline.entries import carriers
from pipeline.entries.alignment import Column, columns
from pipeline.exchange.exports import ExportSettings
from pipeline.model import Document

_KEYS = (
    ("d0", "node", "number", "int"), ("d1", "node", "tokens", "string"), ("d2", "edge", "number", "int"),
    ("d3", "edge", "type", "string"), ("d4", "edge", "witnesses", "string"),
)


@dataclass
class _Graph:
    """Words by node, witnesses by edge."""

    nodes: list[str] = field(default_factory=lambda: [""])
    edges: dict[tuple[int, int], list[str]] = field(default_factory=dict)

    def edge(self, start: int, end: int, name: str) -> None:
        self.edges.setdefault((start, end), []).append(name)


def write(document: Document, settings: ExportSettings) -> str:
    """Return the graph; witnesses that agree by the classes that count share a node."""
    names = carriers(document, settings.sigla)
    graph = _graph(columns(document, without=settings.without, part=settings.part), names)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(f'<key id="{key}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>' for key, kind, name, type_ in _KEYS),
        '<graph id="g0" edgedefault="directed">', *_nodes(graph), *_edges(graph, settings), "</graph>", "</graphml>",
    ]
    return "\n".join(lines) + "\n"


def _graph(found: Iterator[Column], names: tuple[str, ...]) -> _Graph:
    graph = _Graph()
    last = dict.fromkeys(names, 0)
    for column in found:
        here: dict[str, int] = {}
        for name, cell in column.cells.items():
            if cell.norm not in here:
                here[cell.norm] = len(graph.nodes)
                graph.nodes.append(cell.words)
            graph.edge(last.get(name, 0), here[cell.norm], name)
            last[name] = here[cell.norm]
    graph.nodes.append("")
    for name, node in last.items():
        graph.edge(node, len(graph.nodes) - 1, name)
    return graph


def _nodes(graph: _Graph) -> Iterator[str]:
    for n, words in enumerate(graph.nodes):
        yield f'<node id="n{n}"><data key="d0">{n}</data><data key="d1">{escape(words)}</data></node>'


def _edges(graph: _Graph, settings: ExportSettings) -> Iterator[str]:
    for n, ((start, end), names) in enumerate(graph.edges.items()):
        sigla = escape(", ".join(settings.siglum(name) for name in names))
        yield (f'<edge id="e{n}" source="n{start}" target="n{end}"><data key="d2">{n}</data>'
               f'<data key="d3">path</data><data key="d4">{sigla}</data></edge>')
