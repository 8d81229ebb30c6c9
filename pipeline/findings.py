"""What each rule that a finding names means: rules of editions explain themselves, the others are in findings.tsv."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

from pipeline.errors import TeiError
from pipeline.validate.registry import GRAMMAR
from pipeline.validate.rules import RULES


def rules() -> Mapping[str, str]:
    """Give the explanation of every rule that a finding can name."""
    rows = (Path(__file__).parent / "findings.tsv").read_text(encoding="utf-8").splitlines()
    own = dict(row.split("\t") for row in rows if not row.startswith("#"))
    found = {identifier: "\n".join(words) for identifier, words in GRAMMAR.items()}
    return {**own, **found, **{rule.id: rule.told() for rule in RULES}}


def explain_rule(identifier: str) -> str:
    """Explain a rule; raises TeiError with the nearest if no finding has this name."""
    known = rules()
    if identifier not in known:
        near = difflib.get_close_matches(identifier, known, 1, 0.5)
        mend = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
        raise TeiError(f"there is no rule {identifier!r}", mend=mend)
    return known[identifier]
