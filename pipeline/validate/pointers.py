"""Rules on ids, and on what points to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.tei.tree import ID, local
from pipeline.validate.registry import Problem, Rule, Subject, nearest, pointers

POINTING = ("wit", "resp", "target", "targetEnd", "corresp", "ana", "ref", "source", "who")
"""Attributes whose words that begin with # point into the file."""
LEADS_TO: Mapping[str, frozenset[str]] = {
    "wit": frozenset({"witness"}),
    "resp": frozenset({"person", "respStmt"}),
    "who": frozenset({"person", "respStmt"}),
    "ana": frozenset({"category"}),
    "target": frozenset({"seg", "lg", "note", "head", "trailer", "div", "TEI"}),
    "targetEnd": frozenset({"seg", "lg", "note", "head", "trailer", "div", "TEI"}),
}
"""What an attribute may lead to, where that is one kind of thing."""
_SCHEMES = frozenset({"http", "https", "urn"})


def _dangling(subject: Subject) -> Iterator[Problem]:
    known = subject.ids
    for element in subject.elements:
        for name in POINTING:
            value = element.get(name)
            if value and "#" in value:
                for wanted in pointers(element, name):
                    if wanted not in known:
                        message = f'{local(element)}/@{name} points to "#{wanted}", which is nowhere'
                        yield Problem(element, message, subject.nearest_id(wanted) or "declare it in the header")


def _kind(subject: Subject) -> Iterator[Problem]:
    for element in subject.elements:
        for name, allowed in LEADS_TO.items():
            for wanted in pointers(element, name) if element.get(name) else ():
                target = subject.target(wanted)
                if target is not None and local(target) not in allowed:
                    yield Problem(
                        element, f'{local(element)}/@{name} points to "#{wanted}", a <{local(target)}>',
                        f"it should point to: {', '.join(sorted(allowed))}", target,
                    )


def _prefix(subject: Subject) -> Iterator[Problem]:
    declared = {each.get("ident", "") for each in subject.all("prefixDef")} | _SCHEMES
    for element in subject.elements:
        for name in POINTING:
            value = element.get(name)
            if not value or ":" not in value:
                continue
            for word in value.split():
                prefix, colon, _ = word.partition(":")
                if colon and "#" not in prefix and prefix not in declared:
                    message = f'{local(element)}/@{name} has the prefix "{prefix}:", which nothing declares'
                    yield Problem(element, message, nearest(prefix, declared) or "declare it in listPrefixDef")


def _siglum(subject: Subject) -> Iterator[Problem]:
    witnesses = subject.witnesses | subject.reported
    for mark in subject.all("milestone"):
        ed = mark.get("ed", "")
        if ed and ed not in witnesses:
            yield Problem(mark, f'milestone/@ed is "{ed}", which is no witness', nearest(ed, witnesses))


def _duplicate(subject: Subject) -> Iterator[Problem]:
    for identifier, elements in subject.ids.items():
        for again in elements[1:]:
            yield Problem(
                again, f'the id "{identifier}" is given twice: to <{local(elements[0])}> and to <{local(again)}>',
                "give one of them another id", elements[0],
            )


def _reference(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("div", "head", "trailer", "seg", "lg"):
        identifier = element.get(ID)
        parent = next((a for a in element.iterancestors() if a.get(ID) and local(a) in ("div", "TEI")), None)
        if identifier and parent is not None:
            above = parent.get(ID, "")
            if not identifier.startswith(f"{above}."):
                message = f'the id "{identifier}" of <{local(element)}> does not continue "{above}", in which it stands'
                yield Problem(element, message, "number the document again", parent)


def _missing(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("div", "seg", "lg", "note"):
        kind = element.get("type")
        wanted = kind == ("commentary" if local(element) == "note" else "jing") or local(element) == "div"
        if wanted and not element.get(ID):
            yield Problem(element, f'<{local(element)} type="{kind}"> has no id', "number the document again")


RULES = (
    Rule(
        "pointer-dangling", "error",
        "A pointer (@wit, @resp, @target, @corresp, @ana, @ref, @source) must lead to an xml:id of the same file. A "
        "grammar lets any name pass.", _dangling,
    ),
    Rule(
        "pointer-kind", "error",
        "A pointer must lead to the right kind of thing: @wit to a witness, @resp to a person or agent, @ana to a "
        "category, the target of a note to text.", _kind,
    ),
    Rule(
        "prefix-undeclared", "error",
        "A pointer such as w:benyi.6.1.2 can only be followed if a prefixDef says what its prefix stands for.", _prefix,
    ),
    Rule(
        "siglum-undeclared", "error",
        "A milestone that says where the words of a witness belong must name a witness of the header.", _siglum,
    ),
    Rule(
        "id-duplicate", "error",
        "An xml:id names one element; two with one name make every pointer doubtful.", _duplicate,
    ),
    Rule(
        "id-missing", "error",
        "Divisions, units of base text and comments have ids; without one nothing can point to them or cite them.",
        _missing,
    ),
    Rule(
        "reference-broken", "error",
        "Canonical references (yili:6.3.2) are read from ids, which are built from structure: the id of what stands in "
        "a division continues the division's.", _reference,
    ),
)
