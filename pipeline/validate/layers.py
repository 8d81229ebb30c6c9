"""Rules on units of base text and on notes."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.tei.tree import ID, Element, local, mixed
from pipeline.validate.registry import Problem, Subject, pointers, rule


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
        elif kind in ("seg", "lg", "note") and element.get("source") and element.get("type") != "textcrit":
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


def _elsewhere(subject: Subject) -> Iterator[Problem]:
    order = {element: n for n, element in enumerate(subject.elements)}
    for note in subject.in_text("note"):
        start, end = (
            next((each for each in map(subject.target, pointers(note, name)) if each is not None), None)
            for name in ("target", "targetEnd")
        )
        if start is not None and _chapter(start) is not _chapter(note):
            yield Problem(note, f"{note.get(ID, 'a note')} is on text of another chapter: {note.get('target')}",
                          "point to text of its own chapter, or move it there", start)
        elif start is not None and end is not None and order[end] < order[start]:
            yield Problem(note, f"{note.get(ID, 'a note')} covers text from {note.get('target')} back to "
                          f"{note.get('targetEnd')}", "let @targetEnd follow @target", end)


def _chapter(element: Element) -> Element | None:
    """The outermost division in which an element stands."""
    outer = None
    for each in (element, *element.iterancestors()):
        outer = each if local(each) == "div" else outer
    return outer


def _trailer(subject: Subject) -> Iterator[Problem]:
    for parent in dict.fromkeys(each.getparent() for each in subject.in_text("div")):
        sections = [] if parent is None else [each for each in parent if each.get("type") == "section"]
        closed = [each for each in sections if any(local(child) == "trailer" for child in each)]
        for section in sections[:-1] if closed else ():
            if section not in closed:
                yield Problem(
                    section, f"the section {section.get(ID) or section.get('n')} has no trailer, others beside it have",
                    "close it with its 右… line, or join it to the next", closed[0],
                )


def _bare(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("corr", "supplied"):
        lacking = [f"@{name}" for name in ("resp", "cert") if not element.get(name)]
        if lacking:
            words = "".join(str(word) for word in element.itertext())[:12]
            yield Problem(element, f"<{local(element)}> “{words}” lacks {' and '.join(lacking)}",
                          "say who decided it and how surely")


RULES = (
    rule("words-outside", _outside),
    rule("mark-missing", _unmarked),
    rule("note-target", _target),
    rule("note-elsewhere", _elsewhere),
    rule("trailer-missing", _trailer),
    rule("judgement-bare", _bare),
)
