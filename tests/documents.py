"""Generated documents of the central model, canonical: no empty strings, no two strings side by side."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from jiaokan.model import (
    App,
    Content,
    Correction,
    Division,
    Document,
    Figure,
    Furniture,
    Gap,
    Glyph,
    Head,
    Juan,
    Line,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Reading,
    Space,
    Span,
    Supplied,
    Trailer,
    Unit,
)

WORDS = st.text(st.sampled_from("小臣戒与者一二□\n\t\r <>&\"' \u3000\ue14b𤣥㑹"), min_size=1, max_size=6)
NAMES = st.from_regex(r"[a-z][a-z0-9]{0,3}(\.[0-9a-z]{1,2}){0,3}", fullmatch=True)
MAYBE_NAME = st.one_of(st.just(""), NAMES)
BRACKETS = st.sampled_from(["", "〈〉", "【】", "（）", "【"])
CERT = st.sampled_from(["high", "medium", "low"])
MAYBE_CERT = st.sampled_from(["", "high", "low"])
SOURCE = st.sampled_from(["", "#yili.6.1", "w:zhushu.6.1.2 #a", "注疏、集编并作此", "a b: c"])
WITNESSES = st.lists(st.sampled_from(["jibian", "benyi", "zhushu"]), unique=True, max_size=3).map(tuple)
SUBTYPE = st.sampled_from(["", "zhu", "shu", "jinwen"])
CLASSES = st.sampled_from(["", "script", "graphic", "corruption", "omission", "transposition"])


def canonical(parts: list[Any]) -> Content:
    """Join strings that stand side by side."""
    joined: list[Any] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


LEAVES = st.one_of(
    WORDS,
    st.builds(Glyph, code=st.sampled_from(["\ue14b", "\uea20", "\U000f0000"]), standard=st.sampled_from(["", "弦"])),
    st.builds(Correction, sic=WORDS, corr=WORDS, resp=MAYBE_NAME, cert=CERT, source=SOURCE),
    st.builds(Correction, sic=WORDS, corr=WORDS, cert=st.just(""), rend=st.just("（）〔〕")),
    st.builds(Correction, sic=WORDS, corr=st.just(""), cert=st.just(""), rend=st.just("（）")),
    st.builds(Supplied, text=WORDS, cert=st.just(""), rend=st.just("〔〕")),
    st.builds(Supplied, text=WORDS, resp=MAYBE_NAME, cert=CERT, source=SOURCE),
    st.builds(Gap, reason=st.sampled_from(["blank", "lacuna", "glyph-lost"]), rend=st.sampled_from(["", "□"])),
    st.builds(Space, text=st.text(st.sampled_from(" \u3000\t"), min_size=1, max_size=3)),
    st.builds(Mark, witness=st.just("benyi"), unit=st.sampled_from(["6.1.2", "6.1.2+13", "6.1.2.n1"])),
    st.builds(Figure, source=st.sampled_from(["", "<经部,礼类>"]), description=st.sampled_from(["", "原本有图"])),
)


def _contents(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Content]:
    return st.lists(inner, max_size=4).map(canonical)


def _spans(content: st.SearchStrategy[Content]) -> st.SearchStrategy[Span]:
    roles = ["attribution", "scope", "lemma", "quote", "person", "title", "fanqie", "duruo", "textcrit", "punct"]

    def span(role: str, inside: Content, subtype: str, ends: tuple[str, str], ref: str, rend: str) -> Span:
        made: Any = {"role": role}
        return Span(
            content=inside, subtype=subtype, target=ends[0], target_end=ends[1] if ends[0] else "", ref=ref, rend=rend,
            **made,
        )

    return st.builds(
        span, st.sampled_from(roles), content, SUBTYPE, st.tuples(MAYBE_NAME, MAYBE_NAME), MAYBE_NAME, BRACKETS
    )


def _notes(content: st.SearchStrategy[Content]) -> st.SearchStrategy[Note]:
    return st.builds(
        Note, content=content, kind=st.sampled_from(["commentary", "gloss", "variant", "source", "editorial"]),
        subtype=SUBTYPE, resp=MAYBE_NAME, cert=MAYBE_CERT, id=MAYBE_NAME, target=MAYBE_NAME, target_end=MAYBE_NAME,
        place=st.sampled_from(["inline", "block", "top"]), rend=BRACKETS, sources=WITNESSES,
    )


def _groups(content: st.SearchStrategy[Content]) -> st.SearchStrategy[NoteGroup]:
    return st.builds(NoteGroup, notes=st.lists(_notes(content), max_size=2).map(tuple), rend=BRACKETS)


def _readings(content: st.SearchStrategy[Content]) -> st.SearchStrategy[Reading]:
    return st.builds(
        Reading, witnesses=WITNESSES, content=content, variant=CLASSES,
        source=st.sampled_from(["", "rule:yitizi", "list:loan", "#a.b"]), cert=MAYBE_CERT, resp=MAYBE_NAME,
        target=MAYBE_NAME,
    )


def _apps(content: st.SearchStrategy[Content]) -> st.SearchStrategy[App]:
    return st.builds(
        App, lemma=_readings(content), readings=st.lists(_readings(content), max_size=2).map(tuple), id=MAYBE_NAME,
        kind=st.sampled_from(["variant", "attribution", "move"]), same_as=MAYBE_NAME,
    )


def _units(content: st.SearchStrategy[Content]) -> st.SearchStrategy[Unit]:
    lines = st.lists(st.builds(Line, content=content), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Unit, content=content, id=MAYBE_NAME, sources=WITNESSES),
        st.builds(Unit, content=lines, id=MAYBE_NAME, sources=WITNESSES, verse=st.just(True)),
    )


def _inlines(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    content = _contents(inner)
    return st.one_of(_spans(content), _notes(content), _groups(content), _apps(content))


INLINES = st.recursive(LEAVES, _inlines, max_leaves=8)
CONTENT = _contents(INLINES)
UNITS = _units(CONTENT)
BASE_TEXT = _contents(st.one_of(INLINES, UNITS, _apps(_contents(st.one_of(LEAVES, UNITS)))))
BLOCKS = st.one_of(
    st.builds(Paragraph, content=BASE_TEXT, kind=st.just("jing")),
    st.builds(Paragraph, content=CONTENT, kind=st.just("prose")),
    st.builds(Head, content=CONTENT, id=MAYBE_NAME),
    st.builds(Trailer, content=CONTENT, id=MAYBE_NAME),
    st.builds(Furniture, content=CONTENT, kind=st.sampled_from(["juan-head", "juan-tail", "collection", "byline"])),
    st.builds(Juan, n=st.integers(0, 40)),
    st.builds(Figure, source=st.just("<经部>"), description=st.just("")),
    _notes(CONTENT), _groups(CONTENT), _apps(CONTENT),
)


def _divisions(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Division]:
    return st.builds(
        Division, kind=st.sampled_from(["front", "part", "pian", "section", "ji"]),
        items=st.lists(items, max_size=3).map(tuple), n=st.sampled_from(["", "6"]), id=MAYBE_NAME,
        title=st.one_of(st.just(""), WORDS),
    )


DOCUMENTS = st.builds(
    Document, id=NAMES,
    divisions=st.lists(_divisions(st.one_of(BLOCKS, _divisions(BLOCKS))), max_size=3).map(tuple),
    dropped=st.lists(st.tuples(NAMES, st.one_of(st.just(""), WORDS)), max_size=2).map(tuple),
)
