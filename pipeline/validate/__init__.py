"""Validation of a TEI file: well-formed, valid against a schema, sound by the edition rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pipeline.errors import Finding, Place, TeiError
from pipeline.tei.tree import parse
from pipeline.validate import rules
from pipeline.validate.folder import Home, home
from pipeline.validate.positions import Places
from pipeline.validate.reading import read
from pipeline.validate.rule import Found, Problem
from pipeline.validate.schema import given, jiaokan, malformed

OURS = "jiaokan"
"""Our own schema's name, where another can be given."""


@dataclass(frozen=True)
class Checks:
    """What a file is checked against."""

    schemas: tuple[str, ...] = (OURS,)
    """Our own, and paths of RNG, XSD and Schematron files. Without ours only rules that hold for any TEI run."""
    ignored: frozenset[str] = frozenset()
    """Ids of rules that are not asked."""


STANDARD = Checks()


def validate(path: Path, checks: Checks = STANDARD) -> tuple[Finding, ...]:
    """Give all findings on a TEI file, in the order of their places; none if it is valid and sound.

    A file that is not XML is one finding. In an edition folder (``tei/witnesses/ID.xml``, ``tei/editions/ID.xml``)
    it is also held against its source, its witnesses and the editor's decisions. Raises TeiError if there is no file
    that can be read, or a schema that cannot be used.
    """
    data = read(path)
    return validate_bytes(data, name=str(path), checks=checks, folder=home(path, data))


def validate_bytes(
    data: bytes, *, name: str, checks: Checks = STANDARD, folder: Home | None = None
) -> tuple[Finding, ...]:
    """Give all findings on a document in memory; `name` is its name in messages."""
    try:
        root = parse(data, name=name)
    except TeiError as error:
        return (Finding("xml-malformed", *malformed.told(error, name)),)
    found: list[Found] = []
    try:
        for schema in checks.schemas:
            check = jiaokan.check if schema == OURS else partial(given.check, Path(schema))
            found += check(root)
    except RecursionError:
        return (Finding("xml-malformed", Place(name), "elements are nested too deeply"),)
    asked = rules.check(root, folder, tei_only=OURS not in checks.schemas, ignored=checks.ignored)
    told = {(each.problem.element, each.problem.attribute) for each in found if each.problem.attribute}
    found += [Found(rule.id, rule.severity, each) for rule, each in asked if (each.element, each.attribute) not in told]
    places = Places(root, data, name) if found else None
    findings = {
        Finding(each.rule, places.of(each.problem), _message(each.problem, places), each.problem.mend,
                each.severity)
        for each in found if places and each.rule not in checks.ignored
    }
    return tuple(sorted(findings, key=lambda finding: (finding.place, finding.rule, finding.message)))


def _message(problem: Problem, places: Places) -> str:
    """A problem's message, with its second place if it has one."""
    if problem.other is None:
        return problem.message
    other = places.of(Problem(problem.other, ""))
    return f"{problem.message} (see line {other.line}, column {other.column})"
