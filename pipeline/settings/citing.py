"""The forms in which works and editions are cited, held against what they have (`pipeline.model.references`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from pipeline.errors import CatalogError, Place
from pipeline.model.references import DEFAULT_FORM, steps
from pipeline.settings.plans import EditionPlan


class CitedChapter(Protocol):
    """What is asked of a chapter."""

    @property
    def n(self) -> int:
        """Its number."""

    @property
    def label(self) -> str:
        """What references call it."""


class CitedWork(Protocol):
    """What is asked of a work."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def reference(self) -> str:
        """The form of its references."""

    @property
    def chapters(self) -> Sequence[CitedChapter]:
        """Its chapters."""


def faults_of_citing(
    root: Path, works: Iterable[CitedWork], editions: Iterable[EditionPlan]
) -> Iterator[CatalogError]:
    """Give an error for each form of references that is none, does not fit its text, or calls two chapters the same."""
    path = root / "tei" / "catalog.toml"
    place = Place(str(path))
    for work in works:
        yield from _form(work.reference, f"work {work.id!r}", _declared(path, work.reference))
        yield from _labels(work, place)
    for plan in editions:
        yield from _of_plan(plan, _declared(root / "tei" / "editions" / f"{plan.id}.toml", plan.reference))


def _declared(path: Path, form: str) -> Place:
    """Give where a file declares a form of references."""
    lines = path.read_text(encoding="utf-8-sig").split("\n") if form and path.exists() else []
    number = next((n for n, line in enumerate(lines, 1) if re.match(r"\s*reference\s*=", line) and form in line), 0)
    return Place(str(path), number) if number else Place(str(path))


def _form(form: str, what: str, place: Place) -> Iterator[CatalogError]:
    try:
        steps(form or DEFAULT_FORM)
    except ValueError as error:
        yield CatalogError(f"{what}: reference = {form!r}: {error}", place=place,
                           mend='for example reference = "{chapter}.{section}"')


def _labels(work: CitedWork, place: Place) -> Iterator[CatalogError]:
    called: dict[str, int] = {}
    for chapter in work.chapters:
        label = chapter.label or str(chapter.n)
        if not re.fullmatch(r"[^\s:]+", label):
            yield CatalogError(f"work {work.id!r}: label {label!r} of chapter {chapter.n} holds white space or a colon",
                               place=place, mend="labels stand in references: write 1A")
        if label in called:
            yield CatalogError(f"work {work.id!r}: references call chapters {called[label]} and {chapter.n} both "
                               f"{label!r}", place=place, mend="give one of them another label")
        called[label] = chapter.n


def _of_plan(plan: EditionPlan, place: Place) -> Iterator[CatalogError]:
    yield from _form(plan.reference, f"edition {plan.id!r}", place)
    if plan.kind == "reading" and plan.reference:
        yield CatalogError(f"edition {plan.id!r} shows one source and is cited as that is", place=place,
                           mend="declare `reference` on the work in catalog.toml")
