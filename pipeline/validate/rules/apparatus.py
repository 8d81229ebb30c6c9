"""Rules on apparatus entries, on witnesses that break off, and on the header."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.model.variants import ORTHOGRAPHIC
from pipeline.tei.tree import ID, Element, local
from pipeline.validate.rule import Problem, Subject, is_empty, nearest, pointers, rule

_SILENT = frozenset({"#var-omission", "#var-lacuna", "#var-transposition"})
"""Classes by which a reading may be empty."""
_DECLARING = {"lem": "wit", "rdg": "wit", "seg": "source", "lg": "source", "note": "source"}
"""What says which witnesses have what stands in it, and by which attribute."""
_TYPES = {f"#var-{name}": "orthographic" for name in ORTHOGRAPHIC}
_UNPRINTED = frozenset({"attribution", "move", "accidental"})
"""Kinds of entries that are no variants of the text."""


def _readings(app: Element) -> list[Element]:
    return [each for each in app if local(each) in ("lem", "rdg")]


def _name(app: Element) -> str:
    lemma = next((each for each in app if local(each) == "lem"), None)
    words = "" if lemma is None else "".join(str(word) for word in lemma.itertext())
    label = app.get(ID) or (f"“{words[:12]}”" if words else "without id")
    return f"the entry {label}"


def _declared(app: Element) -> tuple[Element, set[str]] | None:
    """What declares which witnesses an entry is about: the reading, unit or note that it stands in."""
    for above in app.iterancestors():
        name = _DECLARING.get(local(above))
        remark = local(above) == "seg" and above.get("type") != "jing"  # its source is whose reading it reports
        if name and not remark and above.get(name) is not None:
            return above, set(pointers(above, name))
    return None


def _twice(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        seen: dict[str, Element] = {}
        for reading in _readings(app):
            for witness in pointers(reading, "wit"):
                if seen.get(witness) is reading:
                    message = f'{_name(app)} names the witness "#{witness}" twice in one reading'
                    yield Problem(reading, message, "name it once", attribute="wit")
                elif witness in seen:
                    message = f'{_name(app)} names the witness "#{witness}" in two readings'
                    yield Problem(reading, message, "a witness has one reading", seen[witness], "wit")
                seen.setdefault(witness, reading)


def _missing(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        scope = _declared(app)
        if scope is None or app.get("type") == "move":
            continue
        named = {witness for reading in _readings(app) for witness in pointers(reading, "wit")}
        if not all(witness in subject.ids for witness in named):
            continue  # one that is undeclared is told already, and may be the one that is missing
        for witness in sorted(scope[1] - named):
            yield Problem(
                app, f'{_name(app)} says nothing of "#{witness}", which has the passage',
                f"add it to a reading, or take it out of the <{local(scope[0])}>'s witnesses", scope[0],
            )


def _stray(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        scope = _declared(app)
        if scope is None:
            continue
        for reading in _readings(app):
            for witness in pointers(reading, "wit"):
                if witness not in scope[1] and witness in subject.witnesses:
                    message = f'{_name(app)} names "#{witness}", which does not have the <{local(scope[0])}> around it'
                    known = ", ".join(f"#{each}" for each in sorted(scope[1]))
                    mend = nearest(witness, scope[1], "#") or f"expected of: {known}"
                    yield Problem(reading, message, mend, scope[0], "wit")
    for mark in subject.all("milestone"):
        scope = _declared(mark) if mark.get("unit") == "unit" else None
        if scope and (witness := mark.get("ed", "")) in subject.witnesses and witness not in scope[1]:
            message = f'a milestone is of "{witness}", which does not have the <{local(scope[0])}> around it'
            yield Problem(mark, message, "put it where the words of that witness begin", scope[0], "ed")


def _single(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        if not any(local(each) in ("rdg", "note") for each in app):
            yield Problem(app, f"{_name(app)} has one reading only", "take the entry away, or give the other reading")


def _no_witness(subject: Subject) -> Iterator[Problem]:
    for reading in subject.all("rdg", "lem"):
        if not pointers(reading, "wit") and not pointers(reading, "resp"):
            app = reading.getparent()
            where = "an entry" if app is None else _name(app)
            yield Problem(reading, f"a <{local(reading)}> of {where} names no witness", "give its @wit")


def _empty_reading(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        for reading in _readings(app) if app.get("type") not in _UNPRINTED else ():
            found, empty = reading.get("ana", "no class"), is_empty(reading)
            named = f"reading of {reading.get('wit', 'nobody')} that is {found}"
            if local(reading) == "rdg" and empty and found not in _SILENT:
                yield Problem(reading, f"{_name(app)} has an empty {named}",
                              'an empty reading is an omission: ana="#var-omission"',
                              attribute="ana")
            elif not empty and found == "#var-omission":
                yield Problem(reading, f"{_name(app)} has a {named}",
                              "but it has words: give their class, or take them out",
                              attribute="ana")


def _empty_lemma(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        lemma, *others = _readings(app) or [app]
        if app.get("type") in _UNPRINTED or local(lemma) != "lem":
            continue
        filled = [each for each in others if not is_empty(each)]
        added = [each for each in others if each.get("ana") == "#var-addition"]
        if is_empty(lemma) and any(each not in added for each in filled):
            yield Problem(
                lemma, f"{_name(app)} has an empty lemma, but a reading that is no addition",
                'what others have beside an empty lemma is ana="#var-addition"',
            )
        for each in () if is_empty(lemma) else added:
            yield Problem(each, f"{_name(app)} has an addition, but its lemma has words",
                          "an addition stands beside an empty lemma", lemma, "ana")


def _class(subject: Subject) -> Iterator[Problem]:
    for app in subject.all("app"):
        for reading in _readings(app):
            variant, found = reading.get("ana", ""), reading.get("type", "")
            expected = _TYPES.get(variant, "substantive") if variant else ""
            if local(reading) == "rdg" and app.get("type") is None and not variant:
                yield Problem(reading, f"{_name(app)} has a reading of no class", "say with @ana how it differs")
            elif found != expected:
                message = f'{_name(app)} has a reading of the class {variant or "none"} with type "{found}"'
                mend = f'expected: type="{expected}"' if expected else "take @type away"
                yield Problem(reading, message, mend, attribute="type")


_BREAKS = {"lacunaStart": "lacunaEnd", "witEnd": "witStart"}
_RESUMES = {ends: begins for begins, ends in _BREAKS.items()}
_LICENCE = '<licence target="https://…">CC BY 4.0</licence>'


def _overlap(subject: Subject) -> Iterator[Problem]:
    order = {element: n for n, element in enumerate(subject.elements)}
    spans: list[tuple[int, int, Element]] = []
    for app in subject.all("app"):
        ends = [subject.target(each) for name in ("from", "to") for each in pointers(app, name)]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            spans.append((order[ends[0]], order[ends[1]], app))
    open_: list[tuple[int, int, Element]] = []
    for start, end, app in sorted(spans, key=lambda span: (span[0], -span[1])):
        open_ = [each for each in open_ if each[1] >= start]
        shared = 0 if is_empty(subject.elements[start]) else 1  # an anchor has no words that both could be about
        crossed = next((each for each in open_ if each[0] < start < each[1] + shared and each[1] < end), None)
        if crossed:
            yield Problem(app, f"this entry ({app.get('from')} to {app.get('to')}) crosses another",
                          "let it end with the other, or part it in two", crossed[2])
        open_.append((start, end, app))


def _unpaired(subject: Subject) -> Iterator[Problem]:
    silent: dict[tuple[str, str], Element] = {}
    known = {f"#{name}" for name in subject.witnesses}
    begun: set[tuple[str, str]] = set()
    for element in subject.elements:
        name = local(element)
        if name not in _BREAKS and name not in _RESUMES:
            continue
        for witness in _witnesses(element) or sorted(known) or ["the text"]:
            key = (witness, name if name in _BREAKS else _RESUMES[name])
            if name in _BREAKS:
                if key in silent:
                    message = f"<{name}> of {witness} stands where it has broken off already"
                    yield Problem(element, message, f"expected before it: <{_BREAKS[name]}>", silent[key])
                silent[key] = element
            elif silent.pop(key, None) is None and (name == "lacunaEnd" or key in begun):
                message = f"<{name}> of {witness} ends nothing that began"
                yield Problem(element, message, f"expected before it: <{_RESUMES[name]}>")
            begun.add(key)
    for (witness, name), element in silent.items():
        if name == "lacunaStart":
            message = f"<{name}> of {witness} is never closed"
            yield Problem(element, message, f"expected where it sets in again: <{_BREAKS[name]}>")


def _witnesses(element: Element) -> list[str]:
    """The witnesses of which a span is: of itself, or of the reading in which it stands."""
    for each in (element, *element.iterancestors()):
        if local(each) in ("lem", "rdg", *_BREAKS, *_RESUMES) and each.get("wit"):
            return each.get("wit", "").split()
    return []


def _header(subject: Subject) -> Iterator[Problem]:
    header = subject.header
    if header is None:
        return
    licences = [each for each in header.iterfind("{*}fileDesc/{*}publicationStmt//{*}licence") if each.get("target")]
    if not any("".join(map(str, each.itertext())).strip() for each in licences):
        yield _lacks(header, "no licence that says where its terms are", _LICENCE)
    if header.find("{*}fileDesc/{*}sourceDesc/{*}*") is None:
        yield _lacks(header, "nothing on what the text was made from", "<sourceDesc> with <bibl> or <listWit>")
    titles = header.find("{*}fileDesc/{*}titleStmt")
    if titles is None or not any(local(each) in ("respStmt", "editor", "author") for each in titles):
        yield _lacks(header, "nobody who is responsible", "<respStmt> or <editor> in <titleStmt>")
    if header.find("{*}encodingDesc/{*}editorialDecl") is None:
        yield _lacks(header, "nothing on how the text is encoded", "<editorialDecl> in <encodingDesc>")


def _lacks(header: Element, what: str, expected: str) -> Problem:
    return Problem(header, f"the header names {what}", f"expected: {expected}")


RULES = (
    rule("witness-twice", _twice),
    rule("witness-missing", _missing),
    rule("witness-stray", _stray),
    rule("witness-none", _no_witness),
    rule("app-single", _single),
    rule("reading-empty", _empty_reading),
    rule("lemma-empty", _empty_lemma),
    rule("reading-class", _class),
    rule("app-overlap", _overlap),
    rule("span-unpaired", _unpaired),
    rule("header-lacking", _header),
)
