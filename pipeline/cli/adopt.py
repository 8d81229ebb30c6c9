"""`jiaokan adopt`: what the editor of a published edition chose, as decisions of the folder."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, load, show, text_names
from pipeline.cli._say import say
from pipeline.errors import CatalogError, Place

if TYPE_CHECKING:
    from pipeline.settings.catalog import Catalog


@click.command("adopt")
@click.argument("edition", required=False, shell_complete=text_names)
@folder_option
def command(edition: str | None, folder: Path) -> None:
    """Write what a published edition in TEI prints, proposes and says as decisions of EDITION.

    Its sources are witnesses of that edition (`init --from EDITION.xml` makes such a folder, and does this at once).
    They are collated; where the published edition prints something else than the base, tei/decisions/lemmas-ID.toml
    says so, as edited in it. So its text stays when a witness is added. What no decision can say is listed.

    \b
    Example:  jiaokan adopt lunyu
    """
    catalog = load(folder)
    wanted = edition or next((each.id for each in catalog.editions.values() if each.kind == "critical"), "")
    if wanted not in catalog.editions:
        raise CatalogError(f"no critical edition is called {wanted!r}" if wanted else "there is no critical edition",
                           place=Place(str(catalog.root / "tei" / "editions")))
    take_over(catalog, wanted, datetime.now(UTC).date())


def take_over(catalog: Catalog, edition: str, today: date) -> None:
    """Write the decisions of the published edition among the sources of an edition, and say how many there are."""
    from collections import Counter

    from pipeline.decisions.readings import NAMES
    from pipeline.exchange.adopt.folder import adopt

    made = adopt(catalog.editions[edition], catalog, today)
    show(made.findings)
    counts = Counter(NAMES[type(each)] for each in made.made)
    told = ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
    say(f"{edition}: decisions of the published edition: {told}"
        + (f"; {len(made.findings)} choices are no decision" if made.findings else ""))


COMMANDS = (command,)
