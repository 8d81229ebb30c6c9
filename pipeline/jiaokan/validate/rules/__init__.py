"""All edition rules: what a sound edition needs and no grammar can express."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from jiaokan import messages
from jiaokan.errors import Message, TeiError, suggestion
from jiaokan.tei.included import Including
from jiaokan.tei.tree import Element
from jiaokan.validate.homes import Home
from jiaokan.validate.rule import Problem, Rule, Subject, all_rules, explanation
from jiaokan.validate.rules import (  # noqa: F401 (register rules)
    addresses,
    apparatus,
    characters,
    consulted,
    decisions,
    folder,
    general,
    identifiers,
    order,
    pointers,
    reasons,
    slips,
    statements,
    text,
    usage,
)

LIMIT = 1000  # findings of one rule that are listed for one file
RULES = all_rules()


def check(
    root: Element, home: Home | None = None, *, tei_only: bool = False, ignored: frozenset[str] = frozenset(),
    beside: Path | None = None, whole: Including | None = None,
) -> list[tuple[Rule, Problem]]:
    """Return what the rules find in a document; `tei_only`: those for any TEI; with `home` also those of its folder.
    `beside` is the folder in which the files are to which the document points; `whole` says of a document with its
    included files where each element is written."""
    subject = Subject(root, home, beside, is_ours=not tei_only, whole=whole)
    problems_by_rule: list[tuple[Rule, Problem]] = []
    for rule in RULES:
        if (rule.tei or not tei_only) and rule.id not in ignored and (home or not rule.folder):
            problems = rule.check(subject)
            problems_by_rule += ((rule, problem) for problem in islice(problems, LIMIT))
            for further in islice(problems, 1):
                message = Message("the-rule-more-findings-rest-not", limit=LIMIT)
                problems_by_rule.append((rule, Problem(further.element, message, Message("correct-first"))))
    return problems_by_rule


def rule(identifier: str) -> Rule:
    """Return a rule by its id; raises TeiError with the nearest id if there is none."""
    known = {known_rule.id: known_rule for known_rule in RULES}
    if identifier not in known:
        raise TeiError(Message("the-rule-missing", identifier=identifier), mend=suggestion(identifier, list(known)))
    return known[identifier]


def explanations() -> Mapping[str, Message]:
    """Return the explanation of every rule id that a finding can have: the messages that begin with ``rule-``."""
    others = {name: explanation(name) for name in
              (message_id.removeprefix("rule-") for message_id in messages.ids("rule-"))}
    return {**others, **{rule.id: rule.explain() for rule in RULES}}


def explain_rule(identifier: str) -> Message:
    """Return the explanation of a rule; raises TeiError with the nearest id if no finding has this one."""
    known = explanations()
    if identifier not in known:
        raise TeiError(Message("the-rule-missing", identifier=identifier), mend=suggestion(identifier, sorted(known)))
    return known[identifier]
