"""A sign of elision belongs to its word; the same sign that closes a quotation does not."""

from __future__ import annotations

import pytest

from jiaokan.entries.extract import all_entries
from jiaokan.model.encoding import words
from jiaokan.model.words import parts
from jiaokan.tei.views import plain_text
from tests.collations import edition, witness


@pytest.mark.parametrize(("text", "wanted"), [
    ("con l’opera d’ingegno", "con|l’|opera|d’|ingegno"), ("quell'isola un po' più", "quell'|isola|un|po'|più"),
    ("aujourd’hui l’homme dit", "aujourd’|hui|l’|homme|dit"),
    ("οὐδ᾽ ἐμέ, μηδʼ ὑμᾶς· τοῦτ’ ἔστι", "οὐδ᾽|ἐμέ|μηδʼ|ὑμᾶς|τοῦτ’|ἔστι"), ("τοῦτ᾽ἔστι", "τοῦτ᾽|ἔστι"),
    ("ain’ tu? audin’.", "ain’|tu|audin’"), ("don’t, ’twas the boys’ game", "don’t|’twas|the|boys’|game"),
    ("rock ’n’ roll", "rock|’n’|roll"), ("'twas late", "'twas|late"),
    ("dixit ‘veni’ et abiit", "dixit|veni|et|abiit"), ("dixit 'veni mecum' et", "dixit|veni|mecum|et"),
    ("‘ἀλλ’ ἐγὼ’ ἔφη", "ἀλλ’|ἐγὼ|ἔφη"), ("‘c’est moi.’ les amis", "c’|est|moi|les|amis"),
    ("“l’altro”", "l’|altro"), ("子曰‘學’也", "子|曰|學|也"), ("’", ""), ("l’", "l’"),
])
def test_words_with_their_signs(text: str, wanted: str) -> None:
    assert "|".join(words(text)) == wanted
    assert "".join(parts(text)) == text


@pytest.mark.parametrize(("base", "other", "wanted"), [
    ("con la opera", "con l’opera", ["la ] l’"]), ("lo amico di Ugo", "l’amico d’Ugo", ["lo ] l’", "di ] d’"]),
    ("ἀλλὰ ἔγωγε λέγω", "ἀλλ’ ἔγωγε λέγω", ["ἀλλὰ ] ἀλλ’"]), ("que il vient", "qu'il vient", ["que ] qu'"]),
    ("con l'opera", "con l’opera", []), ("οὐδ᾽ ἐμέ", "οὐδ’ ἐμέ", []), ("dixit veni et", "dixit ‘veni’ et", []),
])
def test_entries_have_the_sign(base: str, other: str, wanted: list[str]) -> None:
    document, _ = edition([witness("a", base), witness("b", other)])
    assert [f"{entry.lemma.words} ] {entry.readings[0].words}" for entry in all_entries(document)] == wanted


def test_each_witness_keeps_its_sign() -> None:
    texts = {"a": "un po’ di l’oro", "b": "un po' di l'oro", "c": "un poʼ di oro"}
    document, _ = edition([witness(name, text) for name, text in texts.items()])
    for name, text in texts.items():
        assert plain_text(document, witness=name).strip() == text
