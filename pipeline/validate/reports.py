"""Findings as a report. A new format is one function here and its name in `FORMATS`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from pipeline.errors import Finding, TeiError


def report(findings: Sequence[Finding], form: str = "text") -> str:
    """Give the findings in a format; raises TeiError for one that is not known."""
    if form not in FORMATS:
        raise TeiError(f"no report is called {form!r}", mend=f"known: {', '.join(FORMATS)}")
    return FORMATS[form](findings)


def _text(findings: Sequence[Finding]) -> str:
    """One finding on a line that editors can follow (``file:line:column``), what to do on the next."""
    lines: list[str] = []
    for each in findings:
        lines.append(f"{each.place}: {each.severity} [{each.rule}] {each.message}")
        if each.mend:
            lines.append(f"  → {each.mend}")
    return "".join(f"{line}\n" for line in lines)


def _json(findings: Sequence[Finding]) -> str:
    """An array of objects with rule, severity, file, line, column, message, mend."""
    rows = [
        {
            "rule": each.rule, "severity": each.severity, **asdict(each.place), "message": each.message,
            "mend": each.mend,
        }
        for each in findings
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {"text": _text, "json": _json}
