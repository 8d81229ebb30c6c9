"""Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI P5 critical editions.

The Python API (docs/python.md); `import jiaokan` is cheap, the functions import what they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jiaokan.api import (
        Edition,
        Finding,
        JiaokanError,
        TeiText,
        collate_texts,
        read_source,
        read_tei,
        to_html,
        to_pdf,
        validate_tei,
    )

__version__ = "0.1.0"
__all__ = [
    "Edition", "Finding", "JiaokanError", "TeiText", "collate_texts", "read_source", "read_tei", "to_html", "to_pdf",
    "validate_tei",
]


def __getattr__(name: str) -> Any:
    """Import a name of the API when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("jiaokan.api"), name)


def __dir__() -> list[str]:
    """Return the names of the API, which a notebook offers for completion before they are imported."""
    return [*__all__, "__version__"]
