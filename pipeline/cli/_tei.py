"""The TEI file that a command is given: ours as it is, any other as an edition of ours, with a word on what was met."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pipeline.cli._folder import changed, show
from pipeline.errors import JiaokanError, Place, RenderError, TeiError
from pipeline.outputs import DOCUMENT

_Made = TypeVar("_Made")


def tei_of(file: Path) -> bytes:
    """Give a TEI file in our encoding; raises JiaokanError if it cannot be read, TeiError if it cannot be held."""
    from pipeline.editions.other import as_ours

    data = _data(file)
    made = as_ours(data, name=str(file), date=changed([file]))
    if made is None:
        return data
    show(made.findings)
    return made.tei


def output_of(file: Path, make: Callable[[bytes], _Made]) -> _Made:
    """Give what an output makes of a TEI file.

    A file that looks like ours and cannot be set is taken as that of a stranger, unless it says that it is ours. Raises
    TeiError that names the first thing in it that is not sound, where there is one: no message of a stylesheet; else
    the JiaokanError that the output raised.
    """
    tei = tei_of(file)
    try:
        return make(tei)
    except (RenderError, TeiError) as error:
        told = _reason(error, file, tei)
        other = _as_stranger(file, tei)
        if told is error or other is None:
            raise told from None
        return make(other)


def _data(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise JiaokanError(f"cannot be read: {error.strerror}", place=Place(str(file))) from None


def _reason(error: JiaokanError, file: Path, tei: bytes) -> JiaokanError:
    """Say of an error what in the file is its cause; gives the error itself if nothing in the file is amiss."""
    from pipeline.validate import validate_bytes

    if error.place is None or not error.place.file.startswith((DOCUMENT, "xslt/")):
        return error
    amiss = [each for each in validate_bytes(tei, name=str(file)) if each.severity == "error"]
    if error.place.file == DOCUMENT:
        place = Place(str(file), error.place.line, error.place.column)
        return TeiError(error.message, place=place, mend=error.mend or f"`jiaokan validate {file}` tells all faults")
    if not amiss:
        return error
    more = f"; `jiaokan validate {file}` tells all {len(amiss)} faults" if len(amiss) > 1 else ""
    return TeiError(f"it cannot be set, because it is not sound: {amiss[0].message}", place=amiss[0].place,
                    mend=(amiss[0].mend or "mend it") + more)


def _as_stranger(file: Path, tei: bytes) -> bytes | None:
    """Give a file that was taken as it is as TEI of others; None for what says that it is ours, or was made so."""
    from pipeline.editions.other import says_ours, stranger

    data = _data(file)
    if data != tei or says_ours(data):
        return None
    made = stranger(data, name=str(file), date=changed([file]))
    show(made.findings)
    return made.tei


__all__ = ["output_of", "tei_of"]
