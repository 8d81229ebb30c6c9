"""One decision of the editor applied to the content that has its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from jiaokan.align import align
from jiaokan.characters.equality import akin, norm
from jiaokan.collate.apparatus.classify import judge_entry
from jiaokan.collate.content import Place, Unfit, cut, entry_of, graphs, restrict, variants, words
from jiaokan.decisions import tables
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.tables import Passim, ReadingDecision
from jiaokan.errors import Message, suggestion
from jiaokan.model import App, Content, Mark, Note, NoteGroup, Reading
from jiaokan.model.text import attested, counted, edited, key
from jiaokan.model.walk import items, join_strings


class Contradiction(Unfit):
    """Another decision on the same entry says otherwise: its remark is on the entry."""

    def __init__(self, app: App) -> None:
        self.remarks = {(str(note.resp), *map(str, note.content)) for note in app.notes}


Attested = tuple[Sequence[str], Content]  # witnesses, and what they have
_PRINTED = ("decision:lemmas", "decision:emendation")  # `Reading.source` of a lemma that a decision chose, or made
_CLASSED, _REJECTED = "decision:class", "decision:reject"


def decide(
    content: Content, place: Place, witnesses: Sequence[str], decision: ReadingDecision, choices: Choices
) -> Content:
    """Return content with a decision on the words at `place` applied; raises Unfit if it does not fit them. If another
    witness has divided into several entries what was one when its lemma was chosen or a remark was made on it, they
    become one again."""
    if isinstance(decision, tables.Merge):
        before, app, after = _merge_entries(content, place, witnesses, choices)
        return join_strings((*before, with_remark(app, decision), *after))
    entry = next(((number, app) for number, app, where in variants(content) if where == place), None)
    if entry is None:
        inner = [app for _, app, where in variants(content) if place[0] <= where[0] and where[1] <= place[1]]
        if not isinstance(decision, (tables.Emendation, tables.Conjecture)) and not (
            isinstance(decision, (tables.Lemma, tables.Comment)) and len(inner) > 1
        ):
            near = [f"[{attested(app.lemma.content)}]" for _, app, (start, end) in variants(content)
                    if place[0] <= end and start <= place[1]]
            raise Unfit(Message("entry-missing", attested=attested(content)[slice(*place)])
                        + (Message("but-near", near=" and ".join(near)) if near else ""))
        before, app, after = _merge_entries(content, place, witnesses, choices)
        return join_strings((*before, _apply_decision(app, decision, choices), *after))
    number, app = entry
    if isinstance(decision, tables.Split):
        entries = _split(app, decision, choices)
    else:
        entries = (_apply_decision(app, decision, choices),)
    return join_strings((*content[:number], *entries, *content[number + 1 :]))


def with_remark(app: App, decision: ReadingDecision | Passim) -> App:
    """Return an entry with the editor's remark on it."""
    note = Note(kind="editorial", content=(decision.why,), resp=decision.resp, cert=decision.cert)
    stemma = getattr(decision, "stemma", "")
    return replace(_in_order(app, stemma) if stemma else app, notes=(*app.notes, note))


def _in_order(app: App, stemma: str) -> App:
    """Return an entry whose readings are numbered as a local stemma has them; those it does not name have no number."""
    if any(reading.order for reading in (app.lemma, *app.readings)):
        raise Contradiction(app)
    steps = {id(_of_words(app, words.strip().replace("∅", ""))): step
             for step, names in enumerate(stemma.split(">"), 1) for words in names.split(",")}
    lemma, *readings = (replace(reading, order=steps.get(id(reading), 0)) for reading in (app.lemma, *app.readings))
    return replace(app, lemma=lemma, readings=tuple(readings))


def choose(app: App, chosen: Reading, decision: ReadingDecision | Passim, source: str, choices: Choices) -> App:
    """Return an entry with one of its readings as the lemma; the others are judged against it."""
    lemma = replace(chosen, variant="", source=source, resp=decision.resp, cert=decision.cert)
    if chosen is app.lemma:
        return replace(app, lemma=lemma)
    others = tuple(reading for reading in (app.lemma, *app.readings) if reading is not chosen)
    return judge_entry(replace(app, lemma=lemma, readings=others), choices)


