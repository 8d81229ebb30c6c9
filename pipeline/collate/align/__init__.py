"""Alignment: the tokens of several witnesses in, a table of columns out.

`ALIGNER` is the aligner of the collation, for units and for notes. To add another, write a module here with a function
of the type `Aligner` and assign it to `ALIGNER`:

* `streams` are the tokens of the witnesses (`tokens.Stream`), the base first. They are compared by `Stream.forms`;
  `Stream.texts` are the units or notes.
* `links` is None for running texts, in which passages may be moved. For notes it says, for each witness but the
  base, which of its notes are one with which of the base: only these may be aligned with each other.
* It returns a `Table` by `table.tabulate`. For each text of the base its columns have the tokens of the base in their
  order, and all columns together each token of each witness once.

`star` is the only one now. The modules `pairwise`, `pairs`, `blocks`, `gotoh`, `transpositions` and `arrangement` align
two sequences and know nothing of witnesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.collate.align.star import star
from pipeline.collate.align.table import Aligner, Links, Table
from pipeline.collate.tokens import Stream

ALIGNER: Aligner = star
"""The aligner of the collation."""


def align_witnesses(streams: Sequence[Stream], links: Sequence[Links] | None = None) -> Table:
    """Return the table that the collation's aligner makes of witnesses, the base first."""
    return ALIGNER(streams, links)
