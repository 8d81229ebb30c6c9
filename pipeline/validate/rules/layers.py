"""Rules on units of base text, on notes and on the editor's punctuation."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.decisions.punctuation.notation import TypedMark, unpaired
from pipeline.errors import Message
from pipeline.model.marks import MARKS
from pipeline.tei.parse import TYPED, misplaced_in, misplaced_unit, shape_of
from pipeline.tei.tree import ID, Element, local, mixed
from pipeline.validate.rule import Problem, Spot, Subject, pointers, rule


@rule("words-outside")
def _outside(subject: Subject) -> Iterator[Problem]:
    for paragraph in subject.in_text("ab"):
        before: Element | None = None
        for node in mixed(paragraph, ""):
            if not isinstance(node, str):
                before = node
            elif words := node.strip():
                yield Problem(
                    paragraph, Message("base text outside any unit: “{}”", words[:12]),
                    Message('put it into <seg type="jing">'), spot=Spot(before, node.index(words)),
                )


@rule("unit-stray")
def _astray(subject: Subject) -> Iterator[Problem]:
    for unit in subject.in_text("seg", "lg"):
        if unit.get("type") == "jing" and (above := misplaced_in(unit)) is not None:
            yield Problem(unit, *misplaced_unit(above))


@rule("attribute-stray")
def _stray(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text(*TYPED):
        shape = shape_of(element)
        for key in TYPED[local(element)].intersection(element.keys()) if shape else ():
            if shape and key not in shape.known:
                shown = local(element) + "".join(f' {name}="{value}"' for name, value in shape.fixed.items())
                yield Problem(element, Message("<{}> cannot have the attribute {}", shown, key), Message("remove it"))


@rule("mark-missing")
def _unmarked(subject: Subject) -> Iterator[Problem]:
    marked: set[str] = set()
    for element, kind in zip(subject.elements, subject.names, strict=True):
        if kind == "milestone":
            marked.add(element.get("ed", ""))
        elif kind in ("seg", "lg", "note") and element.get("source") and element.get("type") != "textcrit":
            inside = {each.get("ed", "") for each in element.iterfind(".//{*}milestone")}
            known = inside if kind == "note" else inside | marked
            for witness in pointers(element, "source"):
                if witness in subject.witnesses and witness not in known and _has_words(element, witness):
                    name = element.get(ID, kind)
                    message = Message('{} has words of "#{}", but no milestone says to which of its units they belong',
                                      name, witness)
                    mend = Message('expected before them: <milestone unit="unit" ed="{}" n="…"/>', witness)
                    yield Problem(element, message, mend)


def _has_words(element: Element, witness: str) -> bool:
    """Whether a witness has any words of an element, in its text or in the witness's readings; notes do not count."""
    around = [each for each in (element, *element.iterancestors()) if local(each) in ("lem", "rdg")]
    return all(witness in pointers(each, "wit") for each in around) and any(
        bool(each.strip()) if isinstance(each, str) else local(each) in ("gap", "g") or (
            local(each) != "note" and _has_words(each, witness))
        for each in mixed(element, "")
    )


@rule("note-target")
def _target(subject: Subject) -> Iterator[Problem]:
    for note in subject.in_text("note"):
        if note.get("type") == "commentary" and not note.get("target"):
            words = "".join(str(word) for word in note.itertext())[:12]
            yield Problem(note, Message("the note “{}” has no target", words),
                          Message("add @target: the text that it is about"))


@rule("note-elsewhere")
def _elsewhere(subject: Subject) -> Iterator[Problem]:
    order = {element: n for n, element in enumerate(subject.elements)}
    for note in subject.in_text("note"):
        start = _in_text(subject, note, "target")
        if start is None:
            continue
        name, target = note.get(ID) or Message("a note"), note.get("target")
        end = _in_text(subject, note, "targetEnd")
        last = start if end is None else end
        if note in (start, *start.iterancestors()):
            yield Problem(note, Message("{} points to itself: {}", name, target),
                          Message("point to the text that it is about"), start, "target")
        elif _chapter(start) is not _chapter(note):
            yield Problem(note, Message("{} points to text of another chapter: {}", name, target),
                          Message("point to text of its own chapter, or move the note there"), start, "target")
        elif order[last] < order[start]:
            yield Problem(note, Message("{} ends before it begins: from {} to {}", name, target, note.get("targetEnd")),
                          Message("expected: @targetEnd behind @target"), last, "targetEnd")
        else:
            around, division = (next(each.iterancestors("{*}div"), None) for each in (last, note))
            together = last in note.iterancestors() if local(last) == "div" else around is division
            by = "target" if end is None else "targetEnd"
            if order[last] > order[note] or not together:
                yield Problem(note, Message("{} is not behind the text that it is about: {}", name, note.get(by)),
                              Message("move the note behind its text, into the same division"), last, by)


