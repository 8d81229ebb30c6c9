"""One decision of the editor carried out on the content in which its words stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from pipeline.characters.equality import akin, norm
from pipeline.collate.align.pairwise import align
from pipeline.collate.apparatus.classify import rejudged
from pipeline.collate.content import Unfit, cut, graphs, joined, restrict, words
from pipeline.decisions.tables import (
    Class,
    Comment,
    Conjecture,
    Emendation,
    Lemma,
    Merge,
    Passim,
    ReadingDecision,
    Reads,
    Reject,
    Split,
)
from pipeline.decisions.throughout import Choices
from pipeline.errors import suggestion
from pipeline.model import App, Content, Mark, Note, NoteGroup, Reading
from pipeline.model.text import attested, counted, edited, key
from pipeline.model.walk import items


def decide(
    content: Content, place: tuple[int, int], witnesses: Sequence[str], decision: ReadingDecision, choices: Choices
) -> Content:
    """Give content with a decision on the words at `place` carried out; raises Unfit if it does not fit them.

    `choices` are those by which readings are judged anew. Where a witness more has parted into several entries what
    was one when its lemma was chosen, or something said of it, they are one again.
    """
    if isinstance(decision, Merge):
        before, app, after = _merged(content, place, witnesses, choices)
        return joined((*before, with_remark(app, decision), *after))
    number = _entry(content, place)
    if number is None:
        if not isinstance(decision, (Emendation, Conjecture)) and not (
            isinstance(decision, (Lemma, Comment)) and len(_inside(content, place)) > 1
        ):
            raise Unfit(_no_entry(content, place))
        before, app, after = _merged(content, place, witnesses, choices)
        return joined((*before, _decided(app, decision, choices), *after))
    found = content[number]
    assert isinstance(found, App)
    made = _split(found, decision, choices) if isinstance(decision, Split) else (_decided(found, decision, choices),)
    return joined((*content[:number], *made, *content[number + 1 :]))


def _entry(content: Content, place: tuple[int, int]) -> int | None:
    """Give the number of the entry whose lemma stands exactly at a place."""
    at = 0
    for number, item in enumerate(content):
        width = len(counted(item))
        if isinstance(item, App) and item.kind == "variant" and place == (at, at + width):
            return number
        at += width
    return None


def _inside(content: Content, place: tuple[int, int], edge: int = 0) -> list[str]:
    """Give the lemmata of the entries at a place; with `edge`, of those that it only touches, too."""
    at = 0
    found = []
    for item in content:
        width = len(counted(item))
        there = place[0] - edge * width <= at and at + width <= place[1] + edge * width
        if isinstance(item, App) and item.kind == "variant" and there:
            found.append(f"[{attested(item.lemma.content)}]")
        at += width
    return found


def _no_entry(content: Content, place: tuple[int, int]) -> str:
    """Say what entries there are instead."""
    near = _inside(content, place, edge=1)
    words = attested(content)[place[0] : place[1]]
    return f"no entry is {words!r} there" + (f", but {' and '.join(near)}" if near else "")


def with_remark(app: App, decision: ReadingDecision | Passim) -> App:
    """Give an entry with what the editor says about it."""
    note = Note(kind="editorial", content=(decision.why,), resp=decision.resp, cert=decision.cert)
    return replace(app, notes=(*app.notes, note))


def choose(app: App, chosen: Reading, decision: ReadingDecision | Passim, source: str, choices: Choices) -> App:
    """Give an entry with one of its readings as the lemma; the others are judged against it."""
    lemma = replace(chosen, variant="", source=source, resp=decision.resp, cert=decision.cert)
    if chosen is app.lemma:
        return replace(app, lemma=lemma)
    others = tuple(each for each in (app.lemma, *app.readings) if each is not chosen)
    return rejudged(replace(app, lemma=lemma, readings=others), choices)


def _decided(app: App, decision: ReadingDecision, choices: Choices) -> App:
    """Carry out a decision on one entry."""
    match decision:
        case Lemma():
            made = choose(app, _reading(app, decision), decision, "decision:lemmas", choices)
        case Emendation():
            content: Content = (decision.reading,) if decision.reading else ()
            lemma = Reading(
                witnesses=(), content=content, source="decision:emendation", resp=decision.resp, cert=decision.cert
            )
            kept = [each for each in (app.lemma, *app.readings) if each.witnesses or each.resp]
            if any(words(each.content) == decision.reading for each in kept):
                raise Unfit("a witness has its reading: choose it as the lemma")
            made = rejudged(replace(app, lemma=lemma, readings=tuple(kept)), choices)
        case Conjecture():
            proposed = Reading(
                witnesses=(), content=(decision.reading,) if decision.reading else (), resp=decision.person,
                cert=decision.cert,
            )
            if any(words(each.content) == decision.reading for each in (app.lemma, *app.readings)):
                raise Unfit("its reading is there already")
            made = rejudged(replace(app, readings=(*app.readings, proposed)), choices)
        case Class():
            judged = _reading(app, decision)
            if judged is app.lemma:
                raise Unfit("its reading is the lemma, which has no class")
            remarks = [word for word in judged.source.split() if word.startswith("#")]
            new = replace(
                judged, variant=decision.variant, source=" ".join([*remarks, "decision:class"]), resp=decision.resp,
                cert=decision.cert,
            )
            made = replace(app, readings=tuple(new if each is judged else each for each in app.readings))
        case Reject():
            lemma = replace(app.lemma, source="decision:reject", resp=decision.resp, cert=decision.cert)
            plain = tuple(replace(each, variant="", source="") for each in app.readings)
            made = replace(app, kind="accidental", lemma=lemma, readings=plain)
        case _:
            made = app
    return with_remark(made, decision)


def _reading(app: App, decision: Reads) -> Reading:
    """Find the reading that a decision names; raises Unfit with those there are."""
    every = (app.lemma, *app.readings)
    if decision.witness:
        found = next((each for each in every if decision.witness in each.witnesses), None)
        names = [name for each in every for name in each.witnesses]
        hint = suggestion(decision.witness, names, f"witnesses there: {', '.join(names)}")
        if found is None:
            raise Unfit(f"{decision.witness!r} is no witness of that entry; {hint}")
        return found
    if decision.reading is None:
        raise Unfit("it names neither a reading nor a witness")
    wanted = decision.reading
    found = next((each for each in every if attested(each.content) == wanted), None) or next(
        (each for each in every if words(each.content) == wanted), None
    )
    if found is None:
        known = "、".join(f"「{words(each.content)}」" for each in every)
        raise Unfit(f"no witness has its reading {wanted!r} there (readings: {known})")
    return found


def _merged(
    content: Content, place: tuple[int, int], witnesses: Sequence[str], choices: Choices
) -> tuple[Content, App, Content]:
    """Make one entry of what stands at a place, all its witnesses side by side, the lemma's first."""
    before, between, after = cut(content, *place)
    if any(isinstance(item, (Note, NoteGroup)) for item in between):
        raise Unfit("a note stands between the words")
    if not witnesses:
        raise Unfit("no witness is said to have these words")
    lemma = attested(between)
    order = sorted(witnesses, key=lambda name: attested(restrict(between, (name,))) != lemma)
    made = _entry_of(_read(between, order), choices)
    if len(made) == 1 and isinstance(made[0], App) and made[0].kind == "variant":
        return before, made[0], after
    return before, App(lemma=Reading(witnesses=tuple(witnesses), content=between), readings=()), after


