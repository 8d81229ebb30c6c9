"""`jiaokan explain`: why a passage was read as it was, and what a rule means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, lang_option, load, source_entry
from pipeline.cli._say import say
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path

if TYPE_CHECKING:
    from pipeline.editions.explain import Explanation
    from pipeline.readers.common.evidence import Inference

TOPICS = frozenset({
    "catalog", "persons", "places", "edition", "print", "convention", "reader", "decisions", "lists", "layout",
})
"""What has a page in the manual (`pipeline.manual.pages.TOPICS`, which is loaded only then)."""
_SHOWN = 120
"""Characters of a passage that are shown."""


@click.command("explain")
@click.argument("what")
@click.argument("of", default="")
@lang_option
@folder_option
def command(what: str, of: str, lang: str, folder: Path) -> None:
    """Say what settings there are; or why a boundary or a speaker was set so, with the signs, and how sure it is.

    WHAT is a part of the settings: catalog, persons, places, edition, print, convention, reader, decisions, lists,
    layout; OF then one reader, kind of decision or list. It prints all keys with type, default and example.

    Or WHAT is the reference of a unit, note, trailer or section, of a source or of an edition; of an entry of an
    edition: why each reading has its class; two graphs: what the tables say of them; or the rule that a finding
    names.

    \b
    Example:  jiaokan explain reader brackets
              jiaokan explain print --lang zh
              jiaokan explain jizhu:1.1.1.n1
              jiaokan explain lunyu:1.1.2
              jiaokan explain lunyu:1.1.1.a1
              jiaokan explain 辩/遍
              jiaokan explain scope-unresolved
    """
    if of or what in TOPICS:
        from pipeline.manual.pages import page

        say(page(what, of, lang), nl=False)
        return
    name, sign, rest = re.match(r"([^:.]*)([:.]?)(.*)", what).groups()  # type: ignore[union-attr]  # matches anything
    if not sign and re.fullmatch("[^/]+/[^/]+", what):
        from pipeline.entries.grounds import told_pair

        say("\n".join(told_pair(*what.split("/"))))
        return
    if not sign:
        from pipeline.validate.rules import explain_rule

        say(f"{what}: {explain_rule(what)}")
        return
    catalog = load(folder)
    if name in catalog.editions and (entries := _entries(name, rest, catalog)):
        say("\n".join(entries))
        return
    for number, reference in enumerate(_references(name, f"{name}:{rest}", catalog)):
        say("\n" * bool(number) + "\n".join(_told(_explained(reference, catalog))))


def _entries(name: str, rest: str, catalog: Catalog) -> list[str]:
    """Give the lines that tell an entry of an edition, if one is meant."""
    if not re.search(r"\.[ar]\d+$", rest):
        return []
    from pipeline.cli.read import document_of
    from pipeline.entries.extract import survey
    from pipeline.entries.grounds import told_entry

    document = document_of(edition_path(catalog, catalog.editions[name]))
    return [line for entry in survey(document) if entry.id == f"{name}.{rest}" for line in told_entry(entry)]


def _references(name: str, reference: str, catalog: Catalog) -> list[str]:
    """Give the references of sources that a reference means: of an edition, those of its witnesses."""
    if name in catalog.sources or name not in catalog.editions:
        source_entry(name, catalog)
        return [reference]
    from pipeline.cli.read import document_of
    from pipeline.tei.views import own_references

    return own_references(document_of(edition_path(catalog, catalog.editions[name])), reference)


def _explained(reference: str, catalog: Catalog) -> Explanation:
    from pipeline.editions.explain import Explainer, kinship

    entry = catalog.sources[reference.partition(":")[0]]
    kin = kinship(entry.work, catalog) if ".n" in reference else None
    return Explainer(entry, catalog, kin).explain(reference)


def _told(found: Explanation) -> Iterable[str]:
    """Give an explanation line by line."""
    yield f"{found.reference}  {found.what}"
    text = found.text if len(found.text) <= _SHOWN else f"{found.text[:_SHOWN]}… ({len(found.text)} characters)"
    yield f"  {found.place}: {text}"
    for judgement in found.opening:
        yield from _judged(judgement)
    for judgement in found.inside:
        yield from _judged(judgement)
    for line in found.characters:
        yield f"  {line}"


def _judged(judgement: Inference) -> Iterable[str]:
    place = judgement.place
    at = f"{place.line}:{place.column}" if place.column else f"{place.line}"
    yield f"  {at} {judgement.words}… {judgement.question} {judgement.verdict} (sure: {judgement.cert})"
    if judgement.decided:
        yield f"      decided by {judgement.by}: {judgement.decided}"
    for sign in judgement.signs:
        yield f"      {sign}"


COMMANDS = (command,)
