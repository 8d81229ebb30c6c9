"""Persons, sigla and agents of a TEI header; persons who have the id of a text.

A folder may call both 老子 the author and 老子 the book ``laozi``. In its TEI the person is then ``person-laozi``, in
every file of the folder, and so in pointers to him. Read back, both have their own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import east_asian_width

from jiaokan.model.numerals import whole
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.settings.catalog import Catalog, Person
from jiaokan.settings.names import TEI_NAMES, TEI_PREFIXES
from jiaokan.tei.tree import ID, LANG, Element, after, beginning, local

PREFIX = "person-"
SHOWN = "shown"
"""Type of the program's ``application`` in the header of somebody else's file, which keeps its own words."""
_PERSONS, _OURS = "{*}teiHeader//{*}person", f"{{*}}teiHeader//{{*}}application[@ident='{PROGRAM}']"
_PEOPLE = ("person", "author", "editor", "respStmt", "name", "persName", "principal", "handNote")
_PARTS = 2
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_DESCRIBED = ("msDesc", "bibl", "biblStruct", "biblFull", "listBibl", "note", "p")
"""Elements of a witness that describe it: an abbreviation in them is no siglum."""
_POINTERS = {
    "author": ("ref",), "persName": ("ref", "resp"), "seg": ("source",), "label": ("source",), "quote": ("source",),
    "note": ("resp",), "div": ("resp",), "lem": ("resp",), "rdg": ("resp",), "corr": ("resp",), "supplied": ("resp",),
    "pc": ("resp",), "placeName": ("resp",), "orgName": ("resp",), "title": ("resp",), "name": ("resp",),
    "punctuation": ("resp",),
}
"""Attributes that point to persons, by element (`jiaokan.tei.shapes`); not of a ``seg`` of base text."""


def xml_id(person: str, catalog: Catalog) -> str:
    """Return the ``xml:id`` of a person: the id, or PREFIX and the id if a text, tradition or the header has that."""
    texts = {*catalog.sources, *catalog.editions, *catalog.lists.reported_traditions(), *TEI_NAMES, PROGRAM}
    return f"{PREFIX}{person}" if person in texts or person.startswith(TEI_PREFIXES) else person


def qualify_persons(root: Element, part: Element) -> None:
    """Change the pointers to persons in a part of a document to the ``person-ID`` of its header (in `root`)."""
    if names := _prefixed_names(root):
        reported = {witness.get(ID, "") for witness in root.iterfind("{*}teiHeader//{*}listWit/{*}listWit/{*}witness")}
        _replace_pointers(part, {f"#{name.removeprefix(PREFIX)}": f"#{name}" for name in names}, reported)


def unqualify_persons(root: Element, part: Element) -> None:
    """Undo `qualify_persons` in TEI of our own: pointers name persons as the folder does."""
    names = _prefixed_names(root)
    if names and root.find(_OURS) is not None:
        _replace_pointers(part, {f"#{name}": f"#{name.removeprefix(PREFIX)}" for name in names}, ())


def is_ours(root: Element) -> bool:
    """Whether the program wrote the header of a file, and not only its text."""
    return root.find(_OURS) is not None and not is_shown(root)


def is_shown(root: Element) -> bool:
    """Whether the text is in our encoding, and the header that of somebody else's file."""
    applications = root.findall(_OURS)
    return bool(applications) and applications[-1].get("type") == SHOWN


def siglum_of(witness: Element) -> str:
    """Return the siglum that a ``witness`` states: its ``abbr`` of type siglum, else its ``n``, its first ``abbr``, or
    its id."""
    abbreviations = [abbr for abbr in witness.iter("{*}abbr")
                     if next(abbr.iterancestors("{*}witness"), None) is witness]
    typed = [abbr for abbr in abbreviations if abbr.get("type") == "siglum"]
    first = [abbr for abbr in abbreviations
             if not {local(up) for up in abbr.iterancestors()}.intersection(_DESCRIBED)]
    return next(filter(None, (*map(words_of, typed), witness.get("n", ""), *map(words_of, first))), "") or (
        witness.get(ID, ""))


