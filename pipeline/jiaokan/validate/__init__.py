"""Validation of a TEI file: well-formed, valid by its schema, sound by the edition rules.

In come bytes of a TEI file; out go findings with line, column and remedy. Read first `rule` (what a rule is),
`schema.jiaokan` (structure by our schema) and `rules.apparatus` (rules as most are).

Our own schema and the rules of editions are for TEI of our own encoding; any other file is checked by the schema that
it names by ``xml-model`` (W3C Note "Associating Schemas with XML documents 1.0"), or else against ``tei_all``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jiaokan.errors import Finding, Message, Place, TeiError
from jiaokan.system.listing import below, read
from jiaokan.system.process import without_collection
from jiaokan.system.store import Store, cache_folder, program, states
from jiaokan.tei import included
from jiaokan.tei.tree import Element, parse
from jiaokan.validate import choice, rules
from jiaokan.validate.choice import OURS, OWN, SchemaChoice, choose_schemas
from jiaokan.validate.homes import Home, home
from jiaokan.validate.positions import Places
from jiaokan.validate.rule import NOTHING, Found, Problem, Rule, Spot
from jiaokan.validate.rules import general
from jiaokan.validate.schema import jiaokan

PREFIXES = 2000
"""Prefixes of namespaces that a file may declare: Saxon's limit is 2047, and other libraries take quadratic time."""
_PREFIX = re.compile(rb"\bxmlns:([^\s=]+)")
_ENCODING = re.compile(r"\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_LACKS = frozenset({"something-required-missing-out-order", "element-lacks-child"})
"""Messages of the schemas on an element that lacks others."""
_STORED = 30_000
"""Files whose findings are stored; some hundred bytes each. With fewer than a library has texts none would be found
again: they are checked in the same order each time, and the oldest are removed first."""


@dataclass(frozen=True)
class Checks:
    """What a file is checked against."""

    schemas: tuple[str, ...] = (OURS,)
    """`OURS`, `OWN` (the schema that each file names), and paths of RELAX NG, XSD and Schematron files. Without
    `OURS` only rules for any TEI run."""
    ignored: frozenset[str] = frozenset()
    cached: bool = False
    entries: Callable[[bytes, str], tuple[Finding, ...]] | None = None
    """Returns what becomes of the entries of a file that is not ours, by its data and name: readers know."""


STANDARD = Checks()


def validate(path: Path, checks: Checks = STANDARD) -> tuple[Finding, ...]:
    """Return all findings on a TEI file by place; none if it is valid and sound. A file that is not XML is one finding.
    In an edition folder (``tei/witnesses/ID.xml``, ``tei/editions/ID.xml``) it is also compared with its source, its
    witnesses and the editor's decisions. Raises TeiError if the file cannot be read or a schema cannot be used."""
    data = read(path)
    return validate_bytes(data, name=str(path), checks=checks, folder=home(path, data), path=path)


@without_collection()
def validate_bytes(
    data: bytes, *, name: str, checks: Checks = STANDARD, folder: Home | None = None, path: Path | None = None
) -> tuple[Finding, ...]:
    """Return all findings on a document in memory; `name` is its name in messages, `path` its file, if it has one.
    Files that it includes (XInclude) are read from its own folder and below, and from the current folder."""
    if (known := cached_findings(data, name, checks, folder)) is not None:
        return known
    if lie := _declared_otherwise(data):
        return (Finding("xml-malformed", Place(name, 1), Message("utf16-says-otherwise", encoding=lie),
                        Message("write-encoding-utf16")),)
    try:
        root = parse(data, name=name)
    except TeiError as error:
        return (Finding("xml-malformed", *jiaokan.explain(error, name)),)
    if len(prefixes := {*_PREFIX.findall(data)}) > PREFIXES:
        return (Finding("structure", Place(name), Message("prefixes-declared", count=len(prefixes)),
                        Message("expected-most", prefixes=PREFIXES)),)
    chosen = choose_schemas(checks.schemas, root, data, path, at_home=folder is not None)
    entry = _home_key(data, checks, folder)
    if checks.cached and folder is None and not included.includes(root):
        pointed = states(general.pointed_files(data, path.parent)) if path else {}
        options = (*sorted(checks.ignored), *chosen.schemas, *(note.problem.message for note in chosen.notes),
                   *chosen.named.values(), *map(str, pointed.items()))
        entry = _key(data, options, [Path(path) for path in chosen.schemas if path != OURS])
        if (known := _stored_findings(entry, name)) is not None:
            return known
    findings = _findings(root, data, name, checks.ignored, chosen, folder, path)
    if checks.entries is not None and OURS not in chosen.schemas and "tei-apps" not in checks.ignored:
        findings += tuple(finding for finding in checks.entries(data, name) if finding.rule not in checks.ignored)
    if entry:
        store().put(entry, "", [replace(finding, place=replace(finding.place, file="")) for finding in findings])
    return findings


def _declared_otherwise(data: bytes) -> str:
    """Return the encoding that a file in UTF-16 declares, if it is another; other programs reject such a file."""
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return ""
    declared = _ENCODING.match(data[:400].decode("utf-16", "replace"))
    return "" if declared is None or declared[1].lower().startswith(("utf-16", "iso-10646-ucs-2")) else declared[1]


def cached_findings(data: bytes, name: str, checks: Checks, folder: Home | None) -> tuple[Finding, ...] | None:
    """Return the cached findings on a file of an edition folder, which need not be parsed; None if there are none."""
    entry = _home_key(data, checks, folder)
    return _stored_findings(entry, name) if entry else None


def store() -> Store:
    """Return the store of findings: a file is not checked again while content, schemas, options and program are the
    same, and for a file of an edition folder the content of the whole folder ``tei``, at all of which rules look."""
    return Store(cache_folder("verdicts"), limit=_STORED)


def _stored_findings(entry: str, file: str) -> tuple[Finding, ...] | None:
    findings = store().get(entry, "", tuple[Finding, ...])
    return findings and tuple(replace(finding, place=replace(finding.place, file=file)) for finding in findings)


def _home_key(data: bytes, checks: Checks, folder: Home | None) -> str:
    """Return the cache key of a file of an edition folder; empty if it is in none, or its findings are not cached."""
    if not checks.cached or folder is None or checks.schemas not in ((OWN,), (OURS,)) or b"XInclude" in data:
        return ""
    place = folder.path.relative_to(folder.root).as_posix()
    return _key(data, (*sorted(checks.ignored), *checks.schemas, place, _folder_digest(folder.root)), ())


def _key(data: bytes, options: Iterable[str], schemas: Iterable[Path]) -> str:
    digest = hashlib.sha256(program().encode())
    for part in (*options, *(_schema_digest(part.resolve(), part.stat().st_mtime_ns) for part in schemas)):
        digest.update(f"{part}\0".encode())
    digest.update(data)
    return digest.hexdigest()


@functools.cache
def _folder_digest(root: Path) -> str:
    digest = hashlib.sha256()
    for name in ("pylopdf-fonts-zh-cn", "uharfbuzz"):  # `character-fontless` depends on the fonts
        with contextlib.suppress(PackageNotFoundError):
            digest.update(version(name).encode())
    for path in below(root / "tei"):
        if not path.name.startswith("."):
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
            digest.update(hashlib.sha256(read(path)).digest())
    return digest.hexdigest()


@functools.cache
def _schema_digest(schema: Path, _changed: int) -> str:
    digest = hashlib.sha256(read(schema))
    for path in sorted(schema.parent.glob("*")) if schema.suffix in (".xsd", ".rng", ".rnc") else ():
        if path.suffix == schema.suffix and path.is_file():
            state = path.stat()
            digest.update(f"{path.name} {state.st_size} {state.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _findings(
    root: Element, data: bytes, name: str, ignored: frozenset[str], chosen: SchemaChoice, folder: Home | None,
    path: Path | None,
) -> tuple[Finding, ...]:
    ours = OURS in chosen.schemas
    whole = included.Including(root, path, included.reach_of(path)) if path and included.includes(root) else None
    document = whole.root if whole else root
    try:
        by_schema = [item for item in _by_schemas(document, chosen) if not _is_of_missing_file(item, whole)]
    except RecursionError:
        return (Finding("xml-malformed", Place(name), Message("elements-nested-too-deeply")),)
    not_tei = not chosen.schemas and chosen.notes
    problems = [] if not_tei else rules.check(document, folder, tei_only=not ours, ignored=ignored, whole=whole,
                                              beside=path and path.parent)
    if choice.tei_all() in chosen.schemas:
        by_schema = _without_repeated(by_schema, problems)
    reported = {(item.problem.element, item.problem.attribute) for item in by_schema if item.problem.attribute}
    by_rules = [Found(rule.id, rule.severity if ours else rule.elsewhere or rule.severity, problem)
                for rule, problem in problems if (problem.element, problem.attribute) not in reported]
    problems_found = [*chosen.notes, *_by_inclusion(whole), *(_at_origin(item, whole) for item in by_schema + by_rules)]
    places: Places | None = None
    findings: set[Finding] = set()
    for item in (item for item in problems_found if item.rule not in ignored):
        places = places or Places(root, data, name)
        message, mend, other = item.problem.message, item.problem.mend, item.problem.other
        if other is not None:
            at = places.of(Problem(other, NOTHING))
            message = Message("see-line-column", message=message, line=at.line, column=at.column)
        findings.add(Finding(item.rule, places.of(item.problem), message, mend, item.severity))
    sound = "structure" not in ignored and all(item.severity != "error" for item in problems_found)
    if folder and ours and sound and folder.document is None and folder.fault:
        # what the schema allows and `from_tei` rejects: e.g. a title with @cert and without @resp
        place, message, mend = jiaokan.explain(folder.fault, name)
        findings.add(Finding("structure", Place(name, place.line, place.column), message, mend, "error"))
    return tuple(sorted(findings, key=lambda finding: (finding.place, finding.rule, finding.message)))


def _without_repeated(broken: list[Found], problems: list[tuple[Rule, Problem]]) -> list[Found]:
    """Leave out what the rules of ``tei_all`` say of an attribute that a rule of ours reports with its remedy."""
    reported = [(problem.element, f"@{problem.attribute} ") for _, problem in problems if problem.attribute]
    return [item for item in broken if item.rule != "schematron" or not any(
        element is item.problem.element and name in item.problem.message for element, name in reported)]


def _by_schemas(document: Element, chosen: SchemaChoice) -> Iterator[Found]:
    unread = False
    for schema in chosen.schemas:
        if schema == OURS:
            yield from jiaokan.check(document)
            continue
        from jiaokan.validate.schema import given  # another's schema needs half a second more to load

        try:
            given.load(Path(schema))
        except TeiError as error:
            if schema not in chosen.named:
                raise
            href, unread = chosen.named[schema], unread or choice.is_grammar(schema)
            message = Message("the-schema-file-names-unusable", href=href, reason=error.message)
            yield Found("schema-unread", "error", choice.at_name(document, href, message, Message.of(error.mend or "")))
            continue
        yield from given.check(Path(schema), document)
    if unread and choice.tei_all() not in chosen.schemas:
        yield from given.check(Path(choice.tei_all()), document)


def _by_inclusion(whole: included.Including | None) -> Iterator[Found]:
    for failed in whole.failed if whole else ():
        message = _name_included_file(failed.message, failed.place)
        yield Found("structure", "error", Problem(failed.element, message, failed.mend))


def _is_of_missing_file(item: Found, whole: included.Including | None) -> bool:
    """Whether an element lacks only what a missing file may have, which is a finding already."""
    return whole is not None and item.problem.element in whole.incomplete and item.problem.message.id in _LACKS


def _at_origin(item: Found, whole: included.Including | None) -> Found:
    """Return a problem of a document with its included files at the place in the file itself."""
    if whole is None:
        return item
    problem = item.problem
    place, other = whole.place(problem.element, ""), problem.other
    message = _name_included_file(problem.message, place)
    if other is not None and (elsewhere := whole.place(other, "")).file:
        message, other = Message("see-place", message=message, place=str(elsewhere)), None
    spot = problem.spot
    if spot is not None:
        after = spot.after if spot.after is None else whole.origin(spot.after)
        spot = None if place.file else Spot(after, spot.offset)
    moved = replace(problem, element=whole.origin(problem.element), message=message, spot=spot,
                    other=None if other is None else whole.origin(other))
    return replace(item, problem=moved)


def _name_included_file(message: Message, place: Place) -> Message:
    """Return a message on a place of an included file; on one of the file itself as it is."""
    return Message("in-included-file", message=message, place=str(place)) if place.file else message
