"""Entries by any method in anybody's file, by another and by a third: the same texts and entries, or a refusal."""

from __future__ import annotations

import random

from jiaokan.errors import JiaokanError
from jiaokan.exchange.conversion import convert_apparatus
from jiaokan.exchange.conversion.proof import contents
from tests.fuzz import on_strangers, shown, written
from tests.test_linking import WAYS, tei

NAME = "apparatus"
NUMBERS = ("", " n='1'", " n='2'")
PLACES = ("", "", " loc='1'", " type='x'")
EMPTY = ("<lb/>", "<gap/>", "<pb n='1'/>", "<!-- c -->", "<?p i?>", "<note>n</note>", "<milestone unit='x'/>")
WITH = tuple(n for n, path in enumerate(on_strangers.FILES) if b"<app" in path.read_bytes())


def made(chance: random.Random) -> str:
    """Entries in entries and elements, or those of our cases, damaged."""
    if chance.random() < 0.4:
        return on_strangers.damaged(on_strangers.small(chance.choice(WITH), chance), chance, chance.randint(0, 3))
    ends = [0]
    body = "".join(f"<p{chance.choice(NUMBERS)}>{_inline(chance, 3, ends)}</p>" for _ in range(chance.randint(1, 3)))
    return shown(tei(f"{body}<p>z <app><lem>y</lem><rdg wit='#A'>x</rdg></app></p>"))


def _inline(chance: random.Random, depth: int, ends: list[int]) -> str:
    return "".join(_one(chance, depth, ends) for _ in range(chance.randint(0, 4)))


def _one(chance: random.Random, depth: int, ends: list[int]) -> str:
    kind = chance.random() if depth else 0.0
    if kind < 0.4:
        return _words(chance)
    if kind < 0.55:
        return chance.choice(EMPTY)
    if kind < 0.65:
        return f"<hi>{_inline(chance, depth - 1, ends)}</hi>"
    if kind < 0.75:
        ends[0] += 1
        start = f"<anchor xml:id='p{ends[0]}'/>"
        far = f" from='#p{chance.randint(1, ends[0])}'"
        far += f" to='#p{chance.randint(1, ends[0])}'" if chance.random() < 0.4 else ""
        return f"{start}{_inline(chance, depth - 1, ends)}<app{far}>{_readings(chance, 0, ends)}</app>"
    lemma = f"<lem{_wit(chance)}>{_inline(chance, depth - 1, ends)}</lem>" if chance.random() < 0.8 else ""
    return f"<app{chance.choice(PLACES)}>{lemma}{_readings(chance, depth - 1, ends)}</app>"


def _readings(chance: random.Random, depth: int, ends: list[int]) -> str:
    return "".join(f"<rdg{_wit(chance)}>{_inline(chance, depth, ends) if depth else _words(chance)}</rdg>"
                   for _ in range(chance.randint(0, 3)))


def _wit(chance: random.Random) -> str:
    named = " ".join(f"#{each}" for each in chance.sample("ABC", chance.randint(1, 2)))
    return chance.choice((f" wit='{named}'", f" wit='{named}'", "", " wit='#X'", " wit=''"))


def _words(chance: random.Random) -> str:
    return "".join(chance.choices(("a", "b", "甲", " ", "\n", "&amp;", "&#x1f409;"), k=chance.randint(0, 4)))


def hold(given: str) -> None:
    """By two methods that the file's content chooses; what can be held is held again."""
    data = written(given)
    first, second = WAYS[len(data) % len(WAYS)], WAYS[sum(data) % len(WAYS)]
    try:
        once = convert_apparatus(data, first[0], file="given.xml", where=first[1], split=True, keep=True).data
    except JiaokanError as error:
        assert "given.xml" in str(error)
        return
    try:
        twice = convert_apparatus(once, second[0], file="again.xml", where=second[1], split=True, keep=True).data
    except JiaokanError as error:
        assert "again.xml" in str(error)
        return
    before, after = contents(data, "x"), contents(twice, "x")
    assert after.entries == before.entries
    assert all(after.texts.get(name) == words for name, words in before.texts.items())
