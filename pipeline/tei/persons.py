"""Persons, sigla and agents of a TEI header; persons who have the id of a text.

A folder may call both 老子 the author and 老子 the book ``laozi``. In its TEI the person is then ``person-laozi``, in
every file of the folder, and so in pointers to him. Read back, both have their own name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.model.numerals import whole
from pipeline.model.vocabulary import PROGRAM
from pipeline.settings.catalog import Catalog, Person
from pipeline.settings.names import TEI_NAMES, TEI_PREFIXES
from pipeline.tei.tree import ID, LANG, Element, beginning, local

PREFIX = "person-"
_PERSONS, _OURS = "{*}teiHeader//{*}person", f"{{*}}teiHeader//{{*}}application[@ident='{PROGRAM}']"
_POINTERS = {
    "author": ("ref",), "persName": ("ref", "resp"), "seg": ("source",), "label": ("source",), "quote": ("source",),
    "note": ("resp",), "div": ("resp",), "lem": ("resp",), "rdg": ("resp",), "corr": ("resp",), "supplied": ("resp",),
    "pc": ("resp",), "placeName": ("resp",), "orgName": ("resp",), "title": ("resp",), "name": ("resp",),
    "punctuation": ("resp",),
}
"""Attributes that point to persons, by element (`pipeline.tei.shapes`); not of a ``seg`` of base text."""


def xml_id(person: str, catalog: Catalog) -> str:
    """Return the ``xml:id`` of a person: the id, or PREFIX and the id if a text, tradition or the header has that."""
    texts = {*catalog.sources, *catalog.editions, *catalog.lists.reported(), *TEI_NAMES, PROGRAM}
    return f"{PREFIX}{person}" if person in texts or person.startswith(TEI_PREFIXES) else person


def qualify_persons(root: Element, part: Element) -> None:
    """Change the pointers to persons in a part of a document to the ``person-ID`` of its header (in `root`)."""
    if names := _prefixed(root):
        reported = {each.get(ID, "") for each in root.iterfind("{*}teiHeader//{*}listWit/{*}listWit/{*}witness")}
        _replace_pointers(part, {f"#{name.removeprefix(PREFIX)}": f"#{name}" for name in names}, reported)


def unqualify_persons(root: Element, part: Element) -> None:
    """Undo `qualify_persons` in TEI of our own: pointers name persons as the folder does."""
    names = _prefixed(root)
    if names and root.find(_OURS) is not None:
        _replace_pointers(part, {f"#{name}": f"#{name.removeprefix(PREFIX)}" for name in names}, ())


def named_in(tei: bytes, persons: Iterable[str]) -> list[str]:
    """Return the ``xml:id`` of persons in a TEI file."""
    return [f"{PREFIX}{name}" if f'"{PREFIX}{name}"'.encode() in tei else name for name in persons]


def _prefixed(root: Element) -> list[str]:
    return [name for each in root.iterfind(_PERSONS) if (name := each.get(ID, "")).startswith(PREFIX)]


def _replace_pointers(root: Element, turned: dict[str, str], reported: Iterable[str]) -> None:
    stay = {f"#{name}" for name in reported}
    for node in root.iter("{*}*"):
        for key in _POINTERS.get(local(node), ()):
            if (value := node.get(key, "")) in turned and not (
                key == "source" and (value in stay or node.get("type") == "jing")
            ):
                node.set(key, turned[value])


@dataclass(frozen=True, slots=True)
class Declared:
    """What a header declares, in its order."""

    sigla: dict[str, str]
    persons: dict[str, Person]
    agents: dict[str, str]  # name of each agent of a ``respStmt`` by its id
    language: str = ""

    def printed(self) -> dict[str, str]:
        """Return the printed name of each witness and person, which an apparatus may name."""
        return {person.id: person.label or person.name for person in self.persons.values()} | self.sigla

    def names(self) -> dict[str, str]:
        """Return the full name of each person and agent."""
        return self.agents | {person.id: person.name or person.label for person in self.persons.values()}


def declared(data: bytes, *, name: str) -> Declared:
    """Return what the header of a TEI file declares; raises TeiError if the file is not XML."""
    root = beginning(data, name=name)
    prefix = PREFIX if root.find(_OURS) is not None else ""
    sigla = {each.get(ID, ""): _text(each, "{*}abbr[@type='siglum']") or each.get("n", "") or each.get(ID, "")
             for each in root.iterfind("{*}teiHeader//{*}witness")}
    people: dict[str, Person] = {}
    for each in root.iterfind(_PERSONS):
        identifier = each.get(ID, "").removeprefix(prefix)
        names = ["".join(map(str, name.itertext())) for name in each.iterfind("{*}persName")]
        main = _text(each, "{*}persName[@type='main']") or (names or [identifier])[0]
        people[identifier] = Person(
            id=identifier, name=main, label=each.get("n", ""), names=tuple(n for n in names if n != main),
            birth=_year(each, "{*}birth"), death=_year(each, "{*}death"),
            dynasty=_text(each, "{*}floruit"), work=_text(each, "{*}bibl/{*}title"), note=_text(each, "{*}note"),
        )
    stated = root.iterfind("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}respStmt[{*}name]")
    agents = {each.get(ID, ""): _text(each, "{*}name") for each in stated}
    return Declared(sigla, people, agents, root.get(LANG, ""))


def _year(node: Element, path: str) -> int:
    when = next((each.get("when", "") for each in node.iterfind(path)), "")
    year = whole(when.removeprefix("-").partition("-")[0])
    return -year if when.startswith("-") else year


def _text(node: Element, path: str) -> str:
    return node.findtext(path, "") or ""
