"""The law of a witness: its TEI gives its source back. Held before any is written, by every command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.errors import Place, SourceError, TeiError
from pipeline.model import Document
from pipeline.tei.parse import divisions_of
from pipeline.tei.views import source_text

_AROUND = 20
"""So many characters of the two texts are shown from where they part."""


def hold_source(document: Document, lines: Sequence[str], file: str) -> None:
    """Raise SourceError if a document does not print the lines of its source, less what named rules dropped.

    White space is not compared here: the readers take that between blocks for formatting.
    """
    dropped = Counter(bare for _, words in document.dropped for line in words.split("\n") if (bare := _bare(line)))
    text, at = _bare(source_text(document)), 0
    for number, line in enumerate(lines, 1):
        bare = _bare(line)
        if text.startswith(bare, at):
            at += len(bare)
        elif (gone := _dropped(bare, text[at : at + len(bare)], dropped)) is not None:
            at += len(bare) - gone
        else:
            raise SourceError(**_parted(bare, text[at : at + len(bare) + _AROUND]), place=Place(file, number))
    if at < len(text):
        raise SourceError(**_parted("", text[at:]), place=Place(file, len(lines)))


def _dropped(line: str, text: str, dropped: Counter[str]) -> int | None:
    """Give how many characters at the beginning of a line a named rule dropped, so that the text has the rest of it;
    None if none did."""
    for size in range(len(line), 0, -1):
        if dropped[line[:size]] and text.startswith(line[size:]):
            dropped[line[:size]] -= 1
            return size
    return None


def hold_text(before: str, document: Document, step: str) -> None:
    """Raise TeiError if a document no longer prints what it did: `before`, by `source_text`, until `step`."""
    _hold(before, source_text(document), document.id, step)


def hold_tei(document: Document, tei: bytes) -> None:
    """Raise TeiError if the TEI of a witness, read back, does not print what its document prints."""
    written = iter(document.divisions)
    for read in divisions_of(tei, name=document.id):
        own = next(written, None)
        before = "" if own is None else source_text(Document(id=document.id, divisions=(own,)))
        _hold(before, source_text(Document(id=document.id, divisions=(read,))), document.id, "the TEI")
    if left := "".join(source_text(Document(id=document.id, divisions=(each,))) for each in written):
        _hold(left, "", document.id, "the TEI")


def _hold(before: str, after: str, name: str, step: str) -> None:
    if before != after:
        at = _alike(before, after)
        block = before.count("\n", 0, at) + 1
        said = _parted(before[at:], after[at:])
        raise TeiError(f"{step}: in block {block} {said['message']}", place=Place(name), mend=said["mend"])


def _parted(source: str, ours: str) -> dict[str, str]:
    """Say where two texts part, each from there on."""
    same = _alike(source, ours)
    there, here = (text[same : same + _AROUND].split("\n")[0] for text in (source, ours))
    return {
        "message": f"the source would not be given back: it has {there!r} where the TEI has {here!r}",
        "mend": "nothing was written; please report it with these words: it is a fault of jiaokan",
    }


def _alike(one: str, other: str) -> int:
    """Give how many characters two texts have in common from their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _bare(text: str) -> str:
    return "".join(text.split())
