"""The signs for someone beginning to speak inside a bracket, and for the words that close a section.

Their weights come from reading one text of 226,000 characters: there a listed name with 曰 opens a new speaker wherever
it stands, glued or not (only inside another's quotation it does not), while 按 is as often the speaker's own word, and
gives the word back to the author only after a closed sentence. Only sums count: a weight one nearer to zero, or two
farther from it, changes nothing in that text but in these cases (characters in another layer or of another speaker):
`GOES_ON` −3 307, `CLOSED` 0 240, `CLOSES` 5 506, `LONG` −3 44, `GLUED` −2 417, −5 14.
"""

from __future__ import annotations

from pipeline.readers.common.evidence import Sign

NAMED = Sign("a listed name", 2)
TURN = Sign("words with which the author takes the word", 2)
OPENS = Sign("opens the bracket", 3)
PARTED = Sign("after a separator", 3)
BROKEN = Sign("the bracket before it broke off: nothing stands between them where one bracket is the rule", 3)
GOES_ON = Sign("nobody is named: the speaker before may go on", -1)
SHAPE = Sign("has the form of a phonetic gloss", 2)
LISTED = Sign("a listed source", 3)
CLOSED = Sign("after a closed sentence", 1)
CITED = Sign("after a verb that cites", -3)
FIRST = Sign("the first words of who was just named", -4)
AGAIN = Sign("after 又: the same speaker goes on", -4)

CLOSES = Sign("has the form of words that close a section", 3)
LONG = Sign("longer than such words are", -1)
EXPLAINED = Sign("alone in its line, and a line of commentary follows as on base text", -4)
GLUED = Sign("glued to the text before it", -3)
SPACED = Sign("white space after it, which in base text only follows such words", 2)

_LONGEST = 18
"""Characters of the longest words that close a section, all but one in the text on which this was tried; longer ones
count one against it (`LONG`). 10 or 40 changes nothing there."""

SENTENCE_END = frozenset("也矣耳焉哉乎欤耶尔同除云反")
"""Characters that close a sentence; 同, 除 end the summaries of statutes (今律文并同), 反 a phonetic gloss."""

CITING = frozenset("引如据依若犹见")
"""Verbs that take a name as their object."""


def before(text: str, at: int, own: int, separators: str) -> tuple[Sign, ...]:
    """Give what the characters before offset `at` of a bracket's text say.

    `own` is the offset at which the current speaker's own words begin, after his label.
    """
    if at == 0:
        return (OPENS,)
    last = text[at - 1]
    signs = (
        (PARTED, last in separators), (CLOSED, last in SENTENCE_END), (CITED, last in CITING), (AGAIN, last == "又"),
        (FIRST, at == own),
    )
    return tuple(sign for sign, holds in signs if holds)


def closing(words: str, *, explained: bool, glued: bool, spaced: bool) -> tuple[Sign, ...]:
    """Give the signs that words like 右… close a section.

    `explained`: only a line of commentary follows them; `glued`: base text stands before them; `spaced`: white space
    follows them.
    """
    signs = (
        (CLOSES, True), (LONG, len(words) > _LONGEST), (EXPLAINED, explained), (GLUED, glued),
        (SPACED, glued and spaced),
    )
    return tuple(sign for sign, holds in signs if holds)
