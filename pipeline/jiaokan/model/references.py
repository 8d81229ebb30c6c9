"""How a text is cited: the form of its canonical references, and the reference of everything in it that has an id.

A form is a template of steps from outside in, each with its separator: ``{chapter}.{section}`` gives 论语 1.4,
``{chapter}`` 老子 25, ``{chapter}{section}`` with chapters labelled 1A, 1B … 孟子 1A1, ``T08.251.{page}`` T08.251.848c.
It is what TEI declares as ``citeStructure`` (Guidelines 16.2.5.4). Ids are built from structure and stay what they are;
a reference is what readers see and write.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from jiaokan.model.document import Break, Division, Document, Item, Line, Paragraph, Unit
from jiaokan.model.numerals import whole
from jiaokan.model.pointers import parent_of, reference_of
from jiaokan.model.walk import items, walk

ReferenceUnit = Literal["chapter", "section", "unit", "page", "column", "line"]
DEFAULT_FORM = "{chapter}.{section}.{unit}"
"""The form of a text without a declared one: that of its ids."""
_PRINTED = ("page", "column", "line")
STATED = "@"
"""Before the name of a level that somebody else's file declares: ``{@book}.{@poem}.{@line}``. Its values are the labels
of divisions and the numbers of paragraphs, passages and lines, from outside in."""


class ReferenceStep(NamedTuple):
    """One step of a form; `before` is what separates it from the step before (``.``), or precedes the reference."""

    before: str
    unit: str
    """A `ReferenceUnit`, or `STATED` and the name of a level that the file declares."""


def steps(form: str) -> tuple[ReferenceStep, ...]:
    """Return the steps of a form; raises ValueError, with the fault, if it is invalid."""
    pieces = re.split(r"\{([^{}]*)\}", form)
    pairs, tail = list(zip(pieces[::2], pieces[1::2], strict=False)), pieces[-1]
    if not pairs:
        raise ValueError('it names no step: write for example "{chapter}.{section}"')
    if tail:
        raise ValueError(f"{tail!r} after the last step")
    known = get_args(ReferenceUnit)
    stated = all(unit[:1] == STATED and unit[1:] for _, unit in pairs)
    for before, unit in pairs:
        if unit not in known and not stated:
            raise ValueError(f"{{{unit}}} is not a step; known: {', '.join(f'{{{name}}}' for name in known)}")
        if not re.fullmatch(r"[^{}]*" if stated else r"[^\s{}]*", before):
            raise ValueError(f"{before!r} before {{{unit}}} holds white space or a brace")
    if stated:
        return tuple(itertools.starmap(ReferenceStep, pairs))
    order = [known.index(unit) for _, unit in pairs]
    if order != sorted(set(order)):
        raise ValueError(f"steps go from outside in, each once: {', '.join(known)}")
    if {unit for _, unit in pairs} & {*_PRINTED} and {unit for _, unit in pairs} - {*_PRINTED}:
        raise ValueError("a reference counts either chapters or pages, not both")
    return tuple(itertools.starmap(ReferenceStep, pairs))


def form_of(form_steps: Sequence[ReferenceStep]) -> str:
    """Return the form that has these steps."""
    return "".join(f"{step.before}{{{step.unit}}}" for step in form_steps)


def is_printed(form: str) -> bool:
    """Whether a form cites by pages of a printed edition."""
    return any(step.unit in _PRINTED for step in steps(form or DEFAULT_FORM))


class References:
    """The references of one text, by id."""

    def __init__(self, document: Document) -> None:
        self.name = document.id
        self._document = document

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The reference, without the text's name, of each id; empty if references are the ids."""
        document = self._document
        divisions = items(document.divisions, into=lambda item: not isinstance(item, Unit))
        if not document.reference and not any(
                getattr(item, "label", "") or (isinstance(item, Unit) and item.n) for item in divisions):
            return {}
        form = steps(document.reference or DEFAULT_FORM)
        if form[0].unit.startswith(STATED):
            return _by_level(document, form)
        return _by_page(document, form) if form[0].unit in _PRINTED else _by_chapter(document, form)

    def of(self, identifier: str) -> str:
        """Return the canonical reference of an id, ``lunyu:1.4``; an unknown id is converted by its steps."""
        label = self.labels.get(identifier)
        return f"{self.name}:{label}" if label else reference_of(identifier)

    def ids(self, label: str) -> tuple[str, ...]:
        """Return the outermost ids with a reference (without the text's name), in the order of the text."""
        identifiers = [identifier for identifier, own_label in self.labels.items() if own_label == label]
        return tuple(identifier for identifier in identifiers
                     if not any(identifier.startswith(f"{other}.") for other in identifiers))

    def lines(self, label: str) -> dict[str, tuple[Line, ...]]:
        """Return the lines of verse with a reference (without the text's name), by the id of their unit."""
        form = steps(self._document.reference or DEFAULT_FORM)
        units = (item for item in walk(self._document) if isinstance(item, Unit) and item.verse)
        named: dict[str, tuple[Line, ...]] = {}
        for unit in units:
            numbered = [item for item in unit.content if isinstance(item, Line) and item.n]
            first, reference = numbered[0].n if numbered else "", self.labels.get(unit.id, "")
            if not first or not reference.endswith(first) or form[-1].unit in ("chapter", "section", *_PRINTED):
                continue
            above = reference[: len(reference) - len(first)]
            if lines := tuple(line for line in numbered if f"{above}{line.n}" == label):
                named[unit.id] = lines
        return named

    def as_xml(self) -> str:
        """Return ``references/reference[@of]`` for stylesheets: the reference of each id. Empty if the ids say it."""
        from xml.sax.saxutils import escape, quoteattr  # imports urllib, which takes a twentieth of a short command

        rows = "".join(f"<reference of={quoteattr(identifier)}>{escape(label)}</reference>"
                       for identifier, label in self.labels.items())
        return f'<references xmlns="urn:jiaokan:prepared">{rows}</references>' if rows else ""


