"""XML as it is written: a tree of which every character of the file can be given back.

A parser forgets how a tag was spelt, its quotation marks, comments, references to characters. Who changes one thing in
another's file leaves those alone, so that the tree here holds the strings of the file themselves. A marked section
(CDATA) alone is written as other words are.
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
    """An element as it is written; a comment or an instruction is one without a name."""

    name: str
    """TEI's own name, or one in no namespace; of another namespace in Clark's notation; empty for what is no element.
    """
    start: str
    """Its tag as written."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values by name; ``xml:id`` in Clark's notation, others as written."""
    line: int = 0
    children: list[RawNode | str] = field(default_factory=list)
    """Elements, and words as they are written, with their references (``&lt;``)."""
    end: str = ""
    """Its end tag; empty if it has none."""

    @property
    def prefix(self) -> str:
        """The prefix of its name with its colon (``tei:``); mostly empty."""
        match = _TAG.match(self.start)
        before, colon, _ = match[1].rpartition(":") if match else ("", "", "")
        return before + colon

    def written(self) -> str:
        """Give it as it is written, with all that is in it."""
        if not self.children:
            return self.start + self.end
        parts = [each if isinstance(each, str) else each.written() for each in self.children]
        return "".join((self.start, *parts, self.end))

    def tags(self) -> tuple[str, str]:
        """Return its start tag and its end tag as they are compared: without white space and ids."""
        return bare(self.start), bare(self.end)

    def elements(self) -> Iterator[RawNode]:
        """Give the elements that stand directly in it."""
        return (each for each in self.children if not isinstance(each, str) and each.name)

    def words(self) -> str:
        """Give the characters in it, references resolved."""
        return "".join(plain(each) if isinstance(each, str) else each.words() for each in self.children)

    def without(self, *names: str, **new: str) -> str:
        """Give its tag without some attributes and with `new` ones; names as written, ``xml_id`` for ``xml:id``."""
        tag = self.start
        for name in (*names, *(each.replace("_", ":") for each in new)):
            tag = re.sub(rf"\s+{re.escape(name)}\s*=\s*(\"[^\"]*\"|'[^']*')", "", tag)
        said = "".join(f' {name.replace("_", ":")}="{value}"' for name, value in new.items())
        close = re.search(r"\s*/?>$", tag)
        return tag[: close.start()] + said + tag[close.start() :] if close else tag


def plain(written: str) -> str:
    """Give the characters that a string of XML stands for."""
    return unescape(written) if "&" in written else written


def characters(written: str) -> list[str]:
    """Give a string of XML by characters, a reference as one."""
    return _CHARACTER.findall(written) if "&" in written else list(written)


def ink(written: str) -> str:
    """Give the characters of a string of XML without white space."""
    return "".join(plain(written).split())


_PARTS = re.compile(r"<!--.*?-->|<[^>\"']*(?:\"[^\"]*\"[^>\"']*|'[^']*'[^>\"']*)*>|[^<]+", re.S)
_PLACES = re.compile(r"<(?:[^\s/>]*:)?(?:lb|pb|cb|gb|milestone|anchor|lacunaStart|lacunaEnd|witStart|witEnd)\b")
_IDENTIFIER = re.compile(r"\s+xml:id\s*=\s*(\"[^\"]*\"|'[^']*')")


def bare(written: str) -> str:
    """Give a string of XML as it is compared: without white space, comments, ids, and elements that mark a place."""
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
    """Tell whether a lemma as written says only the words of the text: with their elements, or without any."""
    one, other = bare(written), bare(words)
    return one == other or ("<" not in one and one == "".join(each for each in _PARTS.findall(other) if each[0] != "<"))


def unmarked(written: str) -> str:
    """Give a string of XML without ids, so that it can stand in the file once more."""
    return _IDENTIFIER.sub("", written)


def decoded(data: bytes) -> tuple[str, str]:
    """Give a file as characters, a byte order mark with them, and the codec that gives its bytes back."""
    marks = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    codec = next((name for mark, name in marks.items() if data.startswith(mark)), "utf-8")
    return data.decode(codec), codec


def every(top: RawNode) -> Iterator[RawNode]:
    """Give all nodes with a name at and below one, in the order of the file."""
    stack = [top]
    while stack:
        node = stack.pop()
        if node.name:
            yield node
        stack += [each for each in reversed(node.children) if not isinstance(each, str)]


def scan(text: str) -> RawNode:
    """Give a document, which a parser has found well-formed, as a node without a name that holds its root."""
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
            said = {name: plain(value[1:-1]) for name, value in _ATTRIBUTE.findall(piece)}
            here = {**spaces[-1], **_declared(said)} if "xmlns" in piece else spaces[-1]
            node = RawNode(_name(piece, here), piece, said, line)
            if "xml:id" in said:
                said[ID] = said.pop("xml:id")
            stack[-1].children.append(node)
            if not piece.endswith("/>"):
                stack.append(node)
                spaces.append(here)
        line += piece.count("\n")
    return top


def _declared(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name.partition(":")[2]: value for name, value in attributes.items() if name.partition(":")[0] == "xmlns"}


def _name(tag: str, spaces: Mapping[str, str]) -> str:
    match = _TAG.match(tag)
    prefix, _, name = match[1].rpartition(":") if match else ("", "", "")
    space = spaces.get(prefix, "")
    return name if space in (TEI, "") else f"{{{space}}}{name}"  # no namespace: TEI that forgot to say so
