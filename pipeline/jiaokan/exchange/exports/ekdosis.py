"""Form ``ekdosis``: LaTeX source with ``app``, ``lem`` and ``rdg``, for LuaLaTeX."""

from __future__ import annotations

from jiaokan.entries import Entry, witnesses
from jiaokan.entries.sentences import formula, formula_inside, formula_silent, formula_until
from jiaokan.exchange.exports import ExportSettings
from jiaokan.exchange.latex import Dialect, escape_latex, write_latex
from jiaokan.model import Document


def write(document: Document, settings: ExportSettings) -> str:
    """Return the source. Witnesses are declared by their ids; readings of nobody declared say whose they are. Entries
    inside a reading follow the last one in brackets: the package sets no entry where there is no text."""
    sigla = {name: escape_latex(settings.siglum(name)) for name in witnesses(document, settings.sigla)}
    declared = "".join(f"\\DeclareWitness{{{name}}}{{{siglum}}}{{{siglum}}}\n" for name, siglum in sigla.items())
    return write_latex(document, settings, Dialect(
        packages=f"\\usepackage{{ekdosis}}\n{declared}", begin="\\begin{ekdosis}\n", end="\\end{ekdosis}\n",
        paragraph="{}\\par\n", entry=_entry))


def _entry(entry: Entry, lemma: str, settings: ExportSettings) -> str:
    named, _, _ = formula(entry, settings.sigla).partition(" ] ")
    inside, silent = formula_inside(entry, settings.sigla), formula_silent(entry, settings.sigla)
    markup = f"\\lem[{_wit(entry.lemma.witnesses)}alt={{{escape_latex(named)}}}]{{{lemma}}}"
    for n, reading in enumerate(entry.readings, 1):
        words = escape_latex(reading.quoted)
        shown = words if entry.lemma.quoted else f"add. {words}"
        if not words:
            shown = "om."
        about = f"alt={{{shown}}}"  # always: in an entry inside another the package repeats that of the outer one
        after = [escape_latex(formula_until(reading))] if reading.until[0] else []
        after += ["(source not stated)"] if not reading.witnesses and not reading.resp else []
        if reading.conjectured:
            after.append(f"coni. {escape_latex(settings.names.get(reading.resp, reading.resp))}")
        after += [escape_latex(part) for part in (inside, silent) if part and n == len(entry.readings)]
        about += f",post={{{' '.join(after)}}}" if after else ""
        markup += f"\\rdg[{_wit(reading.witnesses)}{about}]{{{words}}}"
    return f"\\app{{{markup}}}"


def _wit(names: tuple[str, ...]) -> str:
    return f"wit={{{', '.join(names)}}}," if names else ""
