"""Text-critical remarks inside notes: 今文, 古文, 俗作, 或作, 当作, 衍, 脱, 某本作.

The formulae are data (``remarks.tsv``). Some of their words have other uses (脱屦, 坟衍, 此为宾奏之当作…); a formula
that needs it counts only where the word that it is about stands in the text commented on.
"""

from __future__ import annotations

import re
from functools import cache

from pipeline.annotate.index import Index, folded, rewrite_notes
from pipeline.annotate.tables import rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Span

_ON_ZHU = re.compile("注[^曰云]?$")
_WORD = r"[^\s　。,、;:?!“”‘’《》()<>○也矣耳]"
_END = r"(?=今[从仍]|[也矣耳误,。;○]|$)"
_TRIGGER = re.compile(
    "[今古]文|俗[作用]|[或又本亦字礼记篆]作|读或为|当[作为有]|误|衍|脱|[监石印诸敖郑刋刊坊华]本|石经|通解|集[说説]"
    "|作.[非乃]|^.作|阙|譌|今本|明本|疑有"
)


@cache
def formulae() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give the subtype and the pattern of each formula of ``remarks.tsv``."""
    table = rows("remarks.tsv", 3)
    return tuple((kind, re.compile(p.replace("{W}", _WORD).replace("{E}", _END))) for kind, p, _ in table)


def remarks(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its text-critical remarks marked, each pointing to the unit that it is about."""
    index = Index.of(document)

    def rewrite(note: Note, text: str) -> Content:
        if note.kind == "source" or not _TRIGGER.search(text):
            return (text,)
        return _marked(text, _found(text, _commented(index, note)), _target(index, note), _zhu(index, note))

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "punct", "textcrit"})), ()


def _marked(text: str, found: list[tuple[int, int, str]], target: str, zhu: str) -> Content:
    """Put the remarks found in a string into spans; 注 before or in one says that it is about the 注."""
    out: list[str | Span] = []
    done = 0
    for start, end, subtype in found:
        out += [text[done:start]] if text[done:start] else []
        on_zhu = zhu and _ON_ZHU.search(text[max(0, start - 3) : start + 1])
        out.append(Span(
            role="textcrit", content=(text[start:end],), subtype=subtype, target=zhu if on_zhu else target
        ))
        done = end
    return (*out, text[done:]) if text[done:] else tuple(out)


def _found(text: str, commented: str) -> list[tuple[int, int, str]]:
    """Give where remarks stand in a string; of overlapping ones the longest whole, another only what it adds after."""
    hits: list[tuple[int, int, str]] = []
    for subtype, pattern in formulae():
        for match in pattern.finditer(text):
            word = match.groupdict().get("w")
            if word is None or match.start("w") == 0 or "字" in word or any(c in commented for c in folded(word)):
                hits.append((match.start(), match.end(), subtype))
    kept: list[tuple[int, int, str]] = []
    for start, end, subtype in sorted(hits, key=lambda h: h[0] - h[1]):
        begin = max([start, *(e for s, e, _ in kept if s <= start < e)])
        if end - begin > 1 and all(end <= s or e <= begin for s, e, _ in kept):
            kept.append((begin, end, subtype))
    return sorted(kept)


def _commented(index: Index, note: Note) -> str:
    """Give the folded text that a note comments on: its units, and the 注 on them."""
    base = "".join(index.base[anchor] for anchor in index.anchors(note))
    return base + folded("".join(index.texts[zhu.id] for zhu in index.comments(note)))


def _target(index: Index, note: Note) -> str:
    """Give the unit that a note is about; where it is about several, the last of them."""
    return next(iter(reversed(index.anchors(note))), note.target)


def _zhu(index: Index, note: Note) -> str:
    """Give the 注 on the same words, empty if there is none."""
    return next((zhu.id for zhu in index.comments(note)), "")
