"""One file as it shows itself: everything that its catalog entry and its convention say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.model.numerals import NUMERAL
from pipeline.scaffold.formats import decoded, format_of, language_of
from pipeline.scaffold.heads import FRONT, ChapterHead, Heads, heads_of
from pipeline.scaffold.notes import NoteMarks, notes_of
from pipeline.scaffold.rows import Row, bare, by_phrase, rows_of

_DYNASTIES = "周|秦|西漢|東漢|漢|汉|魏|蜀|吳|晉|晋|宋|齊|齐|梁|陳|陈|隋|唐|五代|遼|辽|金|元|明|清"
_ACTS = (
    "章句|集註|集注|集解|集釋|集释|音義|音义|解詁|解诂|義疏|义疏|正義|正义|注疏|注|註|疏|傳|传|箋|笺|撰|校定|校"
    "|輯|辑|編|编"
)
_WHO = f"(?P<name>[㐀-鿿]{{1,6}}?(?:[　 ][㐀-鿿]+)?)[　 ]*(?P<act>{_ACTS})(?:第.*)?$"
_BYLINES = (
    re.compile(f"(?:^|[　 ])(?P<dynasty>{_DYNASTIES})[　 ]*{_WHO}"), re.compile(f"(?:^|.*[　 ])(?P<dynasty>){_WHO}"),
)
"""宋　朱子　章句: dynasty, name, what he did; the last of 題名 as title pages and first lines of juan write it."""
_JUAN = re.compile(f"[^，。]{{0,12}}?[卷巻]第?(?P<n>{NUMERAL})(?:之[一二三四五])?(?:終|终)?")
_TRAILER = "右(?P<title>[^，。(（【〈〔　 ]{1,18})"
_SUFFIXES = (".txt", ".md", ".xml", ".wiki")
_NUMBERS = (r"[A-Z]?\d+(?:[.．:]\d+)+", r"[\[（(【〔]\d+[\]）)】〕]", r"\d+[.．、]?(?=\D)", "[①-⑳㉑-㉟]")
"""How readers' editions number sections in the line: 2.1, (3), [12], 7."""
_SHORT = 24
"""Characters of the longest line of a title page: 大學(大舊音泰今讀如字)　　宋　朱子　章句, notes aside."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a file shows."""

    path: Path
    text: str
    encoding: str
    format: str
    language: str
    title: str
    rows: tuple[Row, ...]
    heads: Heads
    notes: NoteMarks
    author: str = ""
    """Who comments where nobody is named, as the file calls him."""
    dynasty: str = ""
    edition: str = ""
    """The name that the transcription gives to its witness (``WYG``)."""
    convention: dict[str, Any] = field(default_factory=dict)

    @property
    def reader(self) -> str:
        """The reader of its format."""
        if self.format in ("tei", "mandoku"):
            return self.format
        return "brackets" if self.notes.brackets and self.format == "plain" else "plain"

    def base_text(self, start: int = 0, end: int | None = None) -> str:
        """Give the words of some of its rows without the notes and without white space."""
        kept = "".join(row.text for row in self.rows[start:end])
        if self.notes.brackets:
            opening, closing = map(re.escape, self.notes.brackets)
            kept = re.sub(f"{opening}[^{opening}{closing}]*{closing}", "", kept)
        return re.sub(r"\W", "", kept)


