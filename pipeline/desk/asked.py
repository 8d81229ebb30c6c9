"""What the page asks of the desk: typed requests, and the decisions, punctuation and edits that they become."""

from __future__ import annotations

import dataclasses
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from fnmatch import fnmatch
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from pipeline.decisions.filing import file_of, remove_table, to_toml, written_fields
from pipeline.decisions.kinds import KINDS, Filed, check
from pipeline.decisions.punctuation import files as punctuated
from pipeline.decisions.punctuation.files import NameTable
from pipeline.decisions.punctuation.hold import HeldLine
from pipeline.decisions.punctuation.notation import LineFault, TypedMark, faults, read, written
from pipeline.decisions.tables import Decision, ReadingDecision, Verdict
from pipeline.desk.journal import Clash, common_prefix
from pipeline.desk.kept import KeptText
from pipeline.desk.questions import DeskQuestion
from pipeline.editions.review import choose
from pipeline.errors import DecisionError, Place, raise_all
from pipeline.model import Certainty
from pipeline.model.pointers import reference_of
from pipeline.model.text import attested
from pipeline.model.variants import VARIANT_CLASSES
from pipeline.model.vocabulary import PROGRAM
from pipeline.proposals.passages import PunctuatedPassage, passages
from pipeline.proposals.punctuation import Evidence, propose, untouched
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import punctuation_folder
from pipeline.settings.names import file_name
from pipeline.settings.syntax import parse_toml
from pipeline.settings.toml import unprintable_characters
from pipeline.settings.values import Strict

Edits = list[tuple[str, list[str], list[str]]]
"""Files, each with the pieces that go and the pieces that come (`pipeline.desk.journal.Journal.write`)."""


class Choose(Strict, frozen=True, kw_only=True, tag="choose", tag_field="do"):
    """Print this reading of an entry, or leave the place open (low certainty)."""

    entry: str
    """Id of the entry."""
    context: str
    """The words that the page had for it: another entry may have this id by now."""
    words: str
    why: str
    cert: Certainty = "medium"


class Decide(Strict, frozen=True, kw_only=True, tag="decide", tag_field="do"):
    """File a decision of any kind; on an entry, its place is filled in."""

    kind: str
    """Of its table: ``class``, ``reject``, ``boundary`` …"""
    said: dict[str, Any]
    """What it says, by the keys of its table, but for who and when."""
    entry: str = ""
    context: str = ""


class Withdraw(Strict, frozen=True, kw_only=True, tag="withdraw", tag_field="do"):
    """Delete a decision from its file."""

    path: str
    table: str
    """The table as the file has it."""


class Amend(Strict, frozen=True, kw_only=True, tag="amend", tag_field="do"):
    """Replace the table of a decision by another."""

    path: str
    table: str
    written: str
    """What is to stand there: one table of TOML, with its comments."""


class Type(Strict, frozen=True, kw_only=True, tag="type", tag_field="do"):
    """Write the marks and names of a unit or note."""

    id: str
    was: str
    """Its row in the file as the page had it; empty if it had none."""
    line: str
    """Its words with marks; empty: its row goes."""
    why: str = "by reading"
    cert: Certainty = "medium"


Action = Choose | Decide | Withdraw | Amend | Type


class Request(Strict, frozen=True, kw_only=True):
    """Actions that are one decision of one person: written together and undone together."""

    text: str
    actions: tuple[Action, ...]
    resp: str
    seen: int = 0
    """The state that the page shows."""


_LINE = 20
"""Characters of a punctuated line by which the log names it."""
_SHOWN = 12
"""Graphs of a line that does not fit by which it is listed."""
_LEAST = 2
"""Least length of an offered name in graphs: one graph alone is most often a word."""


