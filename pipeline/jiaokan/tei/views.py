"""Plain text of a document: as printed by its source, as edited, punctuated, or as one witness has it."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from jiaokan import model
from jiaokan.errors import Message, Place, TeiError, suggestion
from jiaokan.model.attestation import SIGNS
from jiaokan.model.marks import MARKS, PunctuationStyle, normalise_marks, style_marks
from jiaokan.model.pointers import order_key
from jiaokan.model.references import References
from jiaokan.model.text import edited, received
from jiaokan.model.walk import blocks, cached_by_document, is_set_aside, items, marks, walk
from jiaokan.tei.header.declarations import form_of
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import beginning
from jiaokan.tei.witness_text import Piece, pieces


def source_text(document: model.Document) -> str:
    """Return what the source printed, a line for each block, without what named rules left out. Raises TeiError for an
    edition, which no single source printed."""
    for item in walk(document):
        if isinstance(item, model.App):
            raise TeiError(
                Message("document-with-several-sources",
                        what=Message("the-entry-id", entry=item.id or Message("without-id"))),
                mend=Message("give-witness-edition-instead"),
            )
    return "\n".join(received(block) for block in blocks(document) if not isinstance(block, model.Juan))


def texts(document: model.Document, witness: str = "", *, lost: bool = True) -> Mapping[str, str]:
    """Return the text of each unit and note by id, without the notes inside it; without `lost`, also without lost
    places where the source prints nothing. With `witness`, an edition's witness is read back by its own ids (``6.4.2``)
    and in its own order. Raises TeiError if the edition has no such witness."""
    witness = _witness(document, witness)
    return _gather(pieces(document, witness, lost=lost), sort=bool(witness))


def _gather(all_pieces: Iterable[Piece], *, sort: bool) -> dict[str, str]:
    ordered = [piece for piece in all_pieces if piece.owner]
    if sort:
        ordered.sort(key=lambda piece: (order_key(piece.owner), piece.offset))
    joined: dict[str, list[str]] = {}
    for piece in ordered:
        joined.setdefault(piece.owner, []).append(piece.text)
    return {identifier: "".join(parts) for identifier, parts in joined.items()}


def plain_text(document: model.Document, *, reference: str = "", witness: str = "", heads: bool = False) -> str:
    """Return edited base text, one unit on a line: of the whole document or of the passage at `reference`; with `heads`
    (not of a `witness`) also heads and trailers, each on a line. A reference
    is ``6``, ``6.3``, ``6.3.2`` or ``yili:6.3.2``, in the form in which the text is cited (``1A1``), or an id, also of
    a note. With `witness`, the passage is as that witness has it, in its own order and units; ``jijie:6.3`` means its
    own numbering; where it is lost or its words are unknown is a sign (`jiaokan.model.attestation.SIGNS`). Raises
    TeiError if there is no such reference or witness, or if it lacks the passage."""
    witness = _witness(document, witness)
    document, reference = _lines_alone(document, reference)
    all_pieces = _with_signs(pieces(document, witness, omissions=True)) if witness else pieces(document, heads=heads)
    references = References(document)
    wanted, own_numbers = _resolve(document, references, reference, witness, all_pieces)
    chosen = [
        piece for piece in all_pieces for place in [piece.owner if own_numbers else piece.here]
        if any(_within(place, identifier) for identifier in wanted) and (not piece.note or piece.here in wanted)
    ]
    if witness and not chosen and not any(
        witness in item.sources and any(_within(item.id, identifier) for identifier in wanted)
        for item in walk(document) if isinstance(item, model.Unit | model.Note)
    ):
        there = [piece.here for piece in all_pieces if not piece.note]
        raise TeiError(
            Message("witness-has-nothing", witness=witness, unit=references.of(wanted[0])),
            mend=Message("it-has-words-from-to", of=references.of(there[0]),
                         of2=references.of(there[-1])) if there else "",
        )
    return "\n".join(words.strip(" ") for words in _gather(chosen, sort=bool(witness)).values())


def _lines_alone(document: model.Document, reference: str) -> tuple[model.Document, str]:
    """Return, for the reference of a line of verse, a document of the lines that it names, and no reference."""
    label = reference.removeprefix(f"{document.id}:")
    lines = References(document).lines(label) if label else {}
    if not lines:
        return document, reference
    verses = (model.Paragraph(content=(replace(unit, content=lines[unit.id]),)) for unit in walk(document)
              if isinstance(unit, model.Unit) and unit.id in lines)
    return replace(document, divisions=(model.Division(kind="pian", items=tuple(verses), id=document.id),)), ""


def _with_signs(all_pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of a witness with signs where it has no words; a run of lost places has one."""
    signed: list[Piece] = []
    absent = False
    for piece in all_pieces:
        sign = "" if piece.text else SIGNS[piece.state]
        if piece.text or (sign and not (absent and piece.state == "lost")):
            signed.append(piece if piece.text else piece._replace(text=sign))
        absent = piece.state == "lost" if not piece.text else absent and not piece.text.strip()
    return signed


