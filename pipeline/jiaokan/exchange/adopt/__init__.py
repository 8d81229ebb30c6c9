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
from jiaokan.collate.again import Recollation
from jiaokan.collate.content import Unfit, inside
from jiaokan.collate.editorial.apply import decide
from jiaokan.collate.editorial.locate import decided_texts
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
        if not who:
            return f"或作「{words}」" if self.chinese and words else "或无" if self.chinese else (
                f"{words or 'om.'} (source not stated)")
        if self.chinese:
            return f"{self.people.name(who)}作「{words}」" if words else f"{self.people.name(who)}不取"
        return f"{words or 'om.'} {self.people.name(who)}"


_Ways = tuple[Sequence[ReadingDecision], ...]  # the simplest first
_ORDER = (Merge, Lemma, Emendation, Conjecture, Comment)


def decide_place(spot: ChosenPlace, context: str, edited: Edited) -> tuple[list[ReadingDecision], list[str]]:
    """Return the decisions that print and say at a place what the edition does, in the order in which they are applied;
    and what could not be decided, each with the reason."""
    made: list[ReadingDecision] = []
    lost: list[str] = []
    for what, ways in _to_decide(spot, context, edited):
        reason = ""
        for way in ways:
            new = [each for each in way if not isinstance(each, Merge) or each not in made]
            together = sorted((*made, *new), key=lambda each: _ORDER.index(type(each)))
            try:
                _apply(together, spot, edited.choices)
            except Unfit as why:
                reason = str(why)
            else:
                made, reason = together, ""
                break
        if reason:
            lost.append(f"{what}: {reason}")
    return made, lost


def _to_decide(spot: ChosenPlace, context: str, edited: Edited) -> Iterator[tuple[str, _Ways]]:
    """Yield what the edition prints, proposes and says at a place, each with the ways to decide it. What a witness or
    somebody else has already is proposed in a remark; words without an entry become one that has only a remark."""
    people, editor = edited.people, edited.people.editor()
    where: dict[str, Any] = {"unit": spot.text.place, "context": context, "when": edited.when,
                             "speaker": spot.text.speaker}
    resp = next((people.of(each.resp) for each in spot.choices if each.resp), editor)
    whole = f"{edited.why}，不可分" if edited.chinese else f"one entry, {edited.why}"
    merge = Merge(**where, resp=resp, why=whole)
    if spot.words != spot.text.words[spot.start : spot.end] or any(each.resp for each in spot.choices):
        cert: Certainty = next((each.cert for each in spot.choices if each.cert), "medium")
        judged = {**where, "reading": spot.words, "resp": resp, "cert": cert, "why": edited.why}
        yield f"{spot.words!r} is printed", ((Lemma(**judged),), (merge, Lemma(**judged)), (Emendation(**judged),))
    for choice in spot.choices:
        for words, who in choice.proposed:
            too = Comment(**where, resp=editor, why=edited.proposal(words, who))
            if not who:  # a reading of unknown source is nobody's proposal
                yield f"{words!r} is reported", ((too,),)
                continue
            person = people.of(who)
            made = Conjecture(**where, reading=words, person=person, resp=editor, why=edited.why)
            somebody = person != EDITORS  # of an edition that names nobody no person can be said to propose it
            yield f"{words!r} is proposed", ((made,), (merge, made), (too,)) if somebody else ((too,),)
        for words in choice.notes:
            said = Comment(**where, resp=editor, why=words)
            yield f"{words!r} is said", ((said,), (merge, said))


def _apply(decisions: Sequence[ReadingDecision], spot: ChosenPlace, choices: Choices) -> None:
    """Raise Unfit if the decisions do not fit together in the collated text."""
    content, end = spot.text.content, spot.end
    for each in decisions:
        length = len(attested(content))
        content = inside(
            content, (spot.start, end), spot.text.witnesses,
            lambda inner, place, sources, each=each: decide(inner, place, sources, each, choices),  # type: ignore[misc]
        )
        end += len(attested(content)) - length


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """An edition's choices as decisions: files to write by path in the folder; findings on what was not decided."""

    files: dict[str, bytes]
    made: tuple[ReadingDecision, ...] = ()
    findings: tuple[Finding, ...] = ()