def edits(request: Request, questions: Mapping[str, DeskQuestion], kept: KeptText, today: date) -> Edits:
    """Return the files that a request changes, each with the pieces to delete and to insert.

    Raises DecisionError for an incomplete decision, one that names unknown people or sources, and one on an entry that
    no longer exists.
    """
    made: defaultdict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    catalog = kept.catalog
    for action in request.actions:
        gone: list[str] = []
        come: list[str] = []
        match action:
            case Type():
                _check_characters({"line": action.line, "why": action.why})
                name, gone, come = _typed_edit(action, kept, request.resp, today)
            case Withdraw():
                name, gone = _inside(action.path), [action.table]
            case Amend():
                name, gone, come = _inside(action.path), [action.table], [_amended(action, catalog)]
            case _:
                decision = _decision(action, request.resp, questions, today)
                _check_characters(msgspec.to_builtins(decision))
                path = file_of(catalog.root, decision)
                check([Filed(path, decision)], catalog.persons, catalog.sources, catalog.editions)
                name, come = path.relative_to(catalog.root).as_posix(), [to_toml(decision)]
                if path.exists() and remove_table(path.read_text(encoding="utf-8"), come[0]) is not None:
                    raise DecisionError("this decision already exists, with the same words", mend=f"see {name}")
        made[name][0].extend(gone)
        made[name][1].extend(come)
    return [(path, gone, come) for path, (gone, come) in made.items()]


def what(request: Request, questions: Mapping[str, DeskQuestion]) -> tuple[str, str]:
    """Return a summary of a request, and the id of the first unit that it concerns."""
    words, place = [], ""
    for action in request.actions:
        match action:
            case Choose():
                words.append(f"{action.context} → {action.words or '∅'}")
            case Decide():
                words.append(f"{action.kind} {action.context or _about(action.said)}".strip())
            case Type():
                words.append(f"{action.id.partition('.')[2]} {action.line[:_LINE]}")
                place = place or action.id
            case Withdraw() | Amend():
                words.append(f"{'−' if isinstance(action, Withdraw) else '±'} {_table_name(action.table)}")
        question = questions.get(getattr(action, "entry", ""))
        place = place or (question.entry.unit if question else "")
    more = f" (+{len(words) - 1})" if len(words) > 1 else ""
    return f"{words[0] if words else ''}{more}", place


def _about(said: Mapping[str, Any]) -> str:
    """Return what a decision is about: its place and words, never its reason."""
    keys = ("unit", "source", "edition", "context", "before", "after", "code", "words", "left", "right", "characters")
    return " ".join(str(said[key]) for key in keys if said.get(key))


def _table_name(table: str) -> str:
    """Return kind, place and words of a table of decisions."""
    try:
        (name, (said,)), = parse_toml(table).items()
    except (tomllib.TOMLDecodeError, ValueError, TypeError):
        return table.partition("\n")[0]
    return f"{name} {_about(said)}"


def _check_characters(said: Mapping[str, Any]) -> None:
    for path, char in unprintable_characters(said):
        raise DecisionError(f"`{path[0]}` contains U+{ord(char):04X}, which is not allowed in a text, name or address",
                            mend="delete the character")


def _decision(action: Choose | Decide, resp: str, questions: Mapping[str, DeskQuestion], today: date) -> Decision:
    if isinstance(action, Choose):
        entry = _question(action, questions).entry
        readings = {attested(each.content): each for each in reversed(entry.readings)}
        if action.words not in readings:
            raise DecisionError(f"{action.words!r} is not a reading of this entry",
                                mend="choose one of its readings, or file an emendation")
        return choose(entry, readings[action.words], resp=resp, when=today, why=action.why, cert=action.cert)
    kind = next((kind for kind in KINDS if kind.name == action.kind), None)
    if kind is None:
        raise DecisionError(f"unknown kind of decision {action.kind!r}",
                            mend=f"kinds: {', '.join(kind.name for kind in KINDS)}")
    said: dict[str, Any] = {**action.said, "resp": resp}
    if any(field.name == "when" for field in msgspec.structs.fields(kind.table)):
        said["when"] = today
    if action.entry and issubclass(kind.table, ReadingDecision):
        entry = _question(action, questions).entry
        said = {"unit": entry.unit, "speaker": entry.speaker, "context": entry.context, **said}
    try:
        return msgspec.convert(said, kind.table)
    except msgspec.ValidationError as error:
        raise DecisionError(f"[[{kind.name}]]: {error}", mend="see `jiaokan explain decisions` for its keys") from None