def _by_chapter(document: Document, form: Sequence[ReferenceStep]) -> dict[str, str]:
    """Return the references of a text that is cited by its own divisions; front matter keeps those of its ids.

    A unit without a number of its own in the form takes its section's; a note, an entry or a head that of its owner and
    the rest of its id (``1.4.2.n1``).
    """
    references: dict[str, str] = {}
    numbered: dict[str, str] = {}
    by_unit = form[-1].unit == "unit"
    stated = stated_numbers(document)

    def division(item: Division, known: Mapping[str, str]) -> None:
        references[item.id] = numbered[item.id] = _label(form, known)
        for inner in item.items:
            if isinstance(inner, Division):
                step = inner.label or inner.id.rpartition(".")[2]
                path = ".".join(filter(None, [known.get("section", ""), step]))
                division(inner, {**known, "section": path})
            else:
                for part in items([inner]):
                    inline(part, known)

    def inline(item: Item, known: Mapping[str, str]) -> None:
        identifier = getattr(item, "id", "")
        if isinstance(item, Unit) and by_unit:
            numbers = {"section": "0", **known}
            if number := stated.get(identifier, "") if stated else identifier.rpartition(".")[2]:
                numbers["unit"] = number
            references[identifier] = numbered[identifier] = _label(form, numbers)
        elif isinstance(item, Unit):
            references[identifier] = _label(form, known)
        elif inherited := _inherit(identifier, numbered):
            references[identifier] = inherited

    for outer in walk(document):
        if isinstance(outer, Division) and outer.kind == "pian" and outer.id not in references:
            division(outer, {"chapter": outer.label or outer.n})
    return references


def _by_level(document: Document, form: Sequence[ReferenceStep]) -> dict[str, str]:
    """Return the references of a text whose levels its file declares. What has no number has that of what is around it;
    what has none there either keeps its id."""
    references: dict[str, str] = {}

    def label(path: Sequence[str]) -> str:
        return "".join(f"{step.before}{value}" for step, value in zip(form, path, strict=False))

    def division(item: Division, path: tuple[str, ...]) -> None:
        path = (*path, item.label) if item.label else path
        if path:
            references[item.id] = label(path)
        for inner in item.items:
            if isinstance(inner, Division):
                division(inner, path)
            else:
                block(inner, (*path, inner.n) if isinstance(inner, Paragraph) and inner.n else path)

    def block(outer: Item, path: tuple[str, ...]) -> None:
        for item in items([outer]):
            identifier = getattr(item, "id", "")
            if isinstance(item, Unit):
                numbers = filter(None, (item.n, _first_number(item)))
                if full := label((*path, *numbers)):
                    references[identifier] = full
            elif inherited := _inherit(identifier, references):
                references[identifier] = inherited

    for outer in document.divisions:
        division(outer, ())
    return references


