"""`jiaokan punctuate`: propose punctuation; check the editor's, and carry it over to a changed text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from jiaokan.cli._folder import folder_option, load, text_names
from jiaokan.cli._terminal import Bar, say
from jiaokan.editions import punctuation
from jiaokan.editions.punctuation import proposal_files, proposed
from jiaokan.proposals.models import DEFAULT
from jiaokan.proposals.punctuation import line
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import layer_paths
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.atomic import inside, write_file


@click.command("punctuate")
@click.argument("edition", required=False, shell_complete=text_names)
@click.argument("reference", default="")
@click.option("--write", is_flag=True, help="Write proposals to tei/punctuation/EDITION, below the editor's lines.")
@click.option("--sure", type=click.FloatRange(0, 1), default=0.0, metavar="CHANCE",
              help="Only units and notes in which every place is at least this certain (0.9).")
@click.option("--learn", type=click.Path(path_type=Path), multiple=True, metavar="PATH",
              help="Learn a model from a punctuated text or a folder of them (repeatable); no EDITION.")
@click.option("--model", default="", metavar="NAME",
              help="Name of the model to learn or to use ('default'); 'none': only parallels and rules.")
@click.option("--check", is_flag=True, help="Check punctuation and translations against the text.")
@click.option("--carry", is_flag=True, help="Rewrite the editor's files to fit the current text.")
@folder_option
def command(edition: str | None, reference: str, write: bool, sure: float, learn: tuple[Path, ...], model: str,
            check: bool, carry: bool, folder: Path) -> None:
    """Propose punctuation, or check the editor's punctuation.

    Proposals are made for units and notes of EDITION, or of its passage REFERENCE, that the editor has not punctuated.
    Each mark has its reason: {as TEXT REF}: the same words are punctuated there; {lemma}, {quotation}, {title} …: a
    rule; {model 0.8}: a statistical model with its probability. A ? follows a doubtful mark. The lines have the form of
    tei/punctuation/EDITION/NN.txt.

    The model is trained on the punctuated texts of the folder. --learn stores a second one for you, from plain text,
    Markdown or TEI with punctuation; about 50 seconds for a million characters.

    With --check or --carry, or without EDITION, the editor's files, also those of translations
    (tei/translations), are compared with the text of the last build.
    Printed are how much is punctuated, and each line that differs from its unit; exit code 1 if there is one. --carry
    rewrites such lines: the marks stay beside the same graphs, a remark (# review …) says what changed, and a line
    whose unit no longer exists is kept as a remark.

    \b
    Example:  jiaokan punctuate lunyu 1.1
              jiaokan punctuate lunyu --write --sure 0.9
              jiaokan punctuate lunyu --check
              jiaokan punctuate --learn books/ --model classical
    """
    if learn:
        _learn(learn, model or DEFAULT)
        return
    catalog = load(folder)
    plans = [catalog.edition(edition)] if edition else [
        plan for plan in catalog.editions.values() if layer_paths(catalog.root, plan.id)]
    if edition is None or check or carry:
        _check(plans, catalog, carry)
    else:
        _propose(plans[0], catalog, reference, sure=sure, model=model, write=write)


def _learn(paths: tuple[Path, ...], name: str) -> None:
    with Bar(100) as bar:
        made = punctuation.learn(paths, name, bar.reach)
    say(f"{made.path}: learned from {made.passages} paragraphs, {made.graphs} characters")
    for chance, count, right in made.reliability:
        say(f"probability {chance:.1f}: {count} stops in paragraphs left out, {right:.0%} right")


def _check(plans: Iterable[EditionPlan], catalog: Catalog, carry: bool) -> None:
    wrong = 0
    for plan in plans:
        if carry:
            anew, findings = punctuation.carried(plan, catalog)
            for path, text in anew.items():
                write_file(inside(catalog.root, path, "tei"), text.encode())
                say(f"{path}: rewritten")
        findings = punctuation.check(plan, catalog)
        for finding in findings:
            say(f"{finding.place}: {finding.severity} [{finding.rule}] {finding.message}")
            say(f"  → {finding.mend}")
        wrong += sum(finding.severity == "error" for finding in findings)
        for each in punctuation.counts(plan, catalog):
            say(f"{plan.id} {each.chapter}: {each.units} of {each.all_units} units, {each.notes} of {each.all_notes} "
                f"notes, {each.marks} marks, {each.names} names, {each.low} of low certainty")
    if wrong:
        raise click.exceptions.Exit(1)


def _propose(plan: EditionPlan, catalog: Catalog, reference: str, *, sure: float, model: str, write: bool) -> None:
    made = proposed(plan, catalog, reference, sure=sure, model=model)
    if made.without:
        say(made.without, err=True)
    if not write:
        for each in made.proposals:
            say(line(each))
        return
    for path, text in proposal_files(plan, catalog, made).items():
        write_file(inside(catalog.root, path, "tei"), text.encode())
        say(f"{path}: written")
    marks = [mark for each in made.proposals for mark in each.marks]
    doubtful = sum(mark.typed().low for mark in marks)
    say(f"{len(made.proposals)} units and notes, {len(marks)} marks, {doubtful} in doubt")


COMMANDS = (command,)
