"""Form ``tei``: the edition itself, TEI P5 with parallel segmentation. Every entry is kept: levels are for print."""

from __future__ import annotations

from jiaokan.errors import JiaokanError
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document


def write(_document: Document, settings: ExportSettings) -> str:
    """Return the TEI document. Raises JiaokanError if classes are to be left out."""
    if settings.without or settings.part != "all":
        raise JiaokanError("TEI keeps every entry",
                           mend="choose level and part in the other forms, or when the edition is printed")
    return settings.tei.decode("utf-8")
