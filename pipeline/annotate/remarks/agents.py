"""Whose conjecture a remark is: its note's speaker's, or that of somebody whom he names, or of nobody (或以).

Who is named stands right before the remark (朱子疑是衍文, 疏曰或言降筵者误), or in it (云东者敖君善以为字之误).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pipeline.annotate.citations import names, surnames
from pipeline.annotate.index import Index, evened
from pipeline.model.vocabulary import NOTE_SUBTYPES, TRANSMITTED
from pipeline.settings.catalog import Person

_SAYS = "(?:[曰云谓以疑言]|以为|説|说|则[曰以]|改|定|删去)"
"""Words by which somebody says or does something to the text."""
_QUOTE = "[“「『:：]*"
"""Signs that open what is said."""
_NOBODY = re.compile(f"(?:或|旧[説说]){_SAYS}{_QUOTE}$")
"""或 and 旧说 name nobody."""
_CITES = re.compile("引[^,，。;；]{1,12}[云曰][:：]?[“「『][^。;；○]*$")
"""Words by which a commentator cites, in quotation marks, what is said of another book: 郑引马季长云:“觚当为觯”."""
_BEGINS = re.compile(f"^(?:或[曰云言疑]|{_SAYS})")

"""A remark that begins with a word of speech: the name before it is who speaks."""


def cited(said: str) -> bool:
    """Tell whether the words after `said` are a quotation from what somebody says of another book."""
    return bool(_CITES.search(evened(said)))


class Reporters:
    """The persons whom the notes of a document can name."""

    def __init__(self, persons: Mapping[str, Person], index: Index, annotators: Mapping[str, str]) -> None:
        """Gather the names; `annotators` are those whom 注曰 and 疏曰 mean, where they are declared."""
        whose = speakers(index) | dict(annotators)
        layers = {f"{NOTE_SUBTYPES[kind]}曰": person for kind, person in whose.items() if person in persons}
        self.people = layers | names(persons) | surnames(index)
        self.people = {evened(name): person for name, person in self.people.items()}
        self.people |= {name[0]: person for name, person in self.people.items() if name.endswith("氏")}
        self._before = _pattern(tuple(self.people), 1)
        self._within = _pattern(tuple(self.people), 2)

    def of(self, said: str, words: str, speaker: str) -> str:
        """Give who makes the conjecture `words`, before which a note of `speaker` says `said`; empty for nobody."""
        said, words = evened(said), evened(words)
        if match := self._within.search(words):
            return self.people[match["who"]]
        bare = _NOBODY.search(said) or (said.endswith("或") and _BEGINS.match(words)) or words.startswith("或云")
        if bare and not said.endswith("亦或"):
            return ""
        match = self._before.search(said)
        if match and (match["says"] or match["who"].endswith("曰") or _BEGINS.match(words)):
            return self.people[match["who"]]
        return speaker


def speakers(index: Index) -> dict[str, str]:
    """Give by kind of note who speaks all 注, and who all 疏, of a text; nothing for a kind that several speak."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for note in index.notes.values():
        if note.subtype in TRANSMITTED and note.resp:
            found[note.subtype].add(note.resp)
    return {kind: next(iter(who)) for kind, who in found.items() if len(who) == 1}


@lru_cache(maxsize=64)
def _pattern(people: Iterable[str], least: int) -> re.Pattern[str]:
    """Give the pattern of a name at the end of what is said before a remark; with `least` 2, inside a remark."""
    longest = sorted((name for name in people if len(name) >= least), key=lambda name: (-len(name), name))
    some = "|".join(map(re.escape, longest)) or "(?!)"
    who = f"(?<![从据依如若])(?P<who>{some})"
    return re.compile(f"{who}(?P<says>{_SAYS}?){_QUOTE}$" if least == 1 else f"{who}(?:以为|改作)")
