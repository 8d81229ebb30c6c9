"""A TEI file as a tree that keeps every character, and as one stream of tags and words with two edges for each entry.

A parser forgets the spelling of tags, quotation marks, comments and character references. Conversion changes only the
apparatus of a file, so its tree holds the file's own strings. Only marked sections (CDATA) are rewritten as text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape as _escape
from html import unescape
from typing import Literal, NamedTuple

from jiaokan.errors import Finding
from jiaokan.model.vocabulary import TEI, XML
from jiaokan.tei.tree import ID

_PIECE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|</[^>]*>|<(?:[^\"'>]|\"[^\"]*\"|'[^']*')*>|[^<]+", re.S)
_TAG = re.compile(r"</?([^\s/>]+)")
_ATTRIBUTE = re.compile(r"\s+([^\s=]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_CHARACTER = re.compile(r"&[^;]*;|.", re.S)


@dataclass(slots=True, eq=False)
class RawNode:
    """An element as it is written; a comment or processing instruction is a node without a name."""

    name: str  # TEI's name or one in no namespace, else in Clark's notation; empty for a node that is no element
    start: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values by name as written; ``xml:id`` in Clark's notation."""
    line: int = 0
    children: list[RawNode | str] = field(default_factory=list)
    """Elements, and text as written, with its references (``&lt;``)."""
    end: str = ""

    @property
    def prefix(self) -> str:
        """The prefix of its name with the colon (``tei:``); mostly empty."""
        match = _TAG.match(self.start)
        before, colon, _ = match[1].rpartition(":") if match else ("", "", "")
        return before + colon

    def markup(self) -> str:
        """Return the node with all that is in it, as written."""
        if not self.children:
            return self.start + self.end
        parts = [child if isinstance(child, str) else child.markup() for child in self.children]
        return "".join((self.start, *parts, self.end))

    def tags(self) -> tuple[str, str]:
        """Return its start tag and its end tag as they are compared: without white space and ids."""
        return bare(self.start), bare(self.end)

    def elements(self) -> Iterator[RawNode]:
        """Return its child elements."""
        return (child for child in self.children if not isinstance(child, str) and child.name)

    def words(self) -> str:
        """Return the characters in it, references resolved."""
        return "".join(unescape_text(child) if isinstance(child, str) else child.words() for child in self.children)

    def without(self, *names: str, **new: str) -> str:
        """Return its start tag without some attributes and with `new` ones; ``xml_id`` stands for ``xml:id``."""
        tag = self.start
        for name in (*names, *(key.replace("_", ":") for key in new)):
            tag = re.sub(rf"\s+{re.escape(name)}\s*=\s*(\"[^\"]*\"|'[^']*')", "", tag)
        added = "".join(f' {name.replace("_", ":")}="{value}"' for name, value in new.items())
        close = re.search(r"\s*/?>$", tag)
        return tag[: close.start()] + added + tag[close.start() :] if close else tag


def unescape_text(written: str) -> str:
    """Return the characters that a string of XML stands for."""
    return unescape(written) if "&" in written else written


def characters(written: str) -> list[str]:
    """Split a string of XML into characters; a reference is one."""
    return _CHARACTER.findall(written) if "&" in written else list(written)


def ink(written: str) -> str:
    """Return the characters of a string of XML without white space."""
    return "".join(unescape_text(written).split())


_PARTS = re.compile(r"<!--.*?-->|<[^>\"']*(?:\"[^\"]*\"[^>\"']*|'[^']*'[^>\"']*)*>|[^<]+", re.S)
_PLACES = re.compile(r"<(?:[^\s/>]*:)?(?:lb|pb|cb|gb|milestone|anchor|lacunaStart|lacunaEnd|witStart|witEnd)\b")
_IDENTIFIER = re.compile(r"\s+xml:id\s*=\s*(\"[^\"]*\"|'[^']*')")


