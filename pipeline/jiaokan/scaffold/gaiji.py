"""Find out which characters the codes of a text stand for (``&KR0014;``, private-use characters).

A code stands for one graph wherever it occurs. So all places count together: what a normalised transcription of the
same edition has there, what other witnesses have between the same words, what a table says that the user gives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError
from jiaokan.model.words import LACUNAE, composed_length, is_separator, simplified
from jiaokan.structure.rows import CODE

_AROUND = 3
"""Characters on each side that another witness must have in common. With 2, formulae of any classic match."""
_BESIDE = 5
"""Characters on one side, where the other side differs or has a code itself."""
_SURE = 0.8
"""Share of the places that must agree for a decision that is not doubtful. In six works with two editions, nine tenths
of the codes with two places or more have the same character at all of them."""


@dataclass(frozen=True, slots=True)
class CodeVotes:
    """What one source has at the places of each code, and how often; whether it transcribes the same edition."""

    source: str
    votes: Mapping[str, Counter[str]]
    same: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What a code stands for, and why."""

    standard: str
    why: str
    cert: str


def of_witness(source: str, words: Sequence[str], others: Iterable[Sequence[str]]) -> CodeVotes:
    """Return what a witness has between the words that surround codes in other texts of its work. The words of all are
    characters, as `characters` returns them."""
    needed: dict[tuple[object, ...], set[str]] = {}
    for other in others:
        folded = [simplified(char) if len(char) == 1 else char for char in other]
        for at, code in enumerate(other):
            if CODE.fullmatch(code):
                for key in _keys(folded, at):
                    needed.setdefault(key, set()).add(code)
    votes: dict[bool, dict[str, Counter[str]]] = {True: {}, False: {}}
    plain = [simplified(char) if len(char) == 1 else char for char in words]
    for at, char in enumerate(words if needed else ()):
        if len(char) == 1 and not CODE.fullmatch(char) and char not in LACUNAE:
            for key in _keys(plain, at):
                for code in needed.get(key, ()):
                    votes[len(key) > 2].setdefault(code, Counter())[char] += 1
    return CodeVotes(source, votes[False] | votes[True])  # both sides are better than one


def _keys(words: Sequence[str], at: int) -> Iterable[tuple[object, ...]]:
    before, after = tuple(words[max(0, at - _BESIDE) : at]), tuple(words[at + 1 : at + 1 + _BESIDE])
    yield "both", before[-_AROUND:], after[:_AROUND]
    if len(before) == _BESIDE:
        yield "before", before
    if len(after) == _BESIDE:
        yield "after", after


def characters(text: str) -> list[str]:
    """Return the characters of a text without punctuation, brackets and white space; a code or description is one."""
    chars, at = [], 0
    while at < len(text):
        length = composed_length(text, at) or 1
        if length > 1 or not is_separator(text[at]):
            chars.append(text[at : at + length])
        at += length
    return chars


def read_table(path: Path) -> dict[str, str]:
    """Return the characters of a table, by code: a line for each, with name, number, character or description, common
    character, as the list of Kanripo (KR-Gaiji) has them; or only name and character. Raises SourceError."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(Message("cannot-read", strerror=error), place=Place(str(path)),
                          mend=Message("give-table-utf")) from None
    table: dict[str, str] = {}
    for line in lines:
        name, *cells = [cell.strip() for cell in line.split("\t")]
        chars = [cell for cell in cells[:3] if cell and not cell.isascii()]
        if chars and re.fullmatch("&?[A-Za-z]+[0-9]+;?", name):
            table[f"&{name.strip('&;')};"] = chars[-1]
    if not table:
        raise SourceError(Message("no-row-code-character"), place=Place(str(path)),
                          mend=Message("give-line-code-tabs-kr0001"))
    return table


def decide(
    codes: Iterable[str], evidence: Sequence[CodeVotes], table: Mapping[str, str], name: str
) -> dict[str, Known]:
    """Return what is known about codes: by the table `name`, by the same edition, by other witnesses."""
    decisions: dict[str, Known] = {}
    for code in sorted(codes):
        if code in table:
            decisions[code] = Known(table[code], f"字表 {name} 作「{table[code]}」", "high")
            continue
        for same in (True, False):
            known = _decide_by_votes([(witness.source, witness.votes[code]) for witness in evidence
                            if witness.same is same and witness.votes.get(code)], same)
            if known:
                decisions[code] = known
                break
    return decisions


def _decide_by_votes(votes: Sequence[tuple[str, Counter[str]]], same: bool) -> Known | None:
    """Return the character that most places have, if more than half do."""
    total = sum((counts for _, counts in votes), Counter[str]())
    best, often = max(total.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    if 2 * often <= total.total():
        return None
    share = often / total.total()
    cert = "low"
    if share >= _SURE and (same or often > 1):
        cert = "high" if same else "medium"
    where = "、".join(source for source, counts in votes if best in counts)
    others = f"（另作{''.join(sorted(total - Counter({best: often})))}）" if len(total) > 1 else ""
    return Known(best, f"{where}{'' if same else '同句'}作「{best}」，{total.total()} 处中 {often} 处{others}", cert)


def read_as(text: str, known: Mapping[str, Known]) -> str:
    """Return a text with the characters that its codes stand for, 〓 for unknown ones."""
    return CODE.sub(lambda match: known[match[0]].standard if match[0] in known else "〓", text)


def rows(known: Mapping[str, Known], today: date) -> list[dict[str, object]]:
    """Return the decisions as rows of ``tei/decisions/glyphs.toml``."""
    return [{"code": code if len(code) > 1 else f"U+{ord(code):04X}", "standard": character.standard, "resp": "jiaokan",
             "why": character.why, "cert": character.cert, "when": today} for code, character in known.items()]
