"""Rules on apparatus entries, on witnesses that break off, and on the header."""

from __future__ import annotations

from collections.abc import Iterator

from jiaokan.errors import Message, suggestion
from jiaokan.model.variants import ORTHOGRAPHIC
from jiaokan.tei.tree import ID, Element, local
from jiaokan.validate.rule import Problem, Subject, is_empty, pointers, rule

_SILENT = frozenset({"#var-omission", "#var-lacuna", "#var-transposition"})
_DECLARING = {"lem": "wit", "rdg": "wit", "seg": "source", "lg": "source", "note": "source"}
"""Elements that declare the witnesses of their content, with the attribute."""
_TYPES = {f"#var-{name}": "orthographic" for name in ORTHOGRAPHIC}
_CONTRAST = frozenset({"rdg", "rdgGrp", "note", "noteGrp", "witDetail", "app"})
"""What an entry needs beside its lemma."""
_UNPRINTED = frozenset({"attribution", "move", "accidental", "continued"})
_BREAKS = {"lacunaStart": "lacunaEnd", "witEnd": "witStart"}
_RESUMES = {ends: begins for begins, ends in _BREAKS.items()}
_LICENCE = '<licence target="https://…">CC BY 4.0</licence>'


def _name(app: Element) -> Message:
    words = " ".join("".join(str(word) for lemma in app.iterfind("{*}lem") for word in lemma.itertext()).split())
    return Message("the-entry-id", entry=app.get(ID) or (f"“{words[:12]}”" if words else Message("without-id")))


def _declared_witnesses(app: Element) -> tuple[Element, set[str]] | None:
    for above in app.iterancestors():
        name = _DECLARING.get(local(above))
        remark = local(above) == "seg" and above.get("type") != "jing"  # its source is whose reading it reports
        if name and not remark and above.get(name) is not None:
            return above, set(pointers(above, name))
    return None


@rule("witness-twice")
def _twice(subject: Subject) -> Iterator[Problem]:
    seen: dict[tuple[Element, str], Element] = {}
    for app, reading in subject.readings:
        for witness in pointers(reading, "wit"):
            first = seen.get((app, witness))
            if first is reading:
                message = Message("names-witness-twice-reading", name=_name(app), witness=witness)
                yield Problem(reading, message, Message("name-once"), attribute="wit")
            elif first is not None:
                message = Message("names-witness-two-readings", name=_name(app), witness=witness)
                yield Problem(reading, message, Message("witness-reading"), first, "wit")
            seen.setdefault((app, witness), reading)


@rule("witness-missing")
def _check_declarations(subject: Subject) -> Iterator[Problem]:
    for app in () if subject.has_foreign_apparatus else subject.all("app"):
        scope = _declared_witnesses(app)
        if scope is None or app.get("type") == "move":
            continue
        named = {witness for name in ("lem", "rdg") for reading in app.iterfind(f"{{*}}{name}")
                 for witness in pointers(reading, "wit")}
        if not all(witness in subject.ids for witness in named):
            continue  # an undeclared one is reported already, and may be the missing one
        for witness in sorted(scope[1] - named):
            yield Problem(
                app, Message("not-name-witness-passage", name=_name(app), witness=witness),
                Message("add-reading-remove-witnesses", element=local(scope[0])), scope[0],
            )


@rule("witness-stray")
def _check_stray_parts(subject: Subject) -> Iterator[Problem]:
    for app, reading in () if subject.has_foreign_apparatus else subject.readings:
        scope = _declared_witnesses(app)
        for witness in pointers(reading, "wit") if scope else ():
            if scope and witness not in scope[1] and witness in subject.witnesses:
                message = Message("names-not-witness-around", name=_name(app), witness=witness, element=local(scope[0]))
                known = ", ".join(f"#{name}" for name in sorted(scope[1])) or Message("none")
                mend = suggestion(witness, scope[1], Message("expected-one-of", expected=known), prefix="#")
                yield Problem(reading, message, mend, scope[0], "wit")
    for mark in subject.all("milestone"):
        scope = _declared_witnesses(mark) if mark.get("unit") == "unit" else None
        if scope and (witness := mark.get("ed", "")) in subject.witnesses and witness not in scope[1]:
            message = Message("milestone-ed-not-witness-around", witness=witness, element=local(scope[0]))
            yield Problem(mark, message, Message("move-words-witness-begin"), scope[0], "ed")


