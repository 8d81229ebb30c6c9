"""The DOI that a repository gave, written into the catalog."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pipeline.errors import CatalogError, JiaokanError
from pipeline.settings.syntax import loaded
from pipeline.settings.toml import read_toml
from pipeline.settings.values import identifier_fault
from pipeline.system.atomic import write_file


def write_doi(catalog: Path, doi: str) -> None:
    """Write a DOI into ``[publication]`` of a catalog, where nothing else is touched.

    Raises JiaokanError for what is no DOI, CatalogError where the file says `publication` in another form than a table
    with its own head.
    """
    if wrong := identifier_fault("doi", doi) if doi else ("no DOI was given", "write it as 10.5281/zenodo.3402901"):
        raise JiaokanError(wrong[0], mend=wrong[1])
    table = read_toml(catalog)
    text = catalog.read_bytes().decode("utf-8")
    made = _written(text, table.get("publication"), doi)
    wanted = {**table, "publication": {**table.get("publication", {}), "doi": doi}}
    try:
        right = loaded(made.removeprefix("\ufeff").replace("\r\n", "\n")) == wanted
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise CatalogError("the DOI cannot be written here: [publication] has a form of its own",
                           place=table.place(("publication",)), mend=f'write doi = "{doi}" into it yourself')
    write_file(catalog, made.encode())


def _written(text: str, there: object, doi: str) -> str:
    """Give the text with the DOI: in place of the one that is there, in the table that is there, or with the table."""
    end = "\r\n" if "\r\n" in text else "\n"
    row = f'doi = "{doi}"'
    if there is None:
        first = re.search(r"^[ \t]*\[\[", text, re.M)  # after [project]: a table ends where the next begins
        at = first.start() if first else len(text)
        before = text[:at] if not text[:at] or text[:at].endswith("\n") else text[:at] + end
        return f"{before}[publication]{end}{row}{end}{end}{text[at:]}"
    head = re.search(r"^[ \t]*\[[ \t]*publication[ \t]*\][^\n]*\n?", text, re.M)
    if head is None:
        return text
    after = re.search(r"^[ \t]*\[", text[head.end():], re.M)
    stop = head.end() + after.start() if after else len(text)
    inside, count = re.subn(r"^([ \t]*doi[ \t]*=[ \t]*)(\"[^\"\n]*\"|'[^'\n]*')", rf'\g<1>"{doi}"',
                            text[head.end():stop], count=1, flags=re.M)
    if not count:
        inside = row + end + inside
    opened = head[0] if head[0].endswith("\n") else head[0] + end
    return text[:head.start()] + opened + inside + text[stop:]
