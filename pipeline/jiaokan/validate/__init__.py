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
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from jiaokan.errors import Finding, Message, Place, TeiError, suggestion
from jiaokan.model.pointers import address
from jiaokan.model.vocabulary import TEI
from jiaokan.system.listing import below, read, resource
from jiaokan.system.process import without_collection
from jiaokan.system.store import Store, cache_folder, program, states
from jiaokan.tei import included
from jiaokan.tei.persons import is_ours
from jiaokan.tei.tree import SCHEMAS, Element, local, parse
from jiaokan.validate import rules
from jiaokan.validate.positions import Places
from jiaokan.validate.rule import NOTHING, Found, Home, Problem, Rule, home
from jiaokan.validate.rules import general
from jiaokan.validate.schema import jiaokan

OURS = "jiaokan"  # the name of our own schema, where a file can be given instead
OWN = "auto"  # the schema that a file names itself
TEI_ALL = "schema/tei_all.rng.xz"
PREFIXES = 2000
"""Prefixes of namespaces that a file may declare: Saxon's limit is 2047, and other libraries take quadratic time."""
_PREFIX = re.compile(rb"\bxmlns:([^\s=]+)")
_MODEL = re.compile(rb"<\?xml-model\s+(.*?)\?>", re.S)
_HREF = re.compile(rb"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KNOWN = ("tei_all.rng", "tei_all.rnc", "tei_all.xsd", "tei_all.dtd")
"""Published forms of ``tei_all``, which comes with the program and need not be fetched."""
_SCHEMA_SUFFIXES = (".rng", ".rnc", ".xsd", ".sch")
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
    try:
        root = parse(data, name=name)
    except TeiError as error:
        return (Finding("xml-malformed", *jiaokan.explain(error, name)),)
    if len(prefixes := {*_PREFIX.findall(data)}) > PREFIXES:
        return (Finding("structure", Place(name), Message("prefixes-declared", count=len(prefixes)),
                        Message("expected-most", prefixes=PREFIXES)),)
    chosen = _choose_schemas(checks, root, data, path, at_home=folder is not None)
    entry = _home_key(data, checks, folder)
    if checks.cached and folder is None and not included.includes(root):
        pointed = states(general.pointed_files(data, path.parent)) if path else {}
        options = (*sorted(checks.ignored), *chosen.schemas, *(note.problem.message for note in chosen.notes),
                   "named" if chosen.named else "given", *map(str, pointed.items()))
        entry = _key(data, options, [Path(path) for path in chosen.schemas if path != OURS])
        if (known := _stored_findings(entry, name)) is not None:
            return known
    findings = _findings(root, data, name, checks.ignored, chosen, folder, path)
    if checks.entries is not None and OURS not in chosen.schemas and "tei-apps" not in checks.ignored:
        findings += tuple(finding for finding in checks.entries(data, name) if finding.rule not in checks.ignored)
    if entry:
        store().put(entry, "", [replace(finding, place=replace(finding.place, file="")) for finding in findings])
    return findings


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


class _SchemaChoice(NamedTuple):
    """The schemas for one file, findings about the choice, and whether the file names them. The rules of editions apply
    if `OURS` is among them."""

    schemas: tuple[str, ...]
    notes: tuple[Found, ...] = ()
    named: bool = False


def named_schemas(data: bytes) -> list[str]:
    """Return the addresses of the schemas that a document names by ``xml-model``."""
    text = data.decode("utf-16", "replace").encode() if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
    first = re.search(rb"<[A-Za-z_]", text)
    named = map(_HREF.search, _MODEL.findall(text[: first.start() if first else 0]))
    return [(match[1] or match[2] or b"").decode("utf-8", "replace").replace("&amp;", "&") for match in named if match]


def is_foreign(checks: Checks, data: bytes) -> bool:
    """Whether a document (`data`, or its beginning) is checked by a schema that does not come with the program: its
    expressions may take for ever."""
    named = named_schemas(data) if OWN in checks.schemas else []
    schemas = [schema for schema in checks.schemas if schema not in (OURS, OWN) and Path(schema) != resource(TEI_ALL)]
    return bool(schemas) or any(not href.endswith((*_KNOWN, *SCHEMAS)) for href in named)


def _choose_schemas(checks: Checks, root: Element, data: bytes, path: Path | None, *, at_home: bool) -> _SchemaChoice:
    """Return what a document is checked against: the schemas given, or for `OWN` those that it names."""
    if OWN not in checks.schemas:
        return _SchemaChoice(checks.schemas)
    models = named_schemas(data)
    if at_home or is_ours(root) or any(href.rpartition("/")[2] in SCHEMAS for href in models):
        return _SchemaChoice((OURS,))
    if etree.QName(root).namespace != TEI and local(root) not in ("TEI", "teiCorpus"):
        name = etree.QName(root)
        problem = Problem(root, Message("not-tei-outermost-element", element=name.localname),
                          Message("name-schema-schema-file"))
        if name.localname in ("TEI", "teiCorpus"):
            message = Message("root-in-other-namespace", element=name.localname, namespace=name.namespace)
            problem = Problem(root, message, Message("write-namespace-of-tei", tei=TEI))
        return _SchemaChoice((), (Found("tei-none", "error", problem),))
    schemas, notes = [], []
    for href in dict.fromkeys(models):
        parts = address(href)
        with contextlib.suppress(OSError):  # a name that no system can have
            beside = (path or Path()).parent / unquote(parts.path)
            there = path and parts.path and not parts.scheme and not parts.netloc and beside.suffix != ".odd"
            if there and beside.is_file():
                schemas.append(str(beside))
                continue
        if parts.path.endswith(_KNOWN):
            schemas.append(str(resource(TEI_ALL)))
        else:
            notes.append(Found("schema-unread", "error", _missing_schema(root, href, path)))
    return _SchemaChoice(tuple(dict.fromkeys(schemas)) or (str(resource(TEI_ALL)),), tuple(notes), named=True)


def _missing_schema(root: Element, href: str, path: Path | None) -> Problem:
    """Return the problem of a schema that a document names, at the instruction that names it."""
    mend = Message("tei-used-instead-give-copy")
    parts = address(href)
    if path and not parts.scheme and not parts.netloc:
        folder, _, name = unquote(parts.path).rpartition("/")
        with contextlib.suppress(OSError):
            beside = [file.name for file in (path.parent / folder).iterdir() if file.suffix in _SCHEMA_SUFFIXES]
            mend = suggestion(name, sorted(beside), mend, prefix=f"{folder}/" if folder else "")
    return Problem(root, Message("the-schema-file-names-not-available", href=href), mend,
                   before=href.replace("&", "&amp;"))


def _findings(
    root: Element, data: bytes, name: str, ignored: frozenset[str], chosen: _SchemaChoice, folder: Home | None,
    path: Path | None,
) -> tuple[Finding, ...]:
    ours, problems_found = OURS in chosen.schemas, list(chosen.notes)
    try:
        problems_found += _by_schemas(root, chosen, path)
    except RecursionError:
        return (Finding("xml-malformed", Place(name), Message("elements-nested-too-deeply")),)
    not_tei = not chosen.schemas and chosen.notes
    problems = [] if not_tei else rules.check(root, folder, tei_only=not ours, ignored=ignored,
                                              beside=path and path.parent)
    if str(resource(TEI_ALL)) in chosen.schemas:
        problems_found = _without_repeated(problems_found, problems)
    by_schema = {(item.problem.element, item.problem.attribute) for item in problems_found if item.problem.attribute}
    problems_found += [Found(rule.id, rule.severity if ours else rule.elsewhere or rule.severity, problem)
                       for rule, problem in problems if (problem.element, problem.attribute) not in by_schema]
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


def _by_schemas(root: Element, chosen: _SchemaChoice, path: Path | None) -> Iterator[Found]:
    whole = None
    if path and included.includes(root):
        whole = included.Including(root, path, included.reach_of(path))
        for failed in whole.failed:
            message = _name_included_file(failed.message, failed.place)
            yield Found("structure", "error", Problem(failed.element, message, failed.mend))
    for schema in chosen.schemas:
        document = whole.root if whole else root
        if schema == OURS:
            schema_findings = jiaokan.check(document)
        else:
            from jiaokan.validate.schema import given  # another's schema needs half a second more to load

            schema_findings = given.check(Path(schema), document)
        for finding in schema_findings:
            problem = finding.problem
            at = whole.origin(problem.element) if whole else problem.element
            message = problem.message
            if whole:
                message = _name_included_file(message, whole.place(problem.element, ""))
            moved = replace(problem, element=at, message=message, other=None, spot=None)
            yield finding if at is problem.element else replace(finding, problem=moved)


def _name_included_file(message: Message, place: Place) -> Message:
    """Return a message on a place of an included file; on one of the file itself as it is."""
    return Message("in-included-file", message=message, place=str(place)) if place.file else message

