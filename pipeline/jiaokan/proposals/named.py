"""A model of names, learned from any texts in which names are marked.

A conditional random field over graphs (Lafferty, McCallum and Pereira 2001; CRFsuite): each graph begins, goes on in,
ends or is a name of some kind. Features are the graphs around it, surnames, and the names of the texts it learned from;
a name that is being learned does not count for itself, so that the model learns what unknown names look like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec

from jiaokan.annotate.speakers import is_surname
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.model.marks import MARKS
from jiaokan.proposals.learned import learned, tagger
from jiaokan.proposals.models import model_data, model_file, no_model
from jiaokan.proposals.passages import keyed
from jiaokan.readers.common.source import decode_lines
from jiaokan.system.atomic import write_file
from jiaokan.tei.tree import Element, local, mixed, parse

ENDING = ".names"
PROPOSED = 0.3
"""Chance from which a name is proposed (docs/measured.md)."""
LEAST = 50
"""Marked names without which there is nothing to learn from."""
_SMOOTH, _ROUNDS = 0.05, 80
"""Weights of the parameters' sizes and squares (c1 and c2 of CRFsuite), most rounds (docs/measured.md)."""
_LONGEST = 5
"""Graphs of the names that are looked up."""
_AROUND = ((0,), (-1,), (1,), (-2,), (2,), (-3,), (3,), (-1, 0), (0, 1), (-2, -1), (1, 2), (-1, 1), (-1, 0, 1),
           (0, 1, 2), (-2, -1, 0), (1, 2, 3), (0, 1, 2, 3), (-3, -2, -1))
"""The graphs around one that make a feature, by their places."""
KINDS = {"per": "person", "loc": "place", "gpe": "place", "ofi": "office", "book": "work", "tim": "date"}
"""Kinds in tagged corpora by ours; any other stays as it is, in lower case."""
_ELEMENTS = {"persName": "person", "placeName": "place", "geogName": "place", "orgName": "org", "roleName": "office",
             "title": "work", "date": "date"}
_BLOCKS = frozenset(("p", "ab", "l", "note", "head"))
_ASIDE = frozenset(("rdg", "sic", "orig", "abbr"))
_TAG = re.compile(r"(\S)\S*[\t ]+(?:O|([BIESM])-(\w+))\s*")


class FoundName(msgspec.Struct, frozen=True, array_like=True):
    """A name in a text: from which character to before which, of what kind, with what chance."""

    start: int
    end: int
    kind: str
    chance: float = 1.0


class NamedPassage(msgspec.Struct, frozen=True):
    """A passage with its names, in order."""

    text: str
    names: tuple[FoundName, ...]

    def bare(self) -> NamedPassage:
        """Return it without punctuation."""
        kept = [at for at, char in enumerate(self.text) if char not in MARKS]
        place = {at: n for n, at in enumerate(kept)}
        names = tuple(FoundName(place[each.start], place[each.end - 1] + 1, each.kind) for each in self.names
                      if each.start in place and each.end - 1 in place)
        return NamedPassage("".join(self.text[at] for at in kept), names)


def named_passages(paths: Iterable[Path]) -> Iterator[NamedPassage]:
    """Yield the passages of texts with marked names: TEI (persName, placeName …), or rows of a character and its tag
    (``胡 B-PER``), with empty rows between passages. Raises JiaokanError for a path that does not exist or a file that
    cannot be read."""
    for path in paths:
        if not path.exists():
            raise JiaokanError(Message("no-file-folder"), place=Place(str(path)))
        files = [each for each in sorted(path.rglob("*")) if each.is_file()] if path.is_dir() else [path]
        for file in files:
            if file.suffix.lower() in (".xml", ".tei"):
                yield from map(_of_block, (each for each in parse(file.read_bytes(), name=str(file)).iter()
                                           if local(each) in _BLOCKS))
            elif file.suffix.lower() in (".txt", ".tsv", ".conll", ".bio"):
                yield from _of_rows(decode_lines(file.read_bytes(), str(file)))


def _of_block(block: Element) -> NamedPassage:
    words: list[str] = []
    names: list[FoundName] = []

    def go(inside: Element) -> None:
        for each in mixed(inside, ""):
            if isinstance(each, str):
                words.extend("".join(each.split()))
            elif local(each) not in _BLOCKS | _ASIDE:
                start = len(words)
                go(each)
                if (kind := _ELEMENTS.get(local(each))) and start < len(words):
                    names.append(FoundName(start, len(words), kind))

    go(block)
    outer = [each for each in names if not any(one is not each and one.start <= each.start and each.end <= one.end
                                               for one in names)]
    return NamedPassage("".join(words), tuple(outer))


def _of_rows(lines: Iterable[str]) -> Iterator[NamedPassage]:
    words, names = "", list[FoundName]()
    for line in (*lines, ""):
        if not (tag := _TAG.fullmatch(line)):
            if names:
                yield NamedPassage(words, tuple(names))
            words, names = "", []
            continue
        at, (char, part, kind) = len(words), tag.groups()
        words += char
        if part and part in "BS":
            names.append(FoundName(at, at + 1, KINDS.get(kind.lower(), kind.lower())))
        elif part and names and names[-1].end == at:
            names[-1] = msgspec.structs.replace(names[-1], end=at + 1)


