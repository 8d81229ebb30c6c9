"""An edition as LaTeX source: the running text with its entries, for houses that set with XeLaTeX or LuaLaTeX.

`exports.reledmac` and `exports.ekdosis` say how an entry is written; text, commentary and preamble are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from jiaokan import model
from jiaokan.characters.scripts import Interface, term
from jiaokan.entries import Entry, entries
from jiaokan.entries.collation_notes import spoken_of
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model.text import edited
from jiaokan.model.walk import content_of
from jiaokan.tei.header.stated import Statement, label, makers, statements

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


def write_latex(document: model.Document, settings: ExportSettings, dialect: Dialect) -> str:
    """Return the source of an edition: statements of its header, chapters, base text, commentary in smaller type."""
    text = _Text(_printed_entries(entries(document, without=settings.without, part=settings.part)), settings, dialect)
    body = "".join(text.division(division) for division in document.divisions)
    head = _head(statements(settings.tei, name=document.id), settings.interface or spoken_of(document))
    return "".join([_PREAMBLE, dialect.packages, "\\begin{document}\n", head, dialect.begin, body, dialect.end,
                    "\\end{document}\n"])


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
            case model.Unit() | model.Paragraph() | model.Line() | model.Trailer() | model.Furniture():
                return self.paragraph(self.words(item.content))
        return ""

    def paragraph(self, words: str) -> str:
        return self.dialect.paragraph.format(words) if words else ""

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
