"""The input of CollateX as witnesses: ``{"witnesses": [{"id": "A", "content": "…"}, {"id": "B", "tokens": […]}]}``.

A token has its text ``t``, and optionally its normal form ``n``, by which it is compared, and ``lemma`` or ``sound``,
by which it is aligned. Words with one lemma differ in inflection (Camps, Ing, Spadini: Collating Medieval Vernacular
Texts, 2019). A word without ``n`` has the normal form that the file gives the same word elsewhere. Other keys are
ignored, as CollateX does. Blanks between words of an alphabet are added where ``t`` has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from jiaokan.errors import Message, Place, SourceError
from jiaokan.model import Content, Inline, Space, Span
from jiaokan.model.encoding import encoded_parts, words
from jiaokan.model.text import attested
from jiaokan.model.walk import Rewriting, join_strings
from jiaokan.model.words import beside_letters
from jiaokan.system.json_fault import json_fault


class GivenToken(msgspec.Struct, kw_only=True):
    """A token of a witness."""

    t: str
    n: str = ""
    lemma: str = ""
    sound: str = ""


class GivenWitness(msgspec.Struct, kw_only=True):
    """A witness, with its text or its tokens."""

    id: str
    content: str | None = None
    tokens: list[GivenToken] | None = None


class CollatexInput(msgspec.Struct, kw_only=True):
    """What CollateX reads."""

    witnesses: list[GivenWitness]


def is_collatex(data: bytes) -> bool:
    """Whether a file is JSON with witnesses, and not a text that begins with a brace."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and b'"witnesses"' in data


def read_input(data: bytes, file: str) -> list[GivenWitness]:
    """Return the witnesses of CollateX's input. Raises SourceError for other JSON, and for a witness without words."""
    try:
        witnesses = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=CollatexInput).witnesses
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        fault = json_fault(data.removeprefix(b"\xef\xbb\xbf"), file)
        raise fault or SourceError(Message("collatex-input-invalid", why=str(error)), place=Place(file),
                                   mend=Message("give-collatex-input")) from None
    for witness in witnesses:
        given = [witness.content, witness.tokens]
        if not witness.id.strip() or given.count(None) != 1 or not any(given):
            raise SourceError(Message("collatex-witness-empty", witness=witness.id), place=Place(file),
                              mend=Message("give-collatex-input"))
    return witnesses


def texts(data: bytes, file: str) -> Iterator[tuple[str, list[Content] | bytes]]:
    """Yield the siglum of each witness of CollateX's input, and its paragraphs, or its plain text if no token of the
    file has a normal form. Raises as `read_input`."""
    witnesses = read_input(data, file)
    norms = {token.t.strip(): token.n.strip() for witness in witnesses for token in witness.tokens or () if token.n}
    for witness in witnesses:
        if witness.tokens is not None:
            yield witness.id, [tuple(_inlines(witness.tokens, norms))]
        elif norms:
            rows = [row for row in (witness.content or "").splitlines() if row.strip()]
            parts = ([GivenToken(t=part) for part, _ in encoded_parts(row)] for row in rows)
            yield witness.id, [tuple(_inlines(tokens, norms)) for tokens in parts]
        else:
            yield witness.id, (witness.content or "").encode()


class WordBlanks(Rewriting):
    """Makes a blank between words of an alphabet that are tokens part of the text, as it is in plain text."""

    def content(self, content: Content) -> Content:
        """Return content with such blanks as strings."""
        content = super().content(content)
        if not any(isinstance(item, Span) and item.role == "word" for item in content):
            return content
        ends = [attested(item) for item in content]
        return join_strings(
            " " if isinstance(item, Space) and item.text == " " and 0 < n < len(content) - 1
            and beside_letters(ends[n - 1][-1:], ends[n + 1][:1]) else item for n, item in enumerate(content))


def _inlines(tokens: Sequence[GivenToken], norms: Mapping[str, str]) -> Iterator[Inline]:
    before = ""
    for token in tokens:
        word = token.t.strip()
        if not word:
            yield from filter(None, [token.t])
            before = token.t or before
            continue
        lead = token.t[:len(token.t) - len(token.t.lstrip())]
        if not lead and before and not before[-1:].isspace() and beside_letters(before[-1:], word[:1]):
            lead = " " if words(word) else ""
        yield from filter(None, [lead])
        if words(word):
            plain = token.n.strip() or norms.get(word, "")
            yield Span(role="word", content=(word,), subtype=plain, ref=token.lemma or token.sound)
        else:
            yield word
        tail = token.t[len(token.t.rstrip()):]
        yield from filter(None, [tail])
        before = word + tail
