"""Derive the convention of a text, and the form of its references, from what its file shows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from jiaokan.model.numerals import NUMERAL
from jiaokan.model.words import alphabetic
from jiaokan.scaffold.survey import Survey
from jiaokan.structure.back import is_back
from jiaokan.structure.bylines import makers
from jiaokan.structure.examples import pattern_of
from jiaokan.structure.heads import LONGEST, ChapterHead, Heads, is_front, pieces, signed_heads
from jiaokan.structure.rows import JUAN, SHORT, Row, bare, by_phrase, count_sections, halves
from jiaokan.structure.verses import has_stanzas, part_lines, speaker_lines

_TRAILER = "右(?P<title>[^，。(（【〈〔　 ]{1,18})"
_NUMBERS = (
    r"[A-Z]?\d{1,4}(?:[.．:]\d{1,4}){1,4}", r"[\[（(【〔<‹][^\d㐀-鿿<>\[\]]{0,40}\d+(?:[.,:]\d+)*[a-z]*[\]）)】〕>›]",
    r"\d+[.．、]?(?=\D)", "[①-⑳㉑-㉟]",
)
"""How editions number sections in the line: 2.1, (3), [12], <caes. civ. 1.1>, 7."""
_SUBJECT, _SUBJECTS = re.compile("[(]臣[^()¶]{0,4}[)]"), 3
"""臣 before the name of an official, who writes it smaller (四庫全書): so often it is no comment."""
_TITLED = 0.8
"""Share of the numbers that a short title must follow, if they number titles."""


def convention_of(survey: Survey) -> dict[str, Any]:
    """Return the convention by which the reader of its format reads a text; of TEI, the witness to read."""
    if survey.format == "tei":
        return {"witness": survey.edition} if survey.edition else {}
    mandoku, closing, notes = survey.format == "mandoku", survey.heads.closing, survey.notes
    by_reader = survey.format in ("mandoku", "pages")
    convention: dict[str, Any] = {key: value for key, value in (
        ("lines", "phrase" if mandoku and by_phrase(tuple(survey.text.split("\n"))) else ""),
        ("halves", "left" if mandoku and halves(survey.text) == "left" else ""),
        ("markup", survey.format if survey.format in ("wiki", "markdown", "aozora") else ""),
        ("brackets", "" if by_reader else notes.brackets), ("note_lines", _lines_of_notes(survey)),
        ("calls", notes.calls),
        ("across", notes.across and not by_reader), ("separators", notes.separators),
        ("labels", notes.labels), ("chapter_end", closing),
        ("chapter", 0 if closing or survey.heads.heads[0].name else 1),
    ) if value}
    if mandoku and len(_SUBJECT.findall(survey.text)) >= _SUBJECTS:
        convention["editorial"] = "臣.{0,3}"
    section = _section(survey)
    if survey.back:
        convention["back"] = [{"first": first, "last": last} for first, last in survey.back]
    if number := _number(survey.rows):
        titled = "" if section else _title_pattern(survey.text.split("\n"), number)
        convention |= {"section": titled} if titled else {"number": number}
    if section:
        convention["section"] = section
    if not closing and sum(bool(re.fullmatch(_TRAILER, bare(row.text))) for row in survey.rows) > 1:
        convention["trailer"] = _TRAILER
    if survey.notices:
        convention["chrome"] = [{"rule": "notice", "pattern": re.escape(notice)} for notice in survey.notices]
    named = {head.row for head in survey.heads.heads if head.name}
    body = [row for n, row in enumerate(survey.rows) if n not in named]
    if speakers := speaker_lines(body) if survey.format == "plain" else ():
        convention["speaker_lines"] = "|".join(map(re.escape, speakers))
        parts = part_lines(body)
        body = [row for row in body if row.text not in parts]
        if parts and not convention.keys() & {"section", "number"}:
            convention["section"] = "|".join(map(re.escape, parts))
    if survey.format == "plain" and has_stanzas(body, speakers):
        convention["stanzas"] = True
    elif sections_by_paragraph(survey.heads, survey.rows, notes.brackets[:1], convention):
        convention["sections"] = "paragraphs"
    return convention | _page(survey)


def _lines_of_notes(survey: Survey) -> str:
    """Return the pattern of lines that are notes, with the blanks by which the file lowers them."""
    pattern, lines = survey.notes.lines, survey.text.split("\n")
    blank = pattern[: len(pattern) - len(pattern.lstrip("　"))]
    if not blank:
        return pattern
    begins = Counter(lines[row.number - 1][: row.indent] for row in survey.rows
                     if row.indent >= len(blank) and row.number <= len(lines))
    usual = max(begins, key=lambda begin: begins[begin], default=blank)
    return usual[:1] * len(blank) + pattern[len(blank) :].replace("(?!　", f"(?!{usual[:1]}") if usual else pattern


def _section(survey: Survey) -> str:
    """Return the pattern of section headings: with a sign, or of a lower level of markup than chapters."""
    pattern = "|".join(map(re.escape, survey.inner)) if survey.inner else _section_pattern(survey)
    return "|".join(filter(None, [*map(re.escape, survey.sections), pattern]))


def _section_pattern(survey: Survey) -> str:
    heads = {head.row for head in survey.heads.heads}
    signs = [sign for index, sign, _ in signed_heads(survey.rows) if index not in heads]
    if len(signs) > 2:
        return f"{max(set(signs), key=signs.count)}[ 　]*(?P<title>[^，。；：？！]{{1,24}})"
    if survey.heads.kind in ("juan", "titled") and (cells := pieces(survey.rows[survey.heads.heads[0].row :])):
        lowered = "|".join("　" * (width - 1) for width in cells)
        return f"　(?:{lowered})(?P<title>[^　，。；：？！()][^，。；：？！()]{{0,{LONGEST - 1}}})(?:[(].*)?"
    level = survey.rows[survey.heads.heads[0].row].level if survey.heads.kind == "marked" else 0
    lower = [row.text for row in survey.rows if level and row.level > level]
    return "|".join(map(re.escape, sorted(set(lower)))) if lower else ""


def _repeats_title(line: str, title: str) -> bool:
    """Whether a line repeats the title of the book (道經古本篇上 in 道德經古本篇), as the first of a juan does. Letters
    of an alphabet are shared by any words; whole words count there."""
    if alphabetic(line):
        return {*line.casefold().split()} <= {*title.casefold().split()}
    if not 1 < len(title) >= len(line) - 6:
        return False
    return sum(char in title for char in line) >= max(3, len(line) / 2, len(title) / 2)


def _closing_rows(survey: Survey) -> set[int]:
    """Return the rows that repeat their chapter's heading at its end, as editions close a juan (周語上第一　國語)."""
    heads, count, repeating = survey.heads.heads, len(survey.rows), set[int]()
    starts = {head.row for head in heads} | {count}
    named = iter([(head.row, head.name) for head in heads if head.name])
    name, following = "", next(named, None)
    for n, row in enumerate(survey.rows):
        while following and following[0] < n:
            name, following = following[1], next(named, None)
        if name and {n + 1, n + 2} & starts:
            heading = re.split("[ 　]", bare(name))[0]
            if len(heading) > 1 and re.split("[ 　]", bare(row.text))[0] == heading:
                repeating.add(n)
    return repeating


