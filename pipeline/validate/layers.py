"""Rules on units of base text and on notes."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.tei.tree import ID, local, mixed
from pipeline.validate.registry import Problem, Rule, Subject, pointers


def _outside(subject: Subject) -> Iterator[Problem]:
    for paragraph in subject.in_text("ab"):
        for node in mixed(paragraph, ""):
            if isinstance(node, str) and node.strip():
                yield Problem(
                    paragraph, f"words of base text stand outside any unit: {node.strip()[:12]!r}",
                    'base text stands in <seg type="jing">',
                )


def _unmarked(subject: Subject) -> Iterator[Problem]:
    marked: set[str] = set()
    for element in subject.elements:
        kind = local(element)
        if kind == "milestone":
            marked.add(element.get("ed", ""))
        elif kind in ("seg", "lg", "note") and element.get("source"):
            inside = {each.get("ed", "") for each in element.iterfind(".//{*}milestone")}
            known = inside if kind == "note" else inside | marked
            for witness in pointers(element, "source"):
                if witness in subject.witnesses and witness not in known:
                    name = element.get(ID, kind)
                    message = f'{name} has words of "#{witness}", but no mark says of which of its units'
                    yield Problem(element, message, f'<milestone unit="unit" ed="{witness}" n="…"/> before them')


def _target(subject: Subject) -> Iterator[Problem]:
    for note in subject.in_text("note"):
        if note.get("type") == "commentary" and not note.get("target"):
            words = "".join(str(word) for word in note.itertext())[:12]
            yield Problem(note, f"the note “{words}” is on nothing", "point with @target to what it is about")


RULES = (
    Rule(
        "words-outside", "error",
        "Each word of base text is in a unit, so that it can be cited, collated and commented on.", _outside,
    ),
    Rule(
        "mark-missing", "error",
        "Each witness reads back from the edition by its own units: a milestone says to which unit or note of the "
        "witness the words after it belong.", _unmarked,
    ),
    Rule("note-target", "error", "Commentary is on something: each such note points with @target to it.", _target),
)
