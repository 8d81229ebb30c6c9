"""Finished content cut and put together again: by offsets, by witnesses, into entries.

Offsets are those of `pipeline.model.text.counted`: of an entry its lemma, nothing of the notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pipeline.characters.relations import Judgement
from pipeline.collate.apparatus.classify import compare
from pipeline.collate.tokens import ATOMS, PUNCTUATION
from pipeline.model import App, Content, Inline, Line, Mark, Note, Reading, Span
from pipeline.model.text import attested, counted, key
from pipeline.model.walk import leaves


class Unfit(Exception):
    """Content cannot be treated so; its message says why."""


def graphs(content: Iterable[Inline]) -> list[Inline]:
    """Give the graphs of some content and what stands for graphs: what is compared, no punctuation and no notes."""
    found: list[Inline] = []
    for item in leaves(content, into=_holds_words):
        if isinstance(item, str):
            found += [each for each in item if each not in PUNCTUATION]
        elif isinstance(item, ATOMS):
            found.append(item)
    return found


def _holds_words(item: Inline) -> bool:
    return isinstance(item, (App, Line)) or (isinstance(item, Span) and not item.rend)


def words(content: Iterable[Inline]) -> str:
    """Give the words of some content as witnesses have them (`attested`), without punctuation."""
    return attested(graphs(content))


def against(lemma: Content, content: Content) -> Judgement:
    """Judge a reading against a lemma."""
    own, items = graphs(lemma), graphs(content)
    if not items:
        return Judgement("omission") if own else Judgement("")
    return compare(own, items) if own else Judgement("addition")


def cut(content: Content, start: int, end: int) -> tuple[Content, Content, Content]:
    """Cut content into what stands before, between and after two offsets.

    What has no width at an edge stays outside, but for entries. Raises Unfit if an edge parts an item.
    """
    parts: tuple[list[Inline], list[Inline], list[Inline]] = ([], [], [])
    at = 0
    for item in content:
        width = len(counted(item))
        if isinstance(item, str):
            pieces = (item[: max(start - at, 0)], item[max(start - at, 0) : max(end - at, 0)], item[max(end - at, 0) :])
            for part, piece in zip(parts, pieces, strict=True):
                part += [piece] if piece else []
        elif not width and isinstance(item, App) and item.kind == "variant" and start <= at <= end and start < end:
            parts[1].append(item)
        elif at + width <= start:
            parts[0].append(item)
        elif at >= end:
            parts[2].append(item)
        elif start <= at and at + width <= end:
            parts[1].append(item)
        else:
            raise Unfit(f"{attested(item)!r} is parted there")
        at += width
    return tuple(parts[0]), tuple(parts[1]), tuple(parts[2])


Change = Callable[[Content, tuple[int, int], Sequence[str]], Content]
"""Gives content anew, changed between two offsets; the last are the witnesses that have it."""


def inside(content: Content, place: tuple[int, int], witnesses: Sequence[str], change: Change) -> Content:
    """Apply a change to the innermost content that holds a place: in a span, or in a longer passage that is a lemma.

    A place without words at the edge of such a one is on the side on which an entry stands.
    """
    at = 0
    for number, item in enumerate(() if _stands(content, place) else content):
        width = len(counted(item))
        own = place[0] - at, place[1] - at
        held = at <= place[0] and place[1] <= at + width and place[0] < at + width
        if held or (width and own == (width, width) and _stands((item,), own, deep=True)):
            if isinstance(item, (Span, Line)) and counted(item):
                made: Inline = replace(item, content=inside(item.content, own, witnesses, change))
                return (*content[:number], made, *content[number + 1 :])
            if isinstance(item, App) and item.kind == "variant" and not _is_entry(own, width):
                lemma = replace(item.lemma, content=inside(item.lemma.content, own, item.lemma.witnesses, change))
                return (*content[:number], replace(item, lemma=lemma), *content[number + 1 :])
        at += width
    return change(content, place, witnesses)


def _stands(content: Content, place: tuple[int, int], *, deep: bool = False) -> bool:
    """Tell whether an entry without words of its own stands at a place; `deep`: in spans and lemmata too."""
    at = 0
    for item in content if place[0] == place[1] else ():
        width = len(counted(item))
        if isinstance(item, App) and item.kind == "variant" and not width and at == place[0]:
            return True
        inner = item.lemma.content if isinstance(item, App) else item.content if isinstance(item, (Span, Line)) else ()
        if deep and width and at <= place[0] <= at + width and _stands(inner, (place[0] - at,) * 2, deep=True):
            return True
        at += width
    return False


def _is_entry(place: tuple[int, int], width: int) -> bool:
    """Tell whether a place is the entry's own: its whole lemma, or part of a short one."""
    return place == (0, width) or width <= 4


def restrict(content: Content, keep: Sequence[str]) -> Content:
    """Give content as some witnesses have it: of entries their readings, of marks their own."""
    out: list[Inline] = []
    for item in content:
        match item:
            case Mark() if item.witness not in keep:
                continue
            case Note() if item.sources and not {*item.sources} & {*keep}:
                continue
            case App():
                out += _restricted(item, keep)
            case Span() | Line():
                out.append(replace(item, content=restrict(item.content, keep)))
            case _:
                out.append(item)
    return joined(out)


def _restricted(app: App, keep: Sequence[str]) -> Content:
    found = [
        replace(each, witnesses=tuple(w for w in each.witnesses if w in keep), content=restrict(each.content, keep))
        for each in (app.lemma, *app.readings)
    ]
    found = [each for each in found if each.witnesses]
    if len(found) < 2:
        return found[0].content if found else ()
    return (replace(app, lemma=replace(found[0], variant="", source=""), readings=tuple(found[1:])),)


def joined(content: Iterable[Inline]) -> Content:
    """Give content with strings that stand side by side made one."""
    out: list[Inline] = []
    for item in content:
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        elif item != "":
            out.append(item)
    return tuple(out)


def entry(readings: Iterable[tuple[Sequence[str], Content]]) -> Content:
    """Make an entry of what witnesses have, the lemma first; those that have the same are one reading.

    Where all have the same, their words and all marks.
    """
    groups: dict[tuple[str, ...], list[tuple[Sequence[str], Content]]] = {}
    for witnesses, content in readings:
        groups.setdefault(tuple(map(key, graphs(content))), []).append((witnesses, content))
    made = [
        Reading(witnesses=tuple(w for names, _ in group for w in names), content=_with_marks([c for _, c in group]))
        for group in groups.values()
    ]
    if len(made) == 1:
        return made[0].content
    return (rejudged(App(lemma=made[0], readings=tuple(made[1:]))),)


def _with_marks(contents: Sequence[Content]) -> Content:
    """Give the first content with the marks of the others before it."""
    marks = [item for other in contents[1:] for item in other if isinstance(item, Mark)]
    return (*marks, *contents[0])


def rejudged(app: App) -> App:
    """Give an entry with each reading judged against its lemma; a judgement of the editor stays."""
    readings = []
    for each in app.readings:
        if not each.source.startswith("decision:class"):
            judged = against(app.lemma.content, each.content)
            if graphs(each.content) or each.variant != "lacuna":
                each = replace(each, variant=judged.variant, source=judged.source)
        readings.append(each)
    return replace(app, readings=tuple(readings))


