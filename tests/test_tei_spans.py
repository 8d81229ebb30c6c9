"""Deletions, additions and damage between two points of a file (``delSpan``) are those of the words between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from jiaokan.editions import other
from jiaokan.model import Correction, Paragraph, Span
from jiaokan.model.walk import walk
from tests.test_letters_tei import TEI_HEAD


def seen(items: Iterable[Any]) -> str:
    """Return content: deletions in square brackets, additions in angle ones."""
    words = ""
    for item in items:
        if isinstance(item, str):
            words += item
        elif isinstance(item, Correction):
            words += f"[{item.sic}]{item.corr}"
        else:
            added = isinstance(item, Span) and item.subtype == "added"
            words += f"<{seen(item.content)}>" if added else seen(item.content)
    return words


@pytest.mark.parametrize(("body", "expected"), [
    ("<p>a <delSpan spanTo='#e'/>b<anchor xml:id='e'/> c</p>", ["a [b] c"]),
    ("<p>a <delSpan spanTo='#e'/>b <hi>x</hi> y<anchor xml:id='e'/> c</p>", ["a [b] [x] [y] c"]),
    ("<p>a <addSpan spanTo='#e'/>b</p><p>c</p><p>d<anchor xml:id='e'/> f</p>", ["a <b>", "<c>", "<d> f"]),
    ("<lg><l>a <delSpan spanTo='#e'/>b</l><l>c<anchor xml:id='e'/> d</l></lg>", ["a [b] [c] d"]),
    ("<delSpan spanTo='#e'/><p>a</p><p>b</p><anchor xml:id='e'/><p>c</p>", ["[a]", "[b]", "c"]),
    ("<p>a <hi rend='bold'>b <delSpan spanTo='#e'/>c</hi> d<anchor xml:id='e'/> f</p>", ["a b [c] [d] f"]),
    ("<p>a <delSpan spanTo='#none'/>b</p>", ["a b"]),
    ("<p>a<anchor xml:id='e'/> b <delSpan spanTo='#e'/>c</p>", ["a b c"]),
    ("<p>a <damageSpan spanTo='#e'/>b<anchor xml:id='e'/> c</p>", ["a b c"]),
    ("<p>a <addSpan spanTo='#e'/>b <note>n</note> c<anchor xml:id='e'/> d</p>", ["a <b>n< c> d"]),
])
def test_words_of_a_span(body: str, expected: list[str]) -> None:
    tei = TEI_HEAD.format(before="", front="", back="", body=body)
    document = other.stranger(tei.encode(), name="a.xml").document
    blocks = [seen(item.content) for item in walk(document) if isinstance(item, Paragraph)]
    assert [" ".join(block.split()) for block in blocks] == expected
