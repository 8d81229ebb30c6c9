"""Group texts by work, align their chapters, choose the base, and fit the plan to what the readers find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jiaokan.collate.base_text import base_units
from jiaokan.collate.content import graphs
from jiaokan.errors import Message
from jiaokan.model import Document
from jiaokan.model.words import LACUNAE, simplified
from jiaokan.readers import read
from jiaokan.scaffold.gaiji import CodeVotes, Known, characters, decide, of_witness
from jiaokan.scaffold.survey import Survey
from jiaokan.settings.catalog import Catalog
from jiaokan.structure.heads import ChapterHead, Heads
from jiaokan.structure.rows import CODE
from jiaokan.structure.titles import FOUND, find_titles, key_of
from jiaokan.structure.weigh import MeasuredRows, score_heads

_GRAM = 4
"""Characters of the n-grams that texts share: with 3, formulae of any classic match; with 6, 老子 in the versions of
傅奕 and 河上公 shares too few."""
_NEARLY = 0.9
"""Share of the chapters that a base text must have."""
_FINER = 2
"""A text with so many times the headings of the base has smaller parts: they become sections."""
_PARTS = "上中下"
"""Parts of a chapter, in order."""
_SAME = 0.25
"""Share of the shorter text's n-grams that the other must have. 老子 in three recensions: 0.47 and more; 大學 and
老子: 0.00; 論語 and 論語集注 序說: 0.02."""


@dataclass(frozen=True, slots=True)
class SurveyedWork:
    """Texts of one work."""

    surveys: Sequence[Survey]
    """The base first."""
    chapters: Sequence[Sequence[ChapterHead]]
    """For each chapter of the work, in the base's order, its heading in each text that has it, the base's first."""
    has: Sequence[Sequence[int]]
    """For each chapter, the texts that have it, as indexes of `surveys`."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """What the codes in the texts stand for."""
    unknown: Sequence[str] = ()
    """Codes that nothing explains."""
    reason: str = ""
    """Why the first text is the base; empty if there is only one."""

    def numbers(self, index: int) -> dict[int, int]:
        """Return the chapters of a text, by the row of their heading."""
        return {head.row: n for n, (heads, texts) in enumerate(zip(self.chapters, self.has, strict=True), 1)
                for head, text in zip(heads, texts, strict=True) if text == index}


def group_by_work(
    surveys: Sequence[Survey], evidence: Sequence[CodeVotes] = (), table: Mapping[str, str] | None = None,
    name: str = "",
) -> tuple[SurveyedWork, ...]:
    """Group texts that share their words, and return each group with its chapters. Codes of characters are explained
    by the `evidence` of normalised transcriptions, by the other texts, and by a `table` of this name."""
    groups: list[list[Survey]] = []
    for survey in surveys:
        home = next((group for group in groups if any(_share_words(survey, other) for other in group)), None)
        if home is None:
            groups.append(home := [])
        home.append(survey)
    works = []
    for group in groups:
        chars = [characters("".join(row.text for row in survey.rows)) for survey in group]
        codes = {char for text in chars for char in text if CODE.fullmatch(char)}
        votes = (of_witness(survey.witness, text, [other for other in chars if other is not text])
                 for survey, text in zip(group, chars, strict=True))
        known = decide(codes, [*evidence, *votes] if codes else [], table or {}, name)
        texts = _with_known_titles(group)
        lost = [sum(char in LACUNAE or (char in codes and char not in known) for char in text) for text in chars]
        base, reason = _base(texts, lost)
        aligned = _align(base, [text for text in texts if text is not base])
        works.append(SurveyedWork(*aligned, known, sorted(codes - known.keys()), reason))
    return tuple(works)


def _base(group: Sequence[Survey], lost: Sequence[int]) -> tuple[Survey, str]:
    """Return the text with the fewest `lost` characters among those with nearly all chapters, the first of several, and
    why it is the base."""
    if len(group) == 1:
        return group[0], ""
    sizes = [len(survey.heads.heads) for survey in group]
    common = _common_size(sizes)
    whole = [n for n, size in enumerate(sizes) if _NEARLY * common <= size <= common / _NEARLY]
    at = min(whole, key=lambda n: lost[n])
    fewer, others = len(group) - len(whole), [str(lost[n]) for n in whole if n != at]
    return group[at], (
        Message("chapters-count", count=sizes[at]) + (Message("others-other", fewer=fewer) if fewer else "")
        + Message("lost-characters", count=lost[at])
        + (Message("others-lost", others=", ".join(others)) if others else ""))


def _share_words(survey: Survey, other: Survey) -> bool:
    a, b = grams_of(survey.base_text()), grams_of(other.base_text())
    return len(a & b) >= _SAME * max(1, min(len(a), len(b)))


def grams_of(text: str) -> frozenset[str]:
    """Return the n-grams of a text, in simplified characters."""
    plain = "".join(map(simplified, text))
    return frozenset(plain[at : at + _GRAM] for at in range(len(plain) - _GRAM + 1))


def _common_size(sizes: Sequence[int]) -> int:
    """Return the number of chapters of a work: the largest that half of its texts have, or nearly."""
    return max(size for size in sizes if 2 * sum(other >= _NEARLY * size for other in sizes) >= len(sizes))


def _with_known_titles(group: Sequence[Survey]) -> list[Survey]:
    """Return the texts; one whose own headings are fewer has those that the titles of another one show in it."""
    surveys = []
    for survey in group:
        best, count = survey, 0 if survey.heads.kind == "none" else len(survey.heads.heads)
        for other in group:
            titles = other.heads.heads
            if other is survey or other.heads.kind in ("juan", "closed", "none") or len(titles) <= count:
                continue
            heads = find_titles(survey.rows, titles)
            enough = len(heads) >= FOUND * len(titles) and len(heads) > len(best.heads.heads)
            if enough or (best.heads.kind == "none" and _explain_more(survey, heads)):
                best = replace(survey, heads=Heads("named", heads))
        surveys.append(best)
    return surveys


def _explain_more(survey: Survey, heads: tuple[ChapterHead, ...]) -> bool:
    """Whether a few titles of another text explain a text better than that it is undivided: a title that is printed
    again at its end leaves all of it before the first chapter."""
    if not heads or not survey.explanations:
        return bool(heads)
    named = score_heads(Heads("named", heads), MeasuredRows.of(survey.rows))
    return named.score > survey.explanations[0].score


def _align(base: Survey, others: Sequence[Survey]) -> tuple[list[Survey], list[list[ChapterHead]], list[list[int]]]:
    """Align the chapters of each text with the base's: by title, by shared words, by number if they share none. Return
    the texts, the headings of each chapter, and the indexes of the texts that have it."""
    heads: list[list[ChapterHead]] = [[head] for head in base.heads.heads]
    texts_of: list[list[int]] = [[0] for _ in heads]
    grams = [grams_of(text) for text in chapter_texts(base)]
    keys = [key_of(head[0].name or head[0].title) for head in heads]
    surveys = [base]
    for index, survey in enumerate(others, 1):
        other = _coarser(survey, grams) if len(survey.heads.heads) >= _FINER * len(grams) > _FINER else survey
        surveys.append(other)
        used: set[int] = set()
        for head, text in zip(other.heads.heads, chapter_texts(other), strict=True):
            shared, key = grams_of(text), key_of(head.name or head.title)
            free = [n for n in range(len(grams)) if n not in used]
            sizes = {n: len(shared & grams[n]) for n in free}
            place = max(free, key=lambda n: (bool(sizes[n]) and keys[n] == key, sizes[n], heads[n][0].n == head.n),
                        default=None)
            if place is not None and (sizes[place] or heads[place][0].n == head.n):
                used.add(place)
                heads[place].append(head)
                texts_of[place].append(index)
    order = sorted(range(len(heads)), key=lambda n: (heads[n][0].n, _PARTS.find(heads[n][0].part)))
    return surveys, [heads[n] for n in order], [texts_of[n] for n in order]


def _coarser(survey: Survey, grams: Sequence[frozenset[str]]) -> Survey:
    """Return a text with the larger chapters of the base, whose n-grams are `grams`: the first of its headings in each
    begins it, the others head sections."""
    heads: list[ChapterHead] = []
    begun: set[int] = set()
    now = -1
    for head, text in zip(survey.heads.heads, chapter_texts(survey), strict=True):
        shared = grams_of(text)
        best = max(range(len(grams)), key=lambda n: (len(shared & grams[n]), n == now))
        if shared & grams[best] and best not in begun:
            begun.add(best)
            now = best
            heads.append(head)
    names = {head.name for head in heads}
    inner = tuple(dict.fromkeys(head.name for head in survey.heads.heads if head.name not in names))
    return replace(survey, heads=Heads("named", tuple(heads)), inner=inner) if len(heads) > 1 else survey


def chapter_texts(survey: Survey) -> list[str]:
    """Return the base text of each chapter."""
    rows = [head.row for head in survey.heads.heads]
    if survey.heads.kind == "closed":
        return [survey.base_text(start, end) for start, end in zip([0, *rows], rows, strict=False)]
    return [survey.base_text(start + bool(head.name), end)
            for head, start, end in zip(survey.heads.heads, rows, [*rows, None][1:], strict=True)]


def fit_plan(plan: Mapping[str, Any], catalog: Catalog) -> tuple[dict[str, Any], list[Message]]:
    """Adapt the plan of a critical edition to what the readers find; return it with a line of report for each change.
    The base of a chapter is its first text with words there. A chapter without words in any text is left out, and a
    text that has it twice. If none is left, the plan is a reading edition of the first text. Raises as `read`."""
    names = dict.fromkeys(name for chapter in plan["chapters"] for name in chapter["witnesses"])
    with_words = {name: _chapters_with_words(read(catalog.sources[name], catalog)[0]) for name in names}
    chapters, report = [], []
    for chapter in plan["chapters"]:
        n, base = str(chapter["n"]), chapter["base"]
        single = [name for name in chapter["witnesses"] if with_words[name].get(n, True) is not None]
        worded = [name for name in single if with_words[name].get(n)]
        if not worded:
            report.append(Message("chapter-left-out-no-words", number=n, title=chapter["title"]))
            continue
        first = base if base in worded else worded[0]
        if first != base:
            report.append(Message("chapter-base-because-no-words", number=n, title=chapter["title"], first=first,
                                  base=base))
        chapters.append({**chapter, "base": first, "witnesses": single})
    if chapters:
        return {**plan, "chapters": chapters}, report
    rest = {key: value for key, value in plan.items() if key not in ("kind", "work", "chapters")}
    first = next(iter(names))
    return {**rest, "kind": "reading", "witness": first}, [Message("nothing-collate-reading-edition", first=first)]


def _chapters_with_words(document: Document) -> dict[str, bool | None]:
    """Return for each chapter of a text whether it has base text; None if there are several of its number."""
    count = Counter(division.n for division in document.chapters())
    return {chapter.n: any(graphs(unit.content) for unit in base_units(chapter)) if count[chapter.n] == 1 else None
            for chapter in document.chapters()}