def _number(rows: Sequence[Row]) -> str:
    for pattern in _NUMBERS:
        matches = [match[0] for row in rows if not row.level and (match := re.match(pattern, row.text))]
        values = [int(digits[-1]) if (digits := re.findall(r"\d{1,9}", match)) else int(unicodedata.numeric(match[0]))
                  for match in matches]
        if count_sections(values):
            return pattern
    return ""


def _title_pattern(lines: Sequence[str], number: str) -> str:
    """Return the pattern of lines that are a number and a title (2.1東皇太一); it is empty if text follows the numbers,
    or if other lines have no punctuation."""
    bare_lines = [re.sub("<[^<>]*>|¶", "", line).strip() for line in lines]
    rest = [line[match.end() :].strip() for line in bare_lines if (match := re.match(number, line))]
    short = [title for title in rest if 0 < len(title) <= SHORT and not re.search(r"[^\w（）()]", title)]
    marked = sum(bool(re.search("[，。；：？！]", line)) for line in bare_lines)
    if len(short) < _TITLED * len(rest) or 2 * marked < len([line for line in bare_lines if line]):
        return ""
    return f"(?:{number})[ 　]*(?P<title>[^，。；：？！]{{1,{SHORT}}})"


def _page(survey: Survey) -> dict[str, object]:
    """Return the lines of the page (`furniture`), and the headings of front matter."""
    heads = survey.heads.heads
    ends, names = (heads[0].row, heads[-1].row), {bare(head.name) for head in heads if head.name}
    starts, closing = {head.row for head in heads}, _closing_rows(survey)
    named = {n for n, row in enumerate(survey.rows) if bare(row.text) in names or n in starts}
    level = survey.rows[ends[0]].level if survey.heads.kind == "marked" else 0
    front, furniture, juan, closed = [], {}, False, False
    for n, row in enumerate(survey.rows):
        if n in named or len(bare(row.text)) > 2 * SHORT:
            continue
        outside = survey.heads.closing or not ends[0] <= n <= ends[1]
        if re.search("四庫全書|四库全书|四部叢刊|四部丛刊", row.text) and len(row.text) <= SHORT:
            furniture[row.text] = "collection"
        elif re.fullmatch(JUAN, row.text):
            juan = survey.heads.kind != "juan"
            closed |= not juan and not any(re.fullmatch(JUAN, head.name) for head in heads)
        elif is_back(row.text) or (
                outside and is_front(row.text) and (row.indent or row.level or len(bare(row.text)) < 8)):
            front.append(row.text)
        elif makers(row, survey.title):
            furniture[row.text] = "byline"
        elif (level and 0 < row.level < level) or (outside and row.text == survey.title) \
                or n in closing or _repeats_title(row.text, survey.title):
            furniture[row.text] = "category"
    tables: dict[str, object] = {}
    decided = {words for _, words in survey.frame}
    front = [pattern_of(words) for kind, words in survey.frame if kind != "page"] + [
        re.escape(heading) for heading in front if heading not in decided]
    if front:
        tables["front"] = [{"head": pattern, "prose": True} for pattern in dict.fromkeys(front)]
    rows = [{"kind": "category", "pattern": re.escape(words)} for kind, words in survey.frame if kind == "page"]
    rows += [{"kind": kind, "pattern": re.escape(text)} for text, kind in furniture.items() if text not in decided]
    others = [re.escape(words) for words in {*names, *decided} if re.fullmatch(JUAN, words)]
    apart = f"(?!(?:{'|'.join(sorted(others))})$)" if others and survey.frame else ""
    if juan:
        rows.append({"kind": "juan", "pattern": apart + JUAN})
    if closed:  # if headings of juan also name the author, a bare juan number closes it
        rows.append({"kind": "category", "pattern": apart + JUAN.replace("(", "(?:", 1)})
    return tables | ({"furniture": rows} if rows else {})


