"""The Python API: read, collate, validate and typeset texts from a notebook or a script (docs/python.md).

`pipeline` itself offers the names of `__all__`, and the commands of `jiaokan` call the same functions. What is slow to
import is imported by the function that needs it.
"""

from pipeline.api.editions import Edition, edition_root
from pipeline.api.outputs import output_settings, to_html, to_pdf
from pipeline.api.texts import (
    Level,
    TeiText,
    checks,
    collate_texts,
    read_source,
    read_tei,
    validate_tei,
)
from pipeline.errors import Finding, JiaokanError

__all__ = [
    "Edition", "Finding", "JiaokanError", "Level", "TeiText", "checks", "collate_texts", "edition_root",
    "output_settings", "read_source", "read_tei", "to_html", "to_pdf", "validate_tei",
]
