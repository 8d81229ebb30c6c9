"""A reading without ``@wit`` and ``@resp`` is of unknown source: nobody's conjecture."""

from __future__ import annotations

import pytest

from jiaokan.entries.sentences import formula, sentence
from jiaokan.entries.values import Entry, EntryReading


@pytest.mark.parametrize(("lemma", "words"), [("beta", "gamma"), ("beta", ""), ("", "gamma"), ("賓", "主")])
def test_unknown_source_is_no_conjecture(lemma: str, words: str) -> None:
    reading = EntryReading((), words)
    entry = Entry("e", "u", "s", "text", "", EntryReading(("a",), lemma, edited=lemma), (reading,))
    said = "".join(map(str, formula(entry, {})))
    assert "coni." not in said and "source not stated" in said
    chinese = str(sentence(entry, {}))
    assert "或" in chinese and "以为" not in chinese and "当" not in chinese and "衍" not in chinese
