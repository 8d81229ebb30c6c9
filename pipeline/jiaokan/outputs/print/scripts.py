"""Fonts, language and direction of the letters of a book, by the table of scripts, for templates (`measures.typ`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jiaokan.characters.writing import Script, script_of_letter, scripts
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.fonts import BROUGHT, families

_ACCENTED = "\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u0300-\u036F\u1E00-\u1EFF"
"""Latin letters with marks, and the marks: a font of Chinese has the bare letters and some of the marks, and would set
them side by side."""
_PLAIN = "A-Za-z\u2019"


def writing(settings: OutputSettings, source: str) -> dict[str, object]:
    """Return what templates know of the script of a book with this Typst `source`; empty for a Chinese one without
    letters of other scripts.

    ``language`` and ``direction``; ``letters``, the fonts of a text that is not in cells, or ``graphs`` of one that is;
    ``others``, patterns of words in other scripts with their fonts.
    """
    code = settings.script or next(iter(scripts()))
    script, known = scripts()[code], (*families(settings.fonts), *BROUGHT)
    if not script.cells:
        return {"language": _language(settings.language or script.language), "direction": script.direction,
                "letters": _available(script, known)}
    about: dict[str, object] = {}
    if script.language != "lzh":
        about = {"language": _language(settings.language), "graphs": _available(script, known)}
    others = [(_pattern(code), faces) for code in _others(source) if (faces := _available(scripts()[code], known))]
    return {**about, **({"others": others} if others else {})}


def _available(script: Script, known: Iterable[str]) -> list[str]:
    return [face for face in script.faces if face in known]


def _language(tag: str) -> str:
    """Return a language as Typst takes it: of two letters or three, by which it hyphenates."""
    name = tag.split("-")[0].lower()
    return _HYPHENATED.get(name, name) if 2 <= len(name) <= 3 else "und"


_HYPHENATED = {"grc": "el", "gkm": "el", "fro": "fr", "frm": "fr", "pro": "fr", "enm": "en", "lat": "la"}
"""Languages whose words are divided by the patterns of another."""


def _others(source: str) -> list[str]:
    """Return the scripts not in cells of whose letters a source has some; of Latin letters only those with marks."""
    present = {script_of_letter(char) for char in set(source) if not char.isascii()} - {"Latn"}
    if re.search(f"[{_ACCENTED}]", source):
        present.add("Latn")
    return [code for code, script in scripts().items() if code in present and not script.cells]


def _pattern(code: str) -> str:
    """Return the pattern of words in a script: of Latin ones those with a mark."""
    if code == "Latn":
        return f"[{_PLAIN}{_ACCENTED}]*[{_ACCENTED}][{_PLAIN}{_ACCENTED}]*"
    letters = scripts()[code].letters
    return f"[{letters}][{letters}\\p{{M}}\u2019]*"
