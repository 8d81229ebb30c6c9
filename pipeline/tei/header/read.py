"""What a TEI header declares: sigla of witnesses, and persons."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.model.numerals import whole
from pipeline.model.vocabulary import PROGRAM
from pipeline.settings.catalog import Person
from pipeline.tei.persons import own_id
from pipeline.tei.tree import ID, LANG, Element, beginning


@dataclass(frozen=True, slots=True)
class Declared:
    """Read back from a header, in its order."""

    sigla: dict[str, str]
    """Printed name of each witness by id."""
    persons: dict[str, Person]
    agents: dict[str, str]
    """Name of each who is responsible for something in the file, as a ``respStmt`` has it, by its id."""
    language: str = ""
    """Language and script of the text (BCP 47); empty if the file does not say."""

    def printed(self) -> dict[str, str]:
        """Give the printed name of each witness and person: who may be named in an apparatus."""
        return {person.id: person.label or person.name for person in self.persons.values()} | self.sigla

    def names(self) -> dict[str, str]:
        """Give the full name of each person, and of each who is responsible for something in the file."""
        return self.agents | {person.id: person.name or person.label for person in self.persons.values()}


def declared(data: bytes, *, name: str) -> Declared:
    """Give what the header of a TEI file declares; raises TeiError for what is not XML."""
    root = beginning(data, name=name)
    ours = root.find(f"{{*}}teiHeader//{{*}}application[@ident='{PROGRAM}']") is not None
    sigla = {each.get(ID, ""): _siglum(each) for each in root.iterfind("{*}teiHeader//{*}witness")}
    people = (
        _person(each, own_id(each.get(ID, "")) if ours else each.get(ID, ""))
        for each in root.iterfind("{*}teiHeader//{*}person")
    )
    stated = root.iterfind("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}respStmt[{*}name]")
    agents = {each.get(ID, ""): _text(each, "{*}name") for each in stated}
    return Declared(sigla, {person.id: person for person in people}, agents, root.get(LANG, ""))


def _siglum(witness: Element) -> str:
    """What a witness's ``abbr`` says, else its ``@n``, else its id, as ``f:siglum`` of ``xslt/lib/references.xsl``."""
    return _text(witness, "{*}abbr[@type='siglum']") or witness.get("n", "") or witness.get(ID, "")


def _person(node: Element, identifier: str) -> Person:
    """A ``person`` as ``header.py`` writes it."""
    names = ["".join(str(part) for part in each.itertext()) for each in node.iterfind("{*}persName")]
    main = _text(node, "{*}persName[@type='main']") or (names or [identifier])[0]
    return Person(
        id=identifier, name=main, label=node.get("n", ""), names=tuple(n for n in names if n != main),
        birth=_year(node, "{*}birth"), death=_year(node, "{*}death"),
        dynasty=_text(node, "{*}floruit"), work=_text(node, "{*}bibl/{*}title"), note=_text(node, "{*}note"),
    )


def _year(node: Element, path: str) -> int:
    found = node.find(path)
    said = found.get("when", "") if found is not None else ""
    year = whole(said.removeprefix("-").partition("-")[0])
    return -year if said.startswith("-") else year


def _text(node: Element, path: str) -> str:
    return node.findtext(path, "") or ""
