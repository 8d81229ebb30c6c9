"""`jiaokan review`: list the undecided or the decided entries of an edition; the desk asks about them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.table import Table

from jiaokan.cli._folder import TEXT_NAME, classes_option, folder_option, load
from jiaokan.cli._terminal import class_name, console, say, word_message
from jiaokan.decisions.kinds import load as filed
from jiaokan.decisions.tables import ReadingDecision
from jiaokan.editions.review import OpenEntry, decided_entries, undecided_entries
from jiaokan.entries.selected import select
from jiaokan.errors import CatalogError, Message, Place, visible
from jiaokan.model import Content
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested
from jiaokan.model.variants import TABLE
from jiaokan.settings.catalog import Catalog
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared

_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")


@click.command("review")
@click.argument("edition", required=False, type=TEXT_NAME)
@click.option("--within", default="", metavar="REF", help="option-review-within")
@click.option("--decided", is_flag=True, help="option-review-decided")
@click.option("--json", "as_json", is_flag=True, help="option-review-json")
@click.option("--check", is_flag=True, help="option-review-check")
@click.option("--reported", is_flag=True, help="option-review-reported")
@click.option("-n", "most", type=click.IntRange(1), help="option-review-n")
@classes_option
@folder_option
def command(
    edition: str | None, within: str, decided: bool, as_json: bool, check: bool, reported: bool, most: int | None,
    without: frozenset[str], folder: Path,
) -> None:
    """List undecided entries, the most important first.

    \b
    Example:  jiaokan review lunyu --within 1 --without script,graphic,loan
              jiaokan review --check --within 1 --without script,graphic
              jiaokan review --decided --json
    """
    catalog = load(folder)
    path = _edition(catalog, edition)
    data, plan = path.read_bytes(), catalog.editions[path.stem]
    document, names = from_tei(data, name=path.name), read_declared(data, name=path.name).printed_names()
    place = within.replace(":", ".", 1)
    place = place if not place or place.split(".")[0] == document.id else f"{document.id}.{place}"
    if decided:
        entries = decided_entries(document, within=place)[:most]
    else:
        entries = undecided_entries(
            document, without={*without, *plan.settled}, within=place, reported=reported,
            filed=filed(catalog.root, ReadingDecision), abridged=select(document, plan.apparatus).abridged)[:most]
    if as_json:
        say(_json(entries))
    else:
        for number, entry in enumerate(entries, 1):
            _show(entry, f"{number}/{len(entries)}", names)
        say(Message("decided-count", count=len(entries))
            if decided else Message("open-entries-count", count=len(entries)))
    if check and entries and not decided:
        raise click.exceptions.Exit(1)


def _edition(catalog: Catalog, name: str | None) -> Path:
    critical = [plan.id for plan in catalog.editions.values() if plan.kind == "critical"]
    if name is None and len(critical) != 1:
        raise CatalogError(Message("name-edition-review"), place=Place(str(catalog.root / "tei" / "editions")),
                           mend=Message("there-is",
                                        critical=", ".join(critical) or Message("critical-edition-missing")))
    wanted = catalog.edition(name or critical[0], critical=True).id
    path = catalog.root / "tei" / "editions" / f"{wanted}.xml"
    if not path.exists():
        raise CatalogError(Message("edition-not-built-yet"), place=Place(str(path)), mend=Message("run-jiaokan-build"))
    return path


def _json(entries: Sequence[OpenEntry]) -> str:
    return json.dumps([
        {
            "unit": reference_of(entry.unit), "speaker": entry.speaker, "context": entry.context,
            "class": entry.variant,
            "readings": [
                {"words": attested(r.content), "witnesses": r.witnesses, "resp": r.resp, "class": r.variant,
                 "source": r.source, "cert": r.cert} for r in entry.readings
            ],
            "remarks": entry.remarks, "notes": [attested(note.content) for note in entry.app.notes],
        }
        for entry in entries
    ], ensure_ascii=False, indent=1)


def _show(entry: OpenEntry, number: str, names: Mapping[str, str]) -> None:
    """Print an entry: its words in context, a table of readings, and what notes say about it."""
    speaker = f" {names.get(entry.speaker, entry.speaker)}" if entry.speaker else ""
    screen = console()
    around = f"…{_printable(entry.before)}⟦{_words(entry.app.lemma.content)}⟧{_printable(entry.after)}…"
    screen.print(f"\n{number}  {reference_of(entry.unit)}{speaker}  {around}")
    table = Table(*(word_message(Message(f"label-{name}")) for name in ("reading", "witnesses", "class", "ground")))
    for reading in entry.readings:
        who = "、".join(names.get(name, name)
                       for name in (*reading.witnesses, *([reading.resp] if reading.resp else [])))
        kind = class_name(reading.variant) if reading.variant in TABLE else ""
        table.add_row(_words(reading.content), visible(who), kind, visible(reading.source))
    screen.print(table)
    for remark in entry.remarks:
        screen.print(f"  {word_message(Message('notes-say'))}: {visible(remark)}")
    for note in entry.app.notes:
        who = f" ({names.get(note.resp, note.resp)})" if note.resp else ""
        screen.print(f"  {word_message(Message('label-editor'))}{who}: {visible(attested(note.content))}")


def _words(content: Content) -> str:
    return _printable(attested(content)) or "∅"


def _printable(text: str) -> str:
    """Return text with private-use characters as 〓 and their codes, which every font can show."""
    return _PRIVATE.sub(lambda match: f"〓(U+{ord(match[0]):X})", visible(text))


COMMANDS = (command,)
