"""The grammar of collation notes: what a note states, read by the rows of ``statements.tsv``.

A note is cut into turns, one for each speaker (敖繼公云, 臣紱按); in a turn the rows are tried at each place. Words are
compared in simplified script; what is returned is quoted from the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from jiaokan.annotate.index import NUMBERS, to_simplified
from jiaokan.model.numerals import numeral
from jiaokan.model.vocabulary import table_rows
from jiaokan.settings.patterns import alternatives

_WORD = "(?:[^\\W\\d_]|[\U000f0000-\U000ffffd])"
"""A graph; those of Plane 15 are the names of graphs without code point (&KR0014;) while a note is read."""
_NAMED = re.compile(r"&\w+;")
_ERROR = "[误讹譌谬伪混]"
_DOUBT = "[疑恐似亦盖葢当或其此殆必为是误乃]"
_STOP = (f"$|(?!{_WORD})|[依从据考](?={{A}}|{{P}})|{{P}}|今[依从据考改以仍案按增补删移订]|{_ERROR}(?:$|也|矣|今|从|[盖葢]|{{A}}|(?!{_WORD}))"
         "|[盖葢]|从之|仍[从依其之旧]|[故则][知以]|[按案]|非是?(?:$|今|也)|殊误|文[义势]|似|证之|传写|字之误|"
         "(?:[后下注上]字?)+并?同|他本|后人|乃")
"""Where quoted words end; {A} is a name of a copy, {P} of a person."""
_ALL = "[俱皆并竝亦各悉多]*(?!字)"
_COUNTED = re.compile(f"([{NUMBERS}]+)字")
_PHRASE = re.compile("(?P<within>.*(?P<word>.))之(?P=word)")
"""A word of a phrase: 揖進之進."""
_SHOULD = re.compile(_DOUBT)
_LONGEST = 40  # graphs of the longest words that a note counts
_EXCESS = 2
_WHOLE = 4
"""In place of so many graphs a reading has at least half as many: a shorter one is not whole."""
_VERB = re.compile(f"{_ERROR}|作|当|疑")


_QUOTED = ("on", "has", "place", "within")


class Row(NamedTuple):
    """A row of ``statements.tsv``."""

    change: str
    who: str
    pattern: str
    example: str


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of ``statements.tsv`` in their order."""
    text = (Path(__file__).parent / "statements.tsv").read_text(encoding="utf-8")
    return tuple(Row(*cells) for _, cells in table_rows(text))


@dataclass(frozen=True, slots=True)
class Names:
    """The copies and the persons that the notes of a book name: ids by their names."""

    witnesses: Mapping[str, str]  # several ids between blanks for a name of several copies (監閩本)
    persons: Mapping[str, str] = field(default_factory=dict)
    book: str = ""  # the witness that a note means which names none
    author: str = ""  # who wrote the notes, if one person did


@dataclass(frozen=True, slots=True)
class Statement:
    """What a note says that a copy has, or should have."""

    change: str
    who: tuple[str, ...]  # ids of the copies; empty for a conjecture
    person: str = ""  # id of who conjectures; empty if only the note does
    on: str = ""
    has: str = ""
    within: str = ""  # the phrase that has the words
    place: str = ""
    side: str = ""
    count: int = 0  # how many graphs the words in question have, where they are not named
    doubtful: bool = False
    same: bool = False  # whether they have what the text has


@dataclass(frozen=True, slots=True)
class Reading:
    """The statements of a note, the copies that it names for the text as it is, and what it leaves unread."""

    statements: tuple[Statement, ...]
    supports: tuple[str, ...] = ()
    unread: str = ""


class _Turn(NamedTuple):
    person: str
    discussion: bool
    start: int
    end: int


def read_note(words: str, names: Names) -> Reading:
    """Return what the words of a note after its quotation state."""
    named = dict.fromkeys(_NAMED.findall(words))
    codes = {name: chr(0xF0000 + n) for n, name in enumerate(named)}
    note = _Note(_NAMED.sub(lambda match: codes[match[0]], words), names)
    return note.read({ord(code): name for name, code in codes.items()})