def _contradicts(app: App, decision: ReadingDecision) -> bool:
    """Whether another decision on an entry prints another reading, gives one another class, or says it is none."""
    source = app.lemma.source
    match decision:
        case tables.Lemma():
            return source == _REJECTED or (source in _PRINTED and _reading(app, decision) is not app.lemma)
        case tables.Emendation():
            return source == _REJECTED or (source in _PRINTED and words(app.lemma.content) != decision.reading)
        case tables.Reject():
            return source in _PRINTED or any(_CLASSED in reading.source.split() for reading in app.readings)
        case tables.Class():
            judged = _reading(app, decision)
            classed = _CLASSED in judged.source.split() and judged.variant != decision.variant
            return source == _REJECTED or classed
    return False


def _apply_decision(app: App, decision: ReadingDecision, choices: Choices) -> App:
    if _contradicts(app, decision):
        raise Contradiction(app)
    match decision:
        case tables.Lemma():
            entry = choose(app, _reading(app, decision), decision, _PRINTED[0], choices)
        case tables.Emendation():
            lemma = Reading(witnesses=(), content=tuple(filter(None, (decision.reading,))),
                            source=_PRINTED[1], resp=decision.resp, cert=decision.cert)
            others = [reading for reading in (app.lemma, *app.readings) if reading.witnesses or reading.resp]
            if any(words(reading.content) == decision.reading for reading in others):
                raise Unfit(Message("witness-reading-choose-lemma"))
            entry = judge_entry(replace(app, lemma=lemma, readings=tuple(others)), choices)
        case tables.Conjecture():
            proposed = Reading(witnesses=(), content=tuple(filter(None, (decision.reading,))), resp=decision.person,
                               cert=decision.cert)
            if any(words(reading.content) == decision.reading for reading in (app.lemma, *app.readings)):
                raise Unfit(Message("reading-already"))
            entry = judge_entry(replace(app, readings=(*app.readings, proposed)), choices)
        case tables.Class():
            judged = _reading(app, decision)
            if judged is app.lemma:
                raise Unfit(Message("reading-lemma-no-class"))
            remarks = [word for word in judged.source.split() if word.startswith("#")]
            new = replace(judged, variant=decision.variant, source=" ".join([*remarks, _CLASSED]),
                          resp=decision.resp, cert=decision.cert)
            entry = replace(app, readings=tuple(new if reading is judged else reading for reading in app.readings))
        case tables.Reject():
            lemma = replace(app.lemma, source=_REJECTED, resp=decision.resp, cert=decision.cert)
            plain = tuple(replace(reading, variant="", source="") for reading in app.readings)
            entry = replace(app, kind="accidental", lemma=lemma, readings=plain)
        case tables.Comment():
            entry = app
        case _:  # a remark alone would be filed as if the decision had been applied
            raise TypeError(f"apply.py does not apply decisions of the type {type(decision).__name__}")
    return with_remark(entry, decision)


def _reading(app: App, decision: tables.Reads) -> Reading:
    every = (app.lemma, *app.readings)
    if decision.witness:
        names = [name for reading in every for name in reading.witnesses]
        if decision.witness not in names:
            hint = suggestion(decision.witness, names, Message("witnesses-there", witnesses=", ".join(names)))
            raise Unfit(Message("no-witness-entry", witness=decision.witness, hint=hint))
        return next(reading for reading in every if decision.witness in reading.witnesses)
    if decision.reading is None:
        raise Unfit(Message("names-neither-reading-nor-witness"))
    return _of_words(app, decision.reading)