_COUNTED = re.compile(f"第?(?:{NUMERAL}|\\d+)[章篇]?")
_SEVERAL_PARAGRAPHS = 3
"""Paragraphs of a chapter, at the median, where readers count paragraphs: 論語 has 17 to 50 章 in a 篇; a
chapter of 老子 is one paragraph or, where lines of verse are set apart, two."""


def sections_by_paragraph(heads: Heads, rows: Sequence[Row], opening: str, convention: Mapping[str, Any]) -> bool:
    """Whether each paragraph of a text is a section: a chapter has several, and nothing else separates sections.
    `opening` is the opening bracket of its notes, `convention` what has been detected so far."""
    if {"number", "section", "trailer", "chapter_end"} & convention.keys() or len(heads.heads) < 2:
        return False
    lines = convention.get("note_lines")
    starts = [head.row for head in heads.heads]
    sizes = [
        sum(1 for row in rows[start + 1 : end] if not (
            (opening and row.text.startswith(opening)) or (lines and re.match(lines, row.text))))
        for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]
    return median(sizes) >= _SEVERAL_PARAGRAPHS


def reference_of(heads: Heads, convention: Mapping[str, Any]) -> str:
    """Return the form of references for the catalog; "" if units have to be counted."""
    several = len(heads.heads) > 1
    if "number" in convention or convention.get("sections") == "paragraphs":
        return "{chapter}.{section}" if several else "{section}"
    if several and "trailer" not in convention and all(_COUNTED.fullmatch(head.title) for head in heads.heads):
        return "{chapter}"
    return ""


def labels_of_parts(heads: Sequence[ChapterHead]) -> list[str]:
    """Return the labels of chapters if some are parts of one chapter: 8A, 8B, then 9 for the tenth; "" elsewhere."""
    if not any(head.part for head in heads):
        return [""] * len(heads)
    before = [sum(other.n == head.n for other in heads[:n]) for n, head in enumerate(heads)]
    names = (f"{head.n}{'ABC'[nth]}" if head.part else str(head.n) for nth, head in zip(before, heads, strict=True))
    return ["" if name == str(n) else name for n, name in enumerate(names, 1)]


def labels_of(titles: Sequence[str]) -> list[str]:
    """Return the labels of chapters, if all are halves of a book (梁惠王上, 梁惠王下: 1A, 1B, as Legge, Lau and the
    Harvard-Yenching Index cite 孟子), else empty ones."""
    parted = [re.fullmatch("(.+?)(?:章句)?([上下])", title.strip()) for title in titles]
    books = dict.fromkeys(match[1] for match in parted if match)
    if not titles or len(titles) != 2 * len(books) or not all(parted):
        return [""] * len(titles)
    number = {book: n for n, book in enumerate(books, 1)}
    return [f"{number[match[1]]}{'A' if match[2] == '上' else 'B'}" for match in parted if match]