def parts(paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """Put files together that are parts of one text: those of a folder whose names differ in a last number only.

    A folder stands for the text files in it; hidden ones and those that are about the folder (README) are left out.
    """
    files = [file for path in paths for file in (sorted(_texts(path)) if path.is_dir() else [path])]
    groups: dict[tuple[Path, str], list[Path]] = {}
    for file in files:
        name = re.sub(r"[_-]?\d+$", "", file.stem)
        groups.setdefault((file.parent, f"{name or file.stem}{file.suffix}"), []).append(file)
    for group in groups.values():
        alike = len(group) > 1 and all(re.search(r"[_-]\d{2,}$", file.stem) for file in group)
        yield from [tuple(group)] if alike else [(file,) for file in group]


def _texts(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.suffix.lower() in _SUFFIXES and not file.name.startswith(".")
            and not file.stem.lower().startswith(("readme", "license")))


def survey(*paths: Path) -> Survey:
    """Look at a text in one file, or in several that follow each other; raises SourceError if one is no text."""
    path, read = paths[0], [decoded(each) for each in paths]
    text, encoding = "\n".join(text.rstrip("\n") for text, _ in read) + "\n", read[0][1]
    format_ = format_of(text)
    if format_ == "tei":
        stated = re.search(r"<title[^>]*>([^<]+)</title>", text)
        return Survey(path, text, encoding, format_, language_of(re.sub(r"<[^>]*>", "", text)),
                      stated[1].strip() if stated else path.stem, (), Heads("none"), NoteMarks())
    rows = rows_of(text, format_)
    notes = notes_of(rows, "()" if format_ == "mandoku" else "")
    title = _title(text, rows, path)
    heads = heads_of(rows)
    heads = heads if heads.heads else _single(rows, title)
    dynasty, author = _author(rows, heads.heads[0].row if heads.heads else 0, title)
    witness = re.search(r"^#\+PROPERTY: WITNESS +(\S+)", text, re.M)
    found = Survey(
        path, text, encoding, format_, language_of("".join(row.text for row in rows)), title, rows, heads, notes,
        author, dynasty, witness[1] if witness else "",
    )
    found.convention.update(_convention(found))
    return found


def _title(text: str, rows: Sequence[Row], path: Path) -> str:
    """Give the title that a file states, else that of its first line if this is one, else the file's name."""
    if stated := re.search(r"^#\+TITLE: *(\S.*)$", text, re.M):
        return stated[1].strip()
    first = rows[0].text if rows else ""
    if rows and rows[0].level != 0 and sum(row.level == rows[0].level for row in rows) == 1:
        return first
    return first if 1 < len(first) <= 12 and re.fullmatch("[㐀-鿿]+", first) and not FRONT.search(first) else path.stem


def _single(rows: Sequence[Row], title: str) -> Heads:
    """The one chapter of a text without others: headed by a short line that begins with its title, if there is one."""
    for n, row in enumerate(rows):
        text = bare(row.text)
        if text.startswith(title) and len(text) <= _SHORT and not FRONT.search(text):
            return Heads("title", (ChapterHead(1, title, text, n),))
    return Heads("none", (ChapterHead(1, title, "", 0),))


def _author(rows: Sequence[Row], first: int, title: str) -> tuple[str, str]:
    """Give dynasty and name of who made a text, as the lines of its title page say; else as its title does."""
    near = [row.text for row in rows[max(0, first - 6) : first + 2] if len(row.text) <= _SHORT + 8]
    for line in (*near, title):
        if match := _byline(line):
            return match["dynasty"], re.sub("[　 ]", "", match["name"])
    return "", ""


def _byline(line: str) -> re.Match[str] | None:
    """Give the dynasty, the name and the deed of a line that says who made a text; with a dynasty where it has one."""
    return next((match for each in _BYLINES if (match := each.search(bare(line)))), None)


def _convention(found: Survey) -> dict[str, Any]:
    """Give the convention by which the reader of its format reads a file."""
    made: dict[str, Any] = {}
    if found.format in ("wiki", "markdown"):
        made["markup"] = found.format
    if found.format == "mandoku" and by_phrase(tuple(found.text.split("\n"))):
        made["lines"] = "phrase"
    if found.notes.brackets and found.format != "mandoku":
        made["brackets"] = found.notes.brackets
    if found.notes.separators:
        made["separators"] = found.notes.separators
    if found.heads.closing:
        made["chapter_end"] = found.heads.closing
    elif not found.heads.heads[0].name:
        made["chapter"] = 1
    if number := _number(found.rows):
        made["number"] = number
    if not found.heads.closing and sum(bool(re.fullmatch(_TRAILER, bare(row.text))) for row in found.rows) > 1:
        made["trailer"] = _TRAILER
    return made | _page(found)


def _repeats(line: str, title: str) -> bool:
    """Whether a line repeats the title of the book (道經古本篇上 in 道德經古本篇), as the first of a juan does."""
    common = sum(char in title for char in line)
    return 1 < len(title) >= len(line) - 6 and common >= max(3, len(line) / 2, len(title) / 2)


def _number(rows: Sequence[Row]) -> str:
    """Give the pattern of the numbers with which paragraphs begin (2.1), if a third of them do; else nothing."""
    for pattern in _NUMBERS:
        if 3 * sum(bool(re.match(pattern, row.text)) for row in rows) > len(rows):
            return pattern
    return ""


def _page(found: Survey) -> dict[str, Any]:
    """Lines of the page, and headings of front matter."""
    named = {head.name for head in found.heads.heads}
    short = [row for row in found.rows if row.text not in named and len(row.text) <= _SHORT]
    front = [row.text for row in short if FRONT.search(row.text) and (row.indent or row.level or len(row.text) < 8)]
    furniture: dict[str, str] = {}
    for row in short:
        if re.search("四庫全書|四库全书|四部叢刊|四部丛刊", row.text):
            furniture[row.text] = "collection"
        elif row.text in front:
            continue
        elif _byline(row.text) and (row.indent or row.level):
            furniture[row.text] = "byline"
        elif _repeats(row.text, found.title):
            furniture[row.text] = "category"
    made: dict[str, Any] = {}
    if front:
        made["front"] = [{"head": re.escape(each), "prose": True} for each in dict.fromkeys(front)]
    rows = [{"kind": kind, "pattern": re.escape(text)} for text, kind in furniture.items()]
    if any(_JUAN.fullmatch(row.text) for row in short):
        rows.append({"kind": "juan", "pattern": _JUAN.pattern.replace("(?P<n>", "(")})
    return made | ({"furniture": rows} if rows else {})
