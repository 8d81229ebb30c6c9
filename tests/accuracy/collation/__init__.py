"""Passages collated by hand, and how many of their entries the collation finds. The format is in README.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jiaokan.collate.content import restrict, words
from jiaokan.model import App, Content, Division, Document, Line, Span, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import walk

HOME = Path(__file__).parent
PART = re.compile(r"\{(?P<sign>[↔/]?)(?P<body>[^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: where it begins in the base's words, what each witness reads, how each differs from the lemma."""

    start: int
    readings: Mapping[str, str]
    classes: Mapping[str, str] = field(default_factory=dict)
    """The class of each witness whose reading is not the lemma; ``move``: it has what follows elsewhere."""

    @property
    def key(self) -> tuple[int, tuple[tuple[str, str], ...]]:
        """What must agree for the entry to be found."""
        return self.start, tuple(sorted(self.readings.items()))


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as it was collated by hand."""

    name: str
    chapter: str
    witnesses: tuple[str, ...]
    text: str
    """The words of the base, which is the first witness."""
    entries: tuple[Entry, ...]
    pieces: Mapping[str, tuple[str, ...]]
    """The words of each witness; several pieces where it has some elsewhere."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many entries were made by hand, were found, have the right class; and those that are wrong."""

    entries: int = 0
    found: int = 0
    invented: int = 0
    classes: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: Score) -> Score:
        return Score(
            self.entries + other.entries, self.found + other.found, self.invented + other.invented,
            self.classes + other.classes, self.wrong + other.wrong,
        )


def passages() -> Iterator[Passage]:
    """Read all passages; raises ValueError for what is not of the format."""
    for path in sorted(HOME.glob("*.txt")):
        for number, block in enumerate(re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()), 1):
            remark, head, text = block.split("\n", 2)
            if not remark.startswith("# "):
                raise ValueError(f"{path}: passage {number} does not begin with a remark")
            yield _passage(remark[2:], *head.split(), text="".join(text.split("\n")))


def _passage(name: str, chapter: str, *witnesses: str, text: str) -> Passage:
    base, entries, at = "", [], 0
    own = dict.fromkeys(witnesses, "")
    for found in PART.finditer(text):
        base, own = _with(base, own, text[at : found.start()])
        at = found.end()
        if found["sign"]:
            movers = found["body"].split()
            if found["sign"] == "↔":
                entries.append(Entry(len(base), dict.fromkeys(movers, ""), dict.fromkeys(movers, "move")))
            own = {w: f"{words}\n" if w in movers else words for w, words in own.items()}
            continue
        lemma, readings, classes = _read(found["body"], witnesses)
        entries.append(Entry(len(base), readings, classes))
        base += lemma
        own = {w: words + readings[w] for w, words in own.items()}
    base, own = _with(base, own, text[at:])
    pieces = {w: tuple(filter(None, words.split("\n"))) for w, words in own.items()}
    return Passage(name, chapter, witnesses, base, tuple(entries), pieces)


def _with(base: str, own: dict[str, str], text: str) -> tuple[str, dict[str, str]]:
    """Add what all witnesses have."""
    return base + text, {w: words + text for w, words in own.items()}


def _read(body: str, witnesses: tuple[str, ...]) -> tuple[str, dict[str, str], dict[str, str]]:
    """Read ``lemma|benyi tongjie 悬 loan; zhushu – omission``."""
    lemma, _, rest = body.partition("|")
    readings, classes = dict.fromkeys(witnesses, lemma), dict[str, str]()
    for part in rest.split(";"):
        *names, reading, variant = part.split()
        if not {*names} <= {*witnesses}:
            raise ValueError(f"{names} are not among {witnesses}: {body}")
        readings |= dict.fromkeys(names, reading.replace("–", ""))
        classes |= dict.fromkeys(names, variant)
    return lemma, readings, classes


