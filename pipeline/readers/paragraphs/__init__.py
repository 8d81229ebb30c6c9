"""Sources with one paragraph a line, whose comments are marked by their opening words, as the Siku copies of collected
commentaries are.

Lost: only the white space round paragraphs. Dropped by named rules: the matter of the web site.
A 右… line closes a section; the text after the last one in a chapter is a section without a trailer.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from pipeline.errors import Finding, SourceError
from pipeline.model import Document
from pipeline.readers.common.evidence import Inference, doubtful
from pipeline.readers.common.nesting import unbalanced
from pipeline.readers.common.source import Source
from pipeline.readers.paragraphs.assembly import Assembly
from pipeline.readers.paragraphs.convention import convention
from pipeline.readers.paragraphs.segments import Cutter, frame
from pipeline.settings.patterns import matcher


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document, without ids, and the findings; raises SourceError, CatalogError or DecisionError."""
    settings = convention(source.id, source.convention)
    framed = frame(source, settings)
    if not framed.rows:
        raise SourceError(
            "no text is left after what the chrome rules drop", place=source.place(1),
            mend=f"see [[chrome]] in tei/conventions/{source.id}.toml",
        )
    cut = Cutter(source, settings, framed)
    assembly = Assembly(source, settings)
    for piece, following in zip_longest(cut.out, cut.out[1:]):
        assembly.add(piece, following)
    document = Document(id=source.id, divisions=assembly.finish(), dropped=framed.dropped)
    findings = [*framed.findings]
    for row in framed.rows:
        findings += unbalanced(source, row.n, row.text, settings.brackets, row.indent)
        title = matcher(settings.title).fullmatch(row.text)
        if title and not source.work.chapter(title["chapter"]):
            mend = "add it to the `names` of its chapter in catalog.toml"
            findings.append(source.finding("chapter-unknown", row.n, f"no chapter is called {title['chapter']}", mend))
    first = {words: row.n for row, words in reversed(cut.undeclared)}
    mend = f"add a [[speaker]] row to tei/conventions/{source.id}.toml"
    for words, count in Counter(words for _, words in cut.undeclared).items():
        message = f"{words} opens {count} paragraphs: who is it?"
        findings.append(source.finding("speaker-unknown", first[words], message, mend))
    return document, (*findings, *doubtful(cut.judgements))


def explain(source: Source) -> tuple[Inference, ...]:
    """Return every judgement on a boundary, with its signs, in the order of the source."""
    settings = convention(source.id, source.convention)
    return tuple(Cutter(source, settings, frame(source, settings)).judgements)
