"""The TEI file that a command is given: ours as it is, any other as an edition of ours, with a word on what was met."""

from __future__ import annotations

from pathlib import Path

from pipeline.cli._folder import changed, show
from pipeline.errors import JiaokanError, Place


def tei_of(file: Path) -> bytes:
    """Give a TEI file in our encoding; raises JiaokanError if it cannot be read, TeiError if it cannot be held."""
    from pipeline.editions.other import as_ours

    try:
        data = file.read_bytes()
    except OSError as error:
        raise JiaokanError(f"cannot be read: {error.strerror}", place=Place(str(file))) from None
    made = as_ours(data, name=str(file), date=changed([file]))
    if made is None:
        return data
    show(made.findings)
    return made.tei
