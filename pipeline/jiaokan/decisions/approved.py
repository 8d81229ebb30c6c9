"""Which decisions of an edition are proposed and which are approved, as the header of its TEI states it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jiaokan.decisions.kinds import load
from jiaokan.decisions.tables import ReadingDecision
from jiaokan.model import Document
from jiaokan.model.pointers import order_key
from jiaokan.model.walk import walk

Status = Literal["proposed", "approved"]


@dataclass(frozen=True, slots=True)
class Review:
    """The decisions that one editor proposed, or approved, on one day."""

    status: Status
    """As `change/@status` has it (TEI P5, att.docStatus)."""
    who: str
    when: str
    units: tuple[str, ...]
    """Ids of the units that they are on, in reading order."""


def reviews(document: Document, root: Path) -> list[Review]:
    """Return the proposals and approvals on the units of a document, those of the last day first."""
    reviewed: defaultdict[tuple[str, str, Status], set[str]] = defaultdict(set)
    for decision in (filed.decision for filed in load(root, ReadingDecision)):
        if not decision.id.startswith(f"{document.id}."):
            continue
        if decision.approved:
            day = decision.approved_when or decision.when
            reviewed[day.isoformat(), decision.approved, "approved"].add(decision.id)
        elif decision.proposed:
            reviewed[decision.when.isoformat(), decision.resp, "proposed"].add(decision.id)
    there = {getattr(item, "id", "") for item in walk(document)} if reviewed else set()
    return [Review(status, who, when, tuple(sorted(units & there, key=order_key)))
            for (when, who, status), units in sorted(reviewed.items(), reverse=True) if units & there]
