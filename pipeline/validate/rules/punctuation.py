"""Rules on the editor's punctuation: one mark in each ``pc`` of his, beside words that he prints; pairs that nest."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.decisions.punctuation.notation import TypedMark, unpaired
from pipeline.model.marks import MARKS
from pipeline.tei.tree import ID, Element, local
from pipeline.validate.rule import Problem, Subject, rule

_CLOSED = ("rdg", "g", "choice", "supplied", "surplus", "pc")
"""What no mark of the editor's can stand in: what others read, and what is one sign of the source."""
_ALL = " ".join(sorted(MARKS))
_TEXTS = ("seg", "lg", "note")


def _misplaced(subject: Subject) -> Iterator[Problem]:
    for mark in subject.in_text("pc"):
        if not mark.get("resp"):
            continue
        sign = "".join(str(words) for words in mark.itertext())
        around = next((local(above) for above in mark.iterancestors() if local(above) in _CLOSED), "")
        if sign not in MARKS or len(mark):
            yield Problem(mark, f"the editor's <pc> holds “{sign}”", f"one mark stands in it: {_ALL}")
        elif around:
            yield Problem(mark, f"the editor's mark {sign} stands inside <{around}>",
                          "it stands beside words that the edition prints: before or after it")
        elif not mark.get("cert"):
            yield Problem(mark, f"the editor's mark {sign} does not say how sure it is", "add cert")


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
            yield Problem(marks[fault.column], f"in {name} {fault.message}",
                          "quotation marks and titles nest in a unit")


RULES = (
    rule("mark-misplaced", _misplaced),
    rule("marks-unpaired", _pairs),
)
