"""Reader of sources that give one paragraph a line and mark comments by their opening words, as the Siku copies of
collected commentaries do.

Lost: nothing but the white space round paragraphs. Dropped by named rules: the matter of the web site.
Sections are what a 右… line closes; what follows the last of them in a chapter is a section without a trailer.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest

from pipeline.errors import Finding, SourceError
from pipeline.model import Document
from pipeline.readers.common.evidence import Inference
from pipeline.readers.common.nesting import unbalanced
from pipeline.readers.common.source import Source
from pipeline.readers.paragraphs.assembly import Assembly
from pipeline.readers.paragraphs.convention import Layout, convention
from pipeline.readers.paragraphs.cutter import Cutter, segments
from pipeline.readers.paragraphs.rows import Frame, frame


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document, without ids, and what was noticed.

    Raises SourceError if no text is left, CatalogError for a faulty convention, DecisionError for a boundary that
    no longer fits.
    """
    settings = convention(source.id, source.convention)
    framed = frame(source, settings)
    if not framed.rows:
        raise SourceError(
            "no text is left after what the chrome rules drop", place=source.place(1),
            mend=f"see [[chrome]] in tei/conventions/{source.id}.toml",
        )
    cut = segments(source, settings, framed)
    assembly = Assembly(source, settings)
    for piece, following in zip_longest(cut.out, cut.out[1:]):
        assembly.add(piece, following)
    document = Document(id=source.id, divisions=assembly.finish(), dropped=framed.dropped)
    return document, (*framed.findings, *_forms(source, settings, framed), *_strangers(source, cut), *_doubts(cut))


def explain(source: Source) -> tuple[Inference, ...]:
    """Give every judgement on a boundary, with its signs, in the order of the source."""
    settings = convention(source.id, source.convention)
    return tuple(segments(source, settings, frame(source, settings)).judgements)


def _forms(source: Source, settings: Layout, framed: Frame) -> list[Finding]:
    """Report brackets without a partner, and titles that the work does not know."""
    found = []
    for row in framed.rows:
        found += unbalanced(source, row.n, row.text, settings.brackets, row.indent)
        title = re.fullmatch(settings.title, row.text)
        if title and not source.work.chapter(title["chapter"]):
            mend = "add it to the `names` of its chapter in catalog.toml"
            found.append(source.finding("chapter-unknown", row.n, f"no chapter is called {title['chapter']}", mend))
    return found


def _strangers(source: Source, cut: Cutter) -> list[Finding]:
    """Report who speaks without being listed, each once, with how often and where first."""
    counts = Counter(words for _, words in cut.unlisted)
    first = {words: row for row, words in reversed(cut.unlisted)}
    mend = f"add a [[speaker]] row to tei/conventions/{source.id}.toml"
    return [
        source.finding("speaker-unknown", first[words].n, f"{words} opens {count} paragraphs: who is it?", mend)
        for words, count in counts.items()
    ]


def _doubts(cut: Cutter) -> list[Finding]:
    """Report what the signs leave open, so that an editor can decide it."""
    return [
        Finding("boundary-doubtful", j.place, j.reason, "decide it in tei/decisions/boundaries*.toml", "warning")
        for j in cut.judgements if not j.decided and j.cert == "low"
    ]
