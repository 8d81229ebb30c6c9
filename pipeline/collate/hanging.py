"""What hangs on the words: punctuation and spacing that works print differently, and notes inside a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.collate.tokens import Piece, Stream, build
from pipeline.model import App, Content, Inline, Mark, Note, NoteGroup, Reading, Space, Span


def accidentals(
    hung: Mapping[int, tuple[Piece, ...]], members: Sequence[int], streams: Sequence[Stream]
) -> list[Piece]:
    """Write what hangs on the tokens of one place: once if all have the same, else as an entry for accidentals.

    A note stands by itself, as the note of its witness; each witness keeps its own order.
    """
    if not any(hung.values()):
        return []
    cut = {n: _cut(hung.get(n, ())) for n in members}
    out = _punctuation({n: parts[0] for n, parts in cut.items()}, members, streams)
    for n in members:
        for part in cut[n][1:]:
            path, item = part[0]
            out.append((path, claimed(item, streams[n].witness)))
            out += _punctuation({m: part[1:] if m == n else () for m in members}, members, streams)
    return out


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
    hung: Mapping[int, tuple[Piece, ...]], members: Sequence[int], streams: Sequence[Stream]
) -> list[Piece]:
    groups: dict[tuple[Inline, ...], list[int]] = {}
    for n in members:
        groups.setdefault(tuple(item for _, item in hung[n]), []).append(n)
    lead = hung[members[0]]
    if len(groups) == 1:
        return list(lead)
    readings = [
        Reading(
            witnesses=tuple(streams[n].witness for n in group),
            content=build([((), item) for item in items], streams[0].spans),
        )
        for items, group in groups.items()
    ]
    return [(lead[0][0] if lead else (), App(lemma=readings[0], readings=tuple(readings[1:]), kind="accidental"))]


def claimed(item: Inline, witness: str) -> Inline:
    """Give an item with the notes in it said to be this witness's, each with the mark of its own id."""
    match item:
        case Note():
            own = Mark(witness=witness, unit=item.id.removeprefix(f"{witness}."))
            return replace(item, sources=(witness,), content=(own, *claim_all(item.content, witness)))
        case NoteGroup():
            return replace(item, notes=tuple(n for n in claim_all(item.notes, witness) if isinstance(n, Note)))
        case Span():
            return replace(item, content=claim_all(item.content, witness))
    return item


def claim_all(content: Content, witness: str) -> Content:
    """Give content with the notes in it said to be this witness's."""
    return tuple(claimed(item, witness) for item in content)
