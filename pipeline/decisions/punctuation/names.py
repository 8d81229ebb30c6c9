"""Who or what a name means that the editor marked: by its id, else by its form, as the folder declares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.decisions.punctuation.files import PunctuatedLine
from pipeline.decisions.punctuation.notation import TypedName
from pipeline.errors import DecisionError, Finding, suggestion
from pipeline.model import NameKind
from pipeline.settings.catalog import Catalog

HOW = "declare it in tei/persons.toml ([[person]], [[named]]) or tei/places.toml ([[place]], [[org]])"
Meant = tuple[NameKind, str]
"""What kind of thing a name names, and its id; the id is empty where nobody has said which."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """What the folder declares."""

    by_id: Mapping[str, tuple[Meant, ...]]
    by_form: Mapping[str, tuple[Meant, ...]]

    @classmethod
    def of(cls, catalog: Catalog) -> NameTable:
        """Gather names from the settings."""
        ids: dict[str, list[Meant]] = {}
        forms: dict[str, dict[Meant, None]] = {}
        tables: tuple[tuple[NameKind, Iterable[tuple[str, str, tuple[str, ...]]]], ...] = (
            ("person", ((p.id, p.name, (*p.names, *p.forms)) for p in catalog.persons.values())),
            ("person", ((n.id, n.name, n.names) for n in catalog.named.values())),
            ("org", ((o.id, o.name, o.names) for o in catalog.orgs.values())),
            ("place", ((p.id, p.name, p.names) for p in catalog.places.values())),
        )
        for kind, rows in tables:
            for key, name, others in rows:
                ids.setdefault(key, []).append((kind, key))
                for form in (name, *others):
                    forms.setdefault(form, {})[kind, key] = None
        return cls({key: tuple(each) for key, each in ids.items()}, {key: tuple(each) for key, each in forms.items()})

    def meant(self, form: str, identifier: str) -> Meant | None:
        """Give what a name means; None for an id that nothing has."""
        named = self.by_form.get(form, ())
        if identifier:
            known = self.by_id.get(identifier, ())
            return next((each for each in known if each in named), known[0] if known else None)
        kinds = {kind for kind, _ in named}
        if len(named) == 1:
            return named[0]
        return (kinds.pop(), "") if len(kinds) == 1 else ("name", "")


class Naming:
    """Resolves the names of lines; keeps what nobody declared, to tell of it once for each form."""

    def __init__(self, catalog: Catalog) -> None:
        self.table = NameTable.of(catalog)
        self.errors: list[DecisionError] = []
        self.open: dict[str, list[PunctuatedLine]] = {}

    def meant(self, name: TypedName, graphs: str, line: PunctuatedLine) -> Meant:
        """Give what a name of a line means."""
        form = graphs[name.start : name.end]
        meant = self.table.meant(form, name.id)
        if meant is None:
            near = suggestion(name.id, self.table.by_id, HOW)
            self.errors.append(DecisionError(f"{line.ref}: _{form}|{name.id}_: nothing has the id {name.id!r}",
                                             place=line.place(name.column), mend=near))
            return "name", ""
        if not meant[1]:
            self.open.setdefault(form, []).append(line)
        return meant

    def findings(self) -> list[Finding]:
        """Say which forms name nobody, or several."""
        found = []
        for form, lines in self.open.items():
            several = self.table.by_form.get(form, ())
            what = f"names {' and '.join(key for _, key in several)}" if several else "is declared nowhere"
            times = f", {len(lines)} times" if len(lines) > 1 else ""
            mend = f"write which: _{form}|{several[0][1]}_" if several else HOW
            found.append(Finding(rule="punctuation-name", place=lines[0].place(1), severity="warning",
                                 message=f"the name {form} {what} ({lines[0].ref}{times})", mend=mend))
        return found
