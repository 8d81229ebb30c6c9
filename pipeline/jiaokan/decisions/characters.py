"""Decisions on characters: of a source (glyph, correction, supplied, literal), and throughout (lost, pair, print).

A context is searched in the text as the source prints it, across notes and blocks. Corrections that a source prints
itself, （誤）〔正〕, are those of punctuated editions of 中華書局 (凡例 of the 點校本二十四史): wrong characters in
round brackets, right ones in square brackets. A number alone in square brackets calls a note (〔三〕) and is left,
except after round ones, and so are brackets in lines of the page (〔晉〕陳壽 撰).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

from msgspec.structs import replace

from jiaokan import model
from jiaokan.decisions import tables
from jiaokan.decisions.kinds import MISFITS, Filed, load, load_file
from jiaokan.decisions.passages import find
from jiaokan.errors import CatalogError, DecisionError, Message, raise_all
from jiaokan.model.numerals import NUMERAL
from jiaokan.model.text import edited
from jiaokan.model.walk import Replacing, ReplacingStrings, strings
from jiaokan.model.words import LACUNAE, beside_letters, composed_length
from jiaokan.settings.patterns import alternatives
from jiaokan.settings.tables import PrintedCorrections

Placed = Filed[tables.CorrectionDecision] | Filed[tables.SuppliedDecision]
"""A decision on one place of a source."""
Located = tuple[int, Placed | Filed[tables.GlyphDecision]]
"""The offset of a decision in the text of a document, and the decision."""
_Range = tuple[int, int, model.Inline, bool]
"""Start, end, replacement; whether an empty range belongs to the string after it."""
_SPECIAL = re.compile(f"[\ue000-\uf8ff\U000f0000-\U0010ffff{LACUNAE} \u3000&\\[⿰-⿿\u31ef]")


@dataclass(frozen=True)
class Decisions:
    """All decisions on characters of an edition folder."""

    glyphs: Mapping[str, Filed[tables.GlyphDecision]] = field(default_factory=dict)
    """By what stands for the character in a source."""
    corrections: tuple[Filed[tables.CorrectionDecision], ...] = ()
    supplied: tuple[Filed[tables.SuppliedDecision], ...] = ()
    literals: tuple[Filed[tables.LiteralDecision], ...] = ()
    signs: str = ""
    """Characters that do not belong to the text, from its catalog entry."""

    @classmethod
    def load(cls, root: Path, signs: str = "") -> Decisions:
        """Read ``glyphs*.toml`` and ``text*.toml`` of ``tei/decisions``. Raises CatalogError if one is malformed."""
        return cls(glyphs={filed.decision.written: filed for filed in load(root, tables.GlyphDecision)}, signs=signs,
                   corrections=load(root, tables.CorrectionDecision), supplied=load(root, tables.SuppliedDecision),
                   literals=load(root, tables.LiteralDecision))

    def locate(self, document: model.Document) -> list[Located]:
        """Return the decisions on a document, by offset in the text of its strings. Raises DecisionError as `apply`."""
        pieces = strings(document)
        text, ends = "".join(pieces), [*accumulate(map(len, pieces))]
        places: list[Located] = []
        conflicts: list[DecisionError] = []
        decided: tuple[Placed, ...] = (*self.corrections, *self.supplied)
        for filed in decided:
            if filed.decision.source == document.id:
                try:
                    start = place_in(filed, text)
                    end = start + len(getattr(filed.decision, "sic", ""))
                    if any(start < edge < end for edge in ends):
                        raise DecisionError(
                            Message("the-decision-crosses-edge-note-quotation", text=text[start:end]),
                            place=filed.place, mend=Message("write-decision-side"))
                    places.append((start, filed))
                except DecisionError as error:
                    conflicts.append(error)
        raise_all(conflicts, MISFITS)
        if self.glyphs:
            places += ((match.start(), self.glyphs[match[0]]) for match in re.finditer(alternatives(self.glyphs), text))
        return sorted(places, key=lambda place: place[0])

    def literal(self, document: model.Document) -> list[tuple[int, int]]:
        """Return the ranges of a document's text in which □ is no lost character. Raises DecisionError as `apply`."""
        text = "".join(strings(document))
        literals = [filed for filed in self.literals if filed.decision.source == document.id]
        starts = [find(text, filed.decision.context, filed) for filed in literals]
        return [(at, at + len(filed.decision.context)) for at, filed in zip(starts, literals, strict=True)]

    def apply(self, document: model.Document) -> model.Document:
        """Return the document with glyphs, gaps, spaces, corrections and supplied text. Raises DecisionError if the
        words of a decision do not occur exactly once, or two change the same characters."""
        ranges: list[_Range] = []
        located = self.locate(document)
        for start, filed in located:
            match filed.decision:
                case tables.CorrectionDecision() as d:
                    why = d.evidence or d.why
                    inline = model.Correction(sic=d.sic, corr=d.corr, resp=d.resp, cert=d.cert, source=why)
                    ranges.append((start, start + len(d.sic), inline, False))
                case tables.SuppliedDecision() as d:
                    supplied = model.Supplied(text=d.text, resp=d.resp, cert=d.cert, source=d.evidence or d.why)
                    ranges.append((start, start, supplied, not d.before))
        literal = self.literal(document)
        ranges.sort(key=lambda r: (r[0], r[1]))
        for before, after in pairwise(r for r in ranges if r[0] < r[1]):
            if after[0] < before[1]:
                words = "".join(strings(document))[before[0] : max(before[1], after[1])]
                later = max((filed for start, filed in located if start == after[0]), key=lambda filed: filed.line)
                raise DecisionError(Message("two-decisions-change-same-characters", words=words), place=later.place,
                                    mend=Message("delete-one-of-them"))
        starts = [start for start, *_ in ranges]
        changed = ReplacingStrings(lambda leaf, at: self._leaf(leaf, at, ranges, starts, literal)).document(document)
        return replace(changed, divisions=tuple(map(_with_title, document.divisions, changed.divisions)))

    def _leaf(
        self, leaf: str, at: int, ranges: list[_Range], starts: list[int], literal: list[tuple[int, int]]
    ) -> model.Content:
        """Split one string, at offset `at` of the document's text, into strings and inlines."""
        last = at + len(leaf)
        near = ranges[bisect_left(starts, at) : bisect_right(starts, last)]
        here = [(start, end, inline, opens) for start, end, inline, opens in near if (
            at <= start and end <= last if start < end  # an empty one between two strings is in only one of them
            else at <= start < last if opens else at < start <= last)]
        out: list[model.Inline] = []
        done = at
        for start, end, inline, _ in here:
            out += self._characters(leaf[done - at : start - at], done, literal)
            out.append(inline)
            done = end
        return (*out, *self._characters(leaf[done - at :], done, literal))

    def _characters(self, text: str, at: int, literal: list[tuple[int, int]]) -> model.Content:
        """Replace characters without a code, lost places, signs and white space by their types. A blank between words
        of an alphabet is part of the string, as in any text in that script."""
        if not _SPECIAL.search(text) and not (self.signs and any(sign in text for sign in self.signs)):
            return (text,) if text else ()
        out: list[model.Inline] = []
        plain, done = "", 0
        while done < len(text):
            char, length = text[done], composed_length(text, done) or 1
            special: model.Inline | None = None
            if length > 1 or "\ue000" <= char <= "\uf8ff" or char >= "\U000f0000":
                code = text[done : done + length]
                known = self.glyphs.get(code)
                special = model.Glyph(code=code, standard=known.decision.standard if known else "")
            elif char in self.signs:
                special = model.Span(role="punct", content=(char,))
            elif char in LACUNAE and not any(start <= at + done < end for start, end in literal):
                special = model.Gap(reason="blank", rend=char)
            elif char == "\u3000" or (char == " " and not beside_letters(text[:done][-1:], text[done + 1 : done + 2])):
                special = model.Space(text=char)
            if special is None:
                plain += char
            else:
                out += [plain, special] if plain else [special]
                plain = ""
            done += length
        return (*out, plain) if plain else tuple(out)


