"""Possible names in an edition that are not marked: forms that the folder declares, and forms that look like names.

There are three kinds of evidence, and none is proof, since 周 is a dynasty and also means "all round": the editor
decides: a form of persons.toml or places.toml; a surname before 氏, or a ruler's posthumous epithet before 公,
侯, 王; words before 曰 that name neither a person of a rite nor a work (`jiaokan.annotate.speakers`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jiaokan.annotate.speakers import strangers
from jiaokan.characters.pinyin import COMPOUND
from jiaokan.decisions.punctuation.files import NameTable
from jiaokan.decisions.punctuation.matching import match_lines
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.passages import BarePassage
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.patterns import alternatives

NameEvidence = Literal["declared", "form", "speech"]
"""Declared in the folder; of the form of a name; before 曰."""
_CLANS = ("叔孙", "季孙", "孟孙", "臧孙", "叔孫", "季孫", "孟孫", "臧孫")
"""Clans of 鲁 in 《春秋》, which 《百家姓》 has not."""
_EPITHETS = "文武成康穆昭恭共懿孝夷厉宣幽平桓庄僖釐惠襄顷匡定简灵景悼敬元哀隐闵献烈"
"""Epithets by which rulers are called (《逸周书·谥法》) that 《春秋》 and 《史记》 have for 周 and its states."""
_NO_SURNAME = "某之其以为於于与與曰云者母父女此两兩诸諸二三不谁誰"
"""Graphs before 氏 that are no surname: 某氏 somebody, 母氏 the mother."""
_AROUND = 8


@dataclass(frozen=True, slots=True)
class NamePlace:
    """One place of a candidate."""

    ref: str
    context: str
    """The words round it, the name between ‹ ›."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCandidate:
    """A possible name, with the places where it is not marked."""

    form: str
    evidence: NameEvidence
    meant: str
    """Kind and id of whom or what it names, as the folder declares: ``person zhengxuan``; several with a comma."""
    marked: int
    """How often the editor marked it elsewhere in this edition."""
    places: tuple[NamePlace, ...]


def candidates(texts: FolderTexts, catalog: Catalog) -> tuple[NameCandidate, ...]:
    """Return the candidates of an edition: most places first; single graphs last, since most are other words. Raises
    DecisionError for faulty files of punctuation."""
    table = NameTable.of(catalog)
    marked, closed = _marked_words(texts)
    places_of: dict[tuple[str, NameEvidence], list[NamePlace]] = defaultdict(list)
    words, graphs = ([form for form in table.by_form if (len(form) > 1) is longer] for longer in (True, False))
    states = [form for form, meant in table.by_form.items() if any(kind == "org" for kind, _ in meant)]
    ruler = f"{f'(?:{alternatives(states)})?' if states else ''}[{_EPITHETS}][公侯王]"
    clan = f"(?:{alternatives((*COMPOUND, *_CLANS))}|[^\\W\\d{_NO_SURNAME}])氏"
    patterns: tuple[tuple[NameEvidence, re.Pattern[str]], ...] = (
        ("declared", re.compile(alternatives(words))), ("form", re.compile(f"{clan}|{ruler}")),
        ("declared", re.compile(alternatives(graphs))),
    )
    for passage in texts.edition:
        covered = set(closed.get(passage.ref, ()))
        for evidence, pattern in patterns:
            for match in pattern.finditer(passage.graphs):
                where = set(range(*match.span()))
                if not where & covered:
                    places_of[match[0], evidence].append(_place(passage, *match.span()))
                    covered |= where
    for form, places in _before_speech(texts.edition, closed, catalog):
        if form not in table.by_form:
            places_of[form, "speech"] = places
    results = [
        NameCandidate(form=form, evidence=evidence, marked=marked.get(form, 0), places=tuple(places),
                      meant=", ".join(" ".join(person) for person in table.by_form.get(form, ())))
        for (form, evidence), places in places_of.items()
    ]
    results.sort(key=lambda candidate: (len(candidate.form) == 1, -len(candidate.places), candidate.form))
    return tuple(results)


def _marked_words(texts: FolderTexts) -> tuple[Mapping[str, int], Mapping[str, set[int]]]:
    counts: defaultdict[str, int] = defaultdict(int)
    closed: defaultdict[str, set[int]] = defaultdict(set)
    for ref, line in match_lines(texts.lines, {passage.ref: passage.graphs for passage in texts.edition}).lines.items():
        for name in line.text.names:
            counts[line.text.graphs[name.start : name.end]] += 1
            closed[ref] |= set(range(name.start, name.end))
        opened = 0
        for mark in line.text.marks:
            if mark.sign == "《":
                opened = mark.at
            elif mark.sign == "》":
                closed[ref] |= set(range(opened, mark.at))
    for passage in texts.edition:
        for span in passage.spans:
            if span.role == "title":
                closed[passage.ref] |= set(range(span.start, span.end))
    return counts, closed


def _before_speech(
    texts: Sequence[BarePassage], closed: Mapping[str, set[int]], catalog: Catalog
) -> Iterator[tuple[str, list[NamePlace]]]:
    bodies = []
    for passage in texts:
        label = next((span.end for span in passage.spans if span.role == "attribution" and span.start == 0), 0)
        bodies.append((passage.ref, passage.graphs[label:]))
    known = [name for person in catalog.persons.values() for name in (person.name, *person.names, *person.forms)]
    by_ref = {passage.ref: passage for passage in texts}
    for stranger in strangers(bodies, known, lists=catalog.lists):
        if stranger.kind == "unknown" and len(stranger.name) > 1:
            places = []
            for at in dict.fromkeys(place.where for place in stranger.places):
                passage = by_ref[at]
                places += [_place(passage, *match.span())
                           for match in re.finditer(f"{re.escape(stranger.name)}(?=曰)", passage.graphs)
                           if not set(range(*match.span())) & closed.get(at, set())]
            if places:
                yield stranger.name, places


def _place(passage: BarePassage, start: int, end: int) -> NamePlace:
    words = passage.graphs
    return NamePlace(passage.ref, f"{words[max(0, start - _AROUND) : start]}‹{words[start:end]}›"
                                  f"{words[end : end + _AROUND]}")
