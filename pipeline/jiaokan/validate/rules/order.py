"""Rules on values that go in pairs: from and to, earliest and latest, next and previous."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime

from lxml import etree

from jiaokan.errors import Message
from jiaokan.tei.tree import ID, Element, local, select_elements
from jiaokan.validate.rule import SPANNING, Problem, Subject, is_empty, is_value, pointers, rule

_DATES = (("from", "to"), ("notBefore", "notAfter"), ("from-iso", "to-iso"), ("notBefore-iso", "notAfter-iso"))
_NUMBERS = (("from", "to"), ("atLeast", "atMost"), ("min", "max"), ("ulx", "lrx"), ("uly", "lry"))
_PAIRS = (*_DATES, *_NUMBERS[1:])
_RANGES = etree.XPath(f"descendant-or-self::*[{' or '.join(f'@{first} and @{last}' for first, last in _PAIRS)}]")
_DATE = re.compile(r"(-?)(\d{4,9})(?:-(0[1-9]|1[0-2])(?:-(\d\d))?)?(?:T.*)?")

_OLDEST = 122  # years that anybody is known to have lived
_LEAF = re.compile(r"(\d+)([rv])")


@rule("range-reversed")
def _check_ranges(subject: Subject) -> Iterator[Problem]:
    for element in select_elements(_RANGES, subject.root):
        for names in _PAIRS:
            first, last = (element.get(name, "").strip() for name in names)
            if first and last and (message := _wrong_order(subject, element, names)):
                yield Problem(element, message, Message("exchange-values"), attribute=names[0])
    for person in subject.all("person"):
        born, died = (_years(person.iterfind(f"{{*}}{name}")) for name in ("birth", "death"))
        if born and died and _day(born[0], 1, 1) > _day(died[-1], 12, 31):
            message = Message("dies-before-birth", name=person.get(ID, ""), birth=born[0][0], death=died[-1][0])
            yield Problem(person, message, Message("exchange-values"))
        elif born and died and _day(died[0], 1, 1)[0] - _day(born[-1], 1, 1)[0] > _OLDEST:
            message = Message("lives-too-long", name=person.get(ID, ""), birth=born[-1][0], death=died[0][0])
            yield Problem(person, message, Message("correct-one-of-them"))
    for letter in subject.all("correspDesc"):
        sent, received = ([action for action in letter.iterfind("{*}correspAction") if action.get("type") == kind]
                          for kind in ("sent", "received"))
        left, came = _years(sent), _years(received)
        if left and came and _day(left[0], 1, 1) > _day(came[-1], 12, 31):
            message = Message("received-before-sent", sent=left[0][0], received=came[-1][0])
            yield Problem(received[0], message, Message("exchange-values"), sent[0])
    next_year = datetime.now().year + 1
    for element in () if subject.header is None or subject.is_ours else subject.header.iter("{*}date", "{*}change"):
        if (day := _DATE.fullmatch(element.get("when", "").strip())) and not day[1] and next_year < int(day[2]) < 10000:
            message = Message("date-in-future", element=local(element), when=day[0])
            yield Problem(element, message, Message("correct-it"), attribute="when")


def _years(events: Iterable[Element]) -> list[re.Match[str]]:
    """Return the dates of an event, the earliest first; none if one of them is not a date."""
    dates = [_DATE.fullmatch(node.get(name, "").strip()) for at in events for node in (at, *at.iterfind("{*}date"))
             for name in ("when", "notBefore", "notAfter", "from", "to") if node.get(name)]
    known = [date for date in dates if date is not None]
    return sorted(known, key=lambda date: _day(date, 1, 1)) if len(known) == len(dates) else []


def _wrong_order(subject: Subject, element: Element, names: tuple[str, str]) -> Message | None:
    first, last = (element.get(name, "").strip() for name in names)
    if local(element) in SPANNING and names == ("from", "to"):
        is_reversed = _points_backwards(subject, element)
    else:
        dates = _DATE.fullmatch(first), _DATE.fullmatch(last)
        leaves = _LEAF.fullmatch(first), _LEAF.fullmatch(last)
        is_reversed = dates[0] is not None and dates[1] is not None and _day(dates[0], 1, 1) > _day(dates[1], 12, 31)
        short = names == ("from", "to") and len(last) < len(first)  # 124-27 for 124-127
        if local(element) == "locus" and leaves[0] and leaves[1] and not short:
            is_reversed = _leaf(leaves[0]) > _leaf(leaves[1])
        elif names in _NUMBERS and not is_reversed and not short:
            with suppress(ValueError):
                is_reversed = float(first) > float(last)
    return Message("range-backwards", element=local(element), name=names[0], first=first, name2=names[1],
                   last=last) if is_reversed else None


def _day(date: re.Match[str], month: int, day: int) -> tuple[int, int, int]:
    year = int(date[2])
    return -year if date[1] else year, int(date[3] or month), int(date[4] or day)


def _leaf(leaf: re.Match[str]) -> tuple[int, str]:
    return int(leaf[1]), leaf[2]


def _points_backwards(subject: Subject, element: Element) -> bool:
    begin, end = (next(map(subject.target, pointers(element, name)), None) for name in ("from", "to"))
    if begin is None or end is None:
        return False
    return subject.order[end] < subject.order[begin] and end not in begin.iterancestors()


@rule("chain-broken")
def _check_chains(subject: Subject) -> Iterator[Problem]:
    for relation in subject.all("relation"):
        if both := {*pointers(relation, "active")} & {*pointers(relation, "passive")}:
            yield Problem(relation, Message("related-to-itself", id=min(both)), Message("declare-correct-pointer"),
                          attribute="passive")
    for element, name in subject.pointing:
        identifier = element.get(ID, "")
        if identifier and identifier in pointers(element, name) and not is_value(element, name):
            message = Message("points-to-itself", element=local(element), name=name)
            yield Problem(element, message, Message("declare-correct-pointer"), attribute=name)
        elif name == "next" and identifier:
            for wanted in pointers(element, name):
                target = subject.target(wanted)
                back = pointers(target, "prev") if target is not None else ()
                if target is not None and back and identifier not in back:
                    message = Message("prev-of-another", element=local(target), prev=f"#{back[0]}",
                                      next=f"#{identifier}")
                    yield Problem(target, message, Message("did-you-mean", name=f"#{identifier}"), element, "prev")


def _crossings(subject: Subject) -> Iterator[tuple[Element, Element]]:
    """Yield each entry that begins inside another and ends behind it, with the other."""
    spans: list[tuple[int, int, Element]] = []
    for app in subject.all("app"):
        ends = [subject.target(pointer) for name in ("from", "to") for pointer in pointers(app, name)]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            spans.append((subject.order[ends[0]], subject.order[ends[1]], app))
    open_: list[tuple[int, int, Element]] = []
    for start, end, app in sorted(spans, key=lambda span: (span[0], -span[1])):
        open_ = [span for span in open_ if span[1] >= start]
        shared = 0 if is_empty(subject.elements[start]) else 1  # an anchor has no words that both could be about
        crossed = next((span for span in open_ if span[0] < start < span[1] + shared and span[1] < end), None)
        if crossed:
            yield app, crossed[2]
        open_.append((start, end, app))


def _deviating_witnesses(app: Element) -> set[str]:
    return {witness for reading in app.iter("{*}rdg") for witness in pointers(reading, "wit")}


@rule("app-overlap")
def _overlap(subject: Subject) -> Iterator[Problem]:
    for app, crossed in _crossings(subject):
        if subject.is_ours or not _deviating_witnesses(app) & _deviating_witnesses(crossed):
            message = Message("entry-overlaps-another", app=app.get("from"), app2=app.get("to"))
            yield Problem(app, message, Message("end-other-split-two"), crossed)


@rule("readings-overlap")
def _check_double_readings(subject: Subject) -> Iterator[Problem]:
    for app, crossed in () if subject.is_ours else _crossings(subject):
        if both := _deviating_witnesses(app) & _deviating_witnesses(crossed):
            message = Message("readings-of-overlapping-entries", app=app.get("from"), app2=app.get("to"),
                              witness=", ".join(sorted(both)))
            yield Problem(app, message, Message("end-other-split-two"), crossed)
