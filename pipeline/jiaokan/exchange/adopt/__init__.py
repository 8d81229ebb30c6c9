"""Adoption of a published edition: its editor's choices become decisions of the folder that holds its witnesses.

`places` finds the choices and their places in the collation of the witnesses. Each is decided in the simplest way that
fits with the other decisions there.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import tomli_w

from jiaokan import readers
from jiaokan.collate.content import Unfit, inside
from jiaokan.collate.editorial.apply import decide
from jiaokan.collate.editorial.locate import decided_texts
from jiaokan.collate.recollate import Recollation
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.filing import file_lines, to_toml
from jiaokan.decisions.tables import Comment, Conjecture, Emendation, Lemma, Merge, ReadingDecision
from jiaokan.editions.review import Contexts
from jiaokan.errors import CatalogError, Finding, Message, Place
from jiaokan.exchange.adopt.places import Choice, ChosenPlace, collated_layers, find_places, layer_texts
from jiaokan.model import Certainty, Content, Document
from jiaokan.model.pointers import order_key, reference_of
from jiaokan.model.text import attested
from jiaokan.model.vocabulary import EDITORS
from jiaokan.model.walk import Rewriting
from jiaokan.readers import tei
from jiaokan.readers.common.source import load
from jiaokan.readers.tei.facts import UNNAMED, Facts
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.names import TEI_NAMES
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import Person
from jiaokan.system import atomic
from jiaokan.tei.header.principles import is_chinese


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A published edition, and whose decisions its choices become."""

    title: str
    chinese: bool  # whether reasons are in Chinese, in words that both scripts write alike
    when: date
    people: People
    choices: Choices

    @property
    def why(self) -> str:
        """The reason of decisions for which the edition gives none."""
        return f"依{self.title}所定" if self.chinese else f"as edited in {self.title}"

    def proposal(self, words: str, who: str) -> str:
        """Return a remark on who proposes words that are in the apparatus already, or that are of unknown source."""
        if not who and not self.chinese:
            return f"{words or 'om.'} (source not stated)"
        if not who:
            return f"或作「{words}」" if words else "或无"
        if self.chinese:
            return f"{self.people.name(who)}作「{words}」" if words else f"{self.people.name(who)}不取"
        return f"{words or 'om.'} {self.people.name(who)}"


_Ways = tuple[Sequence[ReadingDecision], ...]  # the simplest first
_ORDER = (Merge, Lemma, Emendation, Conjecture, Comment)


def decide_place(spot: ChosenPlace, context: str, edited: Edited) -> tuple[list[ReadingDecision], list[str]]:
    """Return the decisions that print and say at a place what the edition does, in the order in which they are applied;
    and what could not be decided, each with the reason."""
    decisions: list[ReadingDecision] = []
    lost: list[str] = []
    for what, ways in _to_decide(spot, context, edited):
        reason = ""
        for way in ways:
            new = [decision for decision in way if not isinstance(decision, Merge) or decision not in decisions]
            together = sorted((*decisions, *new), key=lambda decision: _ORDER.index(type(decision)))
            try:
                _apply(together, spot, edited.choices)
            except Unfit as why:
                reason = str(why)
            else:
                decisions, reason = together, ""
                break
        if reason:
            lost.append(f"{what}: {reason}")
    return decisions, lost


def _to_decide(spot: ChosenPlace, context: str, edited: Edited) -> Iterator[tuple[str, _Ways]]:
    """Yield what the edition prints, proposes and says at a place, each with the ways to decide it. What a witness or
    somebody else has already is proposed in a remark; words without an entry become one that has only a remark."""
    people, editor = edited.people, edited.people.editor()
    where: dict[str, Any] = {"unit": spot.text.place, "context": context, "when": edited.when,
                             "speaker": spot.text.speaker}
    resp = next((people.of(choice.resp) for choice in spot.choices if choice.resp), editor)
    whole = f"{edited.why}，不可分" if edited.chinese else f"one entry, {edited.why}"
    merge = Merge(**where, resp=resp, why=whole)
    if spot.words != spot.text.words[spot.start : spot.end] or any(choice.resp for choice in spot.choices):
        cert: Certainty = next((choice.cert for choice in spot.choices if choice.cert), "medium")
        judged = {**where, "reading": spot.words, "resp": resp, "cert": cert, "why": edited.why}
        yield f"{spot.words!r} is printed", ((Lemma(**judged),), (merge, Lemma(**judged)), (Emendation(**judged),))
    for choice in spot.choices:
        for words, who in choice.proposed:
            too = Comment(**where, resp=editor, why=edited.proposal(words, who))
            if not who:  # a reading of unknown source is nobody's proposal
                yield f"{words!r} is reported", ((too,),)
                continue
            person = people.of(who)
            conjecture = Conjecture(**where, reading=words, person=person, resp=editor, why=edited.why)
            somebody = person != EDITORS  # of an edition that names nobody no person can be said to propose it
            yield f"{words!r} is proposed", ((conjecture,), (merge, conjecture), (too,)) if somebody else ((too,),)
        for words in choice.notes:
            remark = Comment(**where, resp=editor, why=words)
            yield f"{words!r} is said", ((remark,), (merge, remark))


