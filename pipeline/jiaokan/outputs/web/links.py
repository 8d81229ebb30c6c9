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
from typing import TypeGuard
from xml.sax.saxutils import escape, quoteattr

from jiaokan.characters.equality import norm
from jiaokan.entries.selected import select
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Break, Document, Head, Item, Note, Trailer, Unit
from jiaokan.model.pointers import address, order_key
from jiaokan.model.references import References
from jiaokan.model.walk import items
from jiaokan.outputs import facts
from jiaokan.outputs.text.prepare import script_facts
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
        if _has_picture(block):
            waiting.append(block)
        elif isinstance(block, _PLACED) and block.id:
            inside = block.id
            begun += ((inside, leaf) for leaf in (*waiting, *filter(_has_picture, items(block.content))))
            waiting = []
    begun += ((inside, leaf) for leaf in waiting if inside)
    rows = [f"<leaf on={quoteattr(place)} n={quoteattr(page.n)} ed={quoteattr(page.edition)} "
            f"image={quoteattr(page.image)}/>" for place, page in begun]
    return f'<leaves xmlns="urn:jiaokan:prepared">{"".join(rows)}</leaves>' if rows else ""


def _has_picture(item: Item) -> TypeGuard[Break]:
    return isinstance(item, Break) and item.unit == "page" and bool(item.image)


def origins(hosts: Iterable[str]) -> str:
    """Return hosts for a Content-Security-Policy: scheme, host and port, separated by spaces."""
    parts = (address(host) for host in hosts)
    return " ".join(dict.fromkeys(f"{parts_of_address.scheme}://{parts_of_address.netloc}"
                                  for parts_of_address in parts if parts_of_address.scheme and parts_of_address.netloc))


def quoted_xml(
    text: str, quotations: Iterable[Quotation], people: Mapping[str, str], folders: Mapping[str, str]
) -> str:
    """Return who quotes a text, as ``quoted/at[@id]/by[@text, @id, @who]`` with the words of the comment.

    Words that differ from the quoted passage are in ``d``, and ``@said`` is that passage. ``quoted/text[@id,
    @folder]`` names the folder of each other text. `people` maps ids to printed names, `folders` texts to the folders
    of their pages.
    """
    places: dict[str, list[tuple[str, Quotation]]] = {}
    text_names = {text}
    for quotation in quotations:
        text_names |= {quotation.here.id.partition(".")[0], quotation.document}
        name = quotation.here.id.partition(".")[0]
        if name in folders and (quotation.document or name) == text:
            for source in quotation.source:
                places.setdefault(source.id, []).append((name, quotation))
    rows = [f"<text id={quoteattr(name)} folder={quoteattr(folder)}/>"
            for name, folder in sorted(folders.items()) if name in text_names]
    for place in sorted(places, key=order_key):
        rows.append(f"<at id={quoteattr(place)}>")
        for name, quotation in dict.fromkeys(places[place]):
            attribute = f" said={quoteattr(quotation.source_words)}" if quotation.source_words else ""
            source_words = quotation.source_words
            words = _mark_differences(quotation.words, source_words) if source_words else escape(quotation.words)
            who = quoteattr(people.get(quotation.speaker, ""))
            place_id = quoteattr(quotation.here.id)
            rows.append(f"<by text={quoteattr(name)} id={place_id} who={who}{attribute}>{words}</by>")
        rows.append("</at>")
    return f'<quoted xmlns="urn:jiaokan:prepared">{"".join(rows)}</quoted>'


def _mark_differences(words: str, quoted_words: str) -> str:
    """Return words as XML with differences from `said` in ``d``; variant characters count as equal."""
    ours, theirs = ([norm(graph) for graph in phrase] for phrase in (words, quoted_words))
    parts: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        same = escape(words[start:end])
        parts.append(same if kind == "equal" else f"<d said={quoteattr(quoted_words[first:last])}>{same}</d>")
    return "".join(parts)