def _inherit(identifier: str, references: Mapping[str, str]) -> str:
    """Return the reference of the nearest id above an id, and the rest of the id; empty if none above has one."""
    owner = parent_of(identifier)
    while owner and owner not in references:
        owner = parent_of(owner)
    above = references.get(owner, "")
    return f"{above}{identifier.removeprefix(owner)}" if above else ""


def stated_numbers(document: Document) -> dict[str, str]:
    """Return the numbers that a source itself gives its units, by id: their own, that of a paragraph, or of the first
    line of verse. A unit without one, such as a stage direction, is cited by its section."""
    numbers: dict[str, str] = {}
    for paragraph in walk(document):
        if isinstance(paragraph, Paragraph):
            for unit in paragraph.content:
                if isinstance(unit, Unit) and (number := unit.n or paragraph.n or _first_number(unit)):
                    numbers[unit.id] = number
    return numbers


def _first_number(unit: Unit) -> str:
    return next((item.n for item in unit.content if isinstance(item, Line)), "") if unit.verse else ""


def _label(form: Sequence[ReferenceStep], known: Mapping[str, str]) -> str:
    label = ""
    for step in form:
        if step.unit not in known:
            break
        label += step.before + known[step.unit]
    return label


def _by_page(document: Document, form: Sequence[ReferenceStep]) -> dict[str, str]:
    references: dict[str, str] = {}
    known: dict[str, str] = {}
    printed = printed_editions(item for item in walk(document) if isinstance(item, Break))
    seen: set[int] = set()
    waiting: list[str] = []
    for item in walk(document):
        for first in (item,) if isinstance(item, Break) else getattr(item, "content", ()):
            if not isinstance(first, Break):
                break
            if first.edition == printed[first.unit]:
                _begins(first, known, seen)
        identifier = getattr(item, "id", "")
        waiting += [identifier] if identifier else []
        if identifier and not isinstance(item, Division):  # a division begins with the first thing in it
            label = _label(form, known)
            references |= dict.fromkeys(waiting, label) if label else {}
            waiting.clear()
    return references


def printed_editions(breaks: Iterable[Break]) -> dict[str, str]:
    """Return for each unit of breaks the edition (``@ed``) whose pages, columns or lines a text is printed in: that of
    breaks that name none, or of most pages. Through-line numbers and pages of other editions are counted apart."""
    editions: dict[str, Counter[str]] = {}
    for item in breaks:
        editions.setdefault(item.unit, Counter())[item.edition] += 1
    printed: dict[str, str] = {}
    for unit in sorted(editions, key=_PRINTED.index):
        own = [edition for edition in (printed.get("page", ""), "") if edition in editions[unit]]
        printed[unit] = own[0] if own else editions[unit].most_common(1)[0][0]
    return printed


def _begins(item: Break, known: dict[str, str], seen: set[int]) -> None:
    """Record the beginning of a page, column or line, once; a page ends its columns and lines, a column its lines.

    Of a number that repeats its page's (CBETA's line 0848c07 of 0848c) the rest counts, without leading zeros. A line
    without a number is counted.
    """
    if id(item) in seen or item.rend:
        return
    seen.add(id(item))
    page = known.get("page*", "")
    for inner in _PRINTED[_PRINTED.index(item.unit) + 1 :]:
        known.pop(inner, None)
    number = item.n.removeprefix(page) if item.unit != "page" else item.n
    before = known.get(item.unit, "0")
    known[item.unit] = number.lstrip("0") or (str(whole(before) + 1) if whole(before, -1) >= 0 else before)
    if item.unit == "page":
        known["page*"] = item.n
        known["line"] = "1"