def _with_title(before: model.Division, after: model.Division) -> model.Division:
    """Return a division whose title, if it is in its trailer, has the corrections of that, one character for one."""
    title, items = before.title, []
    for old, new in zip(before.items, after.items, strict=True):
        if isinstance(old, model.Division) and isinstance(new, model.Division):
            new = _with_title(old, new)
        items.append(new)
        if title and isinstance(old, model.Trailer) and isinstance(new, model.Trailer):
            words, corrected = ("".join(edited(trailer.content).split()) for trailer in (old, new))  # without notes
            if title in words and len(corrected) == len(words):
                title = corrected[words.index(title) :][: len(title)]
    same = title == before.title and all(a is b for a, b in zip(items, after.items, strict=True))
    return after if same else replace(after, title=title, items=tuple(items))


def decided_glyphs(root: Path) -> dict[str, tables.GlyphDecision]:
    """Return the decision on each private-use character. Raises CatalogError if a file is malformed."""
    return {code: filed.decision for code, filed in Decisions.load(root).glyphs.items()}


def place_in(filed: Placed, text: str) -> int:
    """Return the offset of a correction or supplied text in a text as received. Raises DecisionError as `find`."""
    decided = filed.decision
    if isinstance(decided, tables.SuppliedDecision):
        return find(text, decided.before + decided.after, filed, "before") + len(decided.before)
    return find(text, decided.context, filed) + decided.context.index(decided.sic)


_NUMBER = re.compile(f"(?:{NUMERAL}|\\d+)")


def mark_printed_corrections(document: model.Document, marks: PrintedCorrections) -> model.Document:
    """Return a document with the printed corrections of its source marked; its text is unchanged."""
    mending = _Mending(marks)
    return mending.document(document)


