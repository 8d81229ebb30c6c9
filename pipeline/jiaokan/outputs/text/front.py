"""What the editor writes himself to stand before a text: ``tei/front/ID.md``, as XML for the stylesheets.

The file begins with a table of TOML between lines ``+++``, which says who wrote it; after it stands CommonMark, of
which these are known: headings, paragraphs, emphasis, links, quotations and lists. Anything else is refused by name, so
that every output can show all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from markdown_it import MarkdownIt
from markdown_it.token import Token

from jiaokan.errors import CatalogError, Message, Place
from jiaokan.settings.toml import parse_table, to_type
from jiaokan.settings.values import Strict

_HEAD = re.compile(r"\+\+\+[ \t]*\n(?P<table>.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.S | re.M)
_BLOCKS = {"heading_open": "heading", "paragraph_open": "paragraph"}
_INLINE = {"em_open": "<em>", "em_close": "</em>", "strong_open": "<strong>", "strong_close": "</strong>",
           "link_close": "</link>", "softbreak": "\n", "hardbreak": "<br/>"}
_AROUND = {"bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close", "list_item_open",
           "list_item_close", "blockquote_open", "blockquote_close", "heading_close", "paragraph_close", "inline"}
_KNOWN = "headings, paragraphs, *emphasis*, **strong emphasis**, [links](https://…), > quotations and lists"
_WEB = re.compile("(?:https?://|mailto:)", re.I)
_HAN = re.compile(r"(?<=[\u2E80-\uFF60])\n(?=[\u2E80-\uFF60])")
"""A line's end between two characters of Chinese is no space."""


class FrontHead(Strict, frozen=True, kw_only=True):
    """The table at the head of a front matter."""

    by: str
    """Who wrote it; printed under it."""
    title: str
    """Its title, as contents and running heads name it: 编例."""
    principles: Literal["instead", "beside"] = "instead"
    """Whether it stands instead of the principles 凡例 that the program states, or beside them."""


def front_matter(path: Path) -> str:
    """Return a front matter as ``matter`` of the namespace ``urn:jiaokan:prepared``; empty if there is no such file.

    Raises CatalogError, with file and line, for an invalid head and for Markdown of an unknown kind.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(Message("cannot-read-utf", error=error), place=Place(str(path))) from None
    match = _HEAD.match(text)
    if not match:
        raise CatalogError(Message("not-say-wrote"), place=Place(str(path), 1),
                           mend=Message("begin-title-line-own"))
    lines_above = "\n" * text[: match.start("table")].count("\n")
    head = to_type(parse_table(lines_above + match["table"], path), FrontHead)
    above = match[0].count("\n")
    pieces = "".join(_pieces(MarkdownIt("commonmark").parse(text[match.end() :]), path, above))
    return (f'<matter xmlns="urn:jiaokan:prepared" by={quoteattr(head.by)} title={quoteattr(head.title)} '
            f'principles="{head.principles}">{pieces}</matter>')


def _pieces(tokens: Sequence[Token], path: Path, above: int) -> Iterator[str]:
    """Yield each heading, paragraph, item and quotation as a ``piece``; lists and quotations do not nest in print."""
    lists: list[int] = []
    quoted, kind, sign = 0, "", ""
    for token in tokens:
        line = above + (token.map[0] + 1 if token.map else 0)
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(int(token.attrs.get("start", 1)) if token.type.startswith("ordered") else 0)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            sign = f"{lists[-1]}." if lists[-1] else "·"
            lists[-1] += bool(lists[-1])
        elif token.type.startswith("blockquote"):
            quoted += token.nesting
        elif token.type in _BLOCKS:
            kind = "quotation" if quoted else _BLOCKS[token.type]
            if lists:
                kind = "item"
        elif token.type == "inline":
            words = _HAN.sub("", "".join(_inline(token.children or [], path, line))).replace("\n", " ")
            yield f'<piece kind="{kind}" sign="{sign}">{words}</piece>'
            sign = ""
        elif token.type not in _AROUND:
            raise _unknown(token, path, line)


def _inline(tokens: Sequence[Token], path: Path, line: int) -> Iterator[str]:
    for token in tokens:
        if token.type == "text":
            yield escape(token.content)
        elif token.type == "link_open":
            target = str(token.attrs.get("href", ""))
            if not _WEB.match(target):
                raise CatalogError(Message("link-leads-no-page-web", target=target), place=Place(str(path), line),
                                   mend=Message("links-begin-https"))
            yield f"<link target={quoteattr(target)}>"
        elif token.type in _INLINE:
            yield _INLINE[token.type]
        else:
            raise _unknown(token, path, line)


def _unknown(token: Token, path: Path, line: int) -> CatalogError:
    name = token.type.removesuffix("_open").replace("_", " ")
    return CatalogError(Message("cannot-stand-front-matter", name=name), place=Place(str(path), line),
                        mend=Message("known-names", names=_KNOWN))
