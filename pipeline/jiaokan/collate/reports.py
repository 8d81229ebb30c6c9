"""Readings that commentaries report of other texts, and conjectures that they make.

今文曰洗象觚 becomes a reading of 今文 with a pointer to the note, 觚当作觯 a conjecture of the speaker: in the entry
of these words, or in one of its own. The words may be a unit inside an addition, which only some witnesses have.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from msgspec.structs import replace

from jiaokan.annotate.remarks.parse import Remark, Where, further_remarks, read, remarks_in
from jiaokan.characters.equality import norm
from jiaokan.collate.apparatus.classify import compare_content
from jiaokan.collate.content import Additions, Place, Unfit, cut, inside, variants, words
from jiaokan.collate.identifiers import number_reports
from jiaokan.errors import Message
from jiaokan.model import App, Content, Division, Head, Item, Note, NoteGroup, Reading, Space, Span, Trailer, Unit
from jiaokan.model.pointers import Range, id_of, parent_of, range_of
from jiaokan.model.text import attested, counted
from jiaokan.model.walk import Rewriting, items, join_strings
from jiaokan.model.words import PUNCTUATION, starts
from jiaokan.settings.lists import NONE, Lists

CHANGES = frozenset({"substitution", "omission", "addition", "displacement"})
"""Changes of remarks that report a difference in words."""
OLD = frozenset({"jinwen", "guwen"})  # the old texts, whose readings commentators adopt
_TEXTS = (Unit, Note, Head, Trailer)


@dataclass(frozen=True, slots=True)
class ReportedReading:
    """A reading that a note reports, and where."""

    place: Range
    words: str
    tradition: str  # the reported witness, or the person who conjectures
    note: str
    known: bool
    doubtful: bool = False  # whether the person says himself that he is not sure
    elsewhere: bool = False  # whether the tradition has the words of the place, but in another one

    @property
    def pointer(self) -> str:
        """A pointer to the note: in the edition, or ``w:``, in a book."""
        return self.note if self.note.startswith("w:") else f"#{self.note}"

    def reading(self, content: Content, lemma: Content) -> Reading:
        """Return it as a reading with this content, judged against the lemma."""
        judged = compare_content(lemma, content)
        witness, person = (self.tradition, "") if self.known else ("", self.tradition)
        variant = "transposition" if self.elsewhere and not content else judged.variant
        return Reading(witnesses=(witness,) if witness else (), resp=person, content=content, variant=variant,
                       source=" ".join(filter(None, (self.pointer, judged.source))),
                       cert="low" if person and self.doubtful else "")


def reports(chapter: Division, lists: Lists = NONE) -> list[ReportedReading]:
    """Return the reports of a chapter's notes that say which words are in place of which. A remark that repeats what
    another note says of the same unit (当从今文) is about the same words. `lists` are those of the edition folder."""
    every = [item for item in items(chapter.items) if isinstance(item, _TEXTS) and item.id]
    remarks = [(note, span) for note in every if isinstance(note, Note) for span in _remark_spans(note.content)]
    if not remarks:
        return []
    texts = {item.id: counted(item.content) for item in every}
    additions = Additions(item for item in every if isinstance(item, Unit))
    speakers = {note.id: note.resp for note, _ in remarks}
    collection = _Reports({**texts, **additions.texts}, lists.reported_traditions(), speakers)
    parsed = [(note, span, remark) for note, span in remarks
              for remark in _parse_remark(span, note, texts, additions, lists)]
    of_all: list[tuple[Remark, list[ReportedReading]]] = []
    for note, span, remark in parsed:
        before = len(collection.reports)
        collection.add(note, remark)
        # about all places (今文媵皆作腾), not about all of several words named before 皆
        general = rf"(?:[今古]文|\w{{0,3}}本)?(?:{re.escape(remark.on)})?皆[曰云作当为]"
        if remark.on and re.match(general, counted(span.content)):
            of_all.append((remark, collection.reports[before:]))
    units = [item.id for item in every if isinstance(item, Unit)]
    for remark, reports_ in of_all:
        collection.add_elsewhere(remark, reports_, units)
    for note, _, remark in parsed:
        collection.add_dependent(note, remark)
    order = {item.id: number for number, item in enumerate(every)}
    return sorted(dict.fromkeys(collection.reports), key=lambda report: (collection.agrees(report), order[report.note]))


def _parse_remark(
    span: Span, note: Note, texts: Mapping[str, str], additions: Additions, lists: Lists
) -> Iterator[Remark]:
    """Yield all reports of a remark; on words that only some witnesses add, if its note is on these."""
    text = texts.get(id_of(span.target), "")
    before, _, after = texts[note.id].partition(counted(span.content))
    place = additions.of_note(note) if not range_of(span.target) else None
    if place is None:
        yield read(span, text, lead=before, after=after, lists=lists)
        yield from further_remarks(span, text, lists)
        return
    for remark in remarks_in(span, Where(place.app, place.text, lead=before), lists):
        words = range_of(remark.target)
        inside = dataclasses.replace(words, offset=words.offset + place.start) if words else None
        yield dataclasses.replace(remark, target=str(inside)) if inside else remark


@dataclass
class _Reports:
    texts: Mapping[str, str]
    traditions: Mapping[str, str]  # the witnesses known by report, by id
    speakers: Mapping[str, str]
    reports: list[ReportedReading] = field(default_factory=list)
    located: list[tuple[str, str, ReportedReading]] = field(default_factory=list)
    """Unit, words reported there, and report, of each that names its own place."""

    def agrees(self, report: ReportedReading) -> bool:
        """Whether a report is of what the text has: it joins an entry that another makes, so it comes last."""
        return report.words == _words_at(report.place, self.texts[report.place.id])

    def _report_again(self, report: ReportedReading, tradition: str) -> None:
        self.reports.append(dataclasses.replace(report, tradition=tradition, known=tradition in self.traditions))

    def add(self, note: Note, remark: Remark) -> None:
        """Add the report of a remark that names its own place."""
        place = range_of(remark.target)
        if remark.change == "again":
            last = next((report for report in reversed(self.reports) if report.note == note.id), None)
            if last and remark.tradition:
                self._report_again(last, remark.tradition)
        if not place or place.id not in self.texts or not remark.tradition:
            return
        text, known = self.texts[place.id], remark.tradition in self.traditions
        if remark.change == "agreement":
            self.reports.append(ReportedReading(place, _words_at(place, text), remark.tradition, note.id, known=known))
        elif remark.change in CHANGES and (difference := _difference(remark, place, text)):
            report = ReportedReading(*difference, remark.tradition, note.id, known=known, doubtful=remark.doubtful,
                                     elsewhere=remark.change == "displacement")
            self.reports.append(report)
            self.located.append((place.id, remark.reported, report))
            if self.agrees(report) and remark.on != report.words:
                self.located.append((place.id, remark.on, dataclasses.replace(report, words=remark.on)))

    def add_elsewhere(self, remark: Remark, reports: Sequence[ReportedReading], units: Sequence[str]) -> None:
        """Add a report of all places also for the others: in the note that it is about, and in the following units of
        the chapter (`units`), unless the same speaker says something else of them (段玉裁《周礼汉读考》序)."""
        for report in reports:
            here, text = report.place, self.texts[report.place.id]
            whole = range_of(remark.target) or here
            if not (whole.id == here.id and whole.offset <= here.offset <= whole.offset + whole.length):
                whole = here
            phrase = _words_at(whole, text)
            places: list[tuple[str, int]] = []
            if phrase and here.id not in units:
                inside = parent_of(report.note) == here.id  # a note in a note is on what precedes it
                places = [(here.id, at) for at in starts(text[: whole.offset] if inside else text, phrase)]
            elif phrase and report.known:
                later = units[units.index(here.id) :]
                places = [(name, at) for name in later for at in starts(self.texts[name], phrase)
                          if name != here.id or at > whole.offset]
            for name, at in places:
                place, note_id = Range(name, at + here.offset - whole.offset, here.length), report.note
                rivals = (other for other in self.reports if other.place == place and other.note != note_id)
                if not any(self.speakers[other.note] == self.speakers[note_id] for other in rivals):
                    self.reports.append(dataclasses.replace(report, place=place))

    def add_dependent(self, note: Note, remark: Remark) -> None:
        """Add the report of a remark on words whose place another remark names; if several do, nothing."""
        if not remark.tradition or range_of(remark.target):
            return
        unit = id_of(remark.target)
        if remark.change == "adoption":
            like = [report for on, _, report in self.located if on == unit and report.tradition in OLD]
        elif remark.change == "omission" and remark.on:
            like = [dataclasses.replace(report, words="") for on, words, report in self.located
                    if on == unit and words == remark.on and not report.place.length]
        elif remark.change == "substitution" and remark.reported:
            like = [report for on, words, report in self.located if on == unit and words == remark.reported]
        else:
            return
        if len({(report.place, report.words) for report in like}) == 1:
            again = dataclasses.replace(like[0], note=note.id, doubtful=remark.doubtful)
            self._report_again(again, remark.tradition)


def _remark_spans(content: Content) -> Iterator[Span]:
    """Yield the remarks in a note, not those of notes in it; one divided by a difference of punctuation is joined."""
    last: Span | None = None
    for item in content:
        if isinstance(item, Span) and item.role == "textcrit":
            if last and (last.subtype, last.target, last.ref) == (item.subtype, item.target, item.ref):
                last = replace(last, content=(*last.content, *item.content))
                continue
            if last:
                yield last
            last = item
            continue
        if last and (isinstance(item, (str, Space)) or (isinstance(item, App) and item.kind != "accidental")):
            yield last
            last = None
        inside: tuple[Reading | Span, ...] = ()
        if isinstance(item, App):
            inside = (item.lemma, *item.readings)
        elif isinstance(item, Span):
            inside = (item,)
        for part in inside:
            yield from _remark_spans(part.content)
    if last:
        yield last


def _words_at(place: Range, text: str) -> str:
    return text[place.offset : place.offset + place.length]


def _difference(remark: Remark, place: Range, text: str) -> tuple[Range, str] | None:
    """Return the fewest words that show the reported difference, their place first; None if the remark has none."""
    on = _words_at(place, text)
    reported = "".join(char for char in remark.reported if char not in PUNCTUATION)
    if remark.change in ("omission", "displacement"):
        return (place, "") if on else None
    if not reported or any(char in PUNCTUATION for char in on):
        return None
    if remark.change == "addition":
        there = Range(place.id, place.offset, len(reported))
        if norm(_words_at(there, text)) == norm(reported):  # the text has the addition
            place, on = there, _words_at(there, text)
    head = _common_prefix(on, reported)
    tail = _common_prefix(on[head:][::-1], reported[head:][::-1])
    if head + tail == len(on) == len(reported):
        return place, reported
    if tail and len(on) != len(reported) and min(len(on), len(reported)) > head + tail:
        tail -= 1  # 使一人 for 主人: the graph with which two unlike phrases end belongs to a word of each
    return Range(place.id, place.offset + head, len(on) - head - tail), reported[head : len(reported) - tail]


def _common_prefix(first: str, second: str) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((n for n, (x, y) in pairs if norm(x) != norm(y)), min(len(first), len(second)))


def with_reports(chapter: Division, lists: Lists = NONE, more: Sequence[ReportedReading] = ()) -> Division:
    """Return a chapter with the readings that its notes report and conjecture, and `more`; `lists` as for `reports`."""
    by_text: dict[str, list[ReportedReading]] = {}
    for report in (*reports(chapter, lists), *more):
        by_text.setdefault(report.place.id, []).append(report)
    return _Inserting(by_text).division(chapter) if by_text else chapter


class _Inserting(Rewriting):
    def __init__(self, by_text: dict[str, list[ReportedReading]]) -> None:
        self.by_text = by_text
        self.around = {text for name in by_text for text in accumulate(name.split("."), "{}.{}".format)}
        """The ids of these texts, and of all that contain them."""

    def item(self, item: Item) -> Item:
        if isinstance(item, (Unit, Note)) and item.id not in self.around:
            return item
        rewritten = super().item(item)
        if not isinstance(rewritten, (Unit, Note)) or not isinstance(item, (Unit, Note)):
            return rewritten
        content = rewritten.content
        for report in self.by_text.get(rewritten.id, ()):
            content = _insert(content, report, rewritten.sources)
        if content is item.content:
            return rewritten
        return replace(rewritten, content=number_reports(content, rewritten.id))

    def app(self, app: App) -> App:
        entry = super().app(app)
        if entry.id not in self.by_text:
            return entry
        readings = list(entry.readings)
        number = next(n for n, reading in enumerate(readings) if reading.content)
        for report in self.by_text[entry.id]:
            reading = readings[number]
            readings[number] = replace(reading, content=_insert(reading.content, report, reading.witnesses))
        return replace(entry, readings=tuple(readings))


def _insert(content: Content, report: ReportedReading, witnesses: Sequence[str]) -> Content:
    """Insert a report into its entry, or as one; if others divide its words, it stays in its note only."""
    where = report.place.offset, report.place.offset + report.place.length

    def change(content: Content, place: Place, witnesses: Sequence[str]) -> Content:
        for number, app, (start, end) in variants(content):
            if start <= place[0] < place[1] <= end if start < end else place == (start, end):
                entry = _with_report(app, report, (place[0] - start, place[1] - start))
                return (*content[:number], entry, *content[number + 1 :])
        before, between, after = cut(content, *place)
        if any(isinstance(item, (Note, NoteGroup)) for item in between) or not witnesses:
            raise Unfit(Message("note-stands-between-words"))
        reading = report.reading((report.words,) if report.words else (), between)
        if not reading.variant:
            return join_strings((*before, *_with_agreement(between, reading), *after))
        lemma = Reading(witnesses=tuple(witnesses), content=between)
        return join_strings((*before, App(lemma=lemma, readings=(reading,)), *after))

    try:
        return inside(content, where, witnesses, change)
    except Unfit:
        return content


def _with_report(app: App, report: ReportedReading, place: Place) -> App:
    """Return an entry with a reported reading; the witness of one that agrees with the lemma joins the lemma's."""
    text = attested(app.lemma.content)
    whole = text[: place[0]] + report.words + text[place[1] :]
    reading = report.reading((whole,) if whole else (), app.lemma.content)
    named = {name for other in (app.lemma, *app.readings) for name in other.witnesses}
    for number, other in enumerate(app.readings):
        if (other.witnesses, other.resp) == (reading.witnesses, reading.resp) and words(other.content) == whole:
            words_ = dict.fromkeys([*other.source.split(), report.pointer])
            sources = sorted(words_, key=lambda word: not word.startswith(("#", "w:")))  # pointers before grounds
            merged = replace(other, source=" ".join(sources))
            return replace(app, readings=(*app.readings[:number], merged, *app.readings[number + 1 :]))
        if (reading.witnesses and not named & {*reading.witnesses} and other.witnesses and not other.resp
                and report.pointer in other.source.split() and words(other.content) == whole):
            merged = replace(other, witnesses=(*other.witnesses, *reading.witnesses))  # one note names both: 石經及敖本
            return replace(app, readings=(*app.readings[:number], merged, *app.readings[number + 1 :]))
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
    entries = [(n, app) for n, app, _ in variants(content)]
    if len(entries) != 1:
        return content
    number, app = entries[0]
    if any({*other.witnesses} & {*reading.witnesses} for other in (app.lemma, *app.readings)):
        return content
    return (*content[:number], _with_lemma(app, reading), *content[number + 1 :])
