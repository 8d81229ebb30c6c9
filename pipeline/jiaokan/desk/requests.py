"""What the page asks of the desk: typed requests, and the decisions and edits that they become."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from fnmatch import fnmatch
from typing import get_args

import msgspec

from jiaokan.decisions.filing import LAST, file_of, remove_table, split_tables, to_toml, written_fields
from jiaokan.decisions.kinds import KINDS, Filed, check
from jiaokan.decisions.readings import NAMES
from jiaokan.decisions.tables import Assigned, Decision, OnEntry, ReadingDecision, Second, Verdict
from jiaokan.desk.folder import change_setting
from jiaokan.desk.input_types import Type, typed_edit
from jiaokan.desk.journal import Clash
from jiaokan.desk.people import approve_table, check_assignment, check_editor, editors
from jiaokan.desk.questions import DeskQuestion
from jiaokan.desk.texts import DeskText
from jiaokan.editions.review import choose, decide
from jiaokan.errors import DecisionError, Message, Place
from jiaokan.model import Certainty
from jiaokan.model.text import attested
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.names import file_name
from jiaokan.settings.syntax import parse_toml
from jiaokan.settings.toml import unprintable_characters
from jiaokan.settings.values import Strict

Edits = list[tuple[str, list[str], list[str]]]
"""Files, each with the pieces that go and the pieces that come (`jiaokan.desk.journal.Journal.write`)."""


class Choose(Strict, frozen=True, kw_only=True, tag="choose", tag_field="do"):
    """Print this reading of an entry, or leave the place open (low certainty)."""

    entry: str
    """Id of the entry."""
    context: str
    """The words that the page had for it: another entry may have this id by now."""
    words: str
    why: str
    cert: Certainty = "medium"
    proposed: bool = False
    """Whether another editor is asked to approve it."""


class Decide(Strict, frozen=True, kw_only=True, tag="decide", tag_field="do"):
    """File a decision of any kind; on an entry, its place is filled in."""

    kind: str
    """Of its table: ``class``, ``reject``, ``boundary`` …"""
    said: dict[str, object]
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


class Approve(Strict, frozen=True, kw_only=True, tag="approve", tag_field="do"):
    """Approve another editor's decision."""

    path: str
    table: str


class Answer(Strict, frozen=True, kw_only=True, tag="second", tag_field="do"):
    """Decide an entry a second time, without having seen the first decision."""

    entry: str
    words: str
    why: str
    cert: Certainty = "medium"


class Set(Strict, frozen=True, kw_only=True, tag="set", tag_field="do"):
    """Change a value of the settings of a new folder."""

    path: str
    key: tuple[str | int, ...]
    was: str
    value: str


Action = Choose | Decide | Withdraw | Amend | Approve | Answer | Set | Type


class Request(Strict, frozen=True, kw_only=True):
    """Actions that are one decision of one person: written together and undone together."""

    text: str
    actions: tuple[Action, ...]


class Repair(Strict, frozen=True, kw_only=True):
    """Replace words of a file that cannot be read."""

    path: str
    was: str
    """A table of the file, or all of it."""
    text: str


_NAMES = re.compile(r"""^(?:resp|approved)\s*=\s*["']([^"'\n]*)""", re.M)
"""In whose name a table is, also of a file that is not valid TOML."""
_LINE = 20
"""Characters of a punctuated line by which the log names it."""


def edits(request: Request, who: str, questions: Mapping[str, DeskQuestion], desk_text: DeskText, today: date) -> Edits:
    """Return the files that a request of an editor changes, each with the pieces to delete and to insert.

    Raises DecisionError for an incomplete decision, one that names unknown people or sources, one on an entry that
    no longer exists, and one in a chapter that is assigned to somebody else.
    """
    pieces: defaultdict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    catalog = desk_text.catalog
    for action in request.actions:
        gone: list[str] = []
        come: list[str] = []
        match action:
            case Type():
                check_assignment([action.id], who, catalog)
                _check_characters({"line": action.line, "why": action.why})
                name, gone, come = typed_edit(action, desk_text, who, today)
            case Withdraw():
                _check_own([action.table], who, catalog)
                name, gone = _inside(action.path), [action.table]
            case Amend():
                _check_own([action.table, action.written], who, catalog)
                name, gone, come = _inside(action.path), [action.table], [_amended_table(action, who, catalog)]
            case Approve():
                name, gone = _inside(action.path), [action.table]
                come = [_check_table(approve_table(action.table, who, today), action.path, catalog)]
            case Set():
                _check_characters({"value": action.value})
                old, new = change_setting(catalog, action.path, action.key, action.was, action.value)
                name, gone, come = action.path, [old], [new]
            case _:
                decision = _decision(action, who, questions, today)
                if isinstance(decision, ReadingDecision):
                    check_assignment([decision.unit], who, catalog)
                if isinstance(decision, Assigned):
                    check_editor(decision.person, catalog)
                _check_characters(msgspec.to_builtins(decision))
                path = file_of(catalog.root, decision)
                check([Filed(path, decision)], catalog.persons, catalog.sources, catalog.editions)
                name, come = path.relative_to(catalog.root).as_posix(), [to_toml(decision)]
                if path.exists() and remove_table(path.read_text(encoding="utf-8"), come[0]) is not None:
                    raise DecisionError(Message("the-decision-already-exists-same-words"),
                                        mend=Message("see-name", name=name))
        pieces[name][0].extend(gone)
        pieces[name][1].extend(come)
    return [(path, gone, come) for path, (gone, come) in pieces.items()]


