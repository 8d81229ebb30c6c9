"""How a file encodes a word is no reading, and the text keeps it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan import collate_texts
from jiaokan.characters.equality import judge, norm
from jiaokan.model.encoding import encoded_parts, one_code, words

PAIRS = [
    ("a variation selector", "葛\U000e0100城", "葛城"), ("a standardised variant", "不\ufe00知", "不知"),
    ("a joiner between graphs", "山\u2060水", "山水"), ("a soft hyphen", "re\u00adgnum dei", "regnum dei"),
    ("a zero width space in a word", "re\u200bgnum dei", "regnum dei"),
    ("a mark of direction", "\u200fמלך גדול", "מלך גדול"), ("a joiner in Persian", "می\u200cروم", "میروم"),
    ("tatweel", "عــلم", "علم"), ("wide letters", "卷Ａ３", "卷A3"), ("narrow kana", "ﾊﾞﾝ山", "バン山"),
    ("a ligature", "ﬂumen", "flumen"), ("a radical", "⾦石", "金石"), ("presentation forms", "ﺳﻼم", "سلام"),
    ("composed letters", "sa\u0301ra", "s\u00e1ra"),
]
DIFFERENT = [("年", "\uf98e"), ("x²", "x2"), ("①", "1"), ("か", "が"), ("葛", "\U0002f96a"), ("①", "②")]
SIGNS = "天地aé\u0301\u200b\u200d\ufe0f\u00adＡ１ｶﾞ⼀ﬁ ,。’\u0640ك\U000e0101"


@pytest.mark.parametrize(("written", "plain"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_encoding_is_no_reading(written: str, plain: str) -> None:
    collation = collate_texts({"A": f"{written}\n", "B": f"{plain}\n", "C": f"{plain}\n"})
    assert len(collation.entries) == 0
    assert judge(written, plain).variant == ""
    assert norm(written) == norm(plain)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_forms_with_a_sense_of_their_own_stay_apart(left: str, right: str) -> None:
    assert one_code(left) != one_code(right)


@settings(max_examples=200)
@given(st.text(st.sampled_from(SIGNS), max_size=12))
def test_parts_are_the_text_and_no_sign_without_form_is_a_word(text: str) -> None:
    parts = list(encoded_parts(text))
    assert "".join(written for written, _ in parts) == text
    assert all(word == one_code(word) or one_code(word) for word in words(text))
    assert one_code(one_code(text)) == one_code(text)
