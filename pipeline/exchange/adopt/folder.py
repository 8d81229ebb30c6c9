"""The choices of a published edition written into the folder that holds its witnesses."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import tomli_w

from pipeline import readers
from pipeline.collate.again import Recollation
from pipeline.decisions.filing import file_lines, to_toml
from pipeline.decisions.tables import ReadingDecision
from pipeline.decisions.throughout import Choices
from pipeline.editions.review import Contexts
from pipeline.errors import CatalogError, Finding, Place
from pipeline.exchange.adopt.decided import Edited, decisions
from pipeline.exchange.adopt.places import Choice, collations, flows, spots
from pipeline.model import Document
from pipeline.model.pointers import order_key, reference_of
from pipeline.model.vocabulary import EDITORS
from pipeline.readers import tei
from pipeline.readers.common.source import load
from pipeline.readers.tei.facts import UNNAMED, Facts
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.names import TEI_NAMES
from pipeline.settings.persons import Person
from pipeline.settings.plans import EditionPlan
from pipeline.system.atomic import write_file
from pipeline.tei.header.principles import is_chinese

READER = "tei"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """What an edition chose, as the folder has it now."""

    files: dict[str, bytes]
    """Files to write, by their path in the folder."""
    made: tuple[ReadingDecision, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What could not be decided, each with its place and the reason."""


def edition_source(plan: EditionPlan, catalog: Catalog) -> SourceEntry | None:
    """Give the source of an edition that is somebody's edition in TEI: of several the base, or the first witness."""
    own = [catalog.sources[name] for name in plan.all_witnesses()]
    found = [each for each in own if each.reader == READER and catalog.convention(each.id).get("witness")]
    base = plan.chapters[0].base if plan.chapters else ""
    return next((each for each in found if each.id == base), found[0] if found else None)


def adopt(plan: EditionPlan, catalog: Catalog, today: date) -> Adopted:
    """Write the decisions that print what the published edition among the sources of an edition prints.

    They are of the day of that edition, or of `today` where its header names none. All of them are carried out together
    before they stay; one that does not fit then is told. Raises CatalogError where no source is an edition, and where
    decisions on this edition are filed from it already; what reading its witnesses raises.
    """
    entry, home = _entry(plan, catalog), _home(plan)
    again = Recollation(plan, read_witnesses(plan, catalog), catalog)
    made, why = _adopted(plan, entry, catalog, today, again.decided().document)
    write(catalog.root, made)
    again.catalog = catalogs.load(catalog.root)
    while misfits := again.decided().misfits:  # without one another may fit no more
        gone = {each.filed.decision: each.why for each in misfits}
        kept = tuple(each for each in made.made if each not in gone)
        told = [_finding(entry.file, reference_of(each.id), f"{each.context!r}: {why_}") for each, why_ in gone.items()]
        if kept == made.made:
            break  # they are others'
        files = {home: _decisions(kept, why)}
        made = dataclasses.replace(made, files=files, made=kept, findings=(*made.findings, *told))
        write(catalog.root, made)
    return made


def _home(plan: EditionPlan) -> str:
    return f"tei/decisions/lemmas-{plan.id}.toml"


def _entry(plan: EditionPlan, catalog: Catalog) -> SourceEntry:
    entry = edition_source(plan, catalog)
    if entry is None:
        raise CatalogError(f"no source of {plan.id!r} is an edition in TEI", place=Place("tei/catalog.toml"),
                           mend='its convention would name one of its witnesses: witness = "…"')
    if (catalog.root / _home(plan)).exists():
        raise CatalogError("decisions are filed here already", place=Place(_home(plan)),
                           mend="take the file away to have them made anew")
    return entry


def _adopted(
    plan: EditionPlan, entry: SourceEntry, catalog: Catalog, today: date, document: Document
) -> tuple[Adopted, str]:
    source = load(entry, catalog, whole=True)
    divisions, facts, witness = tei.edited(source)
    people = People(facts, catalog)
    edited = Edited(
        title=f"{facts.title or entry.title} ({Path(entry.origin or entry.file).name})", resp=people.editor(),
        chinese=is_chinese(entry.language), when=_day(facts.date, today), persons=people.of, named=people.name,
        choices=Choices.load(catalog.root, {key: each.language for key, each in catalog.sources.items()}),
    )
    there, contexts = collations(document, entry.id), Contexts(document)
    made: list[ReadingDecision] = []
    findings: list[Finding] = []
    for (chapter, layer), flow in flows(divisions, witness).items():
        held = there.get((chapter, layer))
        if held is None:
            findings += _told(source.file, chapter, flow.choices, "the collation has not these words")
            continue
        found, gone = spots(flow.choices, flow.words, held)
        findings += _told(source.file, chapter, gone, "it goes from one unit into another")
        for spot in found:
            context = contexts.context(spot.text, spot.start, spot.end)
            where = reference_of(spot.text.place)
            if not context:
                findings += _told(source.file, where, spot.choices, "no words round it stand there once")
                continue
            own, lost = decisions(spot, context, edited)
            made += own
            findings += [_finding(source.file, where, each) for each in lost]
    files = {_home(plan): _decisions(made, edited.why)}
    if people.new:
        files["tei/persons.toml"] = _persons(catalog, people)
    return Adopted(files=files, made=tuple(made), findings=tuple(findings)), edited.why


def write(root: Path, made: Adopted) -> None:
    """Write the files into a folder."""
    for name, data in made.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(root / name, data)


def read_witnesses(plan: EditionPlan, catalog: Catalog) -> dict[str, Document]:
    """Return the witnesses of an edition, by id, as their sources have them now."""
    return {name: readers.read(catalog.sources[name], catalog)[0] for name in plan.all_witnesses()}


def _day(said: str, today: date) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return today


def _told(file: str, where: str, choices: Iterable[Choice], reason: str) -> list[Finding]:
    return [_finding(file, where, f"{each.words!r} for {each.was!r}: {reason}") for each in choices]


def _finding(file: str, where: str, what: str) -> Finding:
    return Finding("edition-choice", Place(file), f"{where}: a choice of the edition is no decision: {what}",
                   "decide it yourself, if it is to stay", "warning")


def _decisions(made: Sequence[ReadingDecision], why: str) -> bytes:
    order = sorted(made, key=lambda each: (order_key(each.id), each.speaker))
    return "\n".join([f"# {why[0].upper()}{why[1:]}.\n", *map(to_toml, order)]).encode()


def _persons(catalog: Catalog, people: People) -> bytes:
    path = catalog.root / "tei" / "persons.toml"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if re.search(r"(?m)^person\s*=", text):  # a list on one line, as programs write it, takes no tables after it
        head = "".join(line for line in file_lines(text) if line.startswith("#"))
        text = "\n".join([head, *(_table(each) for each in tomllib.loads(text)["person"])])
    new = [_table({"id": each.id, "name": each.name, "label": each.label}) for each in people.new]
    return ("\n".join([f"{text.rstrip()}\n", *new] if text.strip() else new)).encode()


def _table(person: dict[str, Any]) -> str:
    return f"[[person]]\n{tomli_w.dumps(person)}"


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
