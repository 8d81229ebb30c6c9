"""`jiaokan review`: the entries that nobody has decided, one by one."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from pipeline.catalog import Catalog
from pipeline.cli._folder import classes_option, folder_option, load, text_names
from pipeline.errors import CatalogError, Place
from pipeline.model import Certainty, VariantClass
from pipeline.names import VARIANT_CLASSES, reference_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.collate.rulings import Ruling
    from pipeline.review import Judge, Open

_KEYS = "[1-9] print · [o]pen · [c]lass · [r]eject · [n]ote · [e]mend · [s]kip · [q]uit"
_CERT = click.Choice(["high", "medium", "low"])


@click.command("review")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("--within", default="", metavar="REF", help="Only this chapter, section or unit: 6 or 6.3.")
@click.option("--list", "listed", is_flag=True, help="Show the entries and ask nothing.")
@click.option("--reported", is_flag=True, help="Also entries in which all collated witnesses agree.")
@click.option("-n", "most", type=click.IntRange(1), help="At most so many entries.")
@click.option("--resp", default="jiaokan", show_default=True, help="Who decides.")
@click.option("--when", default="", metavar="DATE", help="The date of the decisions (default: today).")
@classes_option
@folder_option
def command(
    edition: str | None, within: str, listed: bool, reported: bool, most: int | None, resp: str, when: str,
    without: frozenset[str], folder: Path,
) -> None:
    """Walk through the entries of EDITION that nobody has decided, the weightiest first.

    Each is shown with its words in context, its readings and how they differ; each answer is written to
    tei/decisions/lemmas.toml at once, and takes effect with the next build.

    \b
    Example:  jiaokan review yili --within 6 --without script,graphic,loan
              jiaokan review --list -n 20
    """
    from pipeline.review import Judge, file, undecided
    from pipeline.tei.declared import declared
    from pipeline.tei.parse import from_tei

    catalog = load(folder)
    path = _edition(catalog, edition)
    data = path.read_bytes()
    document, names = from_tei(data, name=path.name), declared(data, name=path.name).printed()
    place = within.replace(":", ".", 1)
    place = place if not place or place.split(".")[0] == document.id else f"{document.id}.{place}"
    found = undecided(document, without=without, within=place, reported=reported)[:most]
    judge = Judge(resp=resp, when=when or datetime.date.today().isoformat())
    decided = 0
    for number, each in enumerate(found, 1):
        _show(each, f"{number}/{len(found)}", names)
        ruling = None if listed else _ask(each, judge)
        if ruling == "quit":
            break
        if ruling is not None and not isinstance(ruling, str):
            click.echo(f"  → {file(catalog.root, ruling)}")
            decided += 1
    click.echo(f"{len(found)} open" if listed else f"{decided} decided of {len(found)} open")


def _edition(catalog: Catalog, name: str | None) -> Path:
    """Give the TEI of an edition, the only critical one by default; raises CatalogError."""
    critical = [plan.id for plan in catalog.editions.values() if plan.kind == "critical"]
    if name is None and len(critical) != 1:
        raise CatalogError(
            "say which edition is reviewed", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'none that is critical'}",
        )
    wanted = name or critical[0]
    if wanted not in critical:
        raise CatalogError(
            f"no critical edition is called {wanted!r}", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'none'}",
        )
    path = catalog.root / "tei" / "editions" / f"{wanted}.xml"
    if not path.exists():
        raise CatalogError("the edition is not built yet", place=Place(str(path)), mend="run `jiaokan build`")
    return path


def _show(entry: Open, number: str, names: Mapping[str, str]) -> None:
    """Print an entry as a table, its words in context above it."""
    from rich.console import Console
    from rich.table import Table

    from pipeline.collate.cutting import shown

    speaker = f" {names.get(entry.speaker, entry.speaker)}" if entry.speaker else ""
    around = f"…{entry.before}⟦{shown(entry.app.lemma.content)}⟧{entry.after}…"
    table = Table(title=f"{number}  {reference_of(entry.unit)}{speaker}  {around}", title_justify="left")
    for column in ("", "reading 文", "witnesses 本", "class 类", "on what ground"):
        table.add_column(column)
    for n, each in enumerate(entry.readings, 1):
        who = "、".join(names.get(name, name) for name in (*each.witnesses, *([each.resp] if each.resp else [])))
        table.add_row(str(n), shown(each.content) or "∅", who, VARIANT_CLASSES.get(each.variant, ""), each.source)
    Console(highlight=False, markup=False, emoji=False).print(table)


def _ask(entry: Open, judge: Judge) -> Ruling | str | None:
    """Ask what is decided: a decision, None to go on, "quit" to end."""
    from pipeline import review

    readings = entry.readings
    numbers = [str(n) for n in range(1, len(readings) + 1)]
    answer = click.prompt(_KEYS, type=click.Choice([*numbers, *"ocrnesq"]), default="s", show_choices=False)
    if answer in "sq":
        return "quit" if answer == "q" else None
    chosen, variant, words = readings[int(answer) - 1 if answer in numbers else 0], "", ""
    if answer == "c":
        others = [n for n, each in zip(numbers, readings, strict=True) if each in entry.collated[1:]]
        chosen = readings[int(click.prompt("which reading", type=click.Choice(others))) - 1]
        variant = click.prompt("class", type=click.Choice(list(VARIANT_CLASSES)))
    if answer == "e":
        words = click.prompt("words", default="", show_default=False)
    why = click.prompt("why")
    cert = cast(Certainty, "low" if answer == "o" else click.prompt("certainty", type=_CERT, default="medium"))
    match answer:
        case "c":
            return review.classify(entry, chosen, cast(VariantClass, variant), judge, why, cert)
        case "r":
            return review.reject(entry, judge, why, cert)
        case "n":
            return review.comment(entry, judge, why, cert)
        case "e":
            return review.emend(entry, words, judge, why, cert)
    return review.choose(entry, chosen, judge, why, cert)


COMMANDS = (command,)
