"""`jiaokan accept`, `adopt`, `bundle`: a changed source, a published edition, an edition to publish."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from jiaokan.cli._folder import FOLDER, folder_option, load, show, text_names
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, Message, Place

_MOST = 20
"""How many changes are printed."""
_WIDE = 60
"""How many characters of each side of a change are printed."""


@click.command("accept")
@click.argument("source", shell_complete=text_names)
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
    found = accepting.changed(entry, catalog)
    if found.sha256 == entry.sha256:
        say(Message("matches-catalog-nothing-accept", file=entry.file))
        return
    before = f"{found.were:,} → " if found.were else ""
    say(Message("lines-characters", file=entry.file, lines=found.lines, before=before, characters=found.characters)
        + (Message("changes-count", count=len(found.changes)) if found.were else Message("no-earlier-tei-compare")))
    for each in found.changes[:_MOST]:
        say(Message("line-indented", line=each.line))
        say(f"    - {_shorten(each.before)}")
        say(f"    + {_shorten(each.after)}")
    if len(found.changes) > _MOST:
        say(Message("more-lines", count=len(found.changes) - _MOST))
    if not dry:
        path = accepting.accept(entry, catalog, found.sha256)
        say(Message("sha256-now", path=path, entry=entry.id, sha256=found.sha256))


def _shorten(text: str) -> str:
    return (Message("text-shortened", text=text[:_WIDE], count=len(text)) if len(text) > _WIDE else text) or "∅"


@click.command("adopt")
@click.argument("edition", required=False, shell_complete=text_names)
@folder_option
def adopt(edition: str | None, folder: Path) -> None:
    """Turn the choices of a published edition into decisions.

    \b
    Example:  jiaokan adopt lunyu
    """
    from jiaokan.desk.begin import adopted

    catalog = load(folder)
    wanted = edition or next((each.id for each in catalog.editions.values() if each.kind == "critical"), "")
    if wanted not in catalog.editions:
        raise CatalogError(Message("no-critical-edition-called", wanted=wanted) if wanted
                           else Message("no-critical-edition"),
                           place=Place(str(catalog.root / "tei" / "editions")))
    for each in adopted(catalog, wanted, datetime.now(UTC).date()):
        say(each)


@click.command("bundle")
@click.argument("edition", default="", shell_complete=text_names)
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
