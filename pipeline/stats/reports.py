"""Measures of an edition as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.model.variants import VARIANT_CLASSES
from pipeline.stats.measures import Measures
from pipeline.system.shown import cell

Names = Mapping[str, str]


def as_json(numbers: Measures, sigla: Names, labels: Names) -> str:
    """Return all measures as one JSON object."""
    pairs = [
        {"witnesses": [a, b], **_counts(entries), "characters": _counts(numbers.agreement.characters[a, b])}
        for (a, b), entries in numbers.agreement.pairs.items()
    ]
    made = {
        "witnesses": [{"id": name, "siglum": sigla.get(name, name)} for name in numbers.agreement.witnesses],
        "agreement": pairs,
        "sections": [{
            "reference": section.reference, "title": section.title, "characters": section.characters,
            "entries": sum(section.classes.values()), "per_thousand": round(section.density, 2),
            "classes": section.classes, "speakers": [
                {"id": who, "label": labels.get(who, who), "notes": notes, "characters": size}
                for who, (notes, size) in section.speakers.items()
            ],
        } for section in numbers.sections],
    }
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _counts(found: tuple[int, int]) -> dict[str, Any]:
    agree, both = found
    return {"agree": agree, "compared": both, "share": round(agree / both, 4) if both else None}


def as_csv(numbers: Measures, sigla: Names, labels: Names) -> str:
    """Return all measures as rows of one form.

    | table | where | what | number | of |
    |---|---|---|---|---|
    | agreement | witness | witness | agreeing entries | compared entries |
    | characters | witness | witness | agreeing characters | shared characters |
    | entries | section | class | entries | characters of the section |
    | notes | section | speaker | notes | their characters |
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")

    def row(cells: Sequence[object]) -> None:
        writer.writerow([cell(each) if isinstance(each, str) else each for each in cells])

    row(["table", "where", "what", "number", "of"])
    for (a, b), (agree, both) in numbers.agreement.pairs.items():
        row(["agreement", sigla.get(a, a), sigla.get(b, b), agree, both])
    for (a, b), (agree, both) in numbers.agreement.characters.items():
        row(["characters", sigla.get(a, a), sigla.get(b, b), agree, both])
    for section in numbers.sections:
        for variant in VARIANT_CLASSES:
            if variant in section.classes:
                row(["entries", section.reference, variant, section.classes[variant], section.characters])
        for who, (notes, size) in section.speakers.items():
            row(["notes", section.reference, labels.get(who, who), notes, size])
    return out.getvalue()
