"""Alignment: the tokens of several witnesses come in, a table of columns goes out; sealed, it knows of no editions.

In come `Tokens` of each witness, the base first, and optionally `Kinship`: which unequal tokens are related. Out goes a
`Table`: for each text of the base its columns, each with a token number (or why there is none) for each witness. Read
first `table` (the star alignment and what the base lacks), `pairwise` (two sequences: anchors, then least cost) and
`moves` (passages that are elsewhere).

To use another aligner, replace `align_witnesses`: it returns a `Table` by `tabulate`. For each text of the base its
columns have the tokens of the base in their order, and all columns together each token of each witness once.
"""

from jiaokan.align.blocks import Block, Breaks, Pair, blocks_of, equal_runs, merge_gaps, pairs_of
from jiaokan.align.moves import MovedPassage, align_with_moves
from jiaokan.align.pairs import firm_blocks
from jiaokan.align.pairwise import align
from jiaokan.align.refine import ABSENT, Column
from jiaokan.align.settings import About, AlignmentSettings, table_of_settings
from jiaokan.align.table import UNCOVERED, Table, align_witnesses, tabulate
from jiaokan.align.tokens import Akin, Kinship, Tokens
from jiaokan.align.witness import Alignment, Links, align_text

__all__ = [
    "ABSENT",
    "UNCOVERED",
    "About",
    "Akin",
    "Alignment",
    "AlignmentSettings",
    "Block",
    "Breaks",
    "Column",
    "Kinship",
    "Links",
    "MovedPassage",
    "Pair",
    "Table",
    "Tokens",
    "align",
    "align_text",
    "align_with_moves",
    "align_witnesses",
    "blocks_of",
    "equal_runs",
    "firm_blocks",
    "merge_gaps",
    "pairs_of",
    "table_of_settings",
    "tabulate",
]