def _amended(action: Amend, catalog: Catalog) -> str:
    try:
        read = parse_toml(action.written)
        _check_characters(read)
        (name, (said,)), = read.items()
        kind = next(kind for kind in KINDS if kind.name == name)
        decision = msgspec.convert(said, kind.table)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError, TypeError, StopIteration) as error:
        raise DecisionError(f"expected one table of a decision: {error}",
                            mend="write one [[table]]; see `jiaokan explain decisions` for its keys") from None
    path = catalog.root / action.path
    if not any(fnmatch(path.name, pattern) for pattern in kind.files):
        raise DecisionError(f"{path.name} cannot contain [[{name}]]", mend=f"write it into {', '.join(kind.files)}")
    check([Filed(path, decision)], catalog.persons, catalog.sources, catalog.editions)
    return f"{action.written.strip()}\n"


def _question(action: Choose | Decide, questions: Mapping[str, DeskQuestion]) -> DeskQuestion:
    found = questions.get(action.entry)
    if found is None or found.entry.context != action.context:
        raise DecisionError("this entry has changed since the page was shown", mend="open it again")
    return found


def _inside(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if folder != "tei/decisions" or not name.endswith(".toml"):
        raise DecisionError(f"{path!r} is not a file of decisions", mend="name a file in tei/decisions/")
    file_name(name, "a file of decisions", Place(path))
    return path


def forms(catalog: Catalog) -> list[dict[str, Any]]:
    """Return each kind of decision with its fields, for a form, and whether it belongs to an entry."""
    known = {"source": tuple(catalog.sources), "person": ("", *catalog.persons), "variant": tuple(VARIANT_CLASSES),
             "verdict": get_args(Verdict), "edition": tuple(catalog.editions)}
    return [
        {"name": kind.name, "needs": kind.needs, "chinese": kind.chinese,
         "entry": issubclass(kind.table, ReadingDecision), "fields": [
            {"name": field.name, "required": field.required, "choices": list(known.get(field.name, ())),
             "type": "number" if field.name == "chapter" else "text"}
            for field in written_fields(kind.table)
            if field.name not in ("resp", "why", "when", "cert", "notes")
        ]}
        for kind in KINDS
    ]



def _line_at(kept: KeptText, name: str) -> tuple[str, str, HeldLine | None]:
    """Return the place of a unit or note, its graphs and its line; raises DecisionError for an unknown id."""
    ref, chapter = name.partition(".")[2], kept.chapter_of(name)
    holding = kept.held(chapter) if chapter else None
    graphs = next((texts[ref] for texts in holding.streams.values() if ref in texts), None) if holding else None
    if holding is None or graphs is None:
        raise DecisionError(f"there is no unit or note {reference_of(name)}", mend="load the page again")
    return ref, graphs, holding.held.get(ref)


def shown(kept: KeptText, name: str, evidence: Evidence) -> dict[str, Any]:
    """Return what the page needs to edit a line: its present form or the bare words, proposals, and unmarked names.

    Raises DecisionError for an unknown id.
    """
    ref, graphs, held = _line_at(kept, name)
    proposed = held is not None and untouched(held.line)
    own = held if held and not proposed else None
    basis = own.line.basis if own else punctuated.Basis()
    marked = {graphs[each.start : each.end] for each in held.text.names} if held else set[str]()
    unmarked = [form for form in NameTable.of(kept.catalog).by_form
                if len(form) >= _LEAST and form in graphs and form not in marked]
    marks = list(held.text.marks) if held and proposed else _proposed_marks(kept, ref, evidence)
    bare = [dataclasses.replace(mark, why="", low=False) for mark in marks]
    return {
        "id": name, "ref": reference_of(name), "words": graphs,
        "line": written(graphs, own.text.marks, own.text.names) if own else graphs,
        "was": kept.row(held.line) if held else "",
        "resp": basis.resp, "when": basis.when, "cert": basis.cert, "why": basis.evidence,
        "changed": [list(each) for each in held.changed] if held else [],
        "proposal": {"line": written(graphs, bare, ()) if marks else "",
                     "marks": [{"sign": mark.sign, "at": mark.at, "low": mark.low, "why": mark.why}
                               for mark in marks]},
        "names": sorted(unmarked, key=lambda form: (-len(form), form)),
    }


def _proposed_marks(kept: KeptText, ref: str, evidence: Evidence) -> list[TypedMark]:
    chapter = kept.chapter_of(f"{kept.document.id}.{ref}")
    own = passages(replace(kept.document, divisions=(chapter,))) if chapter else ()
    passage = next((each for each in own if each.ref == ref), None)

    def others(each: PunctuatedPassage) -> bool:
        return (each.passage.text, each.passage.ref) != (kept.document.id, ref)

    return [each.typed() for each in propose(passage, evidence, others).marks] if passage else []


def faults_of(kept: KeptText, name: str, typed: str) -> list[LineFault]:
    """Return the faults of a typed line: words that differ from the text, marks, names.

    Raises DecisionError for an unknown id.
    """
    (_, graphs, _), text = _line_at(kept, name), read(typed)
    found = list(faults(text))
    if text.graphs != graphs:
        same = common_prefix(text.graphs, graphs)
        has, reads = text.graphs[same : same + 1] or "nothing", graphs[same : same + 1] or "nothing"
        column = text.columns[same] if same < len(text.columns) else len(typed)
        found.insert(0, LineFault(column, f"「{has}」 does not agree with the text, which has 「{reads}」",
                                  "type only marks and names; change words by a decision"))
    table = NameTable.of(kept.catalog)
    found += [LineFault(name.column, f"unknown id {name.id!r}", "declare it in persons.toml or places.toml")
              for name in text.names if table.meant(text.graphs[name.start : name.end], name.id) is None]
    return found


def _typed_edit(action: Type, kept: KeptText, resp: str, today: date) -> tuple[str, list[str], list[str]]:
    """Return the edit that writes a line: its file, the row to delete and the row to insert, each with its head.

    A row of the same person is changed in place; another is written among this person's rows of today. Raises Clash if
    the file no longer has the row of the page, DecisionError with the column for an invalid line.
    """
    ref, _, held = _line_at(kept, action.id)
    folder = punctuation_folder(kept.catalog.root, kept.plan.id)
    path = held.line.path if held else punctuated.file_of(folder, ref, kept.lines)
    name = path.relative_to(kept.catalog.root).as_posix()
    row, was = f"{ref}\t{action.line.strip()}", kept.row(held.line) if held else ""
    if was != action.was:
        raise Clash(name, row, was)
    wrong = faults_of(kept, action.id, action.line.strip()) if action.line.strip() else []
    raise_all(DecisionError(f"{reference_of(action.id)}, character {each.column}: {each.message}", mend=each.mend)
              for each in wrong[:1])
    basis = punctuated.Basis(resp=resp, when=today.isoformat(), cert=action.cert,
                             evidence=" ".join(action.why.split()))
    if held and held.line.basis.resp == resp != PROGRAM:
        basis = held.line.basis
    gone = ["\n".join((*held.line.basis.head(), was))] if held else []
    return name, gone, ["\n".join((*basis.head(), row))] if action.line.strip() else []


def unfit_lines(kept: KeptText) -> list[dict[str, Any]]:
    """Return the lines of a text that do not fit its words or have no unit any more, each with the reason."""
    found = []
    for chapter in kept.document.divisions:
        holding = kept.held(chapter)
        moved = {ref: each for ref, each in holding.held.items() if each.changed or each.lost or each.line.ref != ref}
        for ref, line in [*((ref, each.line) for ref, each in moved.items()), *((x.ref, x) for x in holding.homeless)]:
            reason = next((each.message for each in holding.findings if each.place.line == line.number), "")
            unit, path = f"{kept.document.id}.{ref}" if ref in moved else "", line.path.relative_to(kept.catalog.root)
            found.append({"kind": "line", "reason": reason, "table": "", "path": path.as_posix(), "line": line.number,
                          "unit": unit, "context": line.text.graphs[:_SHOWN]})
    return found