def _read(content: Content, witnesses: Sequence[str]) -> Iterator[tuple[Sequence[str], Content]]:
    """Give what witnesses read, those of the same words together, with the entries of punctuation in which they differ;
    each by itself if these words stand otherwise in their entries."""
    own = {name: restrict(content, (name,)) for name in witnesses}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, read in own.items():
        groups.setdefault(tuple(map(key, graphs(read))), []).append(name)
    for names in groups.values():
        shared = restrict(content, names)
        if any(isinstance(item, App) and item.kind == "variant" for item in items(shared)):
            yield from (((name,), own[name]) for name in names)
        else:
            yield names, shared


def _split(app: App, decision: Split, choices: Choices) -> Content:
    """Part an entry at each ``|`` of the brackets; other readings where their words answer those of the lemma."""
    parts = (decision.parts() or ("", "", ""))[1].split("|")
    if len(parts) < 2 or not all(parts):
        raise Unfit("its brackets do not say with | where the entry is parted")
    ends = [sum(map(len, parts[: n + 1])) for n in range(len(parts) - 1)]
    pieces: list[list[tuple[tuple[str, ...], Content]]] = [[] for _ in parts]
    for each in (app.lemma, *app.readings):
        rest, done = each.content, 0
        for piece, end in zip(pieces, [*_answering(app.lemma.content, each.content, ends), None], strict=True):
            own, rest = (rest, ()) if end is None else _halves(rest, end - done)
            done = end or done
            piece.append((each.witnesses, own))
    made: list[App | object] = []
    for piece in pieces:
        made += [with_remark(item, decision) if isinstance(item, App) else item for item in _entry_of(piece, choices)]
    return tuple(made)  # type: ignore[arg-type]


def _halves(content: Content, at: int) -> tuple[Content, Content]:
    first, second, third = cut(content, at, at)
    return (*first, *second), third


def _answering(lemma: Content, content: Content, ends: Sequence[int]) -> list[int]:
    """Give for each offset in the lemma the offset in another reading that answers it."""
    own, other = attested(lemma), attested(content)
    pairs = align([norm(each) for each in own], [norm(each) for each in other], akin)
    return [max((j + 1 for i, j in pairs if i < end), default=0) for end in ends]


def _entry_of(readings: Iterable[tuple[Sequence[str], Content]], choices: Choices) -> Content:
    """Make an entry of what witnesses have, the lemma first; those that have the same are one reading.

    Where all have the same, their words and all marks.
    """
    groups: dict[tuple[str, ...], list[tuple[Sequence[str], Content]]] = {}
    for witnesses, content in readings:
        groups.setdefault(tuple(map(key, graphs(content))), []).append((witnesses, content))
    made = [
        Reading(witnesses=tuple(w for names, _ in group for w in names), content=_of_all(group))
        for group in groups.values()
    ]
    if len(made) == 1:
        return made[0].content
    return (rejudged(App(lemma=made[0], readings=tuple(made[1:])), choices),)


def _of_all(group: Sequence[tuple[Sequence[str], Content]]) -> Content:
    """Give what witnesses have that have the same words: the first content, with the marks of the others before it;
    where these have other punctuation, an entry that says so."""
    alike: dict[tuple[str, str], list[tuple[Sequence[str], Content]]] = {}
    for witnesses, content in group:
        alike.setdefault((counted(content), edited(content)), []).append((witnesses, content))
    made = [Reading(witnesses=tuple(w for names, _ in each for w in names), content=_with_marks([c for _, c in each]))
            for each in alike.values()]
    if len(made) == 1:
        return made[0].content
    return (App(kind="accidental", lemma=made[0], readings=tuple(made[1:])),)


def _with_marks(contents: Sequence[Content]) -> Content:
    """Give the first content with the marks of the others before it."""
    marks = [item for other in contents[1:] for item in other if isinstance(item, Mark)]
    return (*marks, *contents[0])
