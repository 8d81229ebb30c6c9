"""Findings as a report. A new format is one function and its name in `FORMATS`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from pipeline.errors import Finding, TeiError
from pipeline.validate.report.chinese import severity
from pipeline.validate.report.excerpts import excerpt
from pipeline.validate.report.junit import junit
from pipeline.validate.report.sarif import sarif


@dataclass(frozen=True)
class Checked:
    """What a report is about."""

    findings: Sequence[Finding]
    files: Sequence[str] = ()
    """Every file that was checked, those without findings too."""
    lines: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """The lines in which something was found, where they are shown."""
    lang: str = "en"
    """The language of the findings: of their severity and their rules' explanations too."""


def report(checked: Checked, form: str = "text") -> str:
    """Give the findings in a format; raises TeiError for one that is not known."""
    if form not in FORMATS:
        raise TeiError(f"no report is called {form!r}", mend=f"known: {', '.join(FORMATS)}")
    told = FORMATS[form](checked)
    return told.encode("utf-8", "replace").decode()  # a file's name may hold bytes that are no characters


def _text(checked: Checked) -> str:
    """One finding on a line that editors can follow (``file:line:column``), the line it is in, what to do."""
    out: list[str] = []
    for each in checked.findings:
        name = severity(each.severity) if checked.lang == "zh" else each.severity
        out.append(f"{each.place}: {name} [{each.rule}] {each.message}")
        line = checked.lines.get((each.place.file, each.place.line), "")
        out += [f"  {part}" for part in excerpt(line, each.place.column)] if line else []
        if each.mend:
            out.append(f"  → {each.mend}")
    return "".join(f"{line}\n" for line in out)


def _json(checked: Checked) -> str:
    """An array of objects with rule, severity, file, line, column, message, mend."""
    rows = [
        {
            "rule": each.rule, "severity": each.severity, **asdict(each.place), "message": each.message,
            "mend": each.mend,
        }
        for each in checked.findings
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _github(checked: Checked) -> str:
    """Workflow commands: GitHub shows them at the lines of a pull request."""
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    out: list[str] = []
    for each in checked.findings:
        where = {"file": each.place.file, "line": each.place.line, "col": each.place.column, "title": each.rule}
        told = ",".join(f"{key}={_property(str(value))}" for key, value in where.items() if value)
        mend = f"\n→ {each.mend}" if each.mend else ""
        out.append(f"::{kinds[each.severity]} {told}::{_data(each.message + mend)}\n")
    return "".join(out)


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")


FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": _text, "json": _json, "github": _github,
    "junit": lambda checked: junit(checked.findings, checked.files),
    "sarif": lambda checked: sarif(checked.findings, checked.lang),
}