def repaired_text(repair: Repair, before: str, who: str) -> str:
    """Return the text of a file after a repair by an editor.

    Raises Clash if the words to replace are not there once, DecisionError if it names another person than before.
    """
    pieces = split_tables(before) if repair.path.startswith("tei/decisions/") else [before]
    numbers = [n for n, piece in enumerate(pieces) if piece.strip("\n") == repair.was.strip("\n")]
    if len(numbers) != 1:
        raise Clash(repair.path, repair.text, before)
    _check_characters({"text": repair.text})
    if not {*_NAMES.findall(repair.text)} <= {who, *_NAMES.findall(repair.was)}:
        raise DecisionError(Message("names-another-person-decided"), place=Place(repair.path),
                            mend=Message("write-resp", who=who))
    at, gap = numbers[0], len(pieces[numbers[0]].rstrip("\n"))
    written = repair.text.rstrip("\n") + pieces[at][gap:]
    return "".join([*pieces[:at], written, *pieces[at + 1 :]])


def describe_request(request: Request, questions: Mapping[str, DeskQuestion]) -> tuple[str, str]:
    """Return a summary of a request, and the id of the first unit that it concerns."""
    words, place = [], ""
    for action in request.actions:
        match action:
            case Choose():
                words.append(f"{action.context} → {action.words or '∅'}")
            case Decide():
                words.append(f"{action.kind} {action.context or _about(action.said)}".strip())
            case Answer():
                words.append("second")
            case Set():
                words.append(f"{action.was} → {action.value}")
            case Type():
                words.append(f"{action.id.partition('.')[2]} {action.line[:_LINE]}")
                place = place or action.id
            case Withdraw() | Amend() | Approve():
                sign = {Withdraw: "−", Amend: "±", Approve: "✓"}[type(action)]
                name, fields = _parse_table(action.table)
                named = f"{name} {_about(fields)}" if name else action.table.partition("\n")[0]
                words.append(f"{sign} {named}")
        question = questions.get(getattr(action, "entry", ""))
        place = place or (question.entry.unit if question else "")
    more = f" (+{len(words) - 1})" if len(words) > 1 else ""
    return f"{words[0] if words else ''}{more}", place


def _about(fields: Mapping[str, object]) -> str:
    """Return what a decision is about: its place and words, never its reason."""
    keys = ("unit", "source", "edition", "context", "before", "after", "code", "words", "left", "right", "characters")
    return " ".join(str(fields[key]) for key in keys if fields.get(key))


def _parse_table(table: str) -> tuple[str, dict[str, object]]:
    """Return kind and contents of a table of decisions; empty if it is not one table."""
    try:
        (name, (fields,)), = parse_toml(table).items()
        return name, dict(fields)
    except (tomllib.TOMLDecodeError, ValueError, TypeError):
        return "", {}


def _check_characters(fields: Mapping[str, object]) -> None:
    for path, char in unprintable_characters(fields):
        raise DecisionError(Message("contains-u-not-allowed-text", path=path[0], code=ord(char)),
                            mend=Message("delete-character"))


