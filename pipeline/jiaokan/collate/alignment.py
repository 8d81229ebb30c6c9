"""The aligner for tokens of editions: how characters and words are related, and the columns that only we mark."""

from __future__ import annotations

from collections.abc import Sequence

from jiaokan.align import Kinship, Links, Table, align_witnesses
from jiaokan.characters.equality import akin, is_particle
from jiaokan.collate.tokens import Stream
from jiaokan.model.words import alphabetic

LOST = -3  # in a column: the transcription is known to lose this graph

KINSHIP = Kinship(akin=akin, function_word=is_particle, spelled=alphabetic)


def align_streams(streams: Sequence[Stream], links: Sequence[Links] | None = None) -> Table:
    """Return the alignment of the streams of witnesses, the base first, with the notes that `links` joins, if given."""
    return align_witnesses([stream.tokens() for stream in streams], links, KINSHIP)
