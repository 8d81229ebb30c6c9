"""All edition rules: what a sound edition needs and no grammar can express."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from jiaokan.errors import Message, TeiError, suggestion
from jiaokan.model.vocabulary import table_rows
from jiaokan.tei.tree import Element
from jiaokan.validate.rule import GRAMMAR, Home, Problem, Rule, Subject, registered
from jiaokan.validate.rules import apparatus, decisions, folder, pointers, text  # noqa: F401 (register rules)

LIMIT = 1000  # findings of one rule that are listed for one file
RULES = registered()


def check(
    root: Element, home: Home | None = None, *, tei_only: bool = False, ignored: frozenset[str] = frozenset()
) -> list[tuple[Rule, Problem]]:
    """Return what the rules find in a document; `tei_only`: those for any TEI; with `home` also those of its folder."""
    subject = Subject(root, home)
    found: list[tuple[Rule, Problem]] = []
    for rule in RULES:
        if (rule.tei or not tei_only) and rule.id not in ignored and (home or not rule.folder):
            problems = rule.check(subject)
            found += ((rule, problem) for problem in islice(problems, LIMIT))
            for further in islice(problems, 1):
                message = Message("this rule has more than {} findings; the rest are not listed", LIMIT)
                found.append((rule, Problem(further.element, message, Message("correct these first"))))
    return found


def rule(identifier: str) -> Rule:
    """Return a rule by its id; raises TeiError with the nearest id if there is none."""
    known = {each.id: each for each in RULES}
    if identifier not in known:
        raise TeiError(f"there is no rule {identifier!r}", mend=suggestion(identifier, list(known)))
    return known[identifier]


def explanations() -> Mapping[str, str]:
    """Return the explanation of every rule id that a finding can have; those of other rooms are in ``findings.tsv``."""
    rows = table_rows((Path(__file__).parent / "findings.tsv").read_text(encoding="utf-8"))
    others = {identifier: f"{english}\n{chinese}" for _, (identifier, english, chinese) in rows}
    grammar = {identifier: "\n".join(texts) for identifier, texts in GRAMMAR.items()}
    return {**others, **grammar, **{rule.id: rule.explain() for rule in RULES}}


def explain_rule(identifier: str) -> str:
    """Return the explanation of a rule; raises TeiError with the nearest id if no finding has this one."""
    known = explanations()
    if identifier not in known:
        raise TeiError(f"there is no rule {identifier!r}", mend=suggestion(identifier, sorted(known)))
    return known[identifier]