def passage(document: model.Document, reference: str) -> Callable[[str, bool], bool]:
    """Return a function of an id, and whether it is a note's, that is true if it belongs to the passage. Raises
    TeiError as `plain_text`."""
    wanted, _ = _resolve(document, References(document), reference, "", [])
    return lambda identifier, note: any(_within(identifier, passage_id) for passage_id in wanted) and (
        not note or identifier in wanted)


def _within(identifier: str, ancestor: str) -> bool:
    return not ancestor or identifier == ancestor or identifier.startswith(f"{ancestor}.")


@cached_by_document
def carriers(document: model.Document) -> frozenset[str]:
    """Return the ids of the witnesses that have units or notes of an edition."""
    texts = (text for text in walk(document) if isinstance(text, model.Unit | model.Note))
    return frozenset(name for text in texts for name in text.sources)


def _witness(document: model.Document, witness: str) -> str:
    if not witness:
        return ""
    known = carriers(document)
    if witness == document.id and not known:
        return ""
    if witness not in known:
        mend = suggestion(witness, sorted(known or [document.id]))
        raise TeiError(Message("witness-missing", document=document.id, witness=witness), place=Place(document.id),
                       mend=mend)
    return witness


def _resolve(
    document: model.Document, references: References, reference: str, witness: str, all_pieces: list[Piece]
) -> tuple[tuple[str, ...], bool]:
    if not reference:
        return ("",), False
    head, _, rest = reference.partition(":")
    if rest and witness and head == witness:
        known = {piece.owner for piece in all_pieces}
        return (_known(rest, known, lambda unit: f"{witness}:{unit}"),), True
    if cited := references.ids(reference.removeprefix(f"{document.id}:")):
        return cited, False
    identifier = reference.replace(":", ".", 1)
    if not _within(identifier, document.id):
        identifier = identifier if rest else f"{document.id}.{identifier}"
    kinds = model.Division | model.Unit | model.Note | model.Head | model.Trailer
    ids = {item.id for item in walk(document) if isinstance(item, kinds)} - {""}
    return (_known(identifier, ids | {document.id}, references.of),), False


def _known(wanted: str, known: set[str], reference_of: Callable[[str], str]) -> str:
    if wanted in known or any(_within(identifier, wanted) for identifier in known):
        return wanted
    names, shown = set(map(reference_of, known)), reference_of(wanted)
    mend = _passages_near(wanted, known, reference_of) or _whole_reference(shown, names) or suggestion(shown, names)
    raise TeiError(Message("passage-missing", reference=shown), mend=mend)


_LISTED = 8
"""Most passages that a message lists; of more it has the first, the last, and those beside the wrong one. A choice."""


def _whole_reference(shown: str, names: Iterable[str]) -> Message | None:
    """Return the reference that is meant by its last levels alone; None if there are several, or none."""
    label = shown.partition(":")[2]
    whole = [name for name in names if re.search(rf"(?<!\w){re.escape(label)}$", name)] if label else []
    return Message("did-you-mean", name=whole[0]) if len(whole) == 1 else None


