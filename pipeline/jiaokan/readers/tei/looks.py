"""How words look in somebody else's file: ``@rend``, ``@rendition``, ``@style`` as the forms that pages know."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jiaokan.tei.tree import ID, Element

_LOOKS = {
    "italic": r"ital|\bit?\b|kursiv|cursive|oblique|aq\b",
    "bold": r"bold|\bb\b|fett|gras\b|\bfr\b",
    "super": r"super|\bsup\b|exposant|hoch",
    "sub": r"\bsub\b|subscript|indice",
    "smallcaps": r"small-?_?caps|\bsc\b|kapit|petites",
    "spaced": r"letter-spacing|spaced|gesperrt|expanded|\bg\b",
    "underline": r"underl|unterstr|soulign|\bu\b",
    "strike": r"line-through|strike|durchgestr",
    "red": r"\bred\b|rubric|\brot\b|#(?:f00|ff0000)\b",
    "large": r"x*-?large|initial|dropcap",
    "quoted": r"quot",
}
"""Forms by words of rend (TEI Lite, DTABf, English, German and French habits) and of CSS."""
_FORMS = {form: re.compile(words, re.I) for form, words in _LOOKS.items()}
_STRAIGHT = re.compile(r"font-style:\s*normal|font-weight:\s*normal|\bnot-\w+|roman|unbold", re.I)


def looks(header: Element) -> dict[str, str]:
    """Return the CSS of each ``rendition`` that a header declares, by id."""
    declared = ((node.get(ID, ""), " ".join("".join(map(str, node.itertext())).split()))
                for node in header.iter("{*}rendition"))
    return {name: css for name, css in declared if name}


def look_of(node: Element, usual: str, declared: Mapping[str, str]) -> str:
    """Return the forms of the words of an element, several with hyphens: what it states itself, else what such elements
    usually have. `declared` are the forms that the header defines."""
    stated = [node.get("rend", ""), node.get("style", "")]
    for pointer in node.get("rendition", "").split():
        stated.append(declared.get(pointer.removeprefix("#"), pointer.removeprefix("#").removeprefix("simple:")))
    words = _STRAIGHT.sub("", " ".join(filter(None, stated)))
    names = [form for form, pattern in _FORMS.items() if pattern.search(words)]
    return "-".join(names) if names else usual
