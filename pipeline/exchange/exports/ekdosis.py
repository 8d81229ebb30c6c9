"""Form ``ekdosis``: LaTeX source with ``app``, ``lem`` and ``rdg``, for LuaLaTeX."""

from __future__ import annotations

from pipeline.entries import Entry, witnesses
from pipeline.entries.sentences import formula
from pipeline.exchange.exports import ExportSettings
from pipeline.exchange.latex import Dialect, escaped, write_latex
from pipeline.model import Document


def write(document: Document, settings: ExportSettings) -> str:
    """Return the source. Witnesses are declared by their ids; readings of nobody declared say whose they are."""
    sigla = {name: escaped(settings.siglum(name)) for name in witnesses(document, settings.sigla)}
    declared = "".join(f"\\DeclareWitness{{{name}}}{{{siglum}}}{{{siglum}}}\n" for name, siglum in sigla.items())
    return write_latex(document, settings, Dialect(
        packages=f"\\usepackage{{ekdosis}}\n{declared}", begin="\\begin{ekdosis}\n", end="\\end{ekdosis}\n",
        paragraph="{}\\par\n", entry=_entry))


def _entry(entry: Entry, lemma: str, settings: ExportSettings) -> str:
    named, _, _ = formula(entry, settings.sigla).partition(" ] ")
    made = f"\\lem[{_wit(entry.lemma.witnesses)}alt={{{escaped(named)}}}]{{{lemma}}}"
    for each in entry.readings:
        words = escaped(each.words)
        shown = words if words and entry.lemma.words else f"add. {words}" if words else "om."
        about = f"alt={{{shown}}}"  # always: in an entry inside another the package repeats that of the outer one
        if not each.witnesses and not each.resp:
            about += ",post={(source not stated)}"
        if each.conjectured:
            about += f",post={{coni. {escaped(settings.names.get(each.resp, each.resp))}}}"
        made += f"\\rdg[{_wit(each.witnesses)}{about}]{{{words}}}"
    return f"\\app{{{made}}}"


def _wit(names: tuple[str, ...]) -> str:
    return f"wit={{{', '.join(names)}}}," if names else ""