def _passages_near(wanted: str, known: set[str], reference_of: Callable[[str], str]) -> Message | None:
    """Return which passages the text, chapter or section has that has none of a number; None for other mistakes."""
    parent, _, last = wanted.rpartition(".")
    while parent and parent not in known:
        parent, _, last = parent.rpartition(".")
    inside = sorted((name for name in known if re.fullmatch(rf"{re.escape(parent)}\.\d+", name)), key=order_key)
    references = [*dict.fromkeys(map(reference_of, inside))]
    if not parent or not last.isdecimal() or not references or references[0] == reference_of(parent):
        return None
    if len(references) > _LISTED:
        at = bisect(inside, order_key(f"{parent}.{last}"), key=order_key)
        near = map(reference_of, inside[max(0, at - 1) : at + 1])
        shown = dict.fromkeys([references[0], *near, references[-1]])
        return Message("passages-there", parent=reference_of(parent), names=" … ".join(shown))
    return Message("passages-there", parent=reference_of(parent), names=", ".join(references))


_LABEL = b'indexName="reference"'  # in files with a division whose name in references is not its number


def references_xml(tei: bytes, *, name: str) -> str:
    """Return the references of a TEI file as `References.as_xml` writes them; empty if its ids are its references, as
    in TEI of others. Raises TeiError if the file is not XML."""
    if _LABEL not in tei and not form_of(beginning(tei, name=name).find("{*}teiHeader")):
        return ""
    try:
        return References(from_tei(tei, name=name)).as_xml()
    except TeiError:
        return ""


def own_references(document: model.Document, reference: str) -> list[str]:
    """Return the references of the witnesses' units or notes from which an edition's unit or note was made. Raises
    TeiError if the edition has no such passage."""
    wanted = reference.replace(":", ".", 1)
    for item in walk(document):
        if isinstance(item, (model.Unit, model.Note, model.Head, model.Trailer)) and item.id == wanted:
            milestones = [m for m in marks(item.content) if not isinstance(item, model.Unit) or ".n" not in m.unit]
            return list(dict.fromkeys(f"{m.witness}:{m.unit.partition('+')[0]}" for m in milestones))
    raise TeiError(Message("there-is-no-unit-or-note", reference=reference),
                   mend=Message("read-shows-all", id=document.id))


_EDITORS = re.compile(rb'(<pc(?: (?:resp|cert|source)="[^"<>]*")*)>([^<>&"]+)</pc>')
_RUN = re.compile(f"[{''.join(sorted(MARKS))}]+")


def marks_in_attributes(tei: bytes) -> bytes:
    """Return a TEI file of ours with the editor's marks in attributes (``pc/@n``), as the stylesheets read them; else
    they would copy the whole tree (``xslt/prepare/02-layer.xsl``)."""
    return _EDITORS.sub(rb'\1 n="\2"/>', tei)


def punctuated_text(document: model.Document, style: PunctuationStyle, *, reference: str = "") -> str:
    """Return the edited base text of a document with its layer, or of the passage at `reference`, one unit on a line.
    Where the editor set marks these are shown, elsewhere the source's, as `jiaokan.model.marks.normalise_marks` gives
    them. Titles keep 《》, since plain text has no lines. Raises TeiError as `plain_text`."""
    wanted = passage(document, reference)
    texts = (item for item in items(document.divisions, readings=False) if isinstance(item, model.Unit | model.Note))
    return "\n".join(_style_item(item, style) for item in texts
                     if item.id and wanted(item.id, isinstance(item, model.Note)))


def _style_item(item: model.Unit | model.Note, style: PunctuationStyle) -> str:
    pieces = [*_units_of_print(item.content)]
    if not any(isinstance(piece, model.EditorsMark | model.Span) for piece in pieces):
        return _RUN.sub(lambda run: style_marks(run[0], style), normalise_marks(edited(item.content)))
    words, slot = "", ""
    for piece in pieces:
        if isinstance(piece, model.EditorsMark):
            slot += piece.sign
        elif isinstance(piece, str) and piece:
            words += style_marks(slot, style) + piece
            slot = ""
    return words + style_marks(slot, style)


def _units_of_print(content: Iterable[model.Item]) -> Iterator[str | model.EditorsMark | model.Span]:
    for item in content:
        if isinstance(item, str | model.EditorsMark) or is_set_aside(item):
            yield item
        elif isinstance(item, model.Note | model.NoteGroup) or (isinstance(item, model.Span) and item.rend):
            continue
        elif isinstance(item, model.App):
            yield from _units_of_print(item.lemma.content)
        elif hasattr(item, "content"):
            yield from _units_of_print(item.content)
        else:
            yield edited(item)
