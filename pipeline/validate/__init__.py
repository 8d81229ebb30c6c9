"""Validation of one TEI file: well-formed, valid against the schema, sound by the edition rules."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from pipeline.errors import Finding, Place, TeiError
from pipeline.tei.tree import Element, parse, place
from pipeline.validate import rules, structure
from pipeline.validate.registry import Problem


def validate(path: Path) -> tuple[Finding, ...]:
    """Give all findings on a TEI file, in the order of their places; none if it is valid and sound.

    A file that is not XML is one finding. Raises TeiError if there is no file to read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TeiError(f"cannot be read: {error.strerror}", place=Place(str(path))) from None
    return validate_bytes(data, name=str(path))


def validate_bytes(data: bytes, *, name: str) -> tuple[Finding, ...]:
    """Give all findings on a document in memory; `name` is its name in messages."""
    try:
        root = parse(data, name=name)
    except TeiError as error:
        return (Finding("xml-malformed", error.place or Place(name), error.message, error.mend),)
    try:
        found = [("structure", "error", each) for each in structure.check(root)]
    except RecursionError:
        return (Finding("xml-malformed", Place(name), "elements are nested too deeply"),)
    found += [(rule.id, rule.severity, each) for rule, each in rules.check(root)]
    places = _Places(root, data, name) if found else None
    findings = [
        Finding(rule, places.of(each.element), _message(each, places), each.mend, severity)  # type: ignore[arg-type]
        for rule, severity, each in found if places
    ]
    return tuple(sorted(findings, key=lambda finding: (finding.place, finding.rule, finding.message)))


def _message(problem: Problem, places: _Places) -> str:
    """A problem's message, with its second place if it has one."""
    if problem.other is None:
        return problem.message
    other = places.of(problem.other)
    return f"{problem.message} (see line {other.line}, column {other.column})"


class _Places:
    """Line and column of each element; lxml knows lines only, so expat reads the file again."""

    def __init__(self, root: Element, data: bytes, name: str) -> None:
        self.name = name
        self.order = {element: n for n, element in enumerate(each for each in root.iter() if isinstance(each.tag, str))}
        self.starts: list[tuple[int, int]] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda *_: self.starts.append(
            (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        )
        try:
            parser.Parse(data, True)
        except expat.ExpatError:
            self.starts.clear()

    def of(self, element: Element) -> Place:
        """Give the place where an element begins."""
        at = self.order.get(element, -1)
        if 0 <= at < len(self.starts):
            return Place(self.name, *self.starts[at])
        return place(element, self.name)