def witness_views(
    document: Document, witnesses: Mapping[str, bytes], folder: Path, parameters: Mapping[str, str],
    plan: ApparatusPlan | None = None,
) -> tuple[str, tuple[Finding, ...]]:
    """Write ``view-PAGE-WITNESS.js`` for each chapter and each witness whose TEI is given.

    Returns the ids of the witnesses that have views, separated by spaces, and a finding for each witness without a view
    because its TEI is not what was collated. `plan` chooses the differences that the 校勘记 reports.
    """
    shown, findings = [], list[Finding]()
    where = select(document, plan or ApparatusPlan()).where()
    for witness, data in witnesses.items():
        read = pieces(document, witness, omissions=True)
        witness_pieces = [piece._replace(entry=where.get(piece.entry, "")) if piece.entry else piece for piece in read
                          if piece.owner]
        if not witness_pieces:
            continue
        witness_pieces.sort(key=lambda piece: (order_key(piece.owner), piece.offset))
        words_by_place: dict[str, list[str]] = {}
        for piece in witness_pieces:
            if piece.text:
                words_by_place.setdefault(piece.owner, []).append(piece.text)
        witness_document = from_tei(data, name=witness)
        known = texts(witness_document)
        if any(known.get(f"{witness_document.id}.{key}") != "".join(words) for key, words in words_by_place.items()):
            findings.append(Finding(
                "html-witness-changed", Place(witness), Message("tei-not-edition-collated"),
                Message("collate-edition-again"), "warning",
            ))
            continue
        _write(document, witness_document, witness, data, witness_pieces, folder, parameters)
        shown.append(witness)
    return " ".join(shown), tuple(findings)


def _write(
    document: Document, witness_document: Document, witness: str, data: bytes, witness_pieces: Sequence[Piece],
    folder: Path,
    parameters: Mapping[str, str],
) -> None:
    """Write the views of a witness; `witness_pieces` are its pieces in its own order."""
    pages = {division.id: division.n or division.kind for division in document.divisions}
    here_in, own_in = _chapters(pages), _chapters(division.id for division in witness_document.divisions)
    wanted: dict[str, set[str]] = {page: set() for page in pages.values()}
    by_chapter: dict[str, list[Piece]] = {}
    for piece in witness_pieces:  # the witness's own chapters that have words of each chapter of the edition
        chapter = own_in(f"{witness_document.id}.{piece.owner}")
        by_chapter.setdefault(chapter, []).append(piece)
        if piece.text and chapter and (there := here_in(piece.here)):
            wanted[pages[there]].add(chapter)
    order = [division.id for division in witness_document.divisions]
    with tempfile.TemporaryDirectory() as folder_aside:
        parts = [chapter for chapter in order if any(chapter in chapters for chapters in wanted.values())]
        own_parameters = {**parameters, "parts": " ".join(parts), "marks": "source", "view": witness,
                          "facts": facts(References(witness_document).as_xml(), leaves_xml(witness_document),
                                         **script_facts(data))}
        transform("xslt/html/witness.xsl", data, parameters=own_parameters, base=Path(folder_aside))
        for page, chapters in wanted.items():
            if not chapters:
                continue
            listed = [chapter for chapter in order if chapter in chapters]
            markup = "".join((Path(folder_aside) / f"{part}.html").read_text(encoding="utf-8") for part in listed)
            places, differing = _tables(witness_document.id, [piece for part in listed for piece in by_chapter[part]])
            view = {"html": markup, "at": places, "differs": differing}
            script = f'(self.jiaokanViews ||= {{}})["{witness}"] = {json.dumps(view, ensure_ascii=False)};\n'
            (folder / f"view-{page}-{witness}.js").write_text(script, encoding="utf-8")


def _chapters(ids: Iterable[str]) -> Callable[[str], str]:
    """Return a function that names the chapter of an id; "" if there is none."""
    chapters = tuple(ids)
    return cache(lambda name: next((chapter for chapter in chapters if f"{name}.".startswith(f"{chapter}.")), ""))


def _tables(name: str, witness_pieces: Iterable[Piece]) -> tuple[_Places, dict[str, list[tuple[int, int, str]]]]:
    """Return two tables by unit and note of the witness.

    The first has the offsets at which units and notes of the edition begin, with a third item if one that began before
    goes on; the second the stretches that differ from the edited text (offset, length, entry).
    """
    length: dict[str, int] = {}
    places: _Places = {}
    differing: dict[str, list[tuple[int, int, str]]] = {}
    seen: set[str] = set()
    for piece in witness_pieces:
        start, place = length.get(piece.owner, 0), f"{name}.{piece.owner}"
        length[piece.owner] = start + len(piece.text)
        if piece.text and piece.here not in seen:
            seen.add(piece.here)
            places.setdefault(place, []).append((start, piece.here))
        elif piece.text and place not in places:
            places[place] = [(start, piece.here, 1)]
        if piece.entry:
            rows = differing.setdefault(place, [])
            first, size, entry = rows[-1] if rows else (0, 0, "")
            if entry == piece.entry and first + size == start:
                rows[-1] = first, size + len(piece.text), entry
            else:
                rows.append((start, len(piece.text), piece.entry))
    return places, differing
