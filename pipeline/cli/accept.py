"""`jiaokan accept`: a source that has changed is taken into the catalog."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import folder_option, load, source_entry, text_names
from pipeline.cli._say import say

_MOST = 20
"""So many changes are shown."""
_WIDE = 60
"""So many characters of each side of a change are shown."""


@click.command("accept")
@click.argument("source", shell_complete=text_names)
@click.option("--dry", is_flag=True, help="Only show what changed.")
@folder_option
def command(source: str, dry: bool, folder: Path) -> None:
    """Take a source that has changed into the catalog: show what changed, and write its checksum (sha256).

    SOURCE is its id. Nothing else of the catalog is touched. Without a TEI of the state before (made by `build`)
    there is nothing to compare, and only the numbers are shown.

    \b
    Example:  jiaokan accept jijie
    """
    from pipeline.editions.accept import accept, changed

    catalog = load(folder)
    entry = source_entry(source, catalog)
    found = changed(entry, catalog)
    if found.sha256 == entry.sha256:
        say(f"{entry.file}: as the catalog describes it; nothing to accept")
        return
    before = f"{found.were:,} → " if found.were else ""
    say(f"{entry.file}: {found.lines:,} lines, {before}{found.characters:,} characters, "
        + (f"{len(found.changes)} changes" if found.were else "no TEI of the state before to compare with"))
    for each in found.changes[:_MOST]:
        say(f"  line {each.line}")
        say(f"    - {_short(each.before)}")
        say(f"    + {_short(each.after)}")
    if len(found.changes) > _MOST:
        say(f"  … and {len(found.changes) - _MOST} more")
    if not dry:
        path = accept(entry, catalog, found.sha256)
        say(f"{path}: sha256 of {entry.id} is now {found.sha256}")


def _short(text: str) -> str:
    """Give the beginning of a text, and how long it is if that is not all."""
    return (f"{text[:_WIDE]}… ({len(text)} characters)" if len(text) > _WIDE else text) or "∅"


COMMANDS = (command,)
