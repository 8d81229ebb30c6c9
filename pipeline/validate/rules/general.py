"""Rules on what other TEI files hold: entries attached by their ends, witnesses that break off, any header."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.tei.tree import Element, local
from pipeline.validate.rule import Problem, Subject, is_empty, pointers, rule

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


RULES = (rule("app-overlap", _overlap), rule("span-unpaired", _unpaired), rule("header-lacking", _header))
