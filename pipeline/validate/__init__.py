"""Validation of a TEI file: well-formed, valid by its schema, sound by the edition rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import Finding, Message, Place, TeiError
from pipeline.system.resources import resource
from pipeline.tei.tree import Element, parse
from pipeline.validate import cache, rules
from pipeline.validate.folder import Home, home
from pipeline.validate.positions import Places
from pipeline.validate.profile import OURS, OWN, TEI_ALL, Profile, profile, unread
from pipeline.validate.reading import read
from pipeline.validate.rule import NOTHING, Found, Problem
from pipeline.validate.schema import included, jiaokan

__all__ = ["OURS", "OWN", "STANDARD", "Checks", "validate", "validate_bytes"]


@dataclass(frozen=True)
class Checks:
    """What a file is checked against."""

    schemas: tuple[str, ...] = (OURS,)
    """`OURS`, `OWN` (the schema that each file names), and paths of RELAX NG, XSD, Schematron and ODD files. Without
    `OURS` only rules for any TEI run."""
    ignored: frozenset[str] = frozenset()
    """Ids of rules to skip."""
    cached: bool = False
    """Whether to use the cache of findings."""


STANDARD = Checks()


def validate(path: Path, checks: Checks = STANDARD) -> tuple[Finding, ...]:
    """Return all findings on a TEI file by place; none if it is valid and sound.

    A file that is not XML is one finding. In an edition folder (``tei/witnesses/ID.xml``, ``tei/editions/ID.xml``)
    it is also compared with its source, its witnesses and the editor's decisions. Raises TeiError if the file cannot be
    read or a schema cannot be used.
    """
    data = read(path)
    return validate_bytes(data, name=str(path), checks=checks, folder=home(path, data), path=path)


def validate_bytes(
    data: bytes, *, name: str, checks: Checks = STANDARD, folder: Home | None = None, path: Path | None = None
) -> tuple[Finding, ...]:
    """Return all findings on a document in memory; `name` is its name in messages, `path` its file, if it has one.

    Files that it includes (XInclude) are read from its own folder and below, and from the current folder.
    """
    if (known := cached(data, name, checks, folder)) is not None:
        return known
    try:
        root = parse(data, name=name)
    except TeiError as error:
        return (Finding("xml-malformed", *jiaokan.explain(error, name)),)
    chosen = profile(checks.schemas, root, data, path, at_home=folder is not None)
    cache_name = _cache_key(data, checks, folder)
    if checks.cached and folder is None and not included.includes(root):
        options = (*sorted(checks.ignored), *chosen.schemas, *(note.problem.message for note in chosen.notes),
                   "named" if chosen.named else "given")
        cache_name = cache.key(data, options, [Path(each) for each in chosen.schemas if each != OURS])
        if (known := cache.kept(cache_name, name)) is not None:
            return known
    findings = _findings(root, data, name, replace(checks, schemas=chosen.schemas), chosen, folder, path)
    if cache_name:
        cache.keep(cache_name, findings)
    return findings


def cached(data: bytes, name: str, checks: Checks, folder: Home | None) -> tuple[Finding, ...] | None:
    """Return the cached findings on a file of an edition folder, which need not be parsed; None if there are none."""
    cache_name = _cache_key(data, checks, folder)
    return cache.kept(cache_name, name) if cache_name else None


def _cache_key(data: bytes, checks: Checks, folder: Home | None) -> str:
    """Return the cache key of a file of an edition folder; empty if it is in none, or its findings are not cached."""
    if not checks.cached or folder is None or checks.schemas not in ((OWN,), (OURS,)) or b"XInclude" in data:
        return ""
    return cache.key_at_home(data, (*sorted(checks.ignored), *checks.schemas), folder.root, folder.path)


def _findings(
    root: Element, data: bytes, name: str, checks: Checks, chosen: Profile, folder: Home | None, path: Path | None
) -> tuple[Finding, ...]:
    found = list(chosen.notes)
    try:
        found += _by_schemas(root, chosen, path)
    except RecursionError:
        return (Finding("xml-malformed", Place(name), Message("elements are nested too deeply")),)
    not_tei = not chosen.schemas and chosen.notes
    problems = [] if not_tei else rules.check(root, folder, tei_only=not chosen.ours, ignored=checks.ignored)
    by_schema = {(each.problem.element, each.problem.attribute) for each in found if each.problem.attribute}
    found += [Found(rule.id, rule.severity if chosen.ours else rule.elsewhere or rule.severity, each)
              for rule, each in problems if (each.element, each.attribute) not in by_schema]
    places: Places | None = None
    findings: set[Finding] = set()
    for each in (each for each in found if each.rule not in checks.ignored):
        places = places or Places(root, data, name)
        message, mend, other = each.problem.message, each.problem.mend, each.problem.other
        if other is not None:
            at = places.of(Problem(other, NOTHING))
            message = Message("{} (see line {}, column {})", message, at.line, at.column)
        findings.add(Finding(each.rule, places.of(each.problem), message, mend, each.severity))
    sound = "structure" not in checks.ignored and all(each.severity != "error" for each in found)
    if folder and chosen.ours and sound and folder.document is None and folder.fault:
        # what the schema allows and `from_tei` rejects: e.g. a title with @cert and without @resp
        place, message, mend = jiaokan.explain(folder.fault, name)
        findings.add(Finding("structure", Place(name, place.line, place.column), message, mend, "error"))
    return tuple(sorted(findings, key=lambda finding: (finding.place, finding.rule, finding.message)))


def _by_schemas(root: Element, chosen: Profile, path: Path | None) -> Iterator[Found]:
    whole = None
    if path and included.includes(root):
        here = Path.cwd()
        reach = here if path.resolve().is_relative_to(here) else path.resolve().parent
        whole = included.Including(root, path, reach)
        yield from (Found("structure", "error", each) for each in whole.problems)
    for schema in chosen.schemas:
        document = whole.root if whole else root
        try:
            found = jiaokan.check(document) if schema == OURS else _given(Path(schema), document)
        except TeiError:  # an ODD that builds on the TEI's own declarations; the file is not left unchecked for it
            if not (chosen.named and schema.endswith(".odd")):
                raise
            found = [unread(root, Path(schema).name), *_given(resource(TEI_ALL), document)]
        for each in found:
            problem = each.problem
            at = whole.origin(problem.element) if whole else problem.element
            moved = replace(problem, element=at, other=None, spot=None)
            yield each if at is problem.element else replace(each, problem=moved)


def _given(schema: Path, document: Element) -> list[Found]:
    from pipeline.validate.schema import given  # another's schema needs more than ours: half a second to load

    return given.check(schema, document)
