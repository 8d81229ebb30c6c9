"""An edition as LaTeX source: the running text with its entries, for houses that set with XeLaTeX or LuaLaTeX.

`exports.reledmac` and `exports.ekdosis` say how an entry is written; text, commentary and preamble are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jiaokan import model
from jiaokan.characters.scripts import Interface, language_of, term
from jiaokan.characters.writing import most_frequent, script_of_language, scripts
from jiaokan.entries import Entry, entries
from jiaokan.entries.collation_notes import spoken_of
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_readers
from jiaokan.model.text import edited
from jiaokan.model.walk import content_of, units
from jiaokan.tei.header.stated import Statement, label, makers, statements
from jiaokan.tei.tree import LANG, beginning

_ESCAPED = str.maketrans({
    **{char: f"\\{char}" for char in "{}#$%&_"}, "\\": r"\textbackslash{}", "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}", "\u3000": r"\hspace*{1em}", "\n": " "})
_PREAMBLE = r"""\documentclass[12pt]{article}
\usepackage{fontspec,iftex}
% A font that has all characters of the text; change it here.
\IfFontExistsTF{Noto Serif SC}{\setmainfont{Noto Serif SC}}{\setmainfont{NotoSerifSC-Regular.otf}}
\ifXeTeX \XeTeXlinebreaklocale "zh" \XeTeXlinebreakskip 0pt plus 1pt
\else \usepackage{babel}\babelprovide[import,main]{chinese-simplified}\babelprovide{french}\fi % trivfloat needs it
\newcommand\speaker[1]{{\footnotesize #1}\hspace{.5em}}
"""
"""Lines of Chinese may end after any character: XeTeX by its locale, LuaTeX by babel's."""
_LETTERS = r"""\documentclass[12pt]{article}
\usepackage{fontspec,iftex}
%s%% The first of these fonts that is here; name one that has all letters of the text.
%s
\newcommand\speaker[1]{{\footnotesize #1}\hspace{.5em}}
"""
"""Of texts in letters, with babel and a font of their script."""
_LOCALES = {"grc": "polytonicgreek", "el": "greek", "la": "latin", "he": "hebrew", "hbo": "hebrew", "ar": "arabic",
            "fa": "persian", "sa": "sanskrit", "ru": "russian", "cu": "churchslavonic", "hy": "armenian",
            "xcl": "armenian", "ka": "georgian", "oge": "georgian", "syc": "syriac", "cop": "coptic", "am": "amharic",
            "gez": "amharic", "fr": "french", "fro": "french", "frm": "french", "pro": "occitan", "en": "english",
            "enm": "english", "ang": "english", "de": "german", "gmh": "german", "goh": "german", "it": "italian",
            "es": "spanish", "osp": "spanish", "pt": "portuguese", "nl": "dutch", "is": "icelandic",
            "non": "icelandic", "sv": "swedish", "da": "danish", "pl": "polish", "cs": "czech", "hu": "hungarian",
            "bo": "tibetan", "hi": "hindi"}
"""What babel calls a language (BCP 47), for hyphenation and direction; of older languages, the nearest that it has."""

EntryWriter = Callable[[Entry, str, ExportSettings], str]
"""Return the code of an entry, from it and the code of its lemma. `Entry.inner` are those inside its readings, which
have no place in the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a package writes an edition."""

    packages: str  # after the preamble
    begin: str  # before and after the whole text
    end: str
    paragraph: str  # with {} where the words stand
    entry: EntryWriter
    of_letters: str = ""  # after the packages, of a text in letters
    verse: tuple[str, str, str] = ("", "", "")  # before, between and after verses; empty: they are lines of a paragraph


def write_latex(document: model.Document, settings: ExportSettings, dialect: Dialect) -> str:
    """Return the source of an edition: statements of its header, chapters, base text, commentary in smaller type, and
    what is left out of the apparatus."""
    language, script = _language(document, settings)
    in_letters = not scripts()[script].cells
    verse = dialect.verse if in_letters else ("", "", "")
    text = _Text(_printed_entries(entries(document, without=settings.without, part=settings.part)), settings,
                 replace(dialect, verse=verse))
    body = "".join(text.division(division) for division in document.divisions)
    interface = settings.interface or spoken_of(document)
    head = _head(statements(settings.tei, name=document.id), interface)
    left = [f"\\noindent {escape_latex(line)}\\par\n"
            for line in tell_readers(left_out_by(document, settings, moved=False), document, interface)]
    preamble = _preamble(language, script) if in_letters else _PREAMBLE
    packages = dialect.packages + (dialect.of_letters if in_letters else "")
    return "".join([preamble, packages, "\\begin{document}\n", head, dialect.begin, body, dialect.end,
                    *(["\\bigskip{\\footnotesize\n", *left, "}\n"] if left else []), "\\end{document}\n"])


def _language(document: model.Document, settings: ExportSettings) -> tuple[str, str]:
    """Return the language and the script of an edition: those that its file states, else those of its letters."""
    text = "".join(edited(unit.content) for unit in units(document.divisions))
    stated = (beginning(settings.tei, name=document.id).get(LANG) or "") if settings.tei.strip() else ""
    language = stated if stated not in ("", "und") else language_of(text)
    return language, script_of_language(language) or most_frequent(text) or next(iter(scripts()))


def _preamble(language: str, script: str) -> str:
    locale, row = _LOCALES.get(language.split("-")[0], ""), scripts()[script]
    installed = (re.sub("(?<=[a-z])(?=[A-Z])", " ", Path(name).stem.partition("-")[0]) for name in row.files)
    faces = dict.fromkeys((*row.faces, *installed, "FreeSerif", row.office))
    font = r"\PackageWarning{fontspec}{No font for the letters of this text}"
    for face in reversed(faces):
        font = rf"\IfFontExistsTF{{{face}}}{{\babelfont{{rm}}{{{face}}}}}{{{font}}}"
    bidi = r"\ifXeTeX\usepackage[bidi=bidi]{babel}\else\usepackage[bidi=basic]{babel}\fi"
    babel = bidi if scripts()[script].direction == "rtl" else r"\usepackage{babel}"
    return _LETTERS % (f"{babel}\n" + (f"\\babelprovide[import,main]{{{locale}}}\n" if locale else ""), font)


def _head(header: tuple[Statement, ...], interface: Interface) -> str:
    """Return what the edition's header states, before the text: its title and makers, then every statement."""
    if not header:
        return ""
    title = next((statement.words for statement in header if statement.name == "title"), "")
    named = escape_latex(", ".join(makers(header)))
    lines = [f"\\title{{{escape_latex(title)}}}\n\\author{{{named}}}\n\\date{{}}\n\\maketitle\n"]
    for statement in header:
        words = " ".join(filter(None, (statement.words, f"({statement.target})" if statement.target else "")))
        called = term(key, interface) if (key := label(statement.name)) else ""
        lines.append(f"\\noindent {escape_latex(f'{called}: ' if called else '')}{escape_latex(words)}\\par\n")
    return "".join([*lines, "\\bigskip\n"])


def _printed_entries(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return what is printed at each element ``app``, by id: its entry with those inside its readings. An element
    without an entry of its own, all of whose readings are left out, carries the first of those inside."""
    entries_by_id: dict[str, Entry] = {}
    inner: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.around:
            inner.setdefault(entry.around, []).append(entry)
        else:
            entries_by_id[entry.id] = entry
    for name, inside in inner.items():
        first, *rest = [entries_by_id[name], *inside] if name in entries_by_id else inside
        entries_by_id[name] = replace(first, inner=tuple(rest))
    return entries_by_id


def escape_latex(words: str) -> str:
    """Return words as LaTeX prints them."""
    return words.translate(_ESCAPED)


def _lines(block: model.Unit | model.Paragraph) -> list[model.Line]:
    """Return the verses of a paragraph or unit; none if it has anything else."""
    lines: list[model.Line] = []
    for item in block.content:
        if isinstance(item, model.Unit) and (inner := _lines(item)):
            lines += inner
        elif isinstance(item, model.Line):
            lines.append(item)
        elif not isinstance(item, str) or item.strip():
            return []
    return lines


@dataclass(frozen=True, slots=True)
class _Text:
    entries: Mapping[str, Entry]
    settings: ExportSettings
    dialect: Dialect

    def division(self, division: model.Division) -> str:
        return "".join(self.block(item) for item in division.items)

    def block(self, item: model.Item) -> str:
        match item:
            case model.Division():
                return self.division(item)
            case model.NoteGroup():
                return "".join(map(self.block, item.notes))
            case model.Note():
                return self.paragraph(self.inline(item)) if self.settings.part != "text" else ""
            case model.App():
                return self.paragraph(self.inline(item))
            case model.Head():
                return self.paragraph(f"{{\\Large {self.words(item.content)}}}")
            case model.Unit() | model.Paragraph() if self.dialect.verse[0] and (lines := _lines(item)):
                return self.verses(lines)
            case model.Unit() | model.Paragraph() | model.Line() | model.Trailer() | model.Furniture():
                return self.paragraph(self.words(item.content))
        return ""

    def paragraph(self, words: str) -> str:
        return self.dialect.paragraph.format(words) if words else ""

    def verses(self, lines: list[model.Line]) -> str:
        begin, between, end = self.dialect.verse
        numbered = [rf"\setline{{{line.n}}}" if line.n.isdecimal() and n == 0 else "" for n, line in enumerate(lines)]
        words = [number + self.words(line.content).rstrip().replace(r"\&", r"\symbol{38}")  # \& ends a stanza
                 for number, line in zip(numbered, lines, strict=True)]
        return begin + between.join(words) + end

    def words(self, content: Iterable[model.Item]) -> str:
        return "".join(map(self.inline, content))

    def inline(self, item: model.Item) -> str:
        match item:
            case model.App() if item.id in self.entries:
                return self.dialect.entry(self.entries[item.id], self.words(item.lemma.content), self.settings)
            case model.App():
                return self.words(item.lemma.content)
            case model.Note():
                if self.settings.part == "text":
                    return ""
                says = any(isinstance(child, model.Span) and child.role == "attribution" for child in item.content[:1])
                who = "" if says else self.settings.persons.get(item.resp, "")
                speaker = f"\\speaker{{{escape_latex(who)}}}" if who else ""
                return f"{{\\small {speaker}{self.words(item.content)}}}"
            case model.NoteGroup():
                return self.words(item.notes)
            case model.Line():
                return self.words(item.content) + r"\newline "
        inside = content_of(item)
        return escape_latex(edited(item)) if inside is None else self.words(inside)
