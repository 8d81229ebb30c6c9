"""Who quotes a text where, for the pages of the text: each of its passages with the comments that quote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from xml.sax.saxutils import escape, quoteattr

from pipeline.characters.equality import norm
from pipeline.model.pointers import order_key
from pipeline.quotations.find import Quotation

_SPACE = "urn:jiaokan:prepared"


def as_xml(
    text: str, found: Iterable[Quotation], people: Mapping[str, str], folders: Mapping[str, str]
) -> str:
    """Give what quotes a text as ``quoted/at[@id]/by[@text, @id, @who]`` with the words of the comment; those that the
    source has otherwise are in ``d``, ``@said`` is then the source. ``quoted/text[@id, @folder]`` says in which folder
    of the site each text is that is met.

    `people` gives what persons are called, by id, `folders` the folder of each text that has pages.
    """
    places: dict[str, list[tuple[str, Quotation]]] = {}
    met = {text}
    for each in found:
        met |= {each.here.id.partition(".")[0], each.document}
        name = each.here.id.partition(".")[0]
        if name in folders and (each.document or name) == text:
            for source in each.source:
                places.setdefault(source.id, []).append((name, each))
    rows = [f"<text id={quoteattr(name)} folder={quoteattr(folder)}/>"
            for name, folder in sorted(folders.items()) if name in met]
    for place in sorted(places, key=order_key):
        rows.append(f"<at id={quoteattr(place)}>{''.join(_by(*each, people) for each in _once(places[place]))}</at>")
    return f'<quoted xmlns="{_SPACE}">{"".join(rows)}</quoted>'


def _once(found: Sequence[tuple[str, Quotation]]) -> list[tuple[str, Quotation]]:
    return list(dict.fromkeys(found))


def _by(text: str, quotation: Quotation, people: Mapping[str, str]) -> str:
    """Give one comment that quotes a passage."""
    said = f" said={quoteattr(quotation.said)}" if quotation.said else ""
    who = quoteattr(people.get(quotation.speaker, ""))
    words = _compared(quotation.words, quotation.said) if quotation.said else escape(quotation.words)
    return f"<by text={quoteattr(text)} id={quoteattr(quotation.here.id)} who={who}{said}>{words}</by>"


def _compared(words: str, said: str) -> str:
    """Give words as XML, what the source has otherwise in ``d``; graphs that mean the same are the same."""
    ours, theirs = ([norm(graph) for graph in each] for each in (words, said))
    made: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            made.append(escape(words[start:end]))
        else:
            made.append(f"<d said={quoteattr(said[first:last])}>{escape(words[start:end])}</d>")
    return "".join(made)
