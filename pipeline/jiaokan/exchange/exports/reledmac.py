"""Form ``reledmac``: LaTeX source with ``edtext`` and ``Afootnote``, for XeLaTeX or LuaLaTeX."""

from __future__ import annotations

from jiaokan.entries import Entry
from jiaokan.entries.sentences import formula
from jiaokan.exchange.exports import ExportSettings
from jiaokan.exchange.latex import Dialect, escape_latex, write_latex
from jiaokan.model import Document


def write(document: Document, settings: ExportSettings) -> str:
    """Return the source; entries are keyed to lines and say ``lemma ] reading sigla``, one series at the foot. Those
    inside a reading follow it in brackets: their words are not in the text, which is what ``edtext`` needs."""
    return write_latex(document, settings, Dialect(
        packages="\\usepackage[series={A},noeledsec]{reledmac}\n\\Xarrangement[A]{paragraph}\n",
        begin="\\beginnumbering\n", end="\\endnumbering\n", paragraph="\\pstart\n{}\n\\pend\n", entry=_entry,
        verse=("\\stanza\n", "&\n", "\\&\n"),
        of_letters="\\setstanzaindents{0,0}\n\\setcounter{stanzaindentsrepetition}{1}\n"))


def _entry(entry: Entry, lemma: str, settings: ExportSettings) -> str:
    named, _, readings = formula(entry, settings.sigla, positive=settings.is_positive).partition(" ] ")
    return f"\\edtext{{{lemma}}}{{\\lemma{{{escape_latex(named)}}}\\Afootnote{{{escape_latex(readings)}}}}}"
