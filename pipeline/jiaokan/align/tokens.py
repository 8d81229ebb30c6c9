"""The input of the aligner: the tokens of a text, where its units begin, and which unequal tokens are related."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

Akin = Callable[[str, str], bool]
"""Whether two unequal tokens are related, as variants of a character or spellings of a word."""


def _never(*_tokens: object) -> bool:
    return False


class Kinship(NamedTuple):
    """What a caller knows of its tokens besides whether they are equal."""

    akin: Akin = _never
    function_word: Callable[[str], bool] = _never
    """Whether a token is mostly a function word (of, the, 之, 也): it does not answer to a content word."""
    spelled: Callable[[str], bool] = _never
    """Whether a token is a word of an alphabet: an akin one in another witness is then the same word, misspelled."""


UNRELATED_TOKENS = Kinship()
"""Unequal tokens are simply unequal."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of one witness: the forms by which they are compared, and the texts (units or notes) they make up."""

    forms: Sequence[str]
    texts: Sequence[range]
    """The numbers of the tokens of each text, in order; a text may have none."""
    edges: tuple[bool, bool] = (True, True)
    """Whether the witness may have lost what precedes its first words and what follows its last: a fragment."""
    ends_sentence: Callable[[int], bool] = _never
    """Whether a sentence ends with a token, by its number."""

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> Tokens:
        """Return the tokens of a witness from the forms of its texts."""
        forms: list[str] = []
        ranges: list[range] = []
        for text in texts:
            forms += text
            ranges.append(range(len(forms) - len(text), len(forms)))
        return cls(forms, ranges)

    @property
    def size(self) -> int:
        """The number of its tokens."""
        return len(self.forms)

    @cached_property
    def numbers(self) -> list[int]:
        """For each token the number of its text."""
        return [number for number, text in enumerate(self.texts) for _ in text]

    @cached_property
    def starts(self) -> frozenset[int]:
        """The tokens with which texts begin, and the end."""
        return frozenset([*(text.start for text in self.texts), self.size])
