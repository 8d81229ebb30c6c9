"""The law of a witness, that its TEI gives its source back, and of an edition, that it gives its witnesses back.

Held before any is written, by every command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pipeline.errors import Place, SourceError, TeiError
from pipeline.model import Document, Note, Unit
from pipeline.model.walk import walk
from pipeline.tei.parse import divisions_of
from pipeline.tei.views import source_text, texts

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


@dataclass(frozen=True, slots=True)
class Unlike:
    """A unit or note of a witness that an edition does not give back."""

    id: str
    """As the witness's own file has it."""
    own: str
    """The id in the edition's notation of it, without the witness's name (``6.4.2``)."""
    expected: str
    found: str


def unlike(edition: Document, witness: Document, name: str, chapters: Collection[str]) -> Iterator[Unlike]:
    """Give the units and notes of a witness that an edition does not give back word for word, of the chapters (by their
    numbers) in which it is collated; prose, which is not collated, is none of them."""
    known = any(name in each.sources for each in walk(edition) if isinstance(each, Unit | Note))
    back = texts(edition, name) if known else {}
    for identifier, words in texts(witness, lost=False).items():
        own = identifier.removeprefix(f"{name}.")
        if own.split(".")[0] in chapters and not own.endswith(".p") and back.get(own, "") != words:
            yield Unlike(identifier, own, words, back.get(own, ""))


def hold_witness(edition: Document, witness: Document, name: str, chapters: Collection[str]) -> None:
    """Raise TeiError, with the first place, if an edition does not give the text of a witness back."""
    for each in unlike(edition, witness, name, chapters):
        at = _alike(each.expected, each.found)
        said = _parted(each.expected[at:], each.found[at:], "the witness", "the edition")
        raise TeiError(f"collation: in {each.id} {said['message']}", place=Place(edition.id), mend=said["mend"])


def _hold(before: str, after: str, name: str, step: str) -> None:
    if before != after:
        at = _alike(before, after)
        block = before.count("\n", 0, at) + 1
        said = _parted(before[at:], after[at:])
        raise TeiError(f"{step}: in block {block} {said['message']}", place=Place(name), mend=said["mend"])


def _parted(source: str, ours: str, one: str = "the source", other: str = "the TEI") -> dict[str, str]:
    """Say where two texts part, each from there on."""
    same = _alike(source, ours)
    there, here = (text[same : same + _AROUND].split("\n")[0] for text in (source, ours))
    return {
        "message": f"{one} would not be given back: it has {there!r} where {other} has {here!r}",
        "mend": "nothing was written; please report it with these words: it is a fault of jiaokan",
    }


def _alike(one: str, other: str) -> int:
    """Give how many characters two texts have in common from their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _bare(text: str) -> str:
    return "".join(text.split())
