"""All pictures of one edition, by name: for files, and as one XML document that a stylesheet can take apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pipeline.characters.scripts import Interface, spoken
from pipeline.model import Document
from pipeline.model.variants import TABLE
from pipeline.stats import pictures
from pipeline.stats.measures import agreed, along

_WORDS = {
    "诸本相合之率（上为异文处之率，%；下为其数，及全文相合之率）":
        "How often witnesses agree (above: % of the places that vary; below: their number, and the whole text)",
    "异文沿正文之分布": "Variants along the text", "诸家说沿正文之分布": "Comments along the text",
    "（全文 ": " (whole text ", "全文 ": "all ", "正文 ": "text ", " 字，共 ": " characters, ", " 条：": " entries: ",
    "其余 ": "others: ", " 家</text>": "</text>", "佚名": "anonymous", " 条 ": " notes, ", " 字": " characters",
    "与": " and ",
    **{each.chinese: each.english for each in TABLE.values()},
}
"""What the pictures say, and the same in English; the longer before what stands in it."""


def _worded(picture: str, interface: Interface) -> str:
    """Give a picture with its own words as the program speaks of the text."""
    for words, english in _WORDS.items() if interface != "hans" else ():
        picture = picture.replace(words, english if interface == "en" else spoken(words, interface))
    return picture


def album(
    document: Document, sigla: Mapping[str, str], labels: Mapping[str, str], *,
    without: Iterable[str] = (), part: str = "text", interface: Interface = "hans",
) -> dict[str, str]:
    """Draw an edition: ``agreement``, and for each chapter by its number ``variants-6`` and ``voices-6``.

    `sigla` (of witnesses) and `labels` (of speakers) are printed names by id. A picture that would be empty is not
    drawn. `interface`: what the program speaks. Each picture's id is its name, so that all can stand in one page.
    """
    light = frozenset(without)
    whole = agreed(document, without=light, part=part, order=sigla)
    drawn: dict[str, str] = {}
    if len(whole.witnesses) > 1:
        drawn["agreement"] = pictures.matrix(whole, sigla)
    for chapter in document.chapters():
        alone = document if len(document.divisions) == 1 else replace(document, divisions=(chapter,))
        numbers = along(alone, without=light, part=part)
        if numbers.places:
            drawn[f"variants-{chapter.n}"] = pictures.variants(numbers, name=f"variants-{chapter.n}")
        if numbers.comments:
            drawn[f"voices-{chapter.n}"] = pictures.voices(numbers, labels, name=f"voices-{chapter.n}")
    return {name: _worded(picture, interface) for name, picture in drawn.items()}


def as_xml(drawn: Mapping[str, str]) -> str:
    """Give pictures as one XML document: in ``pictures`` each ``svg`` in a ``picture`` with its name in ``@n``."""
    parts = "".join(f'<picture n="{name}">{picture}</picture>\n' for name, picture in drawn.items())
    return f'<pictures xmlns="urn:jiaokan:prepared">\n{parts}</pictures>\n'
