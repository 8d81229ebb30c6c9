"""`jiaokan collate`: one critical edition from the TEI of its witnesses."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.catalog import Catalog
from pipeline.cli._folder import emit, folder_option, load, out_option, show
from pipeline.errors import CatalogError, Place
from pipeline.plans import EditionPlan


@click.command("collate")
@click.argument("edition")
@click.option("--witness", "files", multiple=True, metavar="ID=FILE",
              help="Take the TEI of a witness from this file, not from tei/witnesses/ID.xml.")
@out_option
@folder_option
def command(edition: str, files: tuple[str, ...], out: Path | None, folder: Path) -> None:
    """Collate an edition of the folder and write its TEI.

    EDITION is the id of a tei/editions/ID.toml. The witnesses' TEI must be there: `convert` or `build` makes it.

    \b
    Example:  jiaokan collate yili --out yili.xml
    """
    from pipeline.collate import collate
    from pipeline.tei.header import edition_header
    from pipeline.tei.parse import from_tei
    from pipeline.tei.write import to_tei

    catalog = load(folder)
    plan = _plan(edition, catalog)
    given = dict(part.partition("=")[::2] for part in files)
    witnesses = {
        name: from_tei(_read(Path(given.get(name, catalog.root / "tei" / "witnesses" / f"{name}.xml"))), name=name)
        for name in plan.all_witnesses()
    }
    document, findings = collate(plan, witnesses, catalog)
    show(findings)
    emit(to_tei(document, edition_header(plan, document, catalog)), out)


def _plan(edition: str, catalog: Catalog) -> EditionPlan:
    plan = catalog.editions.get(edition)
    if plan is None or plan.kind != "critical":
        known = [p.id for p in catalog.editions.values() if p.kind == "critical"]
        raise CatalogError(f"no critical edition is called {edition!r}", mend=f"there is: {', '.join(known) or 'none'}",
                           place=Place(str(catalog.root / "tei" / "editions")))
    return plan


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CatalogError(f"the witness cannot be read: {error.strerror}", place=Place(str(path)),
                           mend="make it with `jiaokan convert` or `jiaokan build`") from None


COMMANDS = (command,)
