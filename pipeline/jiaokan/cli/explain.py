"""`jiaokan explain`: settings, rules, and the reasons for a reading, a boundary or a speaker."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jiaokan.cli._folder import folder_option, load
from jiaokan.cli._terminal import lang_option, say
from jiaokan.errors import Message, join_messages, nearest
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.manual import TOPICS

if TYPE_CHECKING:
    from jiaokan.editions.explain import Explanation
    from jiaokan.readers.common.evidence import Inference

_SHOWN = 120
"""How many characters of a passage are shown."""


@click.command("explain")
@click.argument("what")
@click.argument("of", default="")
@lang_option
@folder_option
def command(what: str, of: str, lang: str, folder: Path) -> None:
    """Explain settings, rules, and why a passage reads as it does.

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
        say(manual_page(what, of, lang), nl=False)
        return
    name, sign, rest = re.match(r"([^:.]*)([:.]?)(.*)", what).groups()  # type: ignore[union-attr]  # matches anything
    if not sign and re.fullmatch("[^/]+/[^/]+", what):
        from jiaokan.entries.grounds import explain_pair

        say(join_messages("list-lines", explain_pair(*what.split("/"))))
        return
    if not sign:
        from jiaokan.validate.rules import explain_rule, explanations

        if what not in explanations() and (topic := nearest(what, TOPICS)):
            raise click.UsageError(Message("did-you-mean", name=f"jiaokan explain {topic}"))
        say(Message("at-where", where=what, problem=explain_rule(what)))
        return
    catalog = load(folder)
    if name in catalog.editions and (entries := _entries(name, rest, catalog)):
        say(join_messages("list-lines", entries))
        return
    from jiaokan.editions.explain import Explainer

    for number, reference in enumerate(_references(name, f"{name}:{rest}", catalog)):
        entry = catalog.sources[reference.partition(":")[0]]
        explanation = Explainer(entry, catalog).explain(reference)
        say("\n" * bool(number) + join_messages("list-lines", _explanation(explanation)))


def manual_page(topic: str, of: str, lang: str) -> str:
    """Return a page of the manual of the settings. Raises CatalogError for an unknown topic or thing of it."""
    from jiaokan import readers
    from jiaokan.decisions.kinds import KINDS
    from jiaokan.settings.manual import page

    return page(topic, of, lang, readers=readers.manual_rows(), kinds=KINDS)


def _entries(name: str, rest: str, catalog: Catalog) -> list[str]:
    if not re.search(r"\.[ar]\d+$", rest):
        return []
    from jiaokan.api import Edition
    from jiaokan.entries.extract import all_entries
    from jiaokan.entries.grounds import explain_entry

    document = Edition(catalog.root).text(name).document
    return [line for entry in all_entries(document) if entry.id == f"{name}.{rest}" for line in explain_entry(entry)]


def _references(name: str, reference: str, catalog: Catalog) -> list[str]:
    if name in catalog.sources or name not in catalog.editions:
        catalog.source(name)
        return [reference]
    from jiaokan.api import Edition
    from jiaokan.tei.views import own_references

    return own_references(Edition(catalog.root).text(name).document, reference)


def _explanation(explanation: Explanation) -> Iterable[str]:
    yield f"{explanation.reference}  " + explanation.what
    text = explanation.text if len(explanation.text) <= _SHOWN else Message("text-shortened",
                                                                            text=explanation.text[:_SHOWN],
                                                                            count=len(explanation.text))
    yield f"  {explanation.place}: " + text
    for judgement in explanation.opening:
        yield from _judgement(judgement)
    for judgement in explanation.inside:
        yield from _judgement(judgement)
    for line in explanation.characters:
        yield "  " + line


def _judgement(judgement: Inference) -> Iterable[str]:
    place = judgement.place
    at = f"{place.line}:{place.column}" if place.column else f"{place.line}"
    yield Message("judgement", at=at, words=judgement.words, question=judgement.question, verdict=judgement.verdict,
                  cert=judgement.cert)
    if decision := judgement.decision:
        yield Message("ground-decided-by", resp=decision.resp, why=decision.why)
    for sign in judgement.signs:
        yield "      " + sign.wording


COMMANDS = (command,)
