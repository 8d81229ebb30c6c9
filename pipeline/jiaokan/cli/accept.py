"""`jiaokan accept`, `adopt`, `bundle`: a changed source, a published edition, an edition to publish."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from jiaokan.cli._folder import FOLDER, TEXT_NAME, folder_option, load, show
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, Message, Place

_MOST = 20
"""How many changes are printed."""
_WIDE = 60
"""How many characters of each side of a change are printed."""


@click.command("accept")
@click.argument("source", type=TEXT_NAME)
@click.option("--dry", is_flag=True, help="option-accept-dry")
@folder_option
def accept(source: str, dry: bool, folder: Path) -> None:
    """Accept a changed source: show changes, update its checksum.

    \b
    Example:  jiaokan accept jijie
    """
    from jiaokan.editions import witness as accepting

    catalog = load(folder)
    entry = catalog.source(source)
    comparison = accepting.source_changes(entry, catalog)
    if comparison.sha256 == entry.sha256:
        say(Message("matches-catalog-nothing-accept", file=entry.file))
        return
    before = f"{comparison.were:,} → " if comparison.were else ""
    say(Message("lines-characters", file=entry.file, lines=comparison.lines, before=before,
                characters=comparison.characters)
        + (Message("changes-count", count=len(comparison.changes))
           if comparison.were else Message("no-earlier-tei-compare")))
    for change in comparison.changes[:_MOST]:
        say(Message("line-indented", line=change.line))
        say(f"    - {_shorten(change.before)}")
        say(f"    + {_shorten(change.after)}")
    if len(comparison.changes) > _MOST:
        say(Message("more-lines", count=len(comparison.changes) - _MOST))
    if not dry:
        path = accepting.accept(entry, catalog, comparison.sha256)
        say(Message("sha256-now", path=path, entry=entry.id, sha256=comparison.sha256))


def _shorten(text: str) -> str:
    return (Message("text-shortened", text=text[:_WIDE], count=len(text)) if len(text) > _WIDE else text) or "∅"


@click.command("adopt")
@click.argument("edition", required=False, type=TEXT_NAME)
@folder_option
def adopt(edition: str | None, folder: Path) -> None:
    """Turn the choices of a published edition into decisions.

    \b
    Example:  jiaokan adopt lunyu
    """
    from jiaokan.desk.begin import adopt_decisions

    catalog = load(folder)
    wanted = edition or next((plan.id for plan in catalog.editions.values() if plan.kind == "critical"), "")
    if not wanted:
        raise CatalogError(Message("no-critical-edition"), place=Place(str(catalog.root / "tei" / "editions")))
    catalog.edition(wanted, critical=True)
    for line in adopt_decisions(catalog, wanted, datetime.now(UTC).date()):
        say(line)


@click.command("bundle")
@click.argument("edition", default="", type=TEXT_NAME)
@click.option("-o", "--out", type=click.Path(path_type=Path),
              help="option-accept-out")
@click.option("--built", type=FOLDER,
              help="option-accept-built")
@folder_option
def bundle(edition: str, out: Path | None, built: Path | None, folder: Path) -> None:
    """Pack an edition for a repository such as Zenodo (BagIt).

    \b
    Example:  jiaokan bundle lunyu
    """
    from jiaokan.exchange.bundle import make_bundle

    catalog = load(folder)
    home = built or catalog.root / "build"
    target = out or home / "bundle" / f"{edition or catalog.root.resolve().name}.zip"
    count, findings = make_bundle(catalog, home, target, edition=edition)
    show(findings)
    say(Message("files-written", target=target, count=count))


COMMANDS = (accept, adopt, bundle)