def _decision(
    action: Choose | Decide | Answer, resp: str, questions: Mapping[str, DeskQuestion], today: date
) -> Decision:
    if isinstance(action, Choose):
        entry = _question(action, questions).entry
        readings = {attested(reading.content): reading for reading in reversed(entry.readings)}
        if action.words not in readings:
            raise DecisionError(Message("not-reading-entry", words=action.words),
                                mend=Message("choose-readings-file-emendation"))
        return choose(entry, readings[action.words], resp=resp, when=today, why=action.why, cert=action.cert,
                      proposed=action.proposed)
    if isinstance(action, Answer):
        if action.entry not in questions:
            raise DecisionError(Message("entry-changed-since-page-shown"), mend=Message("open-again"))
        entry = questions[action.entry].entry
        if action.words not in {attested(reading.content) for reading in entry.collated_readings}:
            raise DecisionError(Message("not-reading-entry", words=action.words), mend=Message("choose-readings"))
        return decide(Second, entry, reading=action.words, resp=resp, when=today, why=action.why, cert=action.cert)
    kind = next((kind for kind in KINDS if kind.name == action.kind), None)
    if kind is None:
        raise DecisionError(Message("kind-unknown-decision", kind=action.kind),
                            mend=Message("kinds-listed", kinds=", ".join(kind.name for kind in KINDS)))
    fields: dict[str, object] = {**action.said, "resp": resp}
    if fields.keys() & {"approved", "approved_when"}:
        raise DecisionError(Message("new-decision-not-approved-yet"), mend=Message("let-another-editor-approve"))
    if any(field.name == "when" for field in msgspec.structs.fields(kind.table)):
        fields["when"] = today
    if action.entry and issubclass(kind.table, OnEntry):
        entry = _question(action, questions).entry
        fields = {"unit": entry.unit, "speaker": entry.speaker, "context": entry.context, **fields}
    try:
        return msgspec.convert(fields, kind.table)
    except msgspec.ValidationError as error:
        raise DecisionError(f"[[{kind.name}]]: {error}", mend=Message("see-keys")) from None


def _check_own(tables: Iterable[str], who: str, catalog: Catalog) -> None:
    """Raise DecisionError for a decision on readings of a chapter that is assigned to somebody else."""
    for table in tables:
        name, fields = _parse_table(table)
        if name in NAMES.values():
            check_assignment([str(fields.get("unit", ""))], who, catalog)


def _amended_table(action: Amend, who: str, catalog: Catalog) -> str:
    """Return the written table; what was approved must be approved again, and nobody writes in another's name."""
    written, fields = _check_table(action.written, action.path, catalog), _parse_table(action.written)[1]
    if fields.keys() & {"approved", "approved_when"}:
        raise DecisionError(Message("changed-decision-not-approved-yet"), mend=Message("delete-approved-approved"))
    if fields.get("resp") not in (who, _parse_table(action.table)[1].get("resp")):
        raise DecisionError(Message("names-another-person-decided"), mend=Message("write-resp", who=who))
    return written


def _check_table(written: str, file: str, catalog: Catalog) -> str:
    try:
        read = parse_toml(written)
        _check_characters(read)
        (name, (fields,)), = read.items()
        kind = next(kind for kind in KINDS if kind.name == name)
        decision = msgspec.convert(fields, kind.table)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError, TypeError, StopIteration) as error:
        raise DecisionError(Message("expected-table-decision", error=error),
                            mend=Message("write-table-see-keys")) from None
    path = catalog.root / file
    if not any(fnmatch(path.name, pattern) for pattern in kind.files):
        raise DecisionError(Message("cannot-contain", path=path.name, name=name),
                            mend=Message("write-it-into", files=", ".join(kind.files)))
    check([Filed(path, decision)], catalog.persons, catalog.sources, catalog.editions)
    return f"{written.strip()}\n"


def _question(action: Choose | Decide, questions: Mapping[str, DeskQuestion]) -> DeskQuestion:
    question = questions.get(action.entry)
    if question is None or question.entry.context != action.context:
        raise DecisionError(Message("entry-changed-since-page-shown"), mend=Message("open-again"))
    return question


def _inside(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if folder != "tei/decisions" or not name.endswith(".toml"):
        raise DecisionError(Message("not-file-decisions", path=path), mend=Message("name-file-tei-decisions"))
    file_name(name, Message("file-decisions"), Place(path))
    return path


def forms(catalog: Catalog) -> list[dict[str, object]]:
    """Return each kind of decision with its fields, for a form, and whether it belongs to an entry."""
    known = {"source": tuple(catalog.sources), "person": ("", *catalog.persons), "variant": tuple(VARIANT_CLASSES),
             "verdict": get_args(Verdict), "edition": tuple(catalog.editions)}
    assignees = tuple(editors(catalog))
    return [
        {"name": kind.name, "needs": kind.needs,
         "entry": issubclass(kind.table, OnEntry), "fields": [
            {"name": field.name, "required": field.required,
             "choices": list(assignees if kind.table is Assigned and field.name == "person"
                             else known.get(field.name, ())),
             "type": "number" if field.name == "chapter" else "text"}
            for field in written_fields(kind.table)
            if field.name not in (*LAST, "notes")
        ]}
        for kind in KINDS
    ]
