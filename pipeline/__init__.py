"""Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI P5 critical editions."""

__version__ = "0.1.0"