@rule("app-single")
def _single(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        names = [local(child) for child in app]
        if _CONTRAST.isdisjoint(names) and names.count("lem") < 2:
            yield Problem(app, Message("has-only-one-reading", name=_name(app)),
                          Message("delete-entry-add-other-reading"))


@rule("witness-none")
def _check_witnesses(subject: Subject) -> Iterator[Problem]:
    for reading in () if subject.has_foreign_apparatus else subject.all("rdg", "lem"):
        if not pointers(reading, "wit") and not pointers(reading, "resp"):
            app = reading.getparent()
            where = Message("an-entry") if app is None else _name(app)
            yield Problem(reading, Message("names-no-witness", element=local(reading), where=where), Message("add-wit"))


@rule("reading-empty")
def _check_empty_readings(subject: Subject) -> Iterator[Problem]:
    for app, reading in subject.readings:
        if app.get("type") in _UNPRINTED:
            continue
        variant, empty = reading.get("ana"), is_empty(reading)
        witnesses = reading.get("wit") or Message("no-witness")
        if local(reading) == "rdg" and empty and variant not in _SILENT:
            message = Message("empty-reading-with-class", entry=_name(app), witnesses=witnesses,
                              classes=variant or Message("none"))
            mend = Message("expected-ana-var-omission-empty")
            yield Problem(reading, message, mend, attribute="ana")
        elif not empty and variant == "#var-omission":
            message = Message("words-in-reading-with-class", entry=_name(app), witnesses=witnesses, classes=variant)
            mend = Message("give-class-words-remove")
            yield Problem(reading, message, mend, attribute="ana")


@rule("lemma-empty")
def _check_empty_lemmas(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        lemma, *others = [child for child in app if local(child) in ("lem", "rdg")] or [app]
        if app.get("type") in _UNPRINTED or local(lemma) != "lem":
            continue
        filled = [reading for reading in others if not is_empty(reading)]
        added = [reading for reading in others if reading.get("ana") == "#var-addition"]
        moved = [reading for reading in others if reading.get("ana") == "#var-transposition"]
        if is_empty(lemma) and any(reading not in added + moved for reading in filled):
            yield Problem(lemma, Message("empty-lemma-reading-not-addition", name=_name(app)),
                          Message("expected-ana-var-addition-reading"))
        for reading in () if is_empty(lemma) else added:
            yield Problem(reading, Message("addition-lemma-words", name=_name(app)),
                          Message("addition-needs-empty-lemma"), lemma, "ana")


@rule("reading-class")
def _check_classes(subject: Subject) -> Iterator[Problem]:
    for app, reading in subject.readings:
        variant, reading_type = reading.get("ana", ""), reading.get("type", "")
        expected = _TYPES.get(variant, "substantive") if variant else ""
        if local(reading) == "rdg" and app.get("type") is None and not variant:
            yield Problem(reading, Message("reading-without-class", name=_name(app)),
                          Message("add-ana-reading-differs"))
        elif reading_type != expected:
            message = Message("reading-class-with-type", entry=_name(app), variant=variant or Message("none"),
                              type=reading_type)
            mend = Message("expected-type", expected=expected) if expected else Message("remove-type")
            yield Problem(reading, message, mend, attribute="type")


@rule("span-unpaired")
def _check_spans(subject: Subject) -> Iterator[Problem]:
    silent: dict[tuple[str, str], Element] = {}
    known = {f"#{name}" for name in subject.witnesses}
    begun: set[tuple[str, str]] = set()
    for element in subject.elements:
        name = local(element)
        if name not in _BREAKS and name not in _RESUMES:
            continue
        around = (ancestor for ancestor in (element, *element.iterancestors()) if ancestor.get("wit"))
        near = next((ancestor for ancestor in around if local(ancestor) in ("lem", "rdg", *_BREAKS, *_RESUMES)),
                    element)
        for witness in near.get("wit", "").split() or sorted(known) or [Message("the-text")]:
            key = (witness, name if name in _BREAKS else _RESUMES[name])
            if name in _BREAKS:
                if key in silent:
                    message = Message("already-broken-off", name=name, witness=witness)
                    yield Problem(element, message, Message("expected-before-it", element=_BREAKS[name]), silent[key])
                silent[key] = element
            elif silent.pop(key, None) is None and (name == "lacunaEnd" or key in begun):
                message = Message("beginning-missing", name=name, witness=witness)
                yield Problem(element, message, Message("expected-before-it", element=_RESUMES[name]))
            begun.add(key)
    for (witness, name), element in silent.items():
        if name == "lacunaStart":
            message = Message("end-missing", name=name, witness=witness)
            yield Problem(element, message, Message("expected-where-text-resumes", element=_BREAKS[name]))


@rule("header-lacking")
def _header(subject: Subject) -> Iterator[Problem]:
    header = subject.header
    if header is None:
        return
    licences = [licence for licence in header.iterfind("{*}fileDesc/{*}publicationStmt//{*}licence")
                if licence.get("target")]
    titles = header.find("{*}fileDesc/{*}titleStmt")
    for there, what, expected in (
        (any("".join(map(str, licence.itertext())).strip() for licence in licences),
         Message("licence-address-terms"), _LICENCE),
        (header.find("{*}fileDesc/{*}sourceDesc/{*}*") is not None,
         Message("source-text"), Message("sourcedesc-bibl-listwit")),
        (titles is not None and any(local(child) in ("respStmt", "editor", "author") for child in titles),
         Message("who-is-responsible"), Message("respstmt-editor-titlestmt")),
        (header.find("{*}encodingDesc/{*}editorialDecl") is not None,
         Message("text-encoded"), Message("editorialdecl-encodingdesc")),
    ):
        if not there:
            yield Problem(header, Message("header-missing", what=what), Message("expected-value", expected=expected))
