"""A tree of XML that keeps every character of the file.

A parser forgets the spelling of tags, quotation marks, comments and character references. Conversion changes only the
apparatus of a file, so its tree holds the file's own strings. Only marked sections (CDATA) are rewritten as text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape as _escape
from html import unescape

from pipeline.model.vocabulary import TEI, XML
from pipeline.tei.tree import ID

_PIECE = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|</[^>]*>|<(?:[^\"'>]|\"[^\"]*\"|'[^']*')*>|[^<]+", re.S)
_TAG = re.compile(r"</?([^\s/>]+)")
_ATTRIBUTE = re.compile(r"\s+([^\s=]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_CHARACTER = re.compile(r"&[^;]*;|.", re.S)


@dataclass(slots=True, eq=False)
class RawNode:
    """An element as it is written; a comment or processing instruction is a node without a name."""

    name: str
    """TEI's name or one in no namespace, else in Clark's notation; empty for a node that is no element."""
    start: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values by name as written; ``xml:id`` in Clark's notation."""
    line: int = 0
    children: list[RawNode | str] = field(default_factory=list)
    """Elements, and text as written, with its references (``&lt;``)."""
    end: str = ""
    """Its end tag; empty if it has none."""

    @property
    def prefix(self) -> str:
        """The prefix of its name with the colon (``tei:``); mostly empty."""
        match = _TAG.match(self.start)
        before, colon, _ = match[1].rpartition(":") if match else ("", "", "")
        return before + colon

    def written(self) -> str:
        """Return the node with all that is in it, as written."""
        if not self.children:
            return self.start + self.end
        parts = [each if isinstance(each, str) else each.written() for each in self.children]
        return "".join((self.start, *parts, self.end))

    def tags(self) -> tuple[str, str]:
        """Return its start tag and its end tag as they are compared: without white space and ids."""
        return bare(self.start), bare(self.end)

    def elements(self) -> Iterator[RawNode]:
        """Return its child elements."""
        return (each for each in self.children if not isinstance(each, str) and each.name)

    def words(self) -> str:
        """Return the characters in it, references resolved."""
        return "".join(unescaped(each) if isinstance(each, str) else each.words() for each in self.children)

    def without(self, *names: str, **new: str) -> str:
        """Return its start tag without some attributes and with `new` ones; ``xml_id`` stands for ``xml:id``."""
        tag = self.start
        for name in (*names, *(each.replace("_", ":") for each in new)):
            tag = re.sub(rf"\s+{re.escape(name)}\s*=\s*(\"[^\"]*\"|'[^']*')", "", tag)
        added = "".join(f' {name.replace("_", ":")}="{value}"' for name, value in new.items())
        close = re.search(r"\s*/?>$", tag)
        return tag[: close.start()] + added + tag[close.start() :] if close else tag


def unescaped(written: str) -> str:
    """Return the characters that a string of XML stands for."""
    return unescape(written) if "&" in written else written


def characters(written: str) -> list[str]:
    """Split a string of XML into characters; a reference is one."""
    return _CHARACTER.findall(written) if "&" in written else list(written)


def ink(written: str) -> str:
    """Return the characters of a string of XML without white space."""
    return "".join(unescaped(written).split())


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
    one, other = bare(written), bare(words)
    return one == other or ("<" not in one and one == "".join(each for each in _PARTS.findall(other) if each[0] != "<"))


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
        stack += [each for each in reversed(node.children) if not isinstance(each, str)]


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
            attributes = {name: unescaped(value[1:-1]) for name, value in _ATTRIBUTE.findall(piece)}
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
