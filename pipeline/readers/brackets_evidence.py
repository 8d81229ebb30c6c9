"""Whether someone begins to speak at a place inside a bracket: small signs, each with its weight, added up.

A boundary needs `THRESHOLD`. The signs come from reading 礼经本义: there a listed name with 曰 opens a new
speaker wherever it stands (821 places, three of them inside a quotation), while 按 is as often the speaker's
own word, and returns the word to the author only after a closed sentence.
"""

from __future__ import annotations

THRESHOLD = 2

WEIGHTS = {
    "opens the bracket": 3,
    "after a separator": 3,
    "a listed name with 曰": 2,
    "after a sentence's end": 1,
    "the editor's ruling": 9,
    "the editor's ruling against it": -9,
    "after a word that cites": -2,
    "first words of the speaker": -9,
    "又 before it: the same speaker goes on": -9,
}
"""What each sign says for (or against) a boundary."""

SENTENCE_END = frozenset("也矣耳焉哉乎欤耶尔同除云反")
"""Characters that close a sentence; 同, 除 end the summaries of statutes (今律文并同), 反 a phonetic gloss."""

CITING = frozenset("引如据依若犹见")
"""Verbs that take a name as their object."""


def around(text: str, at: int, speech_starts: int) -> list[str]:
    """Give the signs that lie before offset `at` of a bracket's text.

    `speech_starts` is the offset at which the current speaker's own words begin (after his label).
    """
    if at == 0:
        return ["opens the bracket"]
    before = text[at - 1]
    signs = []
    if at == speech_starts:
        signs.append("first words of the speaker")
    if before == "又":
        signs.append("又 before it: the same speaker goes on")
    if before in SENTENCE_END:
        signs.append("after a sentence's end")
    if before in CITING:
        signs.append("after a word that cites")
    return signs


def weigh(signs: list[str], more: int = 0) -> int:
    """Add up the weights of signs, and `more` for the words themselves."""
    return more + sum(WEIGHTS[sign] for sign in signs)