class _Note:
    def __init__(self, words: str, names: Names) -> None:
        self.words, self.names = words, names
        self.bare = to_simplified(words)
        self.copies = _spelled(names.witnesses)
        self.persons = _spelled(names.persons)
        self.rows = _compiled(tuple(sorted(self.copies)), tuple(sorted(name for name in self.persons if len(name) > 1)))

    def read(self, named: Mapping[int, str]) -> Reading:
        """Return the statements of all turns; those of a discussion only if nothing else states anything."""
        statements: list[Statement] = []
        unread = ""
        for turn in self.turns():
            if not turn.discussion or not statements:
                read, left = self.read_turn(turn)
                statements += read
                unread = unread or left
        in_full = tuple(replace(statement, **{key: getattr(statement, key).translate(named) for key in _QUOTED})
                        for statement in statements)
        return Reading(in_full, self.supports() if statements else (), unread.translate(named))

    def turns(self) -> Iterator[_Turn]:
        pattern = _turn_pattern(tuple(sorted(self.persons)))
        person, discussion, start = "", False, 0
        for match in pattern.finditer(self.bare):
            yield _Turn(person, discussion, start, match.start())
            named = match["official"] or match["person"]
            person = self.persons.get(named or "", "")
            discussion, start = match["says"] is None, match.end()
        yield _Turn(person, discussion, start, len(self.bare))

    def read_turn(self, turn: _Turn) -> tuple[list[Statement], str]:
        """Return the statements of a turn, and the words that name a copy and a difference that no row reads."""
        statements: list[Statement] = []
        at, left = turn.start, ""
        while best := self.next_match(at, turn):
            row, match = best
            left += self.bare[at : match.start()]
            end = match.end()
            for statement in self.state(row, match, turn, statements):
                statements.append(statement)
                if 0 < len(statement.has) < len(match["has"] if "has" in match.re.groupindex else ""):
                    end = match.start("has") + len(statement.has)
            at = max(end, at + 1)
        left += self.bare[at : turn.end]
        copies = alternatives(self.copies)
        lost = not turn.discussion and re.search(f"(?:{copies}){_ALL}{_ERROR}?[作脱无阙有衍倒叠误]", left)
        return statements, left if lost else ""

    def next_match(self, at: int, turn: _Turn) -> tuple[Row, re.Match[str]] | None:
        """Return the first match from a place on, of several the one whose row comes first."""
        best: tuple[int, int, Row, re.Match[str]] | None = None
        for number, (row, pattern) in enumerate(self.rows):
            if turn.discussion and row.who == "named":
                continue  # in an argument 脱 and 誤 need a copy that they are said of
            if row.pattern.startswith("^"):
                match = pattern.match(self.bare, at, turn.end)
            else:
                match = pattern.search(self.bare, at, turn.end)
            if match and (best is None or (match.start(), number) < best[:2]):
                best = match.start(), number, row, match
        return (best[2], best[3]) if best else None

    def state(self, row: Row, match: re.Match[str], turn: _Turn, before: list[Statement]) -> Iterator[Statement]:
        group = match.groupdict()
        quoted = {name: self.words[slice(*match.span(name))] if group.get(name) else ""
                  for name in ("on", "has", "place", "side")}
        named = self.ids(group.get("who") or "")
        for name in ("on", "has"):
            quoted[name] = self.whole(match.start(name), quoted[name]) if quoted[name] else ""
        if row.change in ("again", "text", "none"):
            if row.change != "none" and before and before[-1].who:
                yield replace(before[-1], who=named, same=row.change == "text")
            return
        who, change = named, row.change
        person = "" if named else turn.person
        if row.who == "form":
            unnamed = self.names.book or "huoben"
            who, person = named or ((unnamed,) if unnamed in {*self.names.witnesses.values(), self.names.book} else ()), ""
        elif row.who == "named" and not named and not turn.person:
            who = (self.names.book,) if self.names.book else ()
        elif row.who == "named" and change == "omission" and not named:
            change, quoted["has"], quoted["on"] = "addition", quoted["on"], ""  # 敖繼公云碑下脫一南字
        elif row.who == "person":
            listed = not turn.person and not _SHOULD.search(match[0]) and bool(before) and before[-1].change != row.change
            who, person = before[-1].who if listed else (), turn.person or self.names.author
            person = "" if who else person
        if not quoted["on"] and row.change == "substitution" and before and before[-1].change == "substitution":
            quoted["on"] = before[-1].on
        if phrase := _PHRASE.fullmatch(quoted["on"]):
            quoted["on"], quoted["within"] = phrase["word"], phrase["within"]
        if row.change == "substitution" and quoted["on"]:
            quoted["has"] = self.cut(quoted["has"], quoted["on"])
            if len(quoted["on"]) >= _WHOLE and 2 * len(quoted["has"]) < len(quoted["on"]):
                return
        if row.who == "person" and quoted["on"] and not re.sub(_DOUBT, "", to_simplified(quoted["on"])):
            return  # 葢衍文: what was said last
        count = numeral(group.get("count") or "") or 0
        doubtful = not who and re.search("[疑恐似殆]|或(?=[当是])", match[0]) is not None
        yield Statement(change, who, person, **quoted, count=count, doubtful=doubtful)

    def whole(self, start: int, words: str) -> str:
        """Return words in their full length if the note counts them (今按某也蓋主人之名九字)."""
        for size in range(len(words) + 1, _LONGEST + 1):
            counted = _COUNTED.match(self.bare, start + size)
            if counted and numeral(counted[1]) == size:
                return self.words[start : start + size]
        return words

    @staticmethod
    def cut(has: str, on: str) -> str:
        """Return the reading without what explains it: no mark ends a reading, so of words that are longer by more
        than `_EXCESS` those count that are as many as the words in question (自集說作于文勢較順)."""
        explained = len(has) > len(on) + _EXCESS or (len(has) > len(on) and _VERB.search(to_simplified(has), 1))
        return has[: len(on)] if explained else has

    def ids(self, named: str) -> tuple[str, ...]:
        copies = re.findall(alternatives(self.copies), named)
        return tuple(dict.fromkeys(known for name in copies for known in self.copies[name].split()))

    def supports(self) -> tuple[str, ...]:
        """Return the copies by which the note corrects the text (今依石經改)."""
        copies, people = alternatives(self.copies), alternatives(self.persons)
        corrected = re.compile(f"(?<![不未])[依从据](?:{people})?{_WORD}{{0,2}}?"
                               f"(?P<who>(?:{copies})(?:(?:[及与并]|{people})*(?:{copies}))*)")
        named = (match["who"] for match in corrected.finditer(self.bare))
        return tuple(dict.fromkeys(name for words in named for name in self.ids(words)))


