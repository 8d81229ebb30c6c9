"""Rules on units of base text, on notes and on the editor's punctuation."""

from __future__ import annotations

from collections.abc import Iterator

from jiaokan.decisions.punctuation.notation import TypedMark, unpaired_faults
from jiaokan.errors import Message
from jiaokan.model.marks import MARKS
from jiaokan.tei.header.declarations import usual_layer
from jiaokan.tei.parse import TYPED, misplaced_in, misplaced_unit, shape_of
from jiaokan.tei.tree import ID, Element, local, mixed_content
from jiaokan.validate.rule import Problem, Spot, Subject, pointers, rule


@rule("words-outside")
def _check_words_outside(subject: Subject) -> Iterator[Problem]:
    for paragraph in subject.in_text("ab"):
        before: Element | None = None
        for node in mixed_content(paragraph, ""):
            if not isinstance(node, str):
                before = node
            elif words := node.strip():
                yield Problem(
                    paragraph, Message("base-text-outside-unit", word=words[:12]),
                    Message("put-seg-type-jing"), spot=Spot(before, node.index(words)),
                )


@rule("unit-stray")
def _check_units(subject: Subject) -> Iterator[Problem]:
    for unit in subject.in_text("seg", "lg"):
        if unit.get("type") == "jing" and (above := misplaced_in(unit)) is not None:
            yield Problem(unit, *misplaced_unit(above))


