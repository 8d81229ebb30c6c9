"""What a text's pages link to: pictures of the print's leaves, and comments that quote the text, as XML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pipeline.characters.equality import norm
from pipeline.model import Break, Document, Head, Note, Trailer, Unit
from pipeline.model.pointers import address, order_key
from pipeline.model.walk import items
from pipeline.proposals.quotations import Quotation

_PLACED = (Unit, Note, Head, Trailer)


def leaves_xml(document: Document) -> str:
    """Return the leaves that have a picture as ``leaves/leaf[@on, @n, @ed, @image]``; empty if there are none.

    ``@on`` is the unit, comment, head or trailer in which the leaf begins.
    """
    begun: list[tuple[str, Break]] = []
    waiting: list[Break] = []
    inside = ""
    for block in items(document.divisions, into=lambda item: not isinstance(item, _PLACED)):
        if _pictured(block):
            waiting.append(block)
        elif isinstance(block, _PLACED) and block.id:
            inside = block.id
            begun += ((inside, each) for each in (*waiting, *filter(_pictured, items(block.content))))
            waiting = []
    begun += ((inside, each) for each in waiting if inside)
    rows = [f"<leaf on={quoteattr(place)} n={quoteattr(page.n)} ed={quoteattr(page.edition)} "
            f"image={quoteattr(page.image)}/>" for place, page in begun]
    return f'<leaves xmlns="urn:jiaokan:prepared">{"".join(rows)}</leaves>' if rows else ""


def _pictured(item: Any) -> bool:
    return isinstance(item, Break) and item.unit == "page" and bool(item.image)


def origins(hosts: Iterable[str]) -> str:
    """Return hosts for a Content-Security-Policy: scheme, host and port, separated by spaces."""
    parts = (address(host) for host in hosts)
    return " ".join(dict.fromkeys(f"{each.scheme}://{each.netloc}" for each in parts if each.scheme and each.netloc))


def quoted_xml(
    text: str, found: Iterable[Quotation], people: Mapping[str, str], folders: Mapping[str, str]
) -> str:
    """Return who quotes a text, as ``quoted/at[@id]/by[@text, @id, @who]`` with the words of the comment.

    Words that differ from the quoted passage are in ``d``, and ``@said`` is that passage. ``quoted/text[@id,
    @folder]`` names the folder of each other text. `people` maps ids to printed names, `folders` texts to the folders
    of their pages.
    """
    places: dict[str, list[tuple[str, Quotation]]] = {}
    met = {text}
    for each in found:
        met |= {each.here.id.partition(".")[0], each.document}
        name = each.here.id.partition(".")[0]
        if name in folders and (each.document or name) == text:
            for source in each.source:
                places.setdefault(source.id, []).append((name, each))
    rows = [f"<text id={quoteattr(name)} folder={quoteattr(folder)}/>"
            for name, folder in sorted(folders.items()) if name in met]
    for place in sorted(places, key=order_key):
        rows.append(f"<at id={quoteattr(place)}>")
        for name, each in dict.fromkeys(places[place]):
            said = f" said={quoteattr(each.said)}" if each.said else ""
            words = _compared(each.words, each.said) if each.said else escape(each.words)
            who = quoteattr(people.get(each.speaker, ""))
            rows.append(f"<by text={quoteattr(name)} id={quoteattr(each.here.id)} who={who}{said}>{words}</by>")
        rows.append("</at>")
    return f'<quoted xmlns="urn:jiaokan:prepared">{"".join(rows)}</quoted>'


def _compared(words: str, said: str) -> str:
    """Return words as XML with differences from `said` in ``d``; variant characters count as equal."""
    ours, theirs = ([norm(graph) for graph in each] for each in (words, said))
    made: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        same = escape(words[start:end])
        made.append(same if kind == "equal" else f"<d said={quoteattr(said[first:last])}>{same}</d>")
    return "".join(made)
