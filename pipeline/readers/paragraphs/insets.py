"""Brackets inside a text of a source (【】): each a note, its kind and speaker told by declared patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.model import Content, Inline, Note, Span
from pipeline.readers.common.nesting import DEEPEST
from pipeline.readers.paragraphs.convention import Inset, Layout
from pipeline.settings.patterns import Pattern


def insets(text: str, layout: Layout, depth: int = 0) -> Content:
    """Give a text with its bracketed parts as notes; a bracket without its partner stays a character.

    `depth`: in how many brackets it stands; in too many, those in it stay characters too.
    """
    if depth == DEEPEST:
        return (text,) if text else ()
    opening, closing = layout.brackets[0], layout.brackets[1]
    out: list[Inline] = []
    done = 0
    for start, end in spans(text, layout.brackets):
        if start > done:
            out.append(text[done:start])
        out.append(_inset(text[start + 1 : end - 1], layout, opening + closing, depth + 1))
        done = end
    if done < len(text):
        out.append(text[done:])
    return tuple(out)


def spans(text: str, brackets: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each outermost pair of brackets; an unpaired bracket belongs to none."""
    opening, closing = brackets[0], brackets[1]
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    for index, char in enumerate(text):
        if char == opening:
            stack.append(index)
        elif char == closing and stack:
            pairs.append((stack.pop(), index + 1))
    reached = 0
    for start, end in sorted(pairs):
        if start >= reached:
            yield start, end
            reached = end


def _inset(text: str, layout: Layout, brackets: str, depth: int) -> Inline:
    rule = next((r for r in layout.inset if re.fullmatch(r.pattern, text)), Inset(pattern=Pattern(""), kind="gloss"))
    if rule.kind == "punct":
        return Span(role="punct", content=(text,), rend=brackets)
    label = re.match(rule.label, text) if rule.label else None
    words: tuple[Inline, ...] = (Span(role="attribution", content=(label[0],), ref=rule.person),) if label else ()
    content = (*words, *insets(text[label.end() if label else 0 :], layout, depth))
    return Note(
        content=content, kind=rule.kind, subtype=rule.subtype, resp=rule.person, cert=rule.cert, rend=brackets
    )
