"""The editors of a folder: who may sign in, which chapters are whose, and who approves whose decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from jiaokan.decisions.kinds import load
from jiaokan.decisions.tables import Assigned
from jiaokan.errors import DecisionError, Message
from jiaokan.model.vocabulary import EDITORS
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.syntax import parse_toml

_KEYS = ("proposed", "approved", "approved_when")
_REVIEW = re.compile(rf"(?m)^(?:{'|'.join(_KEYS)})[ \t]*=.*\n?")


def editors(catalog: Catalog) -> dict[str, str]:
    """Return the names of those who may decide, by id: persons who are among the editors of the project; only if there
    is none, all editors together."""
    names = catalog.project.editors
    project_editors = {person.id: person.name for person in catalog.persons.values() if person.name in names}
    return project_editors or {EDITORS: ""}


def check_editor(who: str, catalog: Catalog) -> str:
    """Return the id of an editor; raises DecisionError for anybody else."""
    known = editors(catalog)
    if who not in known:
        raise DecisionError(Message("not-editor-folder", who=who) if who else Message("nobody-signed"),
                            mend=Message("sign-in-as", known=", ".join(known)))
    return who


def assigned_editors(catalog: Catalog) -> dict[str, str]:
    """Return the editor to whom each assigned chapter is given last, by the id of the chapter."""
    return {filed.decision.unit.replace(":", ".", 1): filed.decision.person for filed in load(catalog.root, Assigned)}


def check_assignment(places: Iterable[str], who: str, catalog: Catalog) -> None:
    """Raise DecisionError if one of some places, by id, is in a chapter that is given to another editor."""
    assignments = assigned_editors(catalog)
    for place in places:
        chapter = ".".join(place.replace(":", ".", 1).split(".")[:2])
        if assignments.get(chapter, who) != who:
            name = editors(catalog).get(assignments[chapter], assignments[chapter])
            raise DecisionError(Message("chapter-assigned", partition=chapter.partition(".")[2], name=name),
                                mend=Message("comment-entry-change-assignment"))


def approve_table(table: str, who: str, today: date) -> str:
    """Return the table of a decision as approved by an editor; raises DecisionError for the editor's own."""
    (before,), = parse_toml(table).values()
    if who in (before.get("resp"), EDITORS):
        raise DecisionError(Message("nobody-approves-decision-own"), mend=Message("ask-another-editor"))
    approved_table = f'{_REVIEW.sub("", table).rstrip()}\napproved = "{who}"\napproved_when = "{today.isoformat()}"\n'
    (after,), = parse_toml(approved_table).values()
    if any(after.get(key) != value for key, value in before.items() if key not in _KEYS):
        raise DecisionError(Message("table-cannot-approved-desk"), mend=Message("add-approved-file"))
    return approved_table