def bare(written: str) -> str:
    """Return a string of XML as it is compared: without white space, comments, ids and elements that mark a place."""
    parts: list[str] = []
    for match in _PARTS.finditer(written):
        piece = match[0]
        if piece.startswith("<"):
            if not piece.startswith("<!--") and not _PLACES.match(piece) and not piece.startswith("</anchor"):
                tag = " ".join(_IDENTIFIER.sub("", piece).split())
                parts.append(re.sub(r"\s*/>$", "/>", tag))
        else:
            parts.append(ink(piece))
    return re.sub(r"<([^\s/>]+)([^>]*)></\1>", r"<\1\2/>", "".join(parts))


def copies(written: str, words: str) -> bool:
    """Whether a lemma says only the words of the text, with or without their tags."""
    lemma, other = bare(written), bare(words)
    return lemma == other or (
        "<" not in lemma and lemma == "".join(part for part in _PARTS.findall(other) if part[0] != "<"))


def decode_bytes(data: bytes) -> tuple[str, str]:
    """Return a file as characters, with its byte order mark, and the codec that encodes it again."""
    marks = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    codec = next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    return data.decode(codec), codec


def named_nodes(top: RawNode) -> Iterator[RawNode]:
    """Yield the elements at and below a node in document order."""
    stack = [top]
    while stack:
        node = stack.pop()
        if node.name:
            yield node
        stack += [child for child in reversed(node.children) if not isinstance(child, str)]


def scan(text: str) -> RawNode:
    """Parse a well-formed document; return a node without name that holds its root."""
    top = RawNode("", "")
    stack, spaces, line = [top], [{"": "", "xml": XML}], 1
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece.startswith("</"):
            stack.pop().end = piece
            spaces.pop()
        elif not piece.startswith("<"):
            stack[-1].children.append(piece)
        elif piece.startswith("<![CDATA["):
            stack[-1].children.append(_escape(piece[len("<![CDATA[") : -len("]]>")], quote=False))
        elif piece.startswith(("<!", "<?")):
            stack[-1].children.append(RawNode("", piece, line=line))
        else:
            attributes = {name: unescape_text(value[1:-1]) for name, value in _ATTRIBUTE.findall(piece)}
            here = spaces[-1]
            if "xmlns" in piece:
                parts = ((name.partition(":"), value) for name, value in attributes.items())
                here = here | {name: value for (before, _, name), value in parts if before == "xmlns"}
            tag = _TAG.match(piece)
            prefix, _, name = tag[1].rpartition(":") if tag else ("", "", "")
            space = here.get(prefix, "")
            name = name if space in (TEI, "") else f"{{{space}}}{name}"  # no namespace: TEI that forgot to say so
            node = RawNode(name, piece, attributes, line)
            if "xml:id" in attributes:
                attributes[ID] = attributes.pop("xml:id")
            stack[-1].children.append(node)
            if not piece.endswith("/>"):
                stack.append(node)
                spaces.append(here)
        line += piece.count("\n")
    return top


Method = Literal["parallel", "double-end-point", "location"]


