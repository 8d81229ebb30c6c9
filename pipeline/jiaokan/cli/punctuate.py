"""`jiaokan punctuate`: propose punctuation; check the editor's, and carry it over to a changed text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from jiaokan.cli._folder import EXISTING_FILE, TEXT_NAME, folder_option, load
from jiaokan.cli._terminal import say
from jiaokan.editions import punctuation
from jiaokan.editions.punctuation import Proposals, proposal_files, propose_marks, proposed_from
from jiaokan.errors import Message
from jiaokan.proposals.punctuation import line
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import layer_paths
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.atomic import inside, write_file


@click.command("punctuate")
@click.argument("edition", required=False, type=TEXT_NAME)
@click.argument("reference", default="")
@click.option("--write", is_flag=True, help="option-punctuate-write")
@click.option("--sure", type=click.FloatRange(0, 1), default=0.0, metavar="CHANCE",
              help="option-punctuate-sure")
@click.option("--no-model", is_flag=True, help="option-punctuate-no-model")
@click.option("--from", "file", type=EXISTING_FILE, help="option-punctuate-from")
@click.option("--check", is_flag=True, help="option-punctuate-check")
@click.option("--carry", is_flag=True, help="option-punctuate-carry")
@folder_option
def command(edition: str | None, reference: str, write: bool, sure: float, no_model: bool, file: Path | None,
            check: bool, carry: bool, folder: Path) -> None:
    """Propose punctuation, or check the editor's punctuation.

    \b
    Example:  jiaokan punctuate lunyu 1.1
              jiaokan punctuate lunyu --write --sure 0.9
              jiaokan punctuate lunyu --from zhonghua.txt
              jiaokan punctuate lunyu --check
    """
    catalog = load(folder)
    plans = [catalog.edition(edition)] if edition else [
        plan for plan in catalog.editions.values() if layer_paths(catalog.root, plan.id)]
    if edition is None and file:
        raise click.UsageError(Message("from-needs-edition"))
    if edition is None or check or carry:
        _check(plans, catalog, carry)
    elif file:
        _show(plans[0], catalog, proposed_from(file, plans[0], catalog, reference, sure=sure), write=write)
    else:
        proposals = propose_marks(plans[0], catalog, reference, sure=sure, model=not no_model)
        if proposals.without:
            say(Message("without-statistical-model"), err=True)
        _show(plans[0], catalog, proposals, write=write)


def _check(plans: Iterable[EditionPlan], catalog: Catalog, carry: bool) -> None:
    wrong = 0
    for plan in plans:
        if carry:
            anew, findings = punctuation.carry_files(plan, catalog)
            for path, text in anew.items():
                write_file(inside(catalog.root, path, "tei"), text.encode())
                say(Message("file-rewritten", path=path))
        findings = punctuation.check(plan, catalog)
        for finding in findings:
            say(Message("finding-line", place=finding.place, severity=finding.severity, rule=finding.rule,
                        message=finding.message))
            say(f"  → {finding.mend}")
        wrong += sum(finding.severity == "error" for finding in findings)
        for chapter_counts in punctuation.counts(plan, catalog):
            say(Message("units-notes-marks-names-low", plan=plan.id, chapter=chapter_counts.chapter,
                        units=chapter_counts.units,
                        all_units=chapter_counts.all_units, notes=chapter_counts.notes,
                        all_notes=chapter_counts.all_notes, marks=chapter_counts.marks,
                        names=chapter_counts.names, low=chapter_counts.low))
    if wrong:
        raise click.exceptions.Exit(1)


def _show(plan: EditionPlan, catalog: Catalog, proposals: Proposals, *, write: bool) -> None:
    """Print or write proposals; then the differences of the file from which they are, as remarks."""
    if write:
        for path, text in proposal_files(plan, catalog, proposals).items():
            write_file(inside(catalog.root, path, "tei"), text.encode())
            say(Message("file-written", path=path))
        marks = [mark for proposal in proposals.proposals for mark in proposal.marks]
        doubtful = sum(mark.as_typed().low for mark in marks)
        say(Message("proposals-count", items=len(proposals.proposals), marks=len(marks), doubtful=doubtful))
    else:
        for proposal in proposals.proposals:
            say(line(proposal))
    for reference, difference in proposals.differences:
        say(Message("file-difference", reference=reference, difference=difference))


COMMANDS = (command,)
