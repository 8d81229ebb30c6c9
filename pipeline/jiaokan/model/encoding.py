"""What is one word however a file encodes it: composed or not, with signs that have no form, in full or half width.

Such differences are of the typist and the program, not of the witness. The text keeps what its file has; words are
compared without it. Compatibility ideographs are left, since their forms may be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from unicodedata import category, decomposition, is_normalized, normalize

import regex

from jiaokan.model.words import alphabetic, has_elision, is_separator, one_sign, parts

_ENCODED = regex.compile(
    r"[\p{Default_Ignorable_Code_Point}\u0640\u3099\u309a\u2e80-\u2fd5"
    r"[[\uff00-\uffef\ufb00-\ufdff\ufe70-\ufefc]&&[\p{L}\p{M}\p{N}]]]", regex.V1)
"""Default ignorable characters (Unicode Standard 5.21: variation selectors, joiners, soft hyphens, marks of direction),
tatweel, sounding marks of kana, radicals, presentation forms."""
_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u0640]")
_COMPATIBILITY_GRAPH = regex.compile(r"[\uf900-\ufaff\U0002f800-\U0002fa1f]")
_CLUSTER = regex.compile(r"\X")
_FORMS = ("<wide>", "<narrow>", "<compat>", "<initial>", "<medial>", "<final>", "<isolated>")
"""Compatibility mappings (UAX #44, 5.7.3) that change the form of a letter and not its sense, as superscripts do."""


@lru_cache(maxsize=65536)
def one_code(word: str) -> str:
    """Return a word as it is compared: without signs that have no form of their own, in one width, one sign for all
    signs of elision."""
    return one_sign(_plain(word) if is_encoded(word) else word)


def encoded_parts(text: str, elisions: Collection[int] | None = None) -> Iterator[tuple[str, str]]:
    """Return the words of a text and every other character, each as the text has it and as `one_code`; the first,
    joined, are the text. What has no form belongs to the character before it. `elisions`: as for `parts`."""
    if not is_encoded(text):
        written = list(parts(text, elisions))
        return zip(written, map(one_sign, written) if has_elision(text) else written, strict=True)
    return _parts_in_one_code(text, elisions)


def _parts_in_one_code(text: str, elisions: Collection[int] | None) -> Iterator[tuple[str, str]]:
    plain, places = _with_places(text)
    marks = None if elisions is None else {n for n, place in enumerate(places[:-1]) if place in elisions}
    at = start = 0
    for part in parts(plain, marks):
        at += len(part)
        end = places[at] if at < len(plain) else len(text)
        yield text[start:end], one_sign(part)
        start = end
    if start < len(text):
        yield text[start:], ""


def words(text: str) -> list[str]:
    """Return the graphs and words of a text, without punctuation and white space."""
    if alphabetic(text) or is_encoded(text):
        return [word for word, plain in encoded_parts(text) if plain and not is_separator(plain)]
    return [graph for graph in text if not is_separator(graph)]


def is_encoded(text: str) -> bool:
    """Whether a text has characters that `one_code` may change."""
    return _ENCODED.search(text) is not None or not is_normalized("NFC", text)


def _with_places(text: str) -> tuple[str, list[int]]:
    """Return a text in one encoding, and for each of its characters, and its end, the offset in the text."""
    plain = ""
    places: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        form = _plain(cluster[0]) if is_encoded(cluster[0]) else cluster[0]
        same = len(form) == len(cluster[0])
        places += (cluster.start() + (n if same else 0) for n in range(len(form)))
        plain += form
    return plain, [*places, len(text)]


def _plain(cluster: str) -> str:
    forms = "".join(map(_form, _UNSEEN.sub("", cluster)))
    return forms if _COMPATIBILITY_GRAPH.search(forms) else normalize("NFC", forms)


@lru_cache(maxsize=4096)
def _form(char: str) -> str:
    if decomposition(char).split(" ")[0] not in _FORMS:
        return char
    form = normalize("NFKC", char)
    return form if all(category(letter)[0] in "LMN" for letter in form) else char