def _spelled(names: Mapping[str, str]) -> dict[str, str]:
    return {to_simplified(name): known for name, known in names.items()}


@lru_cache(maxsize=16)
def _compiled(copies: tuple[str, ...], persons: tuple[str, ...]) -> tuple[tuple[Row, re.Pattern[str]], ...]:
    names = f"(?:{alternatives(copies)})"
    several = f"{names}(?:[及与并、]?{names})*{_ALL}"
    stop = _STOP.replace("{A}", names).replace("{P}", f"(?:{alternatives(persons)})") + f"|{names}"
    word = f"(?:(?!{names}){_WORD})"
    marks = {"{A}": f"(?P<who>{several})", "{B}": f"(?P<who>{several})?", "{W}": word, "{O}": f"(?:(?!字){word})", "{N}": NUMBERS, "{X}": _ERROR,
             "{D}": _DOUBT, "{Z}": f"(?:[{NUMBERS}]*字|(?={stop}))", "{Z0}": stop}
    compiled = []
    for row in rows():
        pattern = row.pattern
        for mark, meaning in marks.items():
            pattern = pattern.replace(mark, meaning)
        compiled.append((row, re.compile(pattern.removeprefix("^"))))
    return tuple(compiled)


@lru_cache(maxsize=16)
def _turn_pattern(persons: tuple[str, ...]) -> re.Pattern[str]:
    people = alternatives(persons)
    return re.compile(f"(?P<official>臣{_WORD}{{1,3}}?)[按案]|(?P<person>{people})(?P<says>[云曰谓]|以为|疑(?={_WORD}))|"
                      f"(?<![据依从今今引])[按案](?=$|{_WORD})")