def edition_source(plan: EditionPlan, catalog: Catalog) -> SourceEntry | None:
    """Return the source of an edition that is somebody's edition in TEI: of several the base, else the first witness;
    None if there is none."""
    own = [catalog.sources[name] for name in plan.all_witnesses()]
    found = [each for each in own if each.reader == "tei" and catalog.convention(each.id).get("witness")]
    base = plan.chapters[0].base if plan.chapters else ""
    return next((each for each in found if each.id == base), found[0] if found else None)


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
    made, why = _first_decisions(plan, entry, catalog, today, again.decided().document)
    write_files(catalog.root, made)
    again.catalog = catalogs.load(catalog.root)
    while misfits := again.decided().misfits:  # without one another may fit no more
        gone = {each.filed.decision: each.why for each in misfits}
        kept = tuple(each for each in made.made if each not in gone)
        findings = [_finding(entry.file, reference_of(each.id), f"{each.context!r}: {reason}")
                    for each, reason in gone.items()]
        if kept == made.made:
            break  # they are others'
        files = {home: _decision_file(kept, why)}
        made = dataclasses.replace(made, files=files, made=kept, findings=(*made.findings, *findings))
        write_files(catalog.root, made)
    return made


def _decisions_path(plan: EditionPlan) -> str:
    return f"tei/decisions/lemmas-{plan.id}.toml"


def _first_decisions(
    plan: EditionPlan, entry: SourceEntry, catalog: Catalog, today: date, document: Document
) -> tuple[Adopted, str]:
    source = load(entry, catalog, whole=True)
    divisions, facts, witness = tei.edited(source)
    people = People(facts, catalog)
    try:
        when = date.fromisoformat(facts.date)
    except ValueError:
        when = today
    edited = Edited(
        title=f"{facts.title or entry.title} ({Path(entry.origin or entry.file).name})",
        chinese=is_chinese(entry.language), when=when, people=people,
        choices=Choices.load(catalog.root, {key: each.language for key, each in catalog.sources.items()}),
    )
    there, contexts = collated_layers(document, entry.id), Contexts(decided_texts(document.divisions))
    made: list[ReadingDecision] = []
    findings: list[Finding] = []
    for (chapter, layer), flow in layer_texts(divisions, witness).items():
        layer_there = there.get((chapter, layer))
        if layer_there is None:
            findings += _choice_findings(source.file, chapter, flow.choices, "the collation lacks these words")
            continue
        found, gone = find_places(flow.choices, flow.words, layer_there)
        findings += _choice_findings(source.file, chapter, gone, "it continues in another unit")
        for spot in found:
            context = contexts.context(spot.text, spot.start, spot.end)
            where = reference_of(spot.text.place)
            if not context:
                findings += _choice_findings(source.file, where, spot.choices, "no words round it are unique there")
                continue
            own, lost = decide_place(spot, context, edited)
            made += own
            findings += [_finding(source.file, where, each) for each in lost]
    files = {_decisions_path(plan): _decision_file(made, edited.why)}
    if people.new:
        files["tei/persons.toml"] = _persons_file(catalog, people)
    return Adopted(files=files, made=tuple(made), findings=tuple(findings)), edited.why


def write_files(root: Path, made: Adopted) -> None:
    """Write the files into a folder; raises JiaokanError if a link leads one out of it, and then writes none."""
    for name in made.files:
        atomic.inside(root, root / name, "tei")
    for name, data in made.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        atomic.write_file(root / name, data)


def read_witnesses(plan: EditionPlan, catalog: Catalog) -> dict[str, Document]:
    """Return the witnesses of an edition, by id, as read from their sources."""
    made = {name: readers.read(catalog.sources[name], catalog)[0] for name in plan.all_witnesses()}
    return {name: _Joining().document(each) for name, each in made.items()}


class _Joining(Rewriting):
    """Joins neighbouring strings, as in a text that is read from its TEI."""

    def content(self, content: Content) -> Content:
        runs = groupby(super().content(content), lambda item: isinstance(item, str))
        return tuple(each for is_words, run in runs for each in (["".join(map(str, run))] if is_words else run))


def _choice_findings(file: str, where: str, choices: Iterable[Choice], reason: str) -> list[Finding]:
    return [_finding(file, where, f"{each.words!r} for {each.was!r}: {reason}") for each in choices]


def _finding(file: str, where: str, what: str) -> Finding:
    return Finding("edition-choice", Place(file), Message("choice-edition-not-become-decision", where=where, what=what),
                   Message("decide-yourself-keep"), "warning")


def _decision_file(made: Sequence[ReadingDecision], why: str) -> bytes:
    order = sorted(made, key=lambda each: (order_key(each.id), each.speaker))
    return "\n".join([f"# {why[0].upper()}{why[1:]}.\n", *map(to_toml, order)]).encode()


def _persons_file(catalog: Catalog, people: People) -> bytes:
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


class People:
    """Finds or makes the ids of persons."""

    def __init__(self, facts: Facts, catalog: Catalog) -> None:
        self.names: Mapping[str, str] = facts.persons
        self.editors = facts.editors
        self.known = {each.name: each.id for each in catalog.persons.values()}
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
            made = next(each for each in (plain, *(f"{plain}-{n}" for n in range(2, 10_000))) if each not in self.taken)
            self.taken.add(made)
            self.known[name] = made
            self.new.append(Person(id=made, name=name, label=name))
        return self.known[name]
