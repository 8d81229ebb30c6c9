"""All pictures of one edition, by name: for files, and as one XML document that a stylesheet can take apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.model import Document
from pipeline.stats import pictures
from pipeline.stats.measures import figures


def album(
    document: Document, sigla: Mapping[str, str], labels: Mapping[str, str], *,
    without: Iterable[str] = (), part: str = "text",
) -> dict[str, str]:
    """Draw an edition: ``agreement``, and for each chapter by its number ``variants-6`` and ``voices-6``.

    `sigla` (of witnesses) and `labels` (of speakers) are printed names by id. A picture that would be empty is not
    drawn. Each picture's id is its name, so that all can stand in one page.
    """
    light = frozenset(without)
    whole = figures(document, without=light, part=part, order=sigla)
    drawn: dict[str, str] = {}
    if len(whole.agreement.witnesses) > 1:
        drawn["agreement"] = pictures.matrix(whole.agreement, sigla)
    for chapter in document.chapters():
        numbers = figures(replace(document, divisions=(chapter,)), without=light, part=part, order=sigla)
        if numbers.places:
            drawn[f"variants-{chapter.n}"] = pictures.variants(numbers, name=f"variants-{chapter.n}")
        if numbers.comments:
            drawn[f"voices-{chapter.n}"] = pictures.voices(numbers, labels, name=f"voices-{chapter.n}")
    return drawn


def as_xml(drawn: Mapping[str, str]) -> str:
    """Give pictures as one XML document: in ``pictures`` each ``svg`` in a ``picture`` with its name in ``@n``."""
    parts = "".join(f'<picture n="{name}">{picture}</picture>\n' for name, picture in drawn.items())
    return f'<pictures xmlns="urn:jiaokan:prepared">\n{parts}</pictures>\n'