def _of_words(app: App, wanted: str) -> Reading:
    every = (app.lemma, *app.readings)
    reading = next((candidate for view in (attested, words) for candidate in every
                    if view(candidate.content) == wanted), None)
    if reading is None:
        known = "、".join(f"「{words(candidate.content)}」" for candidate in every)
        raise Unfit(Message("no-witness-reading-readings", wanted=wanted, known=known))
    return reading


def _merge_entries(
    content: Content, place: Place, witnesses: Sequence[str], choices: Choices
) -> tuple[Content, App, Content]:
    before, between, after = cut(content, *place)
    if any(isinstance(item, (Note, NoteGroup)) for item in between):
        raise Unfit(Message("note-stands-between-words"))
    if not witnesses:
        raise Unfit(Message("no-witness-said-words"))
    lemma = attested(between)
    order = sorted(witnesses, key=lambda name: attested(restrict(between, (name,))) != lemma)
    compared = _compare_readings(_read(between, order), choices)
    if len(compared) == 1 and isinstance(compared[0], App) and compared[0].kind == "variant":
        return before, compared[0], after
    return before, App(lemma=Reading(witnesses=tuple(witnesses), content=between), readings=()), after


def _read(content: Content, witnesses: Sequence[str]) -> Iterator[Attested]:
    """Yield what witnesses read: those of the same words together, with the entries of punctuation in which they
    differ, unless these words are divided among entries otherwise."""
    for group in _group_by_words(((name,), restrict(content, (name,))) for name in witnesses):
        names = [name for sigla, _ in group for name in sigla]
        shared = restrict(content, names)
        if any(isinstance(item, App) and item.kind == "variant" for item in items(shared)):
            yield from group
        else:
            yield names, shared


def _split(app: App, decision: tables.Split, choices: Choices) -> Content:
    parts = (decision.parts() or ("", "", ""))[1].split("|")
    if len(parts) < 2 or not all(parts):
        raise Unfit(Message("brackets-not-say-entry-parted"))
    ends = [sum(map(len, parts[: n + 1])) for n in range(len(parts) - 1)]
    pieces: list[list[Attested]] = [[] for _ in parts]
    lemma = list(map(norm, attested(app.lemma.content)))
    for reading in (app.lemma, *app.readings):
        rest, done = reading.content, 0
        pairs = align(lemma, list(map(norm, attested(rest))), akin)
        for piece, stop in zip(pieces, ends, strict=False):
            end = max((j + 1 for i, j in pairs if i < stop), default=0)
            first, second, rest = cut(rest, end - done, end - done)
            piece.append((reading.witnesses, (*first, *second)))
            done = end or done
        pieces[-1].append((reading.witnesses, rest))
    return tuple(with_remark(item, decision) if isinstance(item, App) else item
                 for piece in pieces for item in _compare_readings(piece, choices))


def _compare_readings(readings: Iterable[Attested], choices: Choices) -> Content:
    distinct = [Reading(witnesses=_names(group), content=_unite(group)) for group in _group_by_words(readings)]
    return distinct[0].content if len(distinct) == 1 else (judge_entry(entry_of(distinct), choices),)


def _unite(group: Iterable[Attested]) -> Content:
    """Return the first of the same words, after the marks of the others; an entry if their punctuation differs."""
    readings = []
    for alike in _group_by_words(group, lambda content: (counted(content), edited(content))):
        marks = [item for _, other in alike[1:] for item in other if isinstance(item, Mark)]
        readings.append(Reading(witnesses=_names(alike), content=(*marks, *alike[0][1])))
    return readings[0].content if len(readings) == 1 else (entry_of(readings, "accidental"),)


def _group_by_words(readings: Iterable[Attested], by: Callable[[Content], tuple[str, ...]] | None = None
             ) -> list[list[Attested]]:
    groups: dict[tuple[str, ...], list[Attested]] = {}
    for reading in readings:
        name = by(reading[1]) if by else tuple(map(key, graphs(reading[1])))
        groups.setdefault(name, []).append(reading)
    return list(groups.values())


def _names(group: Iterable[Attested]) -> tuple[str, ...]:
    return tuple(name for names, _ in group for name in names)
