"""What arrives as a source: bytes that are text, or a message that says where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.errors import SourceError
from jiaokan.readers.common.source import decode_lines


def test_line_ends_of_all_kinds_and_a_byte_order_mark() -> None:
    assert decode_lines("\ufeff注曰\r\n疏曰\r敖氏曰\n".encode(), "a.txt") == ("注曰", "疏曰", "敖氏曰", "")


@pytest.mark.parametrize(("data", "message"), [
    (b"", "a.txt: the file is empty"),
    (b"\xef\xbb\xbf \n", "a.txt: the file is empty"),
    ("注曰\n疏\0曰".encode(), r"a.txt:2:2: U\+0000 cannot stand in a text: …注曰⏎疏⟦'\\x00'⟧曰…"),
    ("注\x7f".encode(), r"a.txt:1:2: U\+007F"),
    ("注曰".encode("utf-16"), "a.txt:1:1: not UTF-8 at byte 0\n.*looks like UTF-16"),
    ("小臣戒與者".encode("utf-16-le"), "looks like UTF-16LE"),
    ("小臣戒與者".encode("utf-16-be"), "looks like UTF-16BE"),
    ("注曰鄉射".encode("gb18030"), "a.txt:1:3: not UTF-8 at byte 4 .*\n.*looks like GB18030"),
    ("注曰\n疏".encode() + b"\xff\xff" + "曰".encode(), "a.txt:2:2: not UTF-8 at byte 10 after '注曰.n疏'"),
])
def test_what_is_no_text_is_refused_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        decode_lines(data, "a.txt")


@given(st.binary(max_size=60))
def test_bytes_give_lines_or_a_source_error(data: bytes) -> None:
    try:
        text = "".join(decode_lines(data, "a.txt"))
    except SourceError:
        return
    assert text == data.decode("utf-8-sig").replace("\r", "").replace("\n", "")
