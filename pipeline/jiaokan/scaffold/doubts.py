"""Doubts on what `init` decided without being sure, each with the setting to change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jiaokan.annotate.speakers import names_nobody
from jiaokan.errors import Message, one_line
from jiaokan.scaffold.files import CONTROL
from jiaokan.scaffold.letters import LOST, amount, letters
from jiaokan.scaffold.report import HEADS, author_speaks, chapter_sizes, list_parts
from jiaokan.scaffold.survey import Survey
from jiaokan.scaffold.works import SurveyedWork
from jiaokan.structure.back import back_rows, is_back
from jiaokan.structure.bylines import is_commentary
from jiaokan.structure.heads import like_heads
from jiaokan.structure.notes import note_texts, opening_names
from jiaokan.structure.rows import bare
from jiaokan.structure.weigh import rival_of

_SHOWN = 8
"""Examples in a line."""
_GRAM, _TWICE = 12, 0.25
"""A text repeats itself if such a share of its n-grams has occurred before. In classics formulae make 0.05 and less."""
_NAMES = Message("add-heading-printed-names-chapter")
_MUCH = 0.1
"""Share of the letters of a file, without markup and navigation, that is a doubt if it is left out."""
_HARDLY = 20
"""A chapter with fewer characters has perhaps lost its text to another one."""
_BEFORE = 0.1
"""Largest usual share of the text before the first chapter: prefaces, 提要, contents."""
_UNSURE = (0.05, 0.95)
"""Between these probabilities it is a doubt whether lines apart are a commentary."""
_CLOSE = 1.5
"""Chapters are a doubt if the second explanation has a score so near: with this margin the first is right in four
cases of five."""
_LONG = 20_000
"""Characters of one chapter without division that are a doubt."""
_LONG_LINE = 2_000
"""Characters of a line in which headings may stand unseen: a text that has lost its line ends."""
_STRANGERS = 0.08
"""Share of the notes that open with an undeclared name, from which on they are a doubt."""
_COLLECTION = 4
"""So many speakers are a collection, in which others can speak who are seldom or otherwise named."""
_OPENS = re.compile("(?P<name>[㐀-鿿\U00020000-\U0003ffff]{1,4}?)曰")


def first_words(words: Sequence[str]) -> str:
    """Return the first of several words, as examples."""
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def name_code(code: str) -> str:
    """Return the code of a character, of one for private use, which no font shows, its number."""
    return f"U+{ord(code):04X}" if len(code) == 1 and not code.isprintable() else code


def _doubts_of_conversion(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    """Yield doubts on what the conversion of a file left out, or decided without being sure."""
    file = one_line(survey.path.name)
    lost = "".join(part.words for part in survey.left_out if part.part == LOST)
    if lost:
        yield 6, Message("letters-lost", name=name, file=file, count=len(lost), shown=lost[:_SHOWN])
    if controls := sum(len(part.words) for part in survey.left_out if part.part == CONTROL):
        yield 6, Message("controls-written", name=name, file=file, count=controls)
    perhaps = [part for part in survey.left_out if part.is_text]
    left_out, in_text = amount(part.words for part in perhaps), letters(survey.text).total()
    if left_out > _MUCH * (left_out + in_text):
        yield 4, Message("much-left-out", name=name, file=file, share=f"{left_out / (left_out + in_text):.0%}",
                         parts=list_parts(perhaps) or "")
    yield from ((5, Message("doubt-of-text", name=name, words=words)) for words in survey.uncertain)


def doubts(work: SurveyedWork, ids: Sequence[str]) -> list[str]:
    """Return a line for each doubt on a work whose texts have these ids, the most important first."""
    ranked = [doubt for survey, name in zip(work.surveys, ids, strict=True) for doubt in _doubts_of_text(survey, name)]
    ranked += _doubts_of_chapters(work, ids)
    if work.unknown:
        ranked.append((2,
                      Message("codes-characters-unknown-print-use", count=len(work.unknown),
                              first_of=first_words([*map(name_code, work.unknown)]))))
    if doubtful := [f"{name_code(code)} {known.standard}"
                    for code, known in work.known.items() if known.cert == "low"]:
        ranked.append((1,
                      Message("codes-characters-doubtful-check-tei", count=len(doubtful),
                              first_of=first_words(doubtful))))
    return [words for _, words in sorted(ranked, key=lambda row: -row[0])]


def _doubts_of_text(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    notes, convention = survey.notes, f"tei/conventions/{name}.toml"
    yield from _doubts_of_conversion(survey, name)
    yield from _doubts_of_layers(survey, name, convention)
    yield from _doubts_of_speakers(survey, name, convention)
    yield from _doubts_of_division(survey, name)
    comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
    if comments and not notes.count and survey.format != "tei":
        yield 5, Message("no-marked-notes-though-commentary", name=name, convention=convention)
    if notes.count and not author_speaks(survey) and 2 * sum(n for _, n in notes.speakers) < notes.count:
        yield 4, (Message("speaks-unsigned-notes-unknown-notes", name=name, count=notes.count, convention=convention))
    if survey.guessed and notes.count and author_speaks(survey):
        named = [maker.name for maker in survey.makers if maker.comments]
        yield 4, (Message("speaker-of-several", name=name, count=notes.count, author=survey.author,
                          names=", ".join(dict.fromkeys(named)), convention=convention) if named else
                  Message("speaker-guessed", name=name, count=notes.count, author=survey.author, convention=convention))
    heads = survey.heads.heads
    before, whole = len(survey.base_text(0, heads[0].row)), len(survey.base_text())
    if before > _BEFORE * whole and survey.heads.kind != "closed":
        yield 4, Message("text-before-first-chapter", name=name, share=f"{before / whole:.0%}", mend=_NAMES)
    if (twice := _repetition(survey)) > _TWICE:
        yield 3, Message("text-twice", name=name, share=f"{twice:.0%}")
    if survey.heads.kind in ("numbered", "listed", "juan"):
        numbers = {head.n for head in heads}
        if lacking := [str(n) for n in range(1, max(numbers)) if n not in numbers]:
            yield 3, Message("numbers-without-heading", name=name, count=len(lacking), first_of=first_words(lacking),
                             names=_NAMES)
    if len(more := like_heads(survey.rows, survey.heads)) > len(heads):
        yield 2, Message("more-lines-look-like-headings", name=name, count=len(more), first_of=first_words(more),
                         convention=convention)


def _doubts_of_layers(survey: Survey, name: str, convention: str) -> Iterator[tuple[int, str]]:
    """Yield doubts on which lines and words are base text, commentary or neither."""
    lines, (label, count) = survey.lines, survey.inline
    if lines and _UNSURE[0] < lines.probability < _UNSURE[1]:
        taken = Message("lines-taken-commentary" if survey.notes.lines == lines.pattern else "lines-taken-base")
        yield 5, Message("lines-apart-doubt", name=name, count=lines.count, probability=f"{lines.probability:.0%}",
                         taken=taken, pattern=lines.pattern, convention=convention)
    if not survey.notes.lines and (names := opening_names(survey.rows)):
        yield 5, Message("paragraphs-open-with-names", name=name, count=sum(count for _, count in names),
                         first_of=first_words([f"{words} {count}" for words, count in names]),
                         pattern="|".join(words for words, _ in names), convention=convention)
    if label:
        yield 6, Message("labels-inside-lines", name=name, label=label, count=count, convention=convention)
    if survey.back:
        spans = first_words([f"{first}–{last}" for first, last in survey.back])
        yield 3, Message("back-by-place", name=name, lines=spans, convention=convention)
    if back := back_rows(survey.rows):
        heads = [row.text for row in survey.rows if is_back(row.text)]
        yield 3, Message("back-matter-taken", name=name, count=len(back), first_of=first_words(heads),
                         convention=convention)


def _doubts_of_speakers(survey: Survey, name: str, convention: str) -> Iterator[tuple[int, str]]:
    """Yield a doubt if many notes open with a name before 曰 that is not declared."""
    notes, declared = survey.notes, tuple(words for words, _ in survey.notes.speakers)
    parts = note_texts(notes, survey.rows)
    speaking = {words.rstrip("曰云：:") for words in declared}
    if len(speaking) >= _COLLECTION:
        yield 2, Message("several-speakers", name=name, count=len(speaking), first_of=first_words(
            [f"{words} {count}" for words, count in notes.speakers]), convention=convention)
    strange = Counter(match["name"] for part in parts if (match := _OPENS.match(part))
                      and not part.startswith(declared) and not names_nobody(match["name"]))
    if strange.total() > _STRANGERS * len(parts) and len(parts) > _SHOWN:
        names = [f"{words} {count}" for words, count in strange.most_common()]
        yield 3, Message("openings-undeclared", name=name, count=strange.total(), first_of=first_words(names),
                         convention=convention)


def _doubts_of_division(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    """Yield doubts on the chapters: a second explanation that is nearly as good, or a long text undivided."""
    rival = rival_of(survey.explanations)
    if rival and survey.heads.kind != "named" and survey.explanations[0].score - rival.score < _CLOSE:
        yield 4, Message("chapters-could-be", name=name, count=len(rival.heads.heads), kind=HEADS[rival.heads.kind],
                         first_of=first_words([bare(head.name) or head.title for head in rival.heads.heads]),
                         names=_NAMES)
    long_line = max((len(row.text) for row in survey.rows), default=0) > _LONG_LINE and survey.format != "tei"
    if len(survey.heads.heads) == 1 and (long_line or len(survey.base_text()) > _LONG):
        yield 4, Message("one-long-chapter", name=name, count=len(survey.base_text()), names=_NAMES)


def _doubts_of_chapters(work: SurveyedWork, ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    titles = Counter(heads[0].title for heads in work.chapters)
    if again := [title for title, count in titles.items() if count > 1]:
        yield 2, Message("several-chapters-same-title-change", first_of=first_words(again))
    for index, name in enumerate(ids):
        if lacking := [str(n) for n, indexes in enumerate(work.has, 1) if index not in indexes]:
            yield 3, Message("chapters-without-heading", name=name, count=len(lacking), all=len(work.has),
                             first_of=first_words(lacking), mend=_NAMES)
    sizes = chapter_sizes(work)
    short = [str(n) for n, row in enumerate(sizes, 1) if row[0] < _HARDLY]
    if short and max(row[0] for row in sizes) > _HARDLY * _HARDLY:
        yield 3, Message("chapters-hardly-text", id=ids[0], count=len(short), first_of=first_words(short), names=_NAMES)


def _repetition(survey: Survey) -> float:
    """Return the share of a text's n-grams that occurred before."""
    text = survey.base_text()
    places = range(len(text) - _GRAM + 1)
    return 1 - len({text[at : at + _GRAM] for at in places}) / len(places) if places else 0.0