class _Mending(Replacing):
    """One pass over a document."""

    def __init__(self, marks: PrintedCorrections) -> None:
        self.marks = marks

    def item(self, item: model.Item) -> model.Item:
        return item if isinstance(item, model.Furniture) else super().item(item)

    def string(self, text: str) -> model.Content:
        if self.marks.right[0] not in text and self.marks.wrong[:1] not in text:
            return (text,)
        out: list[model.Inline] = []
        done, marks = 0, self.marks
        for match in _correction_pattern(marks).finditer(text):
            wrong, right = match[1] or "", match[2] or match[3] or ""
            if not wrong and _NUMBER.fullmatch(right):
                continue
            if match.start() > done:
                out.append(text[done : match.start()])
            if wrong:
                rend = marks.wrong + (marks.right if right else "")
                out.append(model.Correction(sic=wrong, corr=right, cert="", rend=rend))
            else:
                out.append(model.Supplied(text=right, reason="omitted", cert="", rend=marks.right))
            done = match.end()
        return (*out, text[done:]) if done < len(text) else tuple(out)


@cache
def replacement_pattern(marks: PrintedCorrections) -> re.Pattern[str]:
    """Return the pattern of one correction that replaces characters; its brackets are not those of notes."""
    return re.compile(f"{_inside(marks.wrong, marks)}{_inside(marks.right, marks)}")


@cache
def _correction_pattern(marks: PrintedCorrections) -> re.Pattern[str]:
    wrong, right = (_inside(pair, marks) for pair in (marks.wrong, marks.right))
    return re.compile(f"{wrong}(?:{right})?|{right}")


def _inside(pair: str, marks: PrintedCorrections) -> str:
    every = "".join(map(re.escape, marks.wrong + marks.right))
    return f"{re.escape(pair[0])}([^{every}\\s]+){re.escape(pair[1])}" if pair else "((?!))"


@dataclass(frozen=True)
class Choices:
    """Lost characters and pairs of an edition folder."""

    lost: tuple[tables.LostGlyphs, ...] = ()
    pairs: tuple[tables.CharacterPair, ...] = ()
    traditional: frozenset[str] = frozenset()
    """The witnesses in traditional script, by their languages."""
    listed: Mapping[frozenset[str], str] = field(default_factory=dict)
    """The class of each pair in the folder's list ``variants.tsv``."""

    @classmethod
    def load(
        cls, root: Path, languages: Mapping[str, str] | None = None, listed: Iterable[tuple[str, ...]] = ()
    ) -> Choices:
        """Read the decisions; `languages` are those of the witnesses (BCP 47, ``lzh-Hant``), `listed` the rows of
        ``variants.tsv``, of which the first on a pair counts. Raises CatalogError for a malformed file, and for an
        invalid or duplicate pair."""
        seen: dict[tuple[frozenset[str], str | None], int] = {}
        pairs = load(root, tables.CharacterPair)
        for filed in pairs:
            pair = filed.decision
            key = frozenset((pair.left, pair.right)), pair.source
            if not pair.left or not pair.right or len(key[0]) < 2:
                raise CatalogError(Message("pair-needs-two-different-characters"), place=filed.place,
                                   mend=Message("write-left-right"))
            if key in seen:
                raise CatalogError(Message("decided-twice", left=pair.left, right=pair.right), place=filed.place,
                                   mend=Message("withdraw-line", seen=seen[key]))
            seen[key] = filed.line
        return cls(
            lost=tuple(filed.decision for filed in load(root, tables.LostGlyphs)),
            pairs=tuple(filed.decision for filed in pairs),
            traditional=frozenset(name for name, tag in (languages or {}).items() if "Hant" in tag.split("-")),
            listed={frozenset((left, right)): name or "graphic" for left, right, name in reversed([*listed])},
        )

    def within(self, graphs: frozenset[str]) -> Choices:
        """Return the decisions that can apply to a text with only these characters."""
        lost = ((rule, "".join(sorted(graphs.intersection(rule.characters)))) for rule in self.lost)
        return Choices(
            lost=tuple(replace(rule, characters=characters) for rule, characters in lost if characters),
            pairs=tuple(pair for pair in self.pairs if graphs.issuperset(pair.left + pair.right)),
            traditional=self.traditional,
            listed={pair: name for pair, name in self.listed.items() if all(map(graphs.issuperset, pair))},
        )

    def loses(self, source: str, graph: str) -> bool:
        """Whether a transcription is known to lose a character."""
        return any(rule.source == source and graph in rule.characters for rule in self.lost if graph)

    def pair(self, left: str, right: str, witnesses: Iterable[str]) -> tables.CharacterPair | None:
        """Return the decision on two words of these witnesses, rather one on a witness than one on all, or None."""
        names = {None, *witnesses}
        matches = [pair for pair in self.pairs if pair.source in names and {pair.left, pair.right} == {left, right}]
        return min(matches, key=lambda pair: pair.source is None, default=None)


def load_substitutes(path: Path) -> Mapping[str, tables.PrintedCharacter]:
    """Read the substitutes for characters without a font, if the file exists. Raises CatalogError if it is invalid."""
    decided: dict[str, tables.PrintedCharacter] = {}
    for filed in load_file(path, tables.PrintedCharacter):
        char = chr(int(filed.decision.code.removeprefix("U+"), 16))
        if char in decided:
            raise CatalogError(Message("is-decided-twice", code=filed.decision.code), place=filed.place)
        decided[char] = filed.decision
    return decided
