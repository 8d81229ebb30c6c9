"""`jiaokan punctuate`: the editor's punctuation held against the text, and carried over to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, load, text_names
from pipeline.cli._say import say
from pipeline.errors import CatalogError, suggestion
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import punctuation_paths
from pipeline.settings.plans import EditionPlan
from pipeline.system.atomic import write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.errors import Finding


@click.command("punctuate")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("--carry", is_flag=True, help="Write the files anew for the text as it reads now.")
@folder_option
def command(edition: str | None, carry: bool, folder: Path) -> None:
    """Hold the punctuation of EDITION, tei/punctuation/EDITION/*.txt, against its text as built last.

    Prints how far it reaches, and each line that reads otherwise than its unit, with place and difference; exit code 1
    if there is one. With --carry such lines are written anew: their marks stand beside the same graphs as before, a
    remark (# review …) says what changed, and a line whose unit is gone stays as a remark.

    \b
    Example:  jiaokan punctuate lunyu
              jiaokan punctuate lunyu --carry
    """
    from pipeline.editions import punctuation

    catalog = load(folder)
    wrong = 0
    for plan in _plans(catalog, edition):
        if carry:
            anew, findings = punctuation.carried(plan, catalog)
            for path, text in anew.items():
                write_file(path, text.encode())
                say(f"{path}: written anew")
        findings = punctuation.check(plan, catalog)
        _tell(findings)
        wrong += sum(finding.severity == "error" for finding in findings)
        for each in punctuation.counts(plan, catalog):
            say(f"{plan.id} {each.chapter}: {each.units} of {each.all_units} units, {each.notes} of {each.all_notes} "
                f"notes, {each.marks} marks, {each.names} names, {each.low} of low certainty")
    if wrong:
        raise click.exceptions.Exit(1)


def _plans(catalog: Catalog, edition: str | None) -> list[EditionPlan]:
    """Give the editions that are meant: one, or all that are punctuated."""
    if edition is None:
        return [plan for plan in catalog.editions.values() if punctuation_paths(catalog.root, plan.id)]
    if edition not in catalog.editions:
        mend = suggestion(edition, catalog.editions, f"there is: {', '.join(catalog.editions)}")
        raise CatalogError(f"no edition is called {edition!r}", mend=mend)
    return [catalog.editions[edition]]


def _tell(findings: Iterable[Finding]) -> None:
    """Print findings, each with its place and what to do."""
    for finding in findings:
        say(f"{finding.place}: {finding.severity} [{finding.rule}] {finding.message}")
        say(f"  → {finding.mend}")


COMMANDS = (command,)
