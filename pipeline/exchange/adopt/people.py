"""Who answers for what a published edition says, as persons of the folder."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipeline.model.vocabulary import EDITORS
from pipeline.readers.tei.facts import UNNAMED, Facts
from pipeline.settings.catalog import Catalog
from pipeline.settings.names import TEI_NAMES
from pipeline.settings.persons import Person

_LONGEST = 40
"""Characters of an id that is made of a name: enough for every id of a person that was met."""


class People:
    """Gives persons ids; those whom the folder does not know yet are kept."""

    def __init__(self, facts: Facts, catalog: Catalog) -> None:
        self.names: Mapping[str, str] = facts.persons
        self.editors = facts.editors
        self.known = {each.name: each.id for each in catalog.persons.values()}
        self.taken = {*catalog.persons, *catalog.named, *catalog.sources, *catalog.editions, *TEI_NAMES}
        self.new: list[Person] = []

    def of(self, key: str) -> str:
        """Give the id in the folder of whom the file calls `key`."""
        return self.editor() if key == UNNAMED else self.person(self.names.get(key, key), key)

    def name(self, key: str) -> str:
        """Give the name of whom the file calls `key`; of nobody named, of the edition's first editor."""
        if not key or key == UNNAMED:
            return self.editors[0] if self.editors else EDITORS
        return self.names.get(key, key)

    def editor(self) -> str:
        """Give the id of the edition's first editor; of one whose header names nobody: all editors."""
        if not self.editors:
            return EDITORS
        key = next((key for key, name in self.names.items() if name == self.editors[0]), self.editors[0])
        return self.person(self.editors[0], key)

    def person(self, name: str, key: str) -> str:
        """Give the id of a person of this name, who is new unless the folder knows somebody of the name."""
        if name not in self.known:
            plain = re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[:_LONGEST].strip("-")
            plain = plain if re.match("[a-z]", plain) else f"person-{plain}".rstrip("-")
            made = next(each for each in (plain, *(f"{plain}-{n}" for n in range(2, 10_000))) if each not in self.taken)
            self.taken.add(made)
            self.known[name] = made
            self.new.append(Person(id=made, name=name, label=name))
        return self.known[name]
