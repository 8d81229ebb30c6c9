"""The severities that a repository gives to rules, in a file ``validate.toml`` of its own.

The defaults are in ``rules.toml``. The file is looked for in the current folder and above, up to the root of the
repository::

    [severity]
    header-lacking = "off"
    language-undeclared = "error"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from jiaokan.errors import Finding, Message, Severity, nearest

NAME = "validate.toml"
LEVELS = ("error", "warning", "info", "off")


def settings_file(folder: Path) -> Path | None:
    """Return the file that is in force in a folder; None if there is none."""
    for above in (folder, *folder.parents):
        if (above / NAME).is_file():
            return above / NAME
        if (above / ".git").exists():
            break
    return None


def load(folder: Path) -> Mapping[str, str]:
    """Return the severity of each rule that is given one; raises CatalogError for what is not a table of them."""
    path = settings_file(folder)
    if path is None:
        return {}
    from jiaokan.settings.toml import read_toml
    from jiaokan.validate.rules import explanations

    table = read_toml(path)
    for key in table:
        if key != "severity" or not isinstance(table[key], dict):
            mend = Message("expected-value", expected="[severity]")
            raise table.error((key,), Message("no-such-table", name=key), mend, value=False)
    rows: dict[str, str] = {}
    for rule, level in table.get("severity", {}).items():
        if level not in LEVELS:
            raise table.error(("severity", rule), Message("not-a-severity", level=level),
                              Message("expected-one-of", expected=", ".join(LEVELS)))
        known = explanations()
        if rule not in known and (near := nearest(rule, list(known))):  # others are ids of a Schematron schema
            raise table.error(("severity", rule), Message("the-rule-missing", identifier=rule),
                              Message("did-you-mean", name=near), value=False)
        rows[rule] = level
    return rows


def apply(findings: Iterable[Finding], severities: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return findings with the severities of the repository, without those that it turns off."""
    if not severities:
        return tuple(findings)
    levels = ((finding, severities.get(finding.rule, finding.severity)) for finding in findings)
    return tuple(replace(finding, severity=cast("Severity", level)) for finding, level in levels if level != "off")
