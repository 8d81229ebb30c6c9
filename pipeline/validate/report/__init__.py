"""Findings as a report (text, JSON, GitHub, JUnit, SARIF), and baselines. A new format is a function and a row in
`FORMATS`."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from lxml import etree

from pipeline.errors import Finding, Place, TeiError
from pipeline.validate.report.chinese import severity
from pipeline.validate.report.sarif import fingerprint, sarif


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


WIDTH = 76
"""Columns of a terminal that an excerpt may take: the usual 80 less the margin."""
_BEFORE = 24
_MARKED = re.compile(r"""<[^>]*>?|[\w:.-]+\s*=\s*(?:"[^"]*"?|'[^']*'?)|.""")
"""A tag, an attribute or a character; as much of it as is shown."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def excerpt(line: str, column: int) -> tuple[str, str]:
    """Give the part of a line around a column (from 1), and a line that marks the tag, attribute or character there."""
    at = min(max(column - 1, 0), len(line))
    start = max(0, at - _BEFORE)
    text = _UNPRINTABLE.sub(" ", line[start : start + WIDTH + 1])
    room, end = WIDTH, 0
    while end < len(text) and (room := room - _columns(text[end])) >= 0:
        end += 1
    left, right = "…" if start else "", "…" if start + end < len(line) else ""
    found = _MARKED.match(text[at - start : end])
    mark = "^" * max(1, sum(map(_columns, found[0] if found else "")))
    return f"{left}{text[:end]}{right}", " " * (len(left) + sum(map(_columns, text[: at - start]))) + mark


def _columns(character: str) -> int:
    """How many columns a terminal gives a character."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 0 if unicodedata.combining(character) else 1


_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(findings: Sequence[Finding], files: Sequence[str]) -> str:
    """Give a test suite for each file and in it a failed case for each error and warning; without any, one passed."""
    failing = [each for each in findings if each.severity != "info"]
    every = dict.fromkeys([*files, *(each.place.file for each in failing)])
    root = etree.Element("testsuites", name="jiaokan", errors="0")
    for file in every:
        _suite(root, file, [each for each in failing if each.place.file == file])
    root.set("tests", str(len(list(root.iter("testcase")))))
    root.set("failures", str(len(failing)))
    data: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return data.decode()


def _suite(root: etree._Element, file: str, failing: Sequence[Finding]) -> None:
    counts = {"tests": str(len(failing) or 1), "failures": str(len(failing)), "errors": "0", "skipped": "0"}
    suite = etree.SubElement(root, "testsuite", {"name": _fit(file), **counts, "file": _fit(file)})
    for each in failing:
        name = f"{each.rule} {each.place.line}:{each.place.column}"
        case = etree.SubElement(suite, "testcase", name=name, classname=_fit(file))
        message = _fit(each.message)
        failure = etree.SubElement(case, "failure", type=f"{each.severity}.{each.rule}", message=message)
        failure.text = _fit(f"{each.place}: {each.message}" + (f"\n→ {each.mend}" if each.mend else ""))
    if not failing:
        etree.SubElement(suite, "testcase", name="valid", classname=_fit(file))


def _fit(words: str) -> str:
    """Words without what XML cannot hold."""
    return _UNFIT.sub("\ufffd", words)


class _Row(msgspec.Struct, frozen=True):
    """A finding as the JSON report writes it."""

    rule: str
    severity: Literal["error", "warning", "info"]
    file: str
    line: int
    column: int
    message: str
    mend: str = ""


def load(path: Path) -> tuple[Finding, ...]:
    """Read a baseline, a report made with ``--format json``; raises TeiError for what is none."""
    try:
        rows = msgspec.convert(json.loads(path.read_text(encoding="utf-8")), tuple[_Row, ...])
    except OSError as error:
        raise TeiError(f"the baseline cannot be read: {error.strerror}", place=Place(str(path))) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise TeiError(
            f"this is no baseline: {error}", place=Place(str(path)), mend="make one with `--format json > FILE`",
        ) from None
    return tuple(Finding(r.rule, Place(r.file, r.line, r.column), r.message, r.mend, r.severity) for r in rows)


def compare(
    findings: Sequence[Finding], known: Sequence[Finding], files: Sequence[str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Give what is new, and what was known of the `files` checked and is there no more.

    A finding is known if the baseline has one of the same rule, file and message; its line may have changed.
    """
    left = Counter(map(fingerprint, known))
    new: list[Finding] = []
    for each in findings:
        mark = fingerprint(each)
        if left[mark]:
            left[mark] -= 1
        else:
            new.append(each)
    fixed: list[Finding] = []
    for each in known:
        mark = fingerprint(each)
        if left[mark] and each.place.file in files:
            left[mark] -= 1
            fixed.append(each)
    return tuple(new), tuple(fixed)