def _in_text(subject: Subject, note: Element, name: str) -> Element | None:
    found = next((each for each in map(subject.target, pointers(note, name)) if each is not None), None)
    return None if found is None or _chapter(found) is None else found


def _chapter(element: Element) -> Element | None:
    divisions = [each for each in (element, *element.iterancestors()) if local(each) == "div"]
    return divisions[-1] if divisions else None


@rule("trailer-missing")
def _trailer(subject: Subject) -> Iterator[Problem]:
    for parent in dict.fromkeys(each.getparent() for each in subject.in_text("div")):
        sections = [] if parent is None else [each for each in parent if each.get("type") == "section"]
        closed = [each for each in sections if any(local(child) == "trailer" for child in each)]
        for section in sections[:-1] if closed else ():
            if section not in closed:
                name = section.get(ID) or section.get("n")
                yield Problem(section, Message("section {} has no trailer, but others beside it have", name),
                              Message("add its 右… line, or join it to the next section"), closed[0])


@rule("judgement-bare")
def _bare(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("corr", "supplied"):
        around = element.getparent() if local(element) == "corr" else element
        if around is not None and around.get("rend"):  # the source's own correction
            continue
        lacking = [f"@{name}" for name in ("resp", "cert") if not element.get(name)]
        if lacking:
            words = "".join(str(word) for word in element.itertext())[:12]
            yield Problem(element, Message("<{}> “{}” lacks {}", local(element), words, ", ".join(lacking)),
                          Message("add who decided it (@resp) and how surely (@cert)"))


_CLOSED = ("rdg", "g", "choice", "supplied", "surplus", "pc")
"""Elements in which an editor's mark is not allowed: readings, and single signs of the source."""
_ALL = " ".join(sorted(MARKS))
_TEXTS = ("seg", "lg", "note")


@rule("mark-misplaced")
def _misplaced(subject: Subject) -> Iterator[Problem]:
    for mark in subject.in_text("pc"):
        if not mark.get("resp"):
            continue
        sign = "".join(str(words) for words in mark.itertext())
        around = next((local(above) for above in mark.iterancestors() if local(above) in _CLOSED), "")
        if sign not in MARKS or len(mark):
            yield Problem(mark, Message("the editor's <pc> contains “{}”", sign), Message("expected one of: {}", _ALL))
        elif around:
            yield Problem(mark, Message("the editor's mark {} is inside <{}>", sign, around),
                          Message("move it before or after the words that the edition prints"))
        elif not mark.get("cert"):
            yield Problem(mark, Message("the editor's mark {} lacks @cert", sign), Message("add @cert: how sure it is"))


@rule("marks-unpaired")
def _pairs(subject: Subject) -> Iterator[Problem]:
    texts: dict[Element, list[Element]] = {}
    for mark in subject.in_text("pc"):
        if mark.get("resp"):
            own = next((above for above in mark.iterancestors()
                        if local(above) in _TEXTS and (local(above) != "seg" or above.get("type") == "jing")), None)
            if own is not None:
                texts.setdefault(own, []).append(mark)
    for text, marks in texts.items():
        typed = [TypedMark(sign=mark.text or "", at=n, column=n) for n, mark in enumerate(marks)]
        for fault in unpaired(typed):
            name = text.get(ID) or f"<{local(text)}>"
            yield Problem(marks[fault.column], Message("in {}: {}", name, fault.message),
                          Message("pair and nest quotation marks and titles within one unit or note"))