def words_of(node: Element) -> str:
    """Return the words of an element with single spaces; parts of a name without any between them get one, unless they
    are in a script without spaces."""
    return " ".join(_join_texts(node).split())


def _join_texts(node: Element) -> str:
    texts = [node.text or "", *map(after, node)]
    if len(node) < _PARTS or any(map(str.strip, texts)):
        return "".join(map(str, node.itertext()))
    joined = ""
    for words in map(_join_texts, node.iterchildren("{*}*")):
        spaced = joined and words and not any(east_asian_width(sign) in "WF" for sign in (joined[-1], words[0]))
        joined += f" {words}" if spaced else words
    return joined


def people(header: Element | None) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of each person whom a header names with an id."""
    for node in () if header is None else header.iter(*(f"{{*}}{name}" for name in _PEOPLE)):
        name = node.get(ID, "")
        if name != PROGRAM and _PLAIN.fullmatch(name):
            yield name, words_of(next(iter(node.iter("{*}persName", "{*}name")), node)) or name


def named_in(tei: bytes, persons: Iterable[str]) -> list[str]:
    """Return the ``xml:id`` of persons in a TEI file."""
    return [f"{PREFIX}{name}" if f'"{PREFIX}{name}"'.encode() in tei else name for name in persons]


def _prefixed_names(root: Element) -> list[str]:
    return [] if is_shown(root) else [
        name for person in root.iterfind(_PERSONS) if (name := person.get(ID, "")).startswith(PREFIX)]


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
    shown: bool = False
    """Whether the header is that of somebody else's file (`is_shown`)."""

    def printed_names(self) -> dict[str, str]:
        """Return the printed name of each witness and person, which an apparatus may name."""
        return {person.id: person.label or person.name for person in self.persons.values()} | self.sigla

    def names(self) -> dict[str, str]:
        """Return the full name of each person and agent."""
        return self.agents | {person.id: person.name or person.label for person in self.persons.values()}


def read_declared(data: bytes, *, name: str) -> Declared:
    """Return what the header of a TEI file declares; raises TeiError if the file is not XML."""
    root = beginning(data, name=name)
    ours = is_ours(root)
    prefix = PREFIX if ours else ""
    sigla = {witness.get(ID, ""): siglum_of(witness) for witness in root.iterfind("{*}teiHeader//{*}witness")}
    known = {} if ours else {key: Person(id=key, name=name, label=name)
                             for key, name in people(root.find("{*}teiHeader"))}
    for person in root.iterfind(_PERSONS):
        identifier = person.get(ID, "").removeprefix(prefix)
        names = ["".join(map(str, name.itertext())) for name in person.iterfind("{*}persName")]
        main = _text(person, "{*}persName[@type='main']") or (names or [identifier])[0]
        known[identifier] = Person(
            id=identifier, name=main, label=person.get("n", "") or ("" if ours else main),
            names=tuple(n for n in names if n != main),
            birth=_year(person, "{*}birth"), death=_year(person, "{*}death"),
            dynasty=_text(person, "{*}floruit"), work=_text(person, "{*}bibl/{*}title"), note=_text(person, "{*}note"),
        )
    stated = root.iterfind("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}respStmt[{*}name]")
    agents = {statement.get(ID, ""): _text(statement, "{*}name") for statement in stated}
    return Declared(sigla, known, agents, root.get(LANG, ""), is_shown(root))


def _year(node: Element, path: str) -> int:
    when = next((event.get("when", "") for event in node.iterfind(path)), "")
    year = whole(when.removeprefix("-").partition("-")[0])
    return -year if when.startswith("-") else year


def _text(node: Element, path: str) -> str:
    return node.findtext(path, "") or ""
