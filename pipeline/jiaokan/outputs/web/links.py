"""What a text's pages link to: pictures of the print's leaves, comments that quote the text, views of witnesses.

A view is a chapter set from the witness's own TEI, with its own division, order, heads and notes: a script that gives a
page a string and two tables, because a page on disk may not read other files.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from jiaokan.characters.equality import norm
from jiaokan.entries.selected import select
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Break, Document, Head, Note, Trailer, Unit
from jiaokan.model.pointers import address, order_key
from jiaokan.model.references import References
from jiaokan.model.walk import items
from jiaokan.outputs import facts
from jiaokan.proposals.quotations import Quotation
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.system.xslt import transform
from jiaokan.tei.parse import from_tei
from jiaokan.tei.views import texts
from jiaokan.tei.witness_text import Piece, pieces

_Places = dict[str, list[tuple[int | str, ...]]]
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


def witness_views(
    document: Document, witnesses: Mapping[str, bytes], folder: Path, parameters: Mapping[str, str],
    plan: ApparatusPlan | None = None,
) -> tuple[str, tuple[Finding, ...]]:
    """Write ``view-PAGE-WITNESS.js`` for each chapter and each witness whose TEI is given.

    Returns the ids of the witnesses that have views, separated by spaces, and a finding for each witness without a view
    because its TEI is not what was collated. `plan` chooses the differences that the 校勘记 reports.
    """
    made, findings = [], list[Finding]()
    where = select(document, plan or ApparatusPlan()).where()
    for witness, data in witnesses.items():
        read = pieces(document, witness, omissions=True)
        found = [each._replace(entry=where.get(each.entry, "")) if each.entry else each for each in read if each.own]
        if not found:
            continue
        found.sort(key=lambda each: (order_key(each.own), each.offset))
        said: dict[str, list[str]] = {}
        for each in found:
            if each.text:
                said.setdefault(each.own, []).append(each.text)
        own = from_tei(data, name=witness)
        known = texts(own)
        if any(known.get(f"{own.id}.{key}") != "".join(words) for key, words in said.items()):
            findings.append(Finding(
                "html-witness-changed", Place(witness), Message("tei-not-edition-collated"),
                Message("collate-edition-again"), "warning",
            ))
            continue
        _write(document, own, witness, data, found, folder, parameters)
        made.append(witness)
    return " ".join(made), tuple(findings)


def _write(
    document: Document, own: Document, witness: str, data: bytes, found: Sequence[Piece], folder: Path,
    parameters: Mapping[str, str],
) -> None:
    """Write the views of a witness; `found` are its pieces in its own order."""
    pages = {division.id: division.n or division.kind for division in document.divisions}
    here_in, own_in = _chapters(pages), _chapters(each.id for each in own.divisions)
    wanted: dict[str, set[str]] = {page: set() for page in pages.values()}
    by_chapter: dict[str, list[Piece]] = {}
    for piece in found:  # the witness's own chapters that have words of each chapter of the edition
        chapter = own_in(f"{own.id}.{piece.own}")
        by_chapter.setdefault(chapter, []).append(piece)
        if piece.text and chapter and (there := here_in(piece.here)):
            wanted[pages[there]].add(chapter)
    order = [each.id for each in own.divisions]
    with tempfile.TemporaryDirectory() as made:
        parts = [chapter for chapter in order if any(chapter in chapters for chapters in wanted.values())]
        own_parameters = {**parameters, "parts": " ".join(parts), "marks": "source", "view": witness,
                          "facts": facts(References(own).as_xml(), leaves_xml(own))}
        transform("xslt/html/witness.xsl", data, parameters=own_parameters, base=Path(made))
        for page, chapters in wanted.items():
            if not chapters:
                continue
            listed = [chapter for chapter in order if chapter in chapters]
            markup = "".join((Path(made) / f"{part}.html").read_text(encoding="utf-8") for part in listed)
            places, differing = _tables(own.id, [piece for part in listed for piece in by_chapter[part]])
            view = {"html": markup, "at": places, "differs": differing}
            script = f'(self.jiaokanViews ||= {{}})["{witness}"] = {json.dumps(view, ensure_ascii=False)};\n'
            (folder / f"view-{page}-{witness}.js").write_text(script, encoding="utf-8")


def _chapters(ids: Iterable[str]) -> Callable[[str], str]:
    """Return a function that names the chapter of an id; "" if there is none."""
    chapters = tuple(ids)
    return cache(lambda name: next((each for each in chapters if f"{name}.".startswith(f"{each}.")), ""))


def _tables(name: str, found: Iterable[Piece]) -> tuple[_Places, dict[str, list[list[Any]]]]:
    """Return two tables by unit and note of the witness.

    The first has the offsets at which units and notes of the edition begin, with a third item if one that began before
    goes on; the second the stretches that differ from the edited text (offset, length, entry).
    """
    length: dict[str, int] = {}
    places: _Places = {}
    differing: dict[str, list[list[Any]]] = {}
    seen: set[str] = set()
    for piece in found:
        start, own = length.get(piece.own, 0), f"{name}.{piece.own}"
        length[piece.own] = start + len(piece.text)
        if piece.text and piece.here not in seen:
            seen.add(piece.here)
            places.setdefault(own, []).append((start, piece.here))
        elif piece.text and own not in places:
            places[own] = [(start, piece.here, 1)]
        if piece.entry:
            rows = differing.setdefault(own, [])
            if rows and rows[-1][2] == piece.entry and rows[-1][0] + rows[-1][1] == start:
                rows[-1][1] += len(piece.text)
            else:
                rows.append([start, len(piece.text), piece.entry])
    return places, differing
