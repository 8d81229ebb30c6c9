"""All edition rules: what makes an edition sound and no grammar can say."""

from __future__ import annotations

from pipeline.errors import TeiError
from pipeline.tei.tree import Element
from pipeline.validate import apparatus, characters, layers, pointers
from pipeline.validate.registry import Problem, Rule, Subject, nearest

RULES: tuple[Rule, ...] = (*pointers.RULES, *apparatus.RULES, *layers.RULES, *characters.RULES)


def check(root: Element) -> list[tuple[Rule, Problem]]:
    """Give what each rule finds in a document."""
    subject = Subject(root)
    return [(rule, problem) for rule in RULES for problem in rule.check(subject)]


def rule(identifier: str) -> Rule:
    """Give a rule by its id; raises TeiError with the nearest if there is none."""
    for each in RULES:
        if each.id == identifier:
            return each
    known = [each.id for each in RULES]
    raise TeiError(f"there is no rule {identifier!r}", mend=nearest(identifier, known) or f"known: {', '.join(known)}")
