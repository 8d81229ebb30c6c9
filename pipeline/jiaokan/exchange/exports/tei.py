"""Form ``tei``: the edition itself, TEI P5 with parallel segmentation. Every entry is kept: levels are for print."""

from __future__ import annotations

from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document


def write(_document: Document, settings: ExportSettings) -> str:
    """Return the TEI document. Raises JiaokanError if classes are to be left out."""
    if settings.without or settings.part != "all":
        raise JiaokanError(Message("tei-keeps-every-entry"),
                           mend=Message("choose-level-part-other-forms"))
    return settings.tei.decode("utf-8")
