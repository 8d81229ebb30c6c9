"""A document as indented lines, one for a block, so that a golden file can be read and compared by eye."""

from __future__ import annotations

from typing import Any

from jiaokan.model import (
    Break,
    Correction,
    Division,
    Document,
    Figure,
    Furniture,
    Gap,
    Glyph,
    Juan,
    Line,
    Note,
    NoteGroup,
    Space,
    Span,
    Supplied,
    Unit,
)


def outline(document: Document) -> str:
    """Return the outline of a document, what was dropped first."""
    dropped = [f"dropped {rule} ({len(text)})" for rule, text in document.dropped]
    return "".join(f"{line}\n" for line in [*dropped, *(x for d in document.divisions for x in _block(d, ""))])


def _block(item: Any, indent: str) -> list[str]:
    match item:
        case Division():
            head = f"{indent}{item.kind} {item.n} {item.title}".rstrip().replace("  ", " " if not indent else "  ")
            return [head, *(line for part in item.items for line in _block(part, indent + "  "))]
        case Juan():
            return [f"{indent}juan {item.n}"]
        case Furniture():
            return [f"{indent}furniture {item.kind}: {_inline(item.content)}"]
        case Figure():
            return [f"{indent}figure: {item.source}"]
        case Note() | NoteGroup():
            return [f"{indent}{_inline((item,))[1:-1]}"]
    return [f"{indent}{type(item).__name__.lower()}: {_inline(item.content)}"]


def _inline(content: tuple[Any, ...]) -> str:
    return "".join(map(_item, content))


def _item(item: Any) -> str:
    match item:
        case str():
            return item
        case Note():
            sure = f" ?{item.cert}" if item.cert else ""
            kind = "note" if item.kind == "commentary" else item.kind
            words = " ".join(w for w in (kind, item.resp or "-", item.subtype, item.place) if w)
            return f"{{{words}{sure}: {_bracketed(item)}}}"
        case NoteGroup():
            return f"{{{_bracketed(item)}}}"
        case Span():
            return f"[{item.role}: {_bracketed(item)}]"
        case Line():
            return f"{_inline(item.content)}/"
        case Unit():
            return f"‹{_inline(item.content)}›"
        case Glyph():
            return f"&U+{ord(item.code):04X}={item.standard};"
        case Correction():
            return f"&{item.sic}→{item.corr};"
        case Gap():
            return f"&gap {item.reason} {item.rend};"
        case Space():
            return "&space;"
        case Break():
            return {"page": f"¦{item.n}¦", "column": "¦", "line": item.rend or "|"}[item.unit]
        case Supplied():
            return f"&+{item.text};"
    raise TypeError(f"no outline for {item!r}")


def _bracketed(item: Any) -> str:
    content = _inline(item.notes if isinstance(item, NoteGroup) else item.content)
    half = (len(item.rend) + 1) // 2
    return f"{item.rend[:half]}{content}{item.rend[half:]}"