@rule("attribute-stray")
def _check_attributes(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text(*TYPED):
        keys = TYPED[local(element)].intersection(element.keys())
        shape = shape_of(element) if keys else None
        for key in keys:
            if shape and key not in shape.known:
                shown = local(element) + "".join(f' {name}="{value}"' for name, value in shape.fixed.items())
                yield Problem(element, Message("attribute-not-allowed", element=shown, attribute=key),
                              Message("remove-it"))


@rule("mark-missing")
def _check_milestones(subject: Subject) -> Iterator[Problem]:
    marked: set[str] = set()
    if subject.has_foreign_apparatus:
        return  # it does not say where its witnesses' own units begin
    for element, kind in zip(subject.elements, subject.names, strict=True):
        if kind == "milestone":
            marked.add(element.get("ed", ""))
        elif kind in ("seg", "lg", "note") and element.get("source") and element.get("type") != "textcrit":
            inside = {milestone.get("ed", "") for milestone in element.iterfind(".//{*}milestone")}
            known = inside if kind == "note" else inside | marked
            for witness in pointers(element, "source"):
                if witness in subject.witnesses and witness not in known and _has_words(element, witness):
                    name = element.get(ID, kind)
                    message = Message("words-no-milestone-says-units", name=name, witness=witness)
                    mend = Message("expected-before-milestone-unit-unit", witness=witness)
                    yield Problem(element, message, mend)


def _has_words(element: Element, witness: str) -> bool:
    """Whether a witness has any words of an element, in its text or in the witness's readings; notes do not count."""
    around = [ancestor for ancestor in (element, *element.iterancestors()) if local(ancestor) in ("lem", "rdg")]
    return all(witness in pointers(element_around, "wit") for element_around in around) and any(
        bool(part.strip()) if isinstance(part, str) else local(part) in ("gap", "g") or (
            local(part) != "note" and _has_words(part, witness))
        for part in mixed_content(element, "")
    )


@rule("note-target")
def _check_targets(subject: Subject) -> Iterator[Problem]:
    for note in subject.in_text("note"):
        if note.get("type") == "commentary" and not note.get("target"):
            words = "".join(str(word) for word in note.itertext())[:12]
            yield Problem(note, Message("note-no-target", words=words),
                          Message("add-target-text-about"))
        if note.get("type") == "editorial" and note.get("cert"):
            around = next((local(ancestor) for ancestor in note.iterancestors()
                           if local(ancestor) in ("app", "lem", "rdg")), "")
            if around in ("lem", "rdg"):
                yield Problem(note, Message("editor-reason", around=around),
                              Message("move-app-behind-readings"))


@rule("note-elsewhere")
def _check_places_of_notes(subject: Subject) -> Iterator[Problem]:
    order = {element: n for n, element in enumerate(subject.elements)}
    for note in subject.in_text("note"):
        start = _in_text(subject, note, "target")
        if start is None:
            continue
        name, target = note.get(ID) or Message("a-note"), note.get("target")
        end = _in_text(subject, note, "targetEnd")
        last = start if end is None else end
        if note in (start, *start.iterancestors()):
            yield Problem(note, Message("points-itself", name=name, target=target),
                          Message("point-text-about"), start, "target")
        elif _chapter(start) is not _chapter(note):
            yield Problem(note, Message("points-text-another-chapter", name=name, target=target),
                          Message("point-text-own-chapter-move"), start, "target")
        elif order[last] < order[start]:
            yield Problem(note, Message("ends-before-begins", name=name, target=target, note=note.get("targetEnd")),
                          Message("expected-targetend-behind-target"), last, "targetEnd")
        else:
            around, division = (next(place.iterancestors("{*}div"), None) for place in (last, note))
            together = last in note.iterancestors() if local(last) == "div" else around is division
            by = "target" if end is None else "targetEnd"
            if order[last] > order[note] or not together:
                yield Problem(note, Message("not-behind-text-about", name=name, note=note.get(by)),
                              Message("move-note-behind-text-same"), last, by)


def _in_text(subject: Subject, note: Element, name: str) -> Element | None:
    target = next((candidate for candidate in map(subject.target, pointers(note, name)) if candidate is not None), None)
    return None if target is None or _chapter(target) is None else target


def _chapter(element: Element) -> Element | None:
    divisions = [ancestor for ancestor in (element, *element.iterancestors()) if local(ancestor) == "div"]
    return divisions[-1] if divisions else None


@rule("trailer-missing")
def _check_trailers(subject: Subject) -> Iterator[Problem]:
    for parent in dict.fromkeys(division.getparent() for division in subject.in_text("div")):
        sections = [] if parent is None else [child for child in parent if child.get("type") == "section"]
        closed = [section for section in sections if any(local(child) == "trailer" for child in section)]
        for section in sections[:-1] if closed else ():
            if section not in closed:
                name = section.get(ID) or section.get("n")
                yield Problem(section, Message("section-no-trailer-others-beside", name=name),
                              Message("add-line-join-next-section"), closed[0])


@rule("judgement-bare")
def _check_judgements(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("corr", "supplied"):
        around = element.getparent() if local(element) == "corr" else element
        if around is not None and around.get("rend"):  # the source's own correction
            continue
        if not element.get("resp"):
            words = "".join(str(word) for word in element.itertext())[:12]
            yield Problem(element,
                          Message("quoted-element-lacks", element=local(element), words=words,
                                  missing="@resp"),
                          Message("add-decided-resp-surely-cert"))


def is_editors(mark: Element) -> bool:
    """Whether a ``pc`` is the editor's mark, not the source's."""
    return mark.get("type") is None and mark.get("rend") is None


_CLOSED = ("rdg", "choice", "supplied", "surplus", "g", "pc")
"""Elements in which an editor's mark is not allowed: readings, and single signs of the source."""
_ALL = " ".join(sorted(MARKS))


@rule("mark-misplaced")
def _check_marks(subject: Subject) -> Iterator[Problem]:
    stated = subject.header is not None and bool(usual_layer(subject.header).get("cert"))
    closed = {mark: name for name in _CLOSED for outer in subject.in_text(name)
              for mark in outer.iterdescendants("{*}pc")}
    for mark in subject.in_text("pc"):
        if not is_editors(mark):
            continue
        sign, around = "".join(map(str, mark.itertext())) if len(mark) else mark.text or "", closed.get(mark)
        if sign not in MARKS or len(mark):
            yield Problem(mark, Message("editor-pc-contains", sign=sign), Message("expected-one-of", expected=_ALL))
        elif around:
            yield Problem(mark, Message("editor-mark-inside", sign=sign, around=around),
                          Message("move-before-after-words-edition"))
        elif not stated and not mark.get("cert"):
            yield Problem(mark, Message("editor-mark-lacks-cert", sign=sign), Message("add-cert-sure"))


@rule("marks-unpaired")
def _check_pairs(subject: Subject) -> Iterator[Problem]:
    texts: dict[Element, list[Element]] = {}
    owners: dict[Element | None, Element | None] = {}
    for mark in subject.in_text("pc"):
        if is_editors(mark):
            above = mark.getparent()
            if above not in owners:
                around = mark.iterancestors("{*}seg", "{*}lg", "{*}note")
                owners[above] = next((e for e in around if local(e) != "seg" or e.get("type") == "jing"), None)
            if (owner := owners[above]) is not None:
                texts.setdefault(owner, []).append(mark)
    for text, marks in texts.items():
        typed = [TypedMark(sign=mark.text or "", at=n, column=n) for n, mark in enumerate(marks)]
        for fault in unpaired_faults(typed):
            name = text.get(ID) or f"<{local(text)}>"
            yield Problem(marks[fault.column], Message("in-name", name=name, message=fault.message),
                          Message("pair-nest-quotation-marks-titles"))
