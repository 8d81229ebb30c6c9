"""Fonts of scripts as packages with pinned hashes, fetched on request: nothing else in the program uses the network.

A package of https://fontsource.org has the files of a typeface as WOFF; one of them becomes a font file, by the name
that the table of scripts has, where print and website look for fonts of the machine.
"""

from __future__ import annotations

import hashlib
import tarfile
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

from fontTools.ttLib import TTFont

from jiaokan.characters.writing import FontPackage, scripts
from jiaokan.errors import Message, RenderError
from jiaokan.system.atomic import write_file

_SECONDS = 60
"""How long a connection may be silent. A choice."""


def offered() -> dict[str, FontPackage]:
    """Return the packages by the ISO 15924 code of their script."""
    return {code: script.fontsource for code, script in scripts().items() if script.fontsource}


def add_font(code: str, folder: Path) -> Path:
    """Fetch the font of a script into a folder; return its path. Raises RenderError if there is no package, if it
    cannot be fetched, or if it is not the one that the table of scripts names."""
    package = offered().get(code)
    if package is None:
        raise RenderError(Message("no-font-package", script=code),
                          mend=Message("scripts-with-fonts", scripts=", ".join(offered())))
    try:
        with urlopen(package.address, timeout=_SECONDS) as answer:
            archive: bytes = answer.read()
    except (OSError, HTTPException) as error:
        raise RenderError(Message("font-not-fetched", address=package.address, error=error),
                          mend=Message("install-fonts", packages=scripts()[code].package)) from None
    if hashlib.sha256(archive).hexdigest() != package.sha256:
        raise RenderError(Message("font-package-other", address=package.address),
                          mend=Message("install-fonts", packages=scripts()[code].package))
    path = folder / scripts()[code].files[-1]
    write_file(path, font_in(archive, package))
    write_file(folder / f"{path.stem}-LICENSE.txt", _member(archive, "LICENSE"))
    return path


def font_in(archive: bytes, package: FontPackage) -> bytes:
    """Return the font in the archive of a package, as a font file that is not compressed; deterministic."""
    name = f"files/{package.name}-{package.subset}-400-normal.woff"
    with TTFont(BytesIO(_member(archive, name)), recalcBBoxes=False, recalcTimestamp=False) as font:
        font.flavor = None
        data = BytesIO()
        font.save(data, reorderTables=False)
    return data.getvalue()


def _member(archive: bytes, name: str) -> bytes:
    with tarfile.open(fileobj=BytesIO(archive), mode="r:gz") as files:
        member = files.extractfile(f"package/{name}")
        if member is None:
            raise KeyError(name)
        return member.read()
