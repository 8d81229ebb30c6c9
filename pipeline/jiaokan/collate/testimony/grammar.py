"""The grammar of collation notes: what a note states, read by the rows of ``statements.tsv``.

A note is cut into turns, one for each speaker (敖繼公云, 臣紱按); in a turn the rows are tried at each place. Words are
compared in simplified script; what is returned is quoted from the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from jiaokan.annotate.index import NUMBERS, to_simplified
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.glosses import STOP, cut_reading, part_clauses
from jiaokan.collate.testimony.statements import ALL, DOUBT, ERROR, WORD, StatementRow, compiled_rows, turn_pattern
from jiaokan.model.numerals import numeral
from jiaokan.settings.patterns import alternatives

_NAMED = re.compile(r"&\w+;")
_COUNTED = re.compile(f"([{NUMBERS}]+)字")
_PHRASE = re.compile("(?P<within>.*(?P<word>.))之(?P=word)")
"""A word of a phrase: 揖進之進."""
_SHOULD = re.compile(DOUBT)
_WHEREVER = re.compile("字[俱皆并竝]")
_COMPONENT = re.compile(f"[从從]{WORD}$")
_SOUND = re.compile(f"{WORD}{{2}}[反切]")
_PROPOSED = frozenset("当应宜")
_PASSAGE = re.compile("以[下上]")
_OTHER = "别別他"  # before 本: another copy, of which no more is said
_VERB = re.compile(f"{ERROR}|作|当|疑")

_CLAUSE_ENDS = tuple("反也同通非云者貌曰误字下注今")
"""Graphs after which a gloss begins a new clause."""
_QUOTED = ("on", "has", "place", "within")


@dataclass(frozen=True, slots=True)
class Authorities:
    """The copies and the persons that the notes of a book name: ids by their names."""

    witnesses: Mapping[str, str]  # several ids between blanks for a name of several copies (監閩本)
    persons: Mapping[str, str] = field(default_factory=dict)
    book: str = ""  # the witness that a note means which names none
    author: str = ""  # who wrote the notes, if one person did


@dataclass(frozen=True, slots=True)
class StatedReading:
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
    full: str = ""  # the reading with what `cut` left out
    all: bool = False  # whether they have it wherever the quotation has the words (誣字俱訛作無)


@dataclass(frozen=True, slots=True)
class NoteStatements:
    """The statements of a note, the copies that it names for the text as it is, and what it leaves unread."""

    statements: tuple[StatedReading, ...]
    supports: tuple[str, ...] = ()
    unread: str = ""


class _Turn(NamedTuple):
    person: str
    discussion: bool
    start: int
    end: int


def read_note(words: str, names: Authorities, gloss: bool = False) -> NoteStatements:
    """Return what the words of a note after its quotation state; `gloss`: sounds and senses are between readings."""
    named = dict.fromkeys(_NAMED.findall(words))
    codes = {name: chr(0xF0000 + n) for n, name in enumerate(named)}
    coded = _NAMED.sub(lambda match: codes[match[0]], words)
    note = _Note(part_clauses(coded) if gloss else coded, names, gloss)
    return note.read({ord(code): name for name, code in codes.items()})


class _Note:
    def __init__(self, words: str, names: Authorities, gloss: bool = False) -> None:
        self.words, self.names, self.gloss = words, names, gloss
        self.bare = to_simplified(words)
        self.copies = _simplify_names(names.witnesses)
        self.persons = _simplify_names(names.persons)
        full_names = sorted(name for name in self.persons if len(name) > 1)
        self.rows = compiled_rows(tuple(sorted(self.copies)), tuple(full_names))

    def read(self, named: Mapping[int, str]) -> NoteStatements:
        """Return the statements of all turns; those of a discussion only if nothing else states anything."""
        statements: list[StatedReading] = []
        unread = ""
        for turn in self.turns():
            if not turn.discussion or not statements:
                read, left = self.read_turn(turn)
                statements += read
                unread = unread or left
        in_full = tuple(replace(statement, **{key: getattr(statement, key).translate(named) for key in _QUOTED})
                        for statement in statements)
        stated = {who for statement in statements for who in statement.who}
        supports = tuple(who for who in self.supports() if statements and who not in stated)
        return NoteStatements(in_full, supports, unread.translate(named))

    def turns(self) -> Iterator[_Turn]:
        pattern = turn_pattern(tuple(sorted(self.persons)))
        person, discussion, start = "", False, 0
        for match in pattern.finditer(self.bare):
            again = self.bare[start : match.start()].endswith("又")  # 當作堤又按信臣: no part of the reading
            yield _Turn(person, discussion, start, match.start() - again)
            named = match["official"] or match["person"]
            person = self.persons.get(named or "", "")
            discussion, start = match["says"] is None, match.end()
        yield _Turn(person, discussion, start, len(self.bare))

    def read_turn(self, turn: _Turn) -> tuple[list[StatedReading], str]:
        """Return the statements of a turn, and the words that name a copy and a difference that no row reads."""
        statements: list[StatedReading] = []
        at, left = turn.start, ""
        while best := self.next_match(at, turn):
            row, match = best
            left += self.words[at : match.start()] + self.find_unknown_names(at, row, match)
            end = match.end()
            stated = list(self.state(row, match, turn, statements))
            if not stated and row.change not in ("again", "text", "none"):
                left += match[0]
            for statement in stated:
                statements.append(statement)
                if 0 < len(statement.has) < len(match["has"] if "has" in match.re.groupindex else ""):
                    end = match.start("has") + len(statement.has)
            at = max(end, at + 1)
        left += self.words[at : turn.end]
        return statements, left if not turn.discussion and self.states_more(left, turn, bool(statements)) else ""

    def states_more(self, left: str, turn: _Turn, read: bool) -> bool:
        """Whether words that no row reads name a copy and a difference."""
        copies = alternatives(self.copies)
        error = "" if turn.person or not read else f"|(?:{ERROR}|脱|衍)(?={WORD})"
        gloss = f"|(?<!依字)作|本[又亦或]*[无有]|(?<!根){WORD}本{WORD}" if self.gloss else ""
        difference = f"(?:{copies}){ALL}{ERROR}?[作脱无阙有衍倒叠误]{error}|[当宜][依从]{WORD}{{1,4}}作{gloss}"
        return re.search(difference, to_simplified(left)) is not None

    @staticmethod
    def is_of_another_word(clause: str, form: str, last: StatedReading | None) -> bool:
        """Whether a clause names the word that has a form in other copies, another than that of the gloss: 故亦作古."""
        before = clause[: len(clause) - len(form)]
        goes_on = before.endswith(_CLAUSE_ENDS) or (last and last.has and before.endswith(to_simplified(last.has)))
        return bool(before) and not goes_on and not form.startswith("本")

    def find_unknown_names(self, at: int, row: StatementRow, match: re.Match[str]) -> str:
        """Return 作 if the names of other texts, unknown here, seem to be before those of a gloss (費直董遇本作)."""
        before = self.bare[at : match.start()].rpartition(STOP)[2]
        named = self.gloss and row.who == "witness" and before and not before.endswith(_CLAUSE_ENDS)
        return "作" if named and match.start("who") == match.start() else ""

    def next_match(self, at: int, turn: _Turn) -> tuple[StatementRow, re.Match[str]] | None:
        """Return the first match from a place on, of several the one whose row comes first."""
        best: tuple[int, int, StatementRow, re.Match[str]] | None = None
        for number, (row, pattern) in enumerate(self.rows):
            if turn.discussion and row.who == "named":
                continue  # in an argument 脱 and 誤 need a copy that they are said of
            if row.pattern.startswith("^"):
                match = pattern.match(self.bare, at, turn.end)
            elif row.who == "form" and not self.gloss:
                match = next(filter(self.names_no_text, pattern.finditer(self.bare, at, turn.end)), None)
            else:
                match = pattern.search(self.bare, at, turn.end)
            if match and (best is None or (match.start(), number) < best[:2]):
                best = match.start(), number, row, match
        return (best[2], best[3]) if best else None

    def names_no_text(self, match: re.Match[str]) -> bool:
        """Whether a form of a copy without a name is that of a copy: it says 或本, or nothing is before it. In running
        words 亦作 and 一作 follow the name of a text that is no copy (晉志亦作六星), 本作 that of one that is unknown
        or whose reading has no end (汲古閣本作)."""
        return match.start() == 0 or match[0].find("本") > 0 or (
            match[0][0] == "本" and self.bare[match.start() - 1] in _OTHER)

    def state(
        self, row: StatementRow, match: re.Match[str], turn: _Turn, before: Sequence[StatedReading]
    ) -> Iterator[StatedReading]:
        """Yield what a match of a row states, if anything; `before` are the statements of the turn so far."""
        last = before[-1] if before else None
        named = self.ids(match.groupdict().get("who") or "")
        if row.change in ("again", "text", "none"):
            if row.change != "none" and last and last.who:
                yield replace(last, who=named, same=row.change == "text")
            return
        clause = self.bare[: match.end()].rpartition(STOP)[2]
        if self.gloss and row.who == "person" and "云" in clause and not turn.person:
            return  # 鄭云苞當作彪: whose opinion it is, no name says in full
        statement = self.read_quotation(row, match, last)
        if self.gloss and row.who == "form" and not statement.on and self.is_of_another_word(clause, match[0], last):
            return
        if not statement.on and _COMPONENT.search(self.bare[: match.start()]):
            return  # 監本從衣今本作禾: a part of a graph
        if row.who == "person" and "云" in match[0] and len(statement.full) > len(statement.on) + SETTINGS.chance:
            statement = replace(statement, on="", has=statement.full)  # 衍八字當云王延世塞之
        words, on = statement.has, statement.on
        if row.change == "substitution" and len(on) >= SETTINGS.phrase and 2 * len(words) < len(on):
            return  # a reading of less than half of a phrase is not whole
        if row.who == "person" and row.change == "omission" and on and not re.sub(DOUBT, "", to_simplified(on)):
            return  # 葢衍文: what was said last
        if not self.gloss and self.is_no_reading(row, match[0], words, on):
            return
        if row.who == "person" and row.change == "substitution" and words[-1:] in "也矣" and on[-1:] not in "也矣":
            return  # 作事當作於始也: a sentence of the note
        yield self.attribute(statement, row, match[0], turn, named, last)

    @staticmethod
    def is_no_reading(row: StatementRow, clause: str, words: str, on: str) -> bool:
        """Whether what seems a reading is a sound (當作必故反), only the begin of a passage (脫某某以下二十四字), what
        should be done (曰字誤當改也字), or whose mistake it is (虢字是史氏誤)."""
        if _SOUND.fullmatch(words) or _PASSAGE.search(words + on):
            return True
        if row.change != "substitution":
            return False
        mistake = row.who == "person" and clause.endswith("误") and len(words) != len(on)
        return mistake or to_simplified(words[:1]) in _PROPOSED

    def read_quotation(self, row: StatementRow, match: re.Match[str], last: StatedReading | None) -> StatedReading:
        """Return a statement of nobody with the words that a match quotes."""
        group = match.groupdict()
        on, has, place, side = (self.words[slice(*match.span(name))] if group.get(name) else ""
                                for name in ("on", "has", "place", "side"))
        on, has = (self.whole(match.start(name), words) if words else "" for name, words in (("on", on), ("has", has)))
        within = ""
        if not on and row.change == "substitution" and last and last.change == "substitution" and (
                self.gloss or len(has) <= len(last.on)):
            on = last.on
        if phrase := _PHRASE.fullmatch(on):
            on, within = phrase["word"], phrase["within"]
        if self.gloss and row.change == "substitution":
            has = cut_reading(has)
        full = has
        if row.change == "substitution" and on:
            has = self.cut(has, on, self.bare[match.start("has") + len(has) :])
        wherever = bool(group.get("on")) and _WHEREVER.match(self.bare, match.end("on")) is not None
        return StatedReading(row.change, (), "", on, has, within, place, side, numeral(group.get("count") or ""),
                             full=full, all=wherever)

    def attribute(
        self, statement: StatedReading, row: StatementRow, words: str, turn: _Turn, named: tuple[str, ...],
        last: StatedReading | None
    ) -> StatedReading:
        """Return a statement with whose reading it is."""
        book = (self.names.book,) if self.names.book else ()
        if row.who == "form":
            unnamed = ("huoben",) if "huoben" in self.names.witnesses.values() else book
            return replace(statement, who=named or unnamed)
        if row.who == "person":
            if last and not turn.person and last.change != row.change and not _SHOULD.search(words):
                return replace(statement, who=last.who, person=last.person)  # goes on with what the copy has
            doubtful = re.search("[疑恐似殆]|或(?=[当是])", words) is not None
            return replace(statement, person=turn.person or self.names.author, doubtful=doubtful)
        if row.who == "named" and not named and turn.person:
            if statement.change == "omission":  # 敖繼公云碑下脫一南字: he adds it
                statement = replace(statement, change="addition", has=statement.on, on="")
            return replace(statement, person=turn.person)
        goes_on = book or (last.who if last else ())  # 監本帥字訛師理字訛李: both are of 監本
        return replace(statement, who=named or (goes_on if row.who == "named" else ()))

    def whole(self, start: int, words: str) -> str:
        """Return words in their full length if the note counts them (今按某也蓋主人之名九字)."""
        for size in range(len(words) + 1, len(self.bare) - start):
            counted = _COUNTED.match(self.bare, start + size)
            if counted and numeral(counted[1]) == size:
                return self.words[start : start + size]
        return words

    def cut(self, has: str, on: str, following: str) -> str:
        """Return the reading without what explains it: no mark ends a reading, so of words that are longer by more
        than chance, or have a verb or a copy with one after them, those count that are as many as the words in
        question (自集說作于文勢較順, 酌誤酢堂監本誤室)."""
        copies = alternatives(self.copies)
        listed = re.match(f"(?:{copies})+{ALL}(?:{ERROR}|作)", following)
        named = re.match(f"字?{ERROR}作?(?!也|矣|今){WORD}", following)  # 帥字訛師理字訛李: the next word
        counted = _COUNTED.match(following)  # 四郡當作三郡古四字積畫: a number that counts other words
        miscounted = (counted and numeral(counted[1]) != len(has)) or (
            len(on) > 1 and following.startswith("字") and not following.startswith("字之"))  # 乆台水乆名字形相近
        people = alternatives(self.persons)
        ended = re.match(rf"$|[{NUMBERS}]*字|[今非又臣按案是盖葢依从据考]|{ERROR}|{copies}|{people}|\W", following)
        verb = _VERB.search(to_simplified(has), 1) or listed or named or miscounted or not ended
        explained = len(has) > len(on) + SETTINGS.chance or (len(has) > len(on) and verb)
        return has[: len(on)] if explained else has

    def ids(self, named: str) -> tuple[str, ...]:
        copies = re.findall(alternatives(self.copies), named)
        return tuple(dict.fromkeys(known for name in copies for known in self.copies[name].split()))

    def supports(self) -> tuple[str, ...]:
        """Return the copies by which the note corrects the text (今依石經改), or that first have its words (石經同)."""
        copies, people = alternatives(self.copies), alternatives(self.persons)
        corrected = re.compile(f"(?<![不未])[依从据](?:|{people}|{WORD}{{1,3}}?)"
                               f"(?P<who>(?:{copies})(?:(?:[及与并]|{people})*(?:{copies}))*)")
        same = re.match(f"(?P<who>(?:{copies})(?:[及与并]?(?:{copies}))*)(?:注疏)?[皆并俱亦]?同(?![字为作])", self.bare)
        named = [match["who"] for match in (*corrected.finditer(self.bare), *([same] if same else []))]
        return tuple(dict.fromkeys(name for words in named for name in self.ids(words)))


def _simplify_names(names: Mapping[str, str]) -> dict[str, str]:
    return {to_simplified(name): known for name, known in names.items()}
