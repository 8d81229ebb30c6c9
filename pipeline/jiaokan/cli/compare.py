"""`jiaokan compare`: what changed between two releases of a text."""

from __future__ import annotations

import csv
import io
from dataclasses import astuple
from pathlib import Path

import click

from jiaokan.api import read_tei
from jiaokan.cli._folder import emit, out_option, texts_folder_option
from jiaokan.cli._paths import TEXT_FILE
from jiaokan.cli._terminal import print_text, say
from jiaokan.editions.compare import Change, compare
from jiaokan.errors import Message, cell


@click.command("compare")
@click.argument("old", type=TEXT_FILE)
@click.argument("new", type=TEXT_FILE)
@texts_folder_option
@click.option("-f", "--format", "form", type=click.Choice(["text", "csv"]), default="text", show_default=True,
              help="option-compare-format")
@out_option
def command(old: Path, new: Path, form: str, out: Path | None) -> None:
    """List what changed between two releases of a text.

    \b
    Example:  jiaokan compare yili-1.0.xml tei/editions/yili.xml
              jiaokan compare yili-1.0.xml yili-1.1.xml -f csv --out changes.csv
    """
    changes = compare(read_tei(old).document, read_tei(new).document)
    if form == "csv" or out:
        emit(_sheet(changes).encode(), out, sheet=True)
        return
    for change in changes:
        print_text(f"{change.reference}\t{change.kind}\t{change.old or '∅'} → {change.new or '∅'}")
    say(Message("changes-count", count=len(changes)) if changes else Message("changes-missing"))


def _sheet(changes: tuple[Change, ...]) -> str:
    sheet = io.StringIO()
    rows = csv.writer(sheet)
    rows.writerow(["kind", "reference", "old", "new"])
    rows.writerows(map(cell, astuple(change)) for change in changes)
    return sheet.getvalue()


COMMANDS = (command,)