def _apply(decisions: Sequence[ReadingDecision], spot: ChosenPlace, choices: Choices) -> None:
    """Raise Unfit if the decisions do not fit together in the collated text."""
    content, end = spot.text.content, spot.end
    for decision in decisions:
        length = len(attested(content))
        content = inside(
            content, (spot.start, end), spot.text.witnesses,
            lambda inner, place, sources, decision=decision: decide(  # type: ignore[misc]
                inner, place, sources, decision, choices),
        )
        end += len(attested(content)) - length


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """An edition's choices as decisions: files to write by path in the folder; findings on what was not decided."""

    files: dict[str, bytes]
    decisions: tuple[ReadingDecision, ...] = ()
    findings: tuple[Finding, ...] = ()


def edition_source(plan: EditionPlan, catalog: Catalog) -> SourceEntry | None:
    """Return the source of an edition that is somebody's edition in TEI: of several the base, else the first witness;
    None if there is none."""
    witnesses = [catalog.sources[name] for name in plan.all_witnesses()]
    editions = [source for source in witnesses
                if source.reader == "tei" and catalog.convention(source.id).get("witness")]
    base = plan.chapters[0].base if plan.chapters else ""
    return next((source for source in editions if source.id == base), editions[0] if editions else None)


def adopt(plan: EditionPlan, catalog: Catalog, today: date) -> Adopted:
    """Write the decisions that print what the published edition among an edition's sources prints. They have the date
    of that edition, or `today` if its header has none. All are applied together; those that do not fit then are
    reported and left out. Raises CatalogError if no source is an edition or if its decisions are filed already, and
    SourceError, TeiError or DecisionError as reading the witnesses does."""
    entry, home = edition_source(plan, catalog), _decisions_path(plan)
    if entry is None:
        raise CatalogError(Message("no-source-edition-tei", plan=plan.id), place=Place("tei/catalog.toml"),
                           mend=Message("convention-name-witnesses-witness"))
    if (catalog.root / home).exists():
        raise CatalogError(Message("decisions-filed-already"), place=Place(home),
                           mend=Message("delete-file-file-again"))
    again = Recollation(plan, read_witnesses(plan, catalog), catalog)
    adoption, why = _first_decisions(plan, entry, catalog, today, again.apply_decisions().document)
    write_files(catalog.root, adoption)
    again.catalog = catalogs.load(catalog.root)
    while misfits := again.apply_decisions().misfits:  # without one another may fit no more
        gone = {misfit.filed.decision: misfit.why for misfit in misfits}
        fitting = tuple(decision for decision in adoption.decisions if decision not in gone)
        findings = [_finding(entry.file, reference_of(decision.id), f"{decision.context!r}: {reason}")
                    for decision, reason in gone.items()]
        if fitting == adoption.decisions:
            break  # they are others'
        files = {home: _decision_file(fitting, why)}
        adoption = dataclasses.replace(
            adoption, files=files, decisions=fitting, findings=(*adoption.findings, *findings))
        write_files(catalog.root, adoption)
    return adoption


def _decisions_path(plan: EditionPlan) -> str:
    return f"tei/decisions/lemmas-{plan.id}.toml"


def _first_decisions(
    plan: EditionPlan, entry: SourceEntry, catalog: Catalog, today: date, document: Document
) -> tuple[Adopted, str]:
    source = load(entry, catalog, whole=True)
    divisions, facts, witness = tei.read_edition(source)
    people = People(facts, catalog)
    try:
        when = date.fromisoformat(facts.date)
    except ValueError:
        when = today
    edited = Edited(
        title=f"{facts.title or entry.title} ({Path(entry.origin or entry.file).name})",
        chinese=is_chinese(entry.language), when=when, people=people,
        choices=Choices.load(catalog.root, {key: source.language for key, source in catalog.sources.items()},
                             catalog.lists.of("variants")),
    )
    there, contexts = collated_layers(document, entry.id), Contexts(decided_texts(document.divisions))
    decisions: list[ReadingDecision] = []
    findings: list[Finding] = []
    for (chapter, layer), flow in layer_texts(divisions, witness).items():
        layer_there = there.get((chapter, layer))
        if layer_there is None:
            findings += _choice_findings(source.file, chapter, flow.choices, "the collation lacks these words")
            continue
        spots, gone = find_places(flow.choices, flow.words, layer_there)
        findings += _choice_findings(source.file, chapter, gone, "it continues in another unit")
        for spot in spots:
            context = contexts.context(spot.text, spot.start, spot.end)
            where = reference_of(spot.text.place)
            if not context:
                findings += _choice_findings(source.file, where, spot.choices, "no words round it are unique there")
                continue
            spot_decisions, lost = decide_place(spot, context, edited)
            decisions += spot_decisions
            findings += [_finding(source.file, where, loss) for loss in lost]
    files = {_decisions_path(plan): _decision_file(decisions, edited.why)}
    if people.new:
        files["tei/persons.toml"] = _persons_file(catalog, people)
    return Adopted(files=files, decisions=tuple(decisions), findings=tuple(findings)), edited.why


