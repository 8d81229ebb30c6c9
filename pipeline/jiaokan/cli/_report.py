"""Findings as a report (text, JSON, GitHub, JUnit, SARIF), and baselines. A new format is a function and a row in
`FORMATS`."""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal
from urllib.parse import quote

import msgspec

from jiaokan import __version__
from jiaokan.errors import COMMANDS, Finding, Message, Place, TeiError, one_line


@dataclass(frozen=True)
class Checked:
    """What a report is about."""

    findings: Sequence[Finding]
    files: Sequence[str] = ()  # every file that was checked, those without findings too
    lines: Mapping[tuple[str, int], str] = field(default_factory=dict)
    lang: str = "en"
    failures: Mapping[str, Message] = field(default_factory=dict)
    """Why files could not be checked."""
    verbose: bool = False
    """Whether reports for people list findings of severity ``info``, too."""

    def wording(self, message: Message) -> str:
        """Return a message in the language of the report."""
        return message.in_language(self.lang)

    def groups(self) -> list[list[Finding]]:
        """Return the findings that a reader is shown; those of one cause in one file are a group."""
        groups: dict[tuple[str, ...], list[Finding]] = {}
        for finding in self.findings:
            if self.verbose or finding.severity != "info":
                groups.setdefault(_cause(finding), []).append(finding)
        return list(groups.values())

    def merged(self, group: Sequence[Finding]) -> Finding:
        """Return the first finding of a group, with the lines of the others in its message."""
        first, *others = group
        if not others:
            return first
        lines = [str(line) for line in dict.fromkeys(finding.place.line for finding in others)]
        shown = ", ".join(lines[:_LINES]) + " …" * (len(lines) > _LINES)
        return replace(first, message=Message("finding-repeated", message=first.message, count=len(others),
                                              lines=shown))

    def full_wording(self, finding: Finding) -> str:
        """Return message and mend of a finding."""
        return self.wording(finding.message) + (f"\n→ {self.wording(finding.mend)}" if finding.mend else "")


_LINES = 5  # lines that a repeated finding lists
_CAUSES = {"points-no-element-id": ("wanted",), "language-not-declared": ("language",),
           "character-written-in-parts": (), "unknown-witness": ("word",), "points-no-file": ("path",)}
"""Messages, and which of their values name the cause; the others say where. Findings with the same cause are one."""


def _cause(finding: Finding) -> tuple[str, ...]:
    message = finding.message
    if message.id == "see-line-column" and isinstance(inner := message.values["message"], Message):
        message = inner
    names = _CAUSES.get(message.id, tuple(message.values))
    return (finding.place.file, finding.rule, finding.severity, message.id or message,
            *(str(message.values[name]) for name in names if name in message.values))


def report(checked: Checked, form: str = "text") -> str:
    """Return the findings in a format; raises TeiError if the format is unknown."""
    if form not in FORMATS:
        raise TeiError(Message("no-report-called", form=form), mend=Message("known-names", names=", ".join(FORMATS)))
    return FORMATS[form](checked).encode("utf-8", "replace").decode()  # a file name may hold bytes that are not UTF-8


def _text(checked: Checked) -> str:
    out: list[str] = []
    for finding in map(checked.merged, checked.groups()):
        name = checked.wording(Message(f"severity-{finding.severity}"))
        out.append(f"{finding.place}: {name} [{finding.rule}] {one_line(checked.wording(finding.message))}")
        line = checked.lines.get((finding.place.file, finding.place.line), "")
        out += [f"  {part}" for part in excerpt(line, finding.place.column)] if line else []
        if finding.mend:
            out.append(f"  → {one_line(checked.wording(finding.mend))}")
    return "".join(f"{line}\n" for line in out)


