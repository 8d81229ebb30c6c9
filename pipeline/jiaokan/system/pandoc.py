"""Find and run Pandoc: the one of the extra `docx`, or one on the PATH."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from jiaokan.errors import Message, Place, RenderError, SourceError
from jiaokan.system.ceiling import run_limited

_EPOCH = "946684800"  # the date of all files, 2000-01-01


def find_pandoc() -> str:
    """Return the path of Pandoc. Raises RenderError if none is installed."""
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError):
        if program := shutil.which("pandoc"):
            return str(Path(program).absolute())
    raise RenderError(Message("pandoc-needed-not-installed"), mend=Message("install-pip-install-jiaokan-docx"))


def run_pandoc(*arguments: str) -> bytes:
    """Call Pandoc with a fixed date and return its output. Raises RenderError if it is missing or fails."""
    done = run_limited([find_pandoc(), *arguments], {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH})
    if done.returncode:
        raise RenderError(Message("pandoc-failed", stderr=done.stderr.decode(errors="replace").strip()))
    return done.stdout


def odt_as_docx(data: bytes, name: str) -> bytes:
    """Return an OpenDocument text as a Word file. Raises SourceError if Pandoc is missing or cannot read it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "text.odt", Path(folder) / "text.docx"
        source.write_bytes(data)
        try:
            run_pandoc("--sandbox", "-f", "odt", "-t", "docx", "-o", str(target), str(source))
        except RenderError as error:
            raise SourceError(Message("opendocument-file-read-pandoc", message=error.message), place=Place(name),
                              mend=error.mend or Message("save-docx")) from None
        return target.read_bytes()
