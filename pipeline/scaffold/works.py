"""Group texts by work, align their chapters, choose the base, and fit the plan to what the readers find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.collate.base_text import base_units
from pipeline.collate.content import graphs
from pipeline.model import Document
from pipeline.model.words import LACUNAE
from pipeline.readers import read
from pipeline.scaffold.align import NEARLY, align, common_size, grams, with_known_titles
from pipeline.scaffold.gaiji import CODE, CodeVotes, Known, characters, decide, of_witness
from pipeline.scaffold.heads import ChapterHead
from pipeline.scaffold.survey import Survey
from pipeline.settings.catalog import Catalog

_SAME = 0.25
"""Share of the shorter text's n-grams that the other must have. 老子 in three recensions: 0.47 and more; 大學 and
老子: 0.00; 論語 and 論語集注 序說: 0.02."""


@dataclass(frozen=True, slots=True)
class SurveyedWork:
    """Texts of one work."""

    surveys: tuple[Survey, ...]
    """The base first."""
    chapters: tuple[tuple[ChapterHead, ...], ...]
    """For each chapter of the work, in the base's order, its heading in each text that has it, the base's first."""
    has: tuple[tuple[int, ...], ...]
    """For each chapter, the texts that have it, as indexes of `surveys`."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """What the codes in the texts stand for."""
    unknown: tuple[str, ...] = ()
    """Codes that nothing explains."""
    reason: str = ""
    """Why the first text is the base; empty if there is only one."""

    def numbers(self, index: int) -> dict[int, int]:
        """Return the chapters of a text, by the row of their heading."""
        return {head.row: n for n, (heads, has) in enumerate(zip(self.chapters, self.has, strict=True), 1)
                for head, text in zip(heads, has, strict=True) if text == index}


def group_by_work(
    surveys: Sequence[Survey], evidence: Sequence[CodeVotes] = (), table: Mapping[str, str] | None = None,
    name: str = "",
) -> tuple[SurveyedWork, ...]:
    """Group texts that share their words, and return each group with its chapters. Codes of characters are explained
    by the `evidence` of normalised transcriptions, by the other texts, and by a `table` of this name."""
    groups: list[list[Survey]] = []
    for each in surveys:
        home = next((group for group in groups if any(_share_words(each, other) for other in group)), None)
        if home is None:
            groups.append(home := [])
        home.append(each)
    works = []
    for group in groups:
        every = {code for each in group for code in CODE.findall("".join(row.text for row in each.rows))}
        own = _evidence(group) if every else []
        known = decide(every, [*evidence, *own], table or {}, name)
        texts = with_known_titles(group)
        base, reason = _base(texts, known)
        made = align(base, [each for each in texts if each is not base])
        works.append(SurveyedWork(made.surveys, made.chapters, made.has, known, tuple(sorted(every - known.keys())),
                                  reason))
    return tuple(works)


def _characters(survey: Survey) -> list[str]:
    return characters("".join(row.text for row in survey.rows))


def _evidence(group: Sequence[Survey]) -> list[CodeVotes]:
    """Return what each text has at the places of the codes of the others."""
    texts = [_characters(each) for each in group]
    return [of_witness(each.witness, text, [other for other in texts if other is not text])
            for each, text in zip(group, texts, strict=True)]


def _base(group: Sequence[Survey], known: Mapping[str, Known]) -> tuple[Survey, str]:
    """Return the text with the fewest lost characters among those with nearly all chapters, the first of several, and
    why it is the base."""
    size = common_size(group)
    whole = [each for each in group if NEARLY * size <= len(each.heads.heads) <= size / NEARLY]
    lost = [sum(char in LACUNAE or (bool(CODE.fullmatch(char)) and char not in known) for char in _characters(each))
            for each in whole]
    at = min(range(len(whole)), key=lambda n: lost[n])
    if len(group) == 1:
        return whole[0], ""
    base = whole[at]
    fewer = len(group) - len(whole)
    others = [number for n, number in enumerate(lost) if n != at]
    return base, "; ".join(filter(None, (
        f"{len(base.heads.heads)} chapters" + (f", {fewer} of the others with other ones" if fewer else ""),
        f"{lost[at]} lost characters" + (f", others {', '.join(map(str, others))}" if others else ""),
    )))


def _share_words(one: Survey, other: Survey) -> bool:
    a, b = grams(one.base_text()), grams(other.base_text())
    return len(a & b) >= _SAME * max(1, min(len(a), len(b)))


def fit_plan(plan: Mapping[str, Any], catalog: Catalog) -> tuple[dict[str, Any], list[str]]:
    """Adapt the plan of a critical edition to what the readers find; return it with a line of report for each change.
    The base of a chapter is its first text with words there. A chapter without words in any text is left out, and a
    text that has it twice. If none is left, the plan is a reading edition of the first text. Raises as `read`."""
    names = dict.fromkeys(name for chapter in plan["chapters"] for name in chapter["witnesses"])
    own = {name: _chapters_with_words(read(catalog.sources[name], catalog)[0]) for name in names}
    chapters, report = [], []
    for chapter in plan["chapters"]:
        n, base = str(chapter["n"]), chapter["base"]
        single = [name for name in chapter["witnesses"] if own[name].get(n, True) is not None]
        worded = [name for name in single if own[name].get(n)]
        if not worded:
            report.append(f"    chapter {n} {chapter['title']} left out: no words follow its heading. They may be in "
                          "the chapter before: correct `names` of this one in tei/catalog.toml")
            continue
        first = base if base in worded else worded[0]
        if first != base:
            report.append(f"    chapter {n} {chapter['title']}: base {first}, because {base} has no words there")
        chapters.append({**chapter, "base": first, "witnesses": single})
    if chapters:
        return {**plan, "chapters": chapters}, report
    kept = {key: each for key, each in plan.items() if key not in ("kind", "work", "chapters")}
    first = next(iter(names))
    return {**kept, "kind": "reading", "witness": first}, [f"    nothing to collate: a reading edition of {first}"]


def _chapters_with_words(document: Document) -> dict[str, bool | None]:
    """Return for each chapter of a text whether it has base text; None if there are several of its number."""
    count = Counter(division.n for division in document.chapters())
    return {each.n: any(graphs(unit.content) for unit in base_units(each)) if count[each.n] == 1 else None
            for each in document.chapters()}