WIDTH = 76  # columns of a terminal that an excerpt may take: the usual 80 less the margin
_BEFORE = 24
_MARKED = re.compile(r"""<[^>]*>?|[\w:.-]+\s*=\s*(?:"[^"]*"?|'[^']*'?)|.""")
"""A tag, an attribute or a character; as much of it as is shown."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def excerpt(line: str, column: int) -> tuple[str, str]:
    """Return the part of a line around a column (from 1), and a line with a mark under what is there."""
    at = min(max(column - 1, 0), len(line))
    start = max(0, at - _BEFORE)
    text = _UNPRINTABLE.sub(" ", line[start : start + WIDTH + 1])
    room, end = WIDTH, 0
    while end < len(text) and (room := room - _columns(text[end])) >= 0:
        end += 1
    left, right = "…" if start else "", "…" if start + end < len(line) else ""
    character = _MARKED.match(text[at - start : end])
    mark = "^" * max(1, sum(map(_columns, character[0] if character else "")))
    return f"{left}{text[:end]}{right}", " " * (len(left) + sum(map(_columns, text[: at - start]))) + mark


def _columns(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.combining(character) else 1


def _json(checked: Checked) -> str:
    return as_json([finding_row(finding, checked.wording) for finding in checked.findings])


def finding_row(finding: Finding, wording: Callable[[Message], str]) -> dict[str, object]:
    """Return a finding for JSON, worded for a person."""
    return {"rule": finding.rule, "severity": finding.severity, **asdict(finding.place),
            "message": wording(finding.message), "mend": wording(finding.mend)}


def as_json(value: object) -> str:
    """Return JSON in which characters that `visible` would escape for people are escapes of JSON."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return COMMANDS.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"


def _github(checked: Checked) -> str:
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    out: list[str] = []
    for finding in map(checked.merged, checked.groups()):
        fields = {"file": finding.place.file, "line": finding.place.line, "col": finding.place.column,
                  "title": finding.rule}
        properties = ",".join(f"{key}={_data(str(value)).replace(':', '%3A').replace(',', '%2C')}"
                              for key, value in fields.items() if value)
        out.append(f"::{kinds[finding.severity]} {properties}::{_data(checked.full_wording(finding))}\n")
    return "".join(out)


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _junit(checked: Checked) -> str:
    """Return JUnit XML by the schema of Jenkins' xUnit plugin (junit-10.xsd). Each file is a case; it fails if it has
    errors, which are listed in one failure, and what else it has is its output."""
    from lxml import etree  # of all reports only this one needs it

    files = dict.fromkeys([*checked.files, *(finding.place.file for finding in checked.findings)])
    by_file: dict[str, list[Finding]] = {}
    for finding in map(checked.merged, checked.groups()):
        by_file.setdefault(finding.place.file, []).append(finding)
    root = etree.Element("testsuites", name="jiaokan")
    suite = etree.SubElement(root, "testsuite", name="jiaokan validate")
    failing = 0
    for file in files:
        case = etree.SubElement(suite, "testcase", name=_as_xml(file), classname="jiaokan.validate")
        errors = [finding for finding in by_file.get(file, ()) if finding.severity == "error"]
        others = [finding for finding in by_file.get(file, ()) if finding.severity != "error"]
        failing += bool(errors)
        if errors:
            message = Message("error-total", count=len(errors), first=errors[0].message)
            failure = etree.SubElement(case, "failure", type=errors[0].rule, message=_as_xml(checked.wording(message)))
            failure.text = _listed(checked, errors)
        if unread := checked.failures.get(file):
            words = _as_xml(checked.wording(unread))
            etree.SubElement(case, "error", type="unchecked", message=words).text = words
        if others:
            etree.SubElement(case, "system-out").text = _listed(checked, others)
    unchecked = sum(file in checked.failures for file in files)
    for element in (root, suite):
        for name, count in (("tests", len(files)), ("failures", failing), ("errors", unchecked)):
            element.set(name, str(count))
    suite.set("skipped", "0")
    data: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return data.decode()


def _listed(checked: Checked, findings: Sequence[Finding]) -> str:
    return _as_xml("\n".join(f"{finding.place}: [{finding.rule}] {checked.full_wording(finding)}"
                             for finding in findings))


def _as_xml(words: str) -> str:
    from jiaokan.tei.tree import FORBIDDEN

    return FORBIDDEN.sub("\ufffd", words)


FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": _text, "json": _json, "github": _github, "junit": _junit,
    "sarif": lambda checked: sarif(checked.findings, checked.lang, checked.full_wording),
}


class _Row(msgspec.Struct, frozen=True):
    rule: str
    severity: Literal["error", "warning", "info"]
    file: str
    line: int
    column: int
    message: str
    mend: str = ""


def load(path: Path) -> tuple[Finding, ...]:
    """Read a baseline, a report made with ``--format json``; raises TeiError for any other file."""
    try:
        rows = msgspec.convert(json.loads(path.read_text(encoding="utf-8")), tuple[_Row, ...])
    except OSError as error:
        raise TeiError(Message("baseline-cannot-read", strerror=error.strerror), place=Place(str(path))) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise TeiError(
            Message("not-baseline", error=error), place=Place(str(path)), mend=Message("make-baseline"),
        ) from None
    return tuple(Finding(r.rule, Place(r.file, r.line, r.column), r.message, r.mend, r.severity) for r in rows)


def compare(
    findings: Sequence[Finding], known: Sequence[Finding], files: Sequence[str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the new findings, and the known ones that were fixed in the checked `files`. A finding is known if the
    baseline has one of the same rule, file and message; its line may have changed."""
    left = Counter(map(fingerprint, known))

    def take(finding: Finding) -> bool:
        mark = fingerprint(finding)
        there = left[mark] > 0
        left[mark] -= there
        return there

    new = tuple(finding for finding in findings if not take(finding))
    return new, tuple(finding for finding in known if finding.place.file in files and take(finding))


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SENTENCE = re.compile(r"(?<=[.。])(?=\s|$|[^\x00-\x7f])")
_SECOND = re.compile(r" \(see line \d+, column \d+\)")


def sarif(findings: Sequence[Finding], lang: str, wording: Callable[[Finding], str]) -> str:
    """Return one run with the rules of the findings and a result for each finding; `wording` returns its text."""
    named = list(dict.fromkeys(finding.rule for finding in findings))
    rules = [_rule(name, lang) for name in named]
    driver = {"name": "jiaokan", "version": __version__, "semanticVersion": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "language": {"zh": "zh-CN"}.get(lang, lang),
        "results": [_result(finding, named.index(finding.rule), wording(finding)) for finding in findings],
    }
    whole = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return as_json(whole)


def _rule(name: str, lang: str) -> dict[str, object]:
    from jiaokan.validate.rules import RULES, explanations  # an unchanged repository is reported without them

    rule = next((candidate for candidate in RULES if candidate.id == name), None)
    explanation = explanations().get(name, Message("given-schema-rule", rule=name))
    words, level = (explanation if rule is None else rule.explanation).in_language(lang), "error"
    help_ = words
    if rule is not None:
        level = _LEVELS[rule.severity]
        example = Message("example-of-rule", wrong=rule.wrong, right=rule.right)
        help_ = f"{words}\n{example.in_language(lang)}"
    return {
        "id": name, "shortDescription": {"text": _SENTENCE.split(words, maxsplit=1)[0]},
        "fullDescription": {"text": words}, "help": {"text": help_}, "defaultConfiguration": {"level": level},
    }


def _result(finding: Finding, index: int, words: str) -> dict[str, object]:
    path = PurePath(finding.place.file)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    place: dict[str, object] = {"artifactLocation": {"uri": uri}}
    region = {"startLine": finding.place.line, "startColumn": finding.place.column}
    if finding.place.line:
        place["region"] = {key: value for key, value in region.items() if value}
    return {
        "ruleId": finding.rule, "ruleIndex": index, "level": _LEVELS[finding.severity], "message": {"text": words},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"jiaokan/v1": fingerprint(finding)},
    }


def fingerprint(finding: Finding) -> str:
    """Return a hash that identifies a finding, whatever its line and the language of the report."""
    words = "\0".join((finding.rule, PurePath(finding.place.file).as_posix(), _SECOND.sub("", finding.message)))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:24]
