"""What hangs on the words: punctuation and spacing that works print differently, and notes inside a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace
from rapidfuzz.distance import Indel

from pipeline.characters.equality import norm
from pipeline.collate.tokens import Path, Piece, Stream, build
from pipeline.model import App, Content, Inline, Line, Mark, Note, NoteGroup, Reading, Space, Span

SAME_NOTE = 0.5
"""Two notes inside a text are one if they share so much. 0.3 or 0.8 changes nothing."""

Join = Callable[[Mapping[int, Note]], Note]
"""Makes one note of the notes of several witnesses (by number)."""


def accidentals(
    attached: Mapping[int, tuple[Piece, ...]], members: Sequence[int], streams: Sequence[Stream], join: Join,
    at: Path = (),
) -> list[Piece]:
    """Write what hangs on the tokens of one place: once if all have the same, else as an entry for accidentals, which
    stands in the spans `at` where the first witness has nothing. Something hangs on one of them.

    A note stands by itself, as the note of its witness, or of several that have it here; each witness keeps
    its own order.
    """
    left = {n: _cut(attached.get(n, ())) for n in members}
    out = _punctuation({n: left[n].pop(0) for n in members}, members, streams, at)
    while any(left.values()):
        out += _notes(left, next(n for n in members if left[n]), members, streams, join)
    return out


def _notes(
    left: dict[int, list[tuple[Piece, ...]]], owner: int, members: Sequence[int], streams: Sequence[Stream], join: Join
) -> list[Piece]:
    """Write the next note of a witness, with those of others that say the same, and what they have before it."""
    out: list[Piece] = []
    first = left[owner].pop(0)
    sharing = {owner: first}
    for n in members:
        at = next((k for k, part in enumerate(left[n]) if n != owner and _alike(first[0][1], part[0][1])), None)
        if at is not None:
            for _ in range(at):
                out += _notes(left, n, (n,), streams, join)
            sharing[n] = left[n].pop(0)
    notes = {n: part[0][1] for n, part in sharing.items()}
    joined = {n: note for n, note in notes.items() if isinstance(note, Note)}
    item = join(joined) if len(joined) > 1 else claimed(notes[owner], streams[owner].witness)
    out.append((first[0][0], item))
    return out + _punctuation({n: sharing[n][1:] if n in sharing else () for n in members}, members, streams)


def _alike(one: Inline, other: Inline) -> bool:
    """Tell whether two notes in one place are the same note: one speaker, and most words shared."""
    if not isinstance(one, Note) or not isinstance(other, Note) or (one.kind, one.resp) != (other.kind, other.resp):
        return False
    left, right = (norm("".join(x for x in note.content if isinstance(x, str))) for note in (one, other))
    return bool(left and right) and Indel.normalized_similarity(left, right) >= SAME_NOTE


def _cut(pieces: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """Cut pieces before each one that is more than a mark: a note, a figure."""
    parts: list[tuple[Piece, ...]] = [()]
    for piece in pieces:
        if isinstance(piece[1], (str, Space, Span)):
            parts[-1] = (*parts[-1], piece)
        else:
            parts.append((piece,))
    return parts


def _punctuation(
    attached: Mapping[int, tuple[Piece, ...]], members: Sequence[int], streams: Sequence[Stream], at: Path = ()
) -> list[Piece]:
    groups: dict[tuple[Inline, ...], list[int]] = {}
    for n in members:
        groups.setdefault(tuple(item for _, item in attached[n]), []).append(n)
    lead = attached[members[0]]
    if len(groups) == 1:
        return list(lead)
    readings = [
        Reading(
            witnesses=tuple(streams[n].witness for n in group),
            content=build([((), item) for item in items], streams[0].spans),
        )
        for items, group in groups.items()
    ]
    return [(lead[0][0] if lead else at, App(lemma=readings[0], readings=tuple(readings[1:]), kind="accidental"))]


def claimed(item: Inline, witness: str) -> Inline:
    """Give an item with the notes in it said to be this witness's, each with a mark instead of its own id."""
    match item:
        case Note():
            own = Mark(witness=witness, unit=item.id.removeprefix(f"{witness}."))
            return replace(item, id="", sources=(witness,), content=(own, *claim_all(item.content, witness)))
        case NoteGroup():
            return replace(item, notes=tuple(n for n in claim_all(item.notes, witness) if isinstance(n, Note)))
        case Span() | Line():
            return replace(item, content=claim_all(item.content, witness))
    return item


def claim_all(content: Content, witness: str) -> Content:
    """Give content with the notes in it said to be this witness's."""
    return tuple(claimed(item, witness) for item in content)
