"""`jiaokan names`: what may be a name in an edition and is not marked as one."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import folder_option, load, text_names
from pipeline.cli._say import say
from pipeline.errors import CatalogError, suggestion

_TITLES = {
    "declared": "declared in persons.toml or places.toml", "form": "of the form of a name", "speech": "before 曰",
}


@click.command("names")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("-n", "shown", type=click.IntRange(0), default=3, show_default=True, help="How many contexts to show.")
@click.option("--least", type=click.IntRange(1), default=1, show_default=True, help="Only what stands so often.")
@folder_option
def command(edition: str | None, shown: int, least: int, folder: Path) -> None:
    """List what may be a name in EDITION (or in every edition) and is not marked as one, with counts and contexts.

    First forms that persons.toml or places.toml declare, with whom they name; then what has the form of a name, 某氏,
    某公 after an epithet; then words before 曰. `12, 3 marked` means: twelve places to look at, and three elsewhere are
    marked. To mark a name is to type _ before and after it in tei/punctuation/EDITION/NN.txt.

    \b
    Example:  jiaokan names lunyu
              jiaokan names lunyu -n 10 --least 5
    """
    from pipeline.punctuate.folder import FolderTexts
    from pipeline.punctuate.naming import candidates

    catalog = load(folder)
    if edition is not None and edition not in catalog.editions:
        mend = suggestion(edition, catalog.editions, f"there is: {', '.join(catalog.editions)}")
        raise CatalogError(f"no edition is called {edition!r}", mend=mend)
    for name in [edition] if edition else catalog.editions:
        found = [each for each in candidates(FolderTexts.of(catalog, name), catalog) if len(each.places) >= least]
        for evidence, title in _TITLES.items():
            some = [each for each in found if each.evidence == evidence]
            say(f"{name}, {title}: {len(some)} names, {sum(len(each.places) for each in some)} places")
            for each in some:
                more = f", {each.marked} marked" if each.marked else ""
                say(f"  {each.form}  {each.meant + '  ' if each.meant else ''}{len(each.places)}{more}")
                for place in each.places[:shown]:
                    say(f"      {place.ref}  {place.context}")


COMMANDS = (command,)