def write_files(root: Path, adoption: Adopted) -> None:
    """Write the files into a folder; raises JiaokanError if a link leads one out of it, and then writes none."""
    for name in adoption.files:
        atomic.inside(root, root / name, "tei")
    for name, data in adoption.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        atomic.write_file(root / name, data)


def read_witnesses(plan: EditionPlan, catalog: Catalog) -> dict[str, Document]:
    """Return the witnesses of an edition, by id, as read from their sources."""
    documents = {name: readers.read(catalog.sources[name], catalog)[0] for name in plan.all_witnesses()}
    return {name: _Joining().document(document) for name, document in documents.items()}


class _Joining(Rewriting):
    """Joins neighbouring strings, as in a text that is read from its TEI."""

    def content(self, content: Content) -> Content:
        runs = groupby(super().content(content), lambda item: isinstance(item, str))
        return tuple(item for is_words, run in runs for item in (["".join(map(str, run))] if is_words else run))


def _choice_findings(file: str, where: str, choices: Iterable[Choice], reason: str) -> list[Finding]:
    return [_finding(file, where, f"{choice.words!r} for {choice.was!r}: {reason}") for choice in choices]


def _finding(file: str, where: str, what: str) -> Finding:
    return Finding("edition-choice", Place(file), Message("choice-edition-not-become-decision", where=where, what=what),
                   Message("decide-yourself-keep"), "warning")


def _decision_file(decisions: Sequence[ReadingDecision], why: str) -> bytes:
    order = sorted(decisions, key=lambda decision: (order_key(decision.id), decision.speaker))
    return "\n".join([f"# {why[0].upper()}{why[1:]}.\n", *map(to_toml, order)]).encode()


def _persons_file(catalog: Catalog, people: People) -> bytes:
    path = catalog.root / "tei" / "persons.toml"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if re.search(r"(?m)^person\s*=", text):  # a list on one line, as programs write it, takes no tables after it
        head = "".join(line for line in file_lines(text) if line.startswith("#"))
        text = "\n".join([head, *(_table(row) for row in tomllib.loads(text)["person"])])
    new = [_table({"id": person.id, "name": person.name, "label": person.label}) for person in people.new]
    return ("\n".join([f"{text.rstrip()}\n", *new] if text.strip() else new)).encode()


def _table(person: dict[str, object]) -> str:
    return f"[[person]]\n{tomli_w.dumps(person)}"


_LONGEST = 40


class People:
    """Finds or makes the ids of persons."""

    def __init__(self, facts: Facts, catalog: Catalog) -> None:
        self.names: Mapping[str, str] = facts.persons
        self.editors = facts.editors
        self.known = {person.name: person.id for person in catalog.persons.values()}
        self.taken = {*catalog.persons, *catalog.named, *catalog.sources, *catalog.editions, *TEI_NAMES}
        self.new: list[Person] = []

    def of(self, key: str) -> str:
        """Return the id in the folder of the person whom the file calls `key`."""
        return self.editor() if key == UNNAMED else self.person(self.names.get(key, key), key)

    def name(self, key: str) -> str:
        """Return the name of the person whom the file calls `key`; without a name that of the first editor."""
        if not key or key == UNNAMED:
            return self.editors[0] if self.editors else EDITORS
        return self.names.get(key, key)

    def editor(self) -> str:
        """Return the id of the edition's first editor; if the header names none, that of all editors."""
        if not self.editors:
            return EDITORS
        key = next((key for key, name in self.names.items() if name == self.editors[0]), self.editors[0])
        return self.person(self.editors[0], key)

    def person(self, name: str, key: str) -> str:
        """Return the id of a person by name; a name that the folder does not know gets a new id."""
        if name not in self.known:
            plain = re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[:_LONGEST].strip("-")
            plain = plain if re.match("[a-z]", plain) else f"person-{plain}".rstrip("-")
            identifier = next(candidate for candidate in (plain, *(f"{plain}-{n}" for n in range(2, 10_000)))
                              if candidate not in self.taken)
            self.taken.add(identifier)
            self.known[name] = identifier
            self.new.append(Person(id=identifier, name=name, label=name))
        return self.known[name]
