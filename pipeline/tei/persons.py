"""Persons who have the id of a text: 老子 the author and 老子 the book, which in one file need two ``xml:id``.

A folder may call both ``laozi``; in its TEI the person is then ``person-laozi``, in every file of the folder, and what
points to the person does so. Read back, both have their own name again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipeline.model.vocabulary import PROGRAM
from pipeline.settings.catalog import Catalog
from pipeline.settings.names import TEI_NAMES, TEI_PREFIXES
from pipeline.tei.tree import ID, Element, local

PREFIX = "person-"
_POINTERS = {
    "author": ("ref",), "persName": ("ref", "resp"), "seg": ("source",), "label": ("source",), "quote": ("source",),
    "note": ("resp",), "lem": ("resp",), "rdg": ("resp",), "corr": ("resp",), "supplied": ("resp",),
    "pc": ("resp",), "placeName": ("resp",), "orgName": ("resp",), "title": ("resp",), "name": ("resp",),
}
"""Attributes that point to persons, by element (`pipeline.tei.shapes`); of ``seg`` only where it is no base text."""


def xml_id(person: str, catalog: Catalog) -> str:
    """Give the ``xml:id`` of a person: the id, unless a text, a reported tradition or the header itself has it."""
    texts = {*catalog.sources, *catalog.editions, *catalog.lists.reported(), *TEI_NAMES, PROGRAM}
    return f"{PREFIX}{person}" if person in texts or person.startswith(TEI_PREFIXES) else person


def tell_apart(root: Element, part: Element) -> None:
    """Let what in a part of a document points to persons whom its header (in `root`) calls ``person-ID`` point there.
    """
    names = {each.removeprefix(PREFIX) for each in _persons(root) if each.startswith(PREFIX)}
    if names:
        reported = {each.get(ID, "") for each in root.iterfind("{*}teiHeader//{*}listWit/{*}listWit/{*}witness")}
        _point(part, {f"#{name}": f"#{PREFIX}{name}" for name in names}, reported)


def bring_together(root: Element, part: Element) -> None:
    """Undo `tell_apart`: let pointers name persons as the folder does, in TEI of our own making."""
    names = [each for each in _persons(root) if each.startswith(PREFIX)]
    if names and root.find(f"{{*}}teiHeader//{{*}}application[@ident='{PROGRAM}']") is not None:
        _point(part, {f"#{name}": f"#{name.removeprefix(PREFIX)}" for name in names}, ())


def own_id(identifier: str) -> str:
    """Give the id by which the folder names a person whom a header of ours calls so."""
    return identifier.removeprefix(PREFIX)


def named_in(tei: bytes, persons: Iterable[str]) -> list[str]:
    """Give persons by the ``xml:id`` that a TEI file has for them."""
    return [f"{PREFIX}{name}" if f'"{PREFIX}{name}"'.encode() in tei else name for name in persons]


def _persons(root: Element) -> Iterator[str]:
    return (each.get(ID, "") for each in root.iterfind("{*}teiHeader//{*}person"))


def _point(root: Element, turned: dict[str, str], reported: Iterable[str]) -> None:
    """Replace pointers to persons; in a remark on the text, what names a reported witness stays."""
    stay = {f"#{name}" for name in reported}
    for node in root.iter("{*}*"):
        for key in _POINTERS.get(local(node), ()):
            if (value := node.get(key, "")) in turned and not (
                key == "source" and (value in stay or node.get("type") == "jing")
            ):
                node.set(key, turned[value])
