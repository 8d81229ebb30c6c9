"""Reported readings and conjectures inserted into the entries of a chapter, or as entries of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.collate.content import Place, Unfit, cut, inside, joined, variants, words
from pipeline.collate.identifiers import number_reports
from pipeline.collate.reported.extract import ReportedReading, reports
from pipeline.model import App, Content, Division, Note, NoteGroup, Reading, Unit
from pipeline.model.rewrite import Rewriting
from pipeline.model.text import attested
from pipeline.settings.lists import NONE, Lists


def with_reports(chapter: Division, lists: Lists = NONE) -> Division:
    """Return a chapter of an edition with the readings that its notes report and conjecture; `lists` as for `reports`.
    """
    by_text: dict[str, list[ReportedReading]] = {}
    for report in reports(chapter, lists):
        by_text.setdefault(report.place.id, []).append(report)
    return _Inserting(by_text).division(chapter) if by_text else chapter


class _Inserting(Rewriting):
    """One pass over a chapter that inserts reports in their places."""

    def __init__(self, by_text: dict[str, list[ReportedReading]]) -> None:
        self.by_text = by_text

    def item(self, item: Any) -> Any:
        """Insert the reports on a unit or note as entries."""
        made = super().item(item)
        if not isinstance(made, (Unit, Note)):
            return made
        content = made.content
        for report in self.by_text.get(made.id, ()):
            content = _insert(content, report, made.sources)
        return made if content is item.content else replace(made, content=number_reports(content, made.id))

    def app(self, app: App) -> App:
        """Insert the reports on an addition as entries in its reading."""
        made = super().app(app)
        if made.id not in self.by_text:
            return made
        readings = list(made.readings)
        number = next(n for n, each in enumerate(readings) if each.content)
        for report in self.by_text[made.id]:
            own = readings[number]
            readings[number] = replace(own, content=_insert(own.content, report, own.witnesses))
        return replace(made, readings=tuple(readings))


def _insert(content: Content, report: ReportedReading, witnesses: Sequence[str]) -> Content:
    """Insert a report into its entry, or as one; if others divide its words, it stays in its note only."""
    where = report.place.offset, report.place.offset + report.place.length

    def change(content: Content, place: Place, witnesses: Sequence[str]) -> Content:
        for number, app, (start, end) in variants(content):
            if start <= place[0] < place[1] <= end if start < end else place == (start, end):
                made = _with_report(app, report, (place[0] - start, place[1] - start))
                return (*content[:number], made, *content[number + 1 :])
        before, between, after = cut(content, *place)
        if any(isinstance(item, (Note, NoteGroup)) for item in between) or not witnesses:
            raise Unfit("a note stands between the words")
        reading = report.reading((report.words,) if report.words else (), between)
        if not reading.variant:
            return joined((*before, *_with_agreement(between, reading), *after))
        lemma = Reading(witnesses=tuple(witnesses), content=between)
        return joined((*before, App(lemma=lemma, readings=(reading,)), *after))

    try:
        return inside(content, where, witnesses, change)
    except Unfit:
        return content


def _with_report(app: App, report: ReportedReading, place: Place) -> App:
    """Return an entry with a reported reading; the witness of one that agrees with the lemma joins the lemma's."""
    text = attested(app.lemma.content)
    whole = text[: place[0]] + report.words + text[place[1] :]
    reading = report.reading((whole,) if whole else (), app.lemma.content)
    named = {name for each in (app.lemma, *app.readings) for name in each.witnesses}
    for number, each in enumerate(app.readings):
        if (each.witnesses, each.resp) == (reading.witnesses, reading.resp) and words(each.content) == whole:
            sources = sorted(dict.fromkeys([*each.source.split(), f"#{report.note}"]), key=lambda word: word[0] != "#")
            joined_reading = replace(each, source=" ".join(sources))
            return replace(app, readings=(*app.readings[:number], joined_reading, *app.readings[number + 1 :]))
    if named & {*reading.witnesses}:
        return app
    if reading.variant:
        return replace(app, readings=(*app.readings, reading))
    return _with_lemma(app, reading)


def _with_lemma(app: App, reading: Reading) -> App:
    """Return an entry with a reported witness beside those of its lemma, if this has no entries inside."""
    if not reading.witnesses or any(isinstance(item, App) for item in app.lemma.content):
        return app
    return replace(app, lemma=replace(app.lemma, witnesses=(*app.lemma.witnesses, *reading.witnesses)))


def _with_agreement(content: Content, reading: Reading) -> Content:
    entries = [n for n, item in enumerate(content) if isinstance(item, App) and item.kind == "variant"]
    app = content[entries[0]] if len(entries) == 1 else None
    if not isinstance(app, App) or any({*each.witnesses} & {*reading.witnesses} for each in (app.lemma, *app.readings)):
        return content
    return (*content[: entries[0]], _with_lemma(app, reading), *content[entries[0] + 1 :])