@dataclass(slots=True, eq=False)
class LinkedEntry:
    """An ``app`` without the words of the text that it is about."""

    node: RawNode  # the ``app`` as written, with nothing where the words of the text stood
    slot: RawNode | None
    """Its element for the words of the text: ``lem``, or the first reading if that is the text; else None."""
    apart: bool  # whether it stands outside the text, in the back or in ``standOff``
    lead: str = ""  # elements in the slot before the words that tell of witnesses (``lacunaEnd``); not text
    trail: str = ""  # such elements after the words (``lacunaStart``)
    own_lemma: str = ""  # the lemma as written, if it is more than the words of the text (``est … divisa``)
    problem: str = ""  # why its place is unknown; empty if it is known
    edges: tuple[Edge, Edge] = field(init=False)

    def __post_init__(self) -> None:
        self.edges = Edge(self, opens=True), Edge(self, opens=False)

    @property
    def line(self) -> int:
        """Its line in the file."""
        return self.node.line

    def readings(self) -> Iterator[RawNode]:
        """Yield its lemma and readings, including those of groups."""
        return readings(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """Where the words of an entry begin or end."""

    entry: LinkedEntry
    opens: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """A start tag or an end tag."""

    node: RawNode
    opens: bool

    def markup(self) -> str:
        """Return the tag as written."""
        return self.node.start if self.opens else self.node.end


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where an entry stands that is about words elsewhere."""

    entry: LinkedEntry


Item = str | RawNode | Tag | Edge | Site  # words; nodes taken as a whole (header, comment); tags; edges; sites


class LinkedText(NamedTuple):
    """A file as a stream; `freed` are ids that another method does not need: of anchors for entries alone, and of
    further pieces of entries."""

    file: str
    items: list[Item]
    entries: list[LinkedEntry]
    ids: set[str]
    freed: set[str]
    findings: list[Finding]


LINKS = ("from", "to", "loc")


def is_loose(app: RawNode) -> bool:
    """Whether an ``app`` names the words that it is about by pointers or a location."""
    return any(map(app.attributes.get, LINKS))


def readings(app: RawNode) -> Iterator[RawNode]:
    """Yield the lemma and the readings of an ``app``, including those of groups."""
    for child in app.elements():
        if child.name in ("lem", "rdg"):
            yield child
        elif child.name == "rdgGrp":
            yield from readings(child)


def number_holder(entry: LinkedEntry) -> RawNode | None:
    """Return the element whose ``@n`` counts like words in a location: the lemma, or the ``app`` if the lemma has an
    ``@n`` of the file's own (LombardPress: the word before); None if there is no lemma."""
    lemma = entry.slot if entry.slot is not None and entry.slot.name == "lem" else None
    number = "" if lemma is None else lemma.attributes.get("n", "")
    return entry.node if number and not number.isdecimal() else lemma


def ink_size(item: Item) -> int:
    """Return the number of characters of an item that are text and not white space."""
    return len(ink(item)) if isinstance(item, str) else 0


def ordered_edges(items: Sequence[Item]) -> list[Item]:
    """Return a stream with edges at one place in the order of brackets as far as possible: ends before beginnings,
    inner before outer."""
    at = {item: number for number, item in enumerate(items) if isinstance(item, Edge)}
    ordered: list[Item] = []
    number = 0
    while number < len(items):
        last = number
        while last < len(items) and isinstance(items[last], Edge):
            last += 1
        run = [item for item in items[number:last] if isinstance(item, Edge)]
        if len(run) > 1:
            run = _order_edges(run, at, number, last)
            at |= {edge: number + n for n, edge in enumerate(run)}
        ordered += run or [items[number]]
        number = max(last, number + 1)
    return ordered


def _order_edges(run: list[Edge], at: dict[Edge, int], first: int, last: int) -> list[Edge]:
    ends = [edge for edge in run if not edge.opens and at[edge.entry.edges[0]] < first]
    begins = [edge for edge in run if edge.opens and at[edge.entry.edges[1]] >= last]
    inner = sorted(ends, key=lambda edge: -at[edge.entry.edges[0]])
    outer = sorted(begins, key=lambda edge: -at[edge.entry.edges[1]])
    if ends and begins and run.index(begins[0]) < run.index(ends[-1]):
        alone = [edge for edge in run if edge not in ends and edge not in begins]
        return [*inner, *alone, *outer]
    turns = {False: iter(inner), True: iter(outer)}
    some = {*ends, *begins}
    return [next(turns[edge.opens]) if edge in some else edge for edge in run]


def location_names(numbers: Sequence[str]) -> Iterator[str]:
    """Return the names of a location from its numbers, outermost first: with all of them, and with fewer and fewer
    (``1.2.3``, ``2.3``, ``3``). ``2r4=8`` is line 4 of the page and 8 of the text (DHARMA)."""
    parts = ".".join(numbers).replace(" ", ".").replace(",", ".").replace("=", ".").split(".")
    return (".".join(parts[first:]) for first in range(len(parts)))
