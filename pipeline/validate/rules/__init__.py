"""All edition rules: what makes an edition sound and no grammar can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from pipeline.errors import Message, TeiError, suggestion
from pipeline.tei.tree import Element
from pipeline.validate.folder import Home
from pipeline.validate.rule import GRAMMAR, Problem, Rule, Subject, nearest
from pipeline.validate.rules import apparatus, characters, decisions, layers, pointers, sources

LIMIT = 1000
"""So many findings of one rule are told for one file."""
RULES: tuple[Rule, ...] = tuple(
    rule for module in (pointers, apparatus, layers, characters, sources, decisions) for rule in module.RULES
)


def check(
    root: Element, home: Home | None = None, *, tei_only: bool = False, ignored: frozenset[str] = frozenset()
) -> list[tuple[Rule, Problem]]:
    """Give what each rule finds in a document; with `home`, also what its folder says; or only what any TEI obeys."""
    subject = Subject(root, home)
    asked = (rule for rule in RULES if (rule.tei or not tei_only) and rule.id not in ignored)
    found = ((rule, _some(rule.check(subject))) for rule in asked if home or not rule.folder)
    return [(rule, problem) for rule, problems in found for problem in problems]


def _some(problems: Iterator[Problem]) -> Iterator[Problem]:
    """The first of what a rule finds; where there is more, that is told too."""
    yield from islice(problems, LIMIT)
    for further in islice(problems, 1):
        yield Problem(further.element, Message("this rule has more than {} findings; the rest are not listed", LIMIT),
                      Message("correct these first"))


def rule(identifier: str) -> Rule:
    """Give a rule by its id; raises TeiError with the nearest if there is none."""
    for each in RULES:
        if each.id == identifier:
            return each
    known = [each.id for each in RULES]
    raise TeiError(f"there is no rule {identifier!r}", mend=nearest(identifier, known) or f"known: {', '.join(known)}")


def explanations() -> Mapping[str, str]:
    """Give the explanation of every rule that a finding can name: rules explain themselves, what readers and
    collation notice is in ``findings.tsv``."""
    rows = (Path(__file__).parent / "findings.tsv").read_text(encoding="utf-8").splitlines()
    own = dict(row.split("\t") for row in rows if not row.startswith("#"))
    found = {identifier: "\n".join(words) for identifier, words in GRAMMAR.items()}
    return {**own, **found, **{rule.id: rule.told() for rule in RULES}}


def explain_rule(identifier: str) -> str:
    """Explain a rule; raises TeiError with the nearest if no finding has this name."""
    known = explanations()
    if identifier not in known:
        mend = suggestion(identifier, known, f"known: {', '.join(sorted(known))}")
        raise TeiError(f"there is no rule {identifier!r}", mend=mend)
    return known[identifier]