class _Reader:
    """Reads the entries of an edition's chapter, and the words of its base."""

    def __init__(self, base: str, witnesses: Iterable[str]) -> None:
        self.base, self.witnesses = base, tuple(witnesses)
        self.text = ""
        self.entries: list[Entry] = []

    def content(self, content: Content, counting: bool) -> None:
        for item in content:
            if isinstance(item, App):
                self.app(item, counting)
            elif isinstance(item, (Span, Line)):
                self.content(item.content if counted(item) else (), counting)
            elif counting:
                self.text += words((item,))

    def app(self, app: App, counting: bool) -> None:
        readings = {w: each for each in (app.lemma, *app.readings) for w in each.witnesses if w in self.witnesses}
        classes = {w: each.variant for w, each in readings.items() if each is not app.lemma}
        if app.kind == "move":
            self.entries.append(Entry(len(self.text), dict.fromkeys(classes, ""), dict.fromkeys(classes, "move")))
        said = {w: words(restrict(each.content, (w,))) for w, each in readings.items()}
        if app.kind == "variant" and len({id(each) for each in readings.values()}) > 1:
            self.entries.append(Entry(len(self.text), said, classes))
        for each in (app.lemma, *app.readings):
            self.content(each.content, counting and self.base in each.witnesses)


def read(edition: Document, chapter: str, base: str, witnesses: Iterable[str]) -> tuple[str, list[Entry]]:
    """Return the words of the base in a chapter of an edition, and the entries among some witnesses."""
    reader = _Reader(base, witnesses)
    division = next(each for each in edition.chapters() if each.n == chapter)
    for item in walk(Document(id="", divisions=(division,))):
        if isinstance(item, Unit):
            reader.content(item.content, counting=True)
    return reader.text, reader.entries


def base_text(witness: Document, chapter: str) -> str:
    """Return the words of the base text of a witness's chapter."""
    division: Division = next(each for each in witness.chapters() if each.n == chapter)
    reader = _Reader(witness.id, ())
    for item in walk(Document(id="", divisions=(division,))):
        if isinstance(item, Unit):
            reader.content(item.content, counting=True)
    return reader.text


def score(passage: Passage, text: str, entries: Iterable[Entry]) -> Score:
    """Compare a passage against an edition's chapter; raises ValueError unless its words stand there once."""
    start = text.find(passage.text)
    if start < 0 or text.find(passage.text, start + 1) >= 0:
        raise ValueError(f"{passage.name}: {passage.text[:20]}… stands {text.count(passage.text)} times in the base")
    end = start + len(passage.text)
    given = {
        each.key: each
        for each in (_moved(each, -start) for each in entries)
        if _inside(each, passage, end - start)
    }
    wanted = {each.key: each for each in passage.entries}
    wrong = [f"{passage.name}: missing {_shown(passage, each)}" for key, each in wanted.items() if key not in given]
    wrong += [f"{passage.name}: invented {_shown(passage, each)}" for key, each in given.items() if key not in wanted]
    right = 0
    for key in wanted.keys() & given.keys():
        if wanted[key].classes == given[key].classes or _turned(wanted[key], given[key], passage.witnesses[0]):
            right += 1
        else:
            said, want = dict(given[key].classes), dict(wanted[key].classes)
            wrong.append(f"{passage.name}: class of {_shown(passage, given[key])} is {said}, by hand {want}")
    return Score(
        len(wanted), len(wanted.keys() & given.keys()), len(given.keys() - wanted.keys()), right, tuple(sorted(wrong)),
    )


def _moved(entry: Entry, by: int) -> Entry:
    return Entry(entry.start + by, entry.readings, entry.classes)


def _inside(entry: Entry, passage: Passage, size: int) -> bool:
    """Whether an entry of an edition is one of a passage: additions at its ends belong to what is beside it."""
    end = entry.start + len(entry.readings.get(passage.witnesses[0], ""))
    if "move" in entry.classes.values():
        return 0 <= entry.start < size
    return (entry.start < size and end > 0) if entry.start < end else 0 < entry.start < size


def _turned(wanted: Entry, given: Entry, base: str) -> bool:
    """Whether an entry whose lemma the editor took from another witness says the same of the base."""
    return base in given.classes and {*given.classes.values()} <= {*wanted.classes.values()}


def _shown(passage: Passage, entry: Entry) -> str:
    if "move" in entry.classes.values():
        return f"↔{' '.join(sorted(entry.classes))} before {passage.text[entry.start : entry.start + 6]}"
    base = entry.readings.get(passage.witnesses[0], "")
    near = passage.text[max(0, entry.start - 3) : entry.start]
    others = "; ".join(f"{w} {said or '–'}" for w, said in entry.readings.items() if said != base)
    after = passage.text[entry.start + len(base) : entry.start + len(base) + 3]
    return f"{near}[{base}]{after} ] {others}"


def scored(edition: Document) -> Score:
    """Compare all passages against an edition."""
    total = Score()
    for each in passages():
        total += score(each, *read(edition, each.chapter, each.witnesses[0], each.witnesses))
    return total
