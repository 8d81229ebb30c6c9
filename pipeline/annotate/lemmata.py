"""Lemmata: the words that a comment takes up, 云“…”者 and, without quotation marks, 云…者, X犹…, X谓….

A lemma points to its words in the unit, or in the 注, that the note is on. Without quotation marks, words are a lemma
only if the text commented on has them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.annotate.index import (
    FoundSpan,
    Index,
    find_words,
    insert_spans,
    rewrite_notes,
    search_form,
    to_simplified,
)
from pipeline.model import Content, Document, Note, Span
from pipeline.model.pointers import Range

_QUOTED = re.compile("(?P<lead>[云言知引]|^|经云|[。,;]而云)[“「](?P<lemma>[^“”「」]+)[”」](?P<after>者|以下|也)?")
"""Words in quotation marks that a comment may take up: after a word of speech, 引, 知, or at the beginning."""
_SIGN = re.compile("[“「云雲犹猶谓謂]")
"""Any comment with a lemma has one of these, in either script; tested first for speed."""
_PLAIN = re.compile("云(?P<lemma>[^云“”「」\\s　]{1,40}?)者(?!,?(?:\\w{2,3}以为)?字之?误)")
"""云…者, but not 云东者字误也, which is a remark on the text."""
_GLOSS = re.compile("[,，]?(?P<verb>犹|谓(?!之|..为))")
"""Verbs that explain a word: 犹, and 谓 but not 谓之, 谓某为 (洪诚《训诂学》on 犹, 谓, 谓之)."""
_LIKENED = re.compile("犹(?:[言云].|(?![在用必为有无以使欲若可当])[^不未]{1,6}也)")
"""犹 that compares words; otherwise it means "still"."""
_SHORT = re.compile("犹.{1,2}也")
"""犹 that compares a word with one or two others: X犹Y也."""
_NO_WORD = frozenset("所者之也而皆亦其曰此是")
"""Particles and pronouns: nobody explains them with 犹 or 谓 without saying that they are words (之字)."""
_PHRASE = re.compile("[^\\s　。，,;；:：“”「」○]{1,12}$")
"""The words before 犹 or 谓 up to a stop, at most twelve: the longest end of them that the text has is the lemma."""
_BREAK = re.compile("(?:^|[也者矣焉耳。,;○　\\s])$")
"""Before the beginning of a sentence: a final particle, a stop, or nothing."""


@dataclass(slots=True)
class Texts:
    """The texts that a note comments on, by id, and the end of its last lemma in each."""

    base: tuple[tuple[str, str], ...]
    zhu: tuple[tuple[str, str], ...]
    reached: dict[str, int] = field(default_factory=dict)
    """By id, the end of the last lemma: a comment follows its text in order."""

    def find(self, lemma: str) -> Range | None:
        """Return the place of a lemma in the first text that has it: the next there, else the first."""
        for name, text in (*self.base, *self.zhu):
            if found := find_words(text, lemma):
                done = self.reached.get(name, 0)
                return Range(name, *next((place for place in found if place[0] >= done), found[0]))
        return None

    def take(self, lemma: str) -> str:
        """Return the pointer to a lemma and move on behind it; empty if no text has it."""
        if place := self.find(lemma):
            self.reached[place.id] = place.offset + place.length
            return str(place)
        return ""

    def nearly(self, lemma: str) -> str:
        """Return the id of a text that has most of a lemma in a row (a slip in quoting); empty if none has."""
        sought = search_form(lemma)
        if len(sought) <= 3:
            return ""
        most = max(3, len(sought) * 3 // 5)
        parts = {sought[at : at + most] for at in range(len(sought) - most + 1)} | {sought[:3]}
        texts = ((name, search_form(text)) for name, text in (*self.zhu, *self.base))
        return next((name for name, text in texts if any(part in text for part in parts)), "")


def mark_lemmata(document: Document, index: Index | None = None) -> Document:
    """Return a numbered document with its lemmata marked, each pointing to its words; `index` is the document's."""
    known = index or Index.of(document)
    cached: dict[str, Texts] = {}

    def rewrite(note: Note, text: str) -> Content:
        if note.kind != "commentary" or not _SIGN.search(text):
            return (text,)
        if note.id not in cached:
            zhu = [known.notes[note.target]] if note.target in known.notes else []
            zhu += [each for each in known.comments(note) if each not in zhu] if note.subtype == "shu" else []
            base = tuple((anchor, known.texts[anchor]) for anchor in known.anchors(note))
            cached[note.id] = Texts(base, tuple((each.id, known.texts[each.id]) for each in zhu if each.id != note.id))
        texts, quoted = cached[note.id], "“" in text or "「" in text
        found = _quoted(text, texts) if quoted else _plain(text, texts)
        if not (quoted and note.subtype == "shu"):
            glosses = _glossed(text, texts)
            found += [each for each in glosses if all(each[1] <= start or each[0] >= end for start, end, _ in found)]
        lemmata = (FoundSpan(start, end, Span(role="lemma", content=(), target=to)) for start, end, to in sorted(found))
        return insert_spans(text, lemmata)

    return rewrite_notes(document, rewrite, "lemma")


def _plain(text: str, texts: Texts) -> list[tuple[int, int, str]]:
    """Find 云…者 without quotation marks, if the text commented on has the words."""
    found = []
    for match in _PLAIN.finditer(to_simplified(text)):
        if target := texts.take(text[match.start("lemma") : match.end("lemma")]):
            found.append((match.start("lemma"), match.end("lemma"), target))
    return found


def _glossed(text: str, texts: Texts) -> list[tuple[int, int, str]]:
    """Find X犹Y也 and X谓Y; X is the longest end of the preceding words, after the last 犹 or 谓, that the text has.

    A single character counts only at the beginning of a sentence, or where 犹 compares it with one or two.
    """
    found: list[tuple[int, int, str]] = []
    done = 0
    plain = to_simplified(text)
    for match in _GLOSS.finditer(plain):
        phrase = _PHRASE.search(text[done : match.start()])
        if phrase is None or (match["verb"] == "犹" and not _LIKENED.match(plain, match.start("verb"))):
            continue
        starts = range(done + phrase.start(), match.start())
        start = next((n for n in starts if texts.find(text[n : match.start()])), None)
        if start is None or text[start : match.start()] in _NO_WORD:
            continue
        alone = match.start() - start == 1 and not _SHORT.match(plain, match.start("verb"))
        if not alone or _BREAK.search(text[:start]):
            found.append((start, match.start(), texts.take(text[start : match.start()])))
            done = match.end()
    return found


def _quoted(text: str, texts: Texts) -> list[tuple[int, int, str]]:
    """Find words in quotation marks: a lemma if 者 follows, or if the text commented on has them."""
    found = []
    for match in _QUOTED.finditer(to_simplified(text)):
        lemma = text[match.start("lemma") : match.end("lemma")]
        formal = match["after"] == "者" or not match["lead"]
        if target := texts.take(lemma) or (texts.nearly(lemma) if formal else ""):
            found.append((match.start("lemma") - 1, match.end("lemma") + 1, target))
    return found
