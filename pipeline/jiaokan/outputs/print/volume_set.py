"""Set the volumes of a book: page numbers go on, and contents and indexes name the pages of all.

Each volume is a Typst document, set in a process of its own. It gets what it needs of the others as data (``others`` of
measures.typ): the number of pages before it and, for contents and indexes, the places of divisions and words. A volume
is set again when what it needs has changed. A link to another volume has an `_address`; it becomes an action that opens
the other file (ISO 32000-1, 12.6.4.3), which PDF/A-2 allows (ISO 19005-2, 6.5.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from jiaokan.errors import Finding, Message, RenderError
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.typst import Substitution, count_pages, typeset_volume
from jiaokan.outputs.print.volumes import Volume, link_places, typst_code
from jiaokan.system.process import apart

_ROUNDS = 4
"""Maximum number of times that a volume is set, until its front takes as many pages as assumed: usually twice, as
contents leave room for numbers of three digits."""
_SCHEME = "jiaokan:"
_ABOVE = 10.0  # points above a place at which a view begins, as in Typst's own links

Found = Mapping[str, Any]  # what `found-here` of index.typ tells of a volume, and its number of `pages`


def _address(volume: Volume, page: int, y: float = 0, *, named: str = "") -> str:
    """Return the address of a place: file, page in it from 1, points from above, or its name as a destination."""
    return f"{_SCHEME}{quote(volume.file, safe='')}/{page}/{y:.3f}/{quote(named, safe='')}"


def set_volumes(
    volumes: Sequence[Volume], settings: OutputSettings, used: tuple[Substitution, ...], check: bool = False
) -> tuple[list[bytes], tuple[Finding, ...]]:
    """Return volumes as PDFs and, as `typeset`, findings. Raises RenderError with Typst's own message."""
    columns = any(part.kind == "page" for volume in volumes for part in volume.parts)
    places_by_volume: list[Found] = [{} for _ in volumes]
    data_given: list[dict[str, Any]] = [{} for _ in volumes]
    documents, findings = [b""] * len(volumes), list[tuple[Finding, ...]]([()] * len(volumes))
    for _ in range(_ROUNDS):
        before = list(data_given)
        for number, volume in enumerate(volumes):
            known = _leaves_elsewhere(volumes, volume) if columns else _known(volumes, places_by_volume, number)
            if known != data_given[number]:
                code, data_given[number] = volume.head + typst_code(volume.parts), known
                document, findings[number], places = apart(
                    typeset_volume, code, settings, used, known, not columns, check)
                documents[number], places_by_volume[number] = document, {**places, "pages": count_pages(document)}
        if before == data_given:
            return list(map(_with_links, documents)), tuple(dict.fromkeys(finding for volume_findings in findings
                                                                          for finding in volume_findings))
    raise RenderError(Message("number-pages-before-text-changes"),
                      mend=Message("set-book-remove-volumes-print"))


def _leaves_elsewhere(volumes: Sequence[Volume], volume: Volume) -> dict[str, Any]:
    """Return the data of a volume of pages in columns, whose numbers are all known: where links lead."""
    return {"volume": volume.name, "elsewhere": {
        id_: _address(other, page + 1) for other in volumes if other is not volume
        for id_, page in link_places(other.parts).items()}}


def _known(volumes: Sequence[Volume], places_found: Sequence[Found], number: int) -> dict[str, Any]:
    """Return the data of a volume: the places in the others, as far as these have been set."""
    volume, kinds = volumes[number], {part.kind for part in volumes[number].parts}
    known: dict[str, Any] = {"volume": volume.name, "before": _pages_before(places_found[:number])}
    if volume.own:
        return {**known, "own": []}
    others = [(other, places_there) for other, places_there in zip(volumes, places_found, strict=True)
              if other is not volume and places_there]
    if "contents" in kinds:
        known["volumes"] = {other.divisions[0]: other.name for other in volumes if other.name}
        known["divisions"] = {id_: (_address(other, page, named=id_), folio)
                              for other, places_there in others for id_, folio, page, _ in places_there["divisions"]}
    if "index" in kinds:
        known["openings"] = [folio for places_there in places_found[:number] for folio in places_there["openings"]]
        known["places"] = {
            index: [(key, place, folio, _address(other, page, y)) for other, places_there in others
                    for key, place, folio, page, y in places_there["places"][index]]
            for _, places_there in others for index in places_there["places"]}
    return known


def _pages_before(places_found: Sequence[Found]) -> int:
    """Return the number of pages that are numbered with those of a volume and precede it: even, as on each sheet."""
    pages = [places_there["pages"] - places_there["unnumbered"] for places_there in places_found]
    return sum(count + count % 2 for count in pages)


def _with_links(document: bytes) -> bytes:
    """Return a PDF whose links to an `_address` open the other file there. The same file gives the same bytes."""
    output = BytesIO()
    with pikepdf.open(BytesIO(document)) as pdf:
        for page in pdf.pages:
            for link in page.get("/Annots", ()):
                uri = str(link.A.get("/URI", "")) if "/A" in link else ""
                if uri.startswith(_SCHEME):
                    _lead(link, uri.removeprefix(_SCHEME), float(page.MediaBox[3]))
        pdf.save(output, deterministic_id=True, fix_metadata_version=False,
                 object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return output.getvalue()


def _lead(link: Any, address: str, height: float) -> None:
    """Let a link lead to a named place or a page of another file; a screen reader says the file and its page."""
    file, page, y, name = map(unquote, address.split("/"))
    link.Contents = String(f"{file}, 页 {page}")
    view = [Name.XYZ, None, round(height - max(0.0, float(y) - _ABOVE), 3), None]
    place = String(name) if name else Array([int(page) - 1, *view])
    there = Dictionary(Type=Name.Filespec, F=String(file), UF=String(file))
    link.A = Dictionary(Type=Name.Action, S=Name.GoToR, F=there, D=place)