@dataclass(frozen=True, slots=True)
class NameModel:
    """A trained model."""

    tagger: Any
    known: Mapping[str, Mapping[str, int]]
    """How often words name what kind of thing, in the texts that it learned from."""
    data: bytes

    @classmethod
    def trained(cls, taught: Sequence[NamedPassage]) -> Self:
        """Train on passages with their punctuation, and on the same without."""
        known: dict[str, Counter[str]] = {}
        for passage in taught:
            for each in passage.names:
                if each.end - each.start <= _LONGEST:
                    known.setdefault(keyed(passage.text[each.start : each.end]), Counter())[each.kind] += 1
        forms = [*taught, *(each.bare() for each in taught)]
        rows = ((_features(form.text, known, form.names), _labels(form)) for form in forms)
        crf = learned(rows, sizes=_SMOOTH, squares=_SMOOTH, rounds=_ROUNDS)
        return cls.of(msgspec.msgpack.encode((known, crf)))

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return a model from its bytes; raises msgspec.MsgspecError or ValueError for others."""
        known, crf = msgspec.msgpack.decode(data, type=tuple[dict[str, dict[str, int]], bytes])
        return cls(tagger(crf), known, data)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read it from a file; raises JiaokanError if there is none, or if it is not a model."""
        data = model_data(path, "names")
        try:
            return cls.of(data)
        except (msgspec.MsgspecError, ValueError) as error:
            raise no_model(path) from error

    def names(self, text: str) -> list[FoundName]:
        """Return the likeliest names of a text that do not overlap, in order; the chance of one is that of its least
        likely graph."""
        if not text:
            return []
        self.tagger.set(_features(text, self.known))
        chances = {label: [self.tagger.marginal(label, at) for at in range(len(text))]
                   for label in self.tagger.labels()}
        taken: set[int] = set()
        found: list[FoundName] = []
        for each in sorted(_possible(chances, len(text)), key=lambda each: (-each.chance, each.start)):
            if taken.isdisjoint(range(each.start, each.end)):
                found.append(each)
                taken.update(range(each.start, each.end))
        return sorted(found, key=lambda each: each.start)


def _possible(chances: Mapping[str, Sequence[float]], length: int) -> Iterator[FoundName]:
    none = [0.0] * length
    for kind in sorted({label[2:] for label in chances} - {""}):
        single, begin, inner, end = (chances.get(f"{part}-{kind}", none) for part in "SBIE")
        for at in range(length):
            if single[at] >= PROPOSED:
                yield FoundName(at, at + 1, kind, round(single[at], 3))
            least, last = begin[at], at + 1
            while least >= PROPOSED and last < length:
                if (chance := min(least, end[last])) >= PROPOSED:
                    yield FoundName(at, last + 1, kind, round(chance, 3))
                least, last = min(least, inner[last]), last + 1


def _labels(passage: NamedPassage) -> list[str]:
    labels = ["O"] * len(passage.text)
    for each in passage.names:
        parts = "S" if each.end - each.start == 1 else f"B{'I' * (each.end - each.start - 2)}E"
        labels[each.start : each.end] = [f"{part}-{each.kind}" for part in parts]
    return labels


def _features(
    text: str, known: Mapping[str, Mapping[str, int]], own: Iterable[FoundName] = ()
) -> list[list[str]]:
    """Return the features of each character; `own` are the names that it is to learn from the text itself."""
    keys = keyed(text)
    padded = f"^^^{keys}$$$"
    listed = _listed(keys, known, {(each.start, each.end): each.kind for each in own})
    surnames = [f"surname{graph}" if is_surname(char) else "" for char, graph in zip(text, keys, strict=True)]
    made = []
    for at in range(len(keys)):
        row = [f"{n}{''.join(padded[at + 3 + step] for step in steps)}" for n, steps in enumerate(_AROUND)]
        for step in (-2, -1, 0, 1):
            if 0 <= at + step < len(keys) and surnames[at + step]:
                row.append(f"surname{step}")
        if surnames[at] and at:
            row.append(f"{surnames[at][:7]} after {keys[at - 1]}")
        made.append(row + listed[at] + [f"{sign}{each}" for sign, other in (("+", at + 1), ("-", at - 1))
                                        if 0 <= other < len(keys) for each in listed[other]])
    return made


def _listed(
    keys: str, known: Mapping[str, Mapping[str, int]], own: Mapping[tuple[int, int], str]
) -> list[list[str]]:
    """Return for each character the known names it is in, the longest from each place: kind, part, size, how often."""
    found: list[list[str]] = [[] for _ in keys]
    for start in range(len(keys)):
        for end in range(min(start + _LONGEST, len(keys)), start, -1):
            counts = Counter(known.get(keys[start:end], {}))
            if kind := own.get((start, end)):
                counts[kind] -= 1
            if not (counts := +counts):
                continue
            kind, count = counts.most_common(1)[0]
            size = end - start
            parts = "S" if size == 1 else f"B{'I' * (size - 2)}E"
            for at, part in zip(range(start, end), parts, strict=True):
                found[at].append(f"name {kind} {part}{min(size, 3)}{min(2, count // 2)}")
            if size > 1:
                break
    return found


def learn_names(paths: Iterable[Path], name: str) -> tuple[Path, int, int]:
    """Learn a model from texts with marked names and store it for the user; return its file, how many passages and how
    many names. Raises JiaokanError for what `named_passages` raises it for, and if the texts have too few names."""
    path = model_file(name, ENDING)
    taught = [each for each in named_passages(paths) if each.names]
    count = sum(len(each.names) for each in taught)
    if count < LEAST:
        raise JiaokanError(Message("marked-names-were-found", count=count), place=Place("--learn"),
                           mend=Message("give-texts-least-tei-rows", least=LEAST))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, NameModel.trained(taught).data)
    return path, len(taught), count
