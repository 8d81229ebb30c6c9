"""`jiaokan validate`: TEI files, schemas and the rules for editions."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jiaokan.api.inputs import nearest_file
from jiaokan.cli import _report, _severities
from jiaokan.cli._folder import texts_folder_option
from jiaokan.cli._paths import TEXT_PATH
from jiaokan.cli._terminal import Bar, lang_option, say
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.system.listing import input_files
from jiaokan.system.verdicts import FileFindings, recall, remember, run_key

if TYPE_CHECKING:
    from jiaokan.system.sandbox import Sandbox

_RANK = {"error": 0, "warning": 1, "info": 2}
_ENTRIES = "tei-apps"
_FILE = click.Path(path_type=Path)


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=TEXT_PATH)
@texts_folder_option
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "junit", "sarif"]), default="text",
              show_default=True, help="option-validate-format")
@click.option("--schema", "schemas", multiple=True, metavar="FILE", help="option-validate-schema")
@click.option("--ignore", multiple=True, metavar="RULE", help="option-validate-ignore")
@click.option("--baseline", type=_FILE, help="option-validate-baseline")
@click.option("--changed-since", metavar="REV", help="option-validate-changed-since")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True,
              help="option-validate-fail-on")
@lang_option
@click.option("--jobs", type=click.IntRange(1), help="option-validate-jobs")
@click.option("-v", "--verbose", is_flag=True, help="option-validate-verbose")
@click.option("--sandbox", is_flag=True, help="option-validate-sandbox")
def command(
    paths: tuple[Path, ...], form: str, schemas: tuple[str, ...], ignore: tuple[str, ...], baseline: Path | None,
    changed_since: str | None, fail_on: str, lang: str, jobs: int | None, verbose: bool, sandbox: bool,
) -> None:
    """Validate TEI files against schemas and edition rules.

    \b
    Example:  jiaokan validate tei/editions/lunyu.xml tei/witnesses/
              jiaokan validate --schema tei_all.rng --schema house.sch --format sarif letters/ > findings.sarif
              jiaokan validate --format json tei > known.json; jiaokan validate --baseline known.json tei
    """
    known = _report.load(baseline) if baseline else ()
    levels = _severities.load(Path.cwd())
    if not verbose and form not in ("json", "sarif") and levels.get(_ENTRIES, "info") in ("info", "off"):
        ignore = (*ignore, _ENTRIES)  # nobody would see what takes a tenth of the time to find
    if sandbox or changed_since is not None or Path("-") in paths:
        results = _check(paths, changed_since, schemas, ignore, jobs or 0, sandbox=sandbox)
    else:
        results = _check_once(paths, schemas, ignore, jobs or 0)
    findings = _severities.apply((finding for result in results for finding in result.findings), levels)
    files = [result.file for result in results]
    new, fixed = _report.compare(findings, known, files) if baseline else (findings, ())
    lines = {(result.file, n): line for result in results for n, line in result.lines.items()}
    failures = {result.file: Message.of(result.failure) for result in results if result.failure}
    checked = _report.Checked(new, files, lines, lang, failures, verbose)
    say(_report.report(checked, form), nl=False)
    for finding in fixed:
        say(Message("finding-fixed", place=finding.place, rule=finding.rule, message=finding.message), err=True)
    for failure in failures.values():
        say(Message("error-head", message=failure), err=True)
    say(_summary(checked, len(findings) - len(new)), err=True)
    if failures:
        raise click.exceptions.Exit(2)
    if any(_RANK[finding.severity] <= _RANK[fail_on] for finding in new):
        raise click.exceptions.Exit(1)


def _summary(checked: _report.Checked, known: int) -> Message:
    notes = sum(finding.severity == "info" for finding in checked.findings)
    errors = sum(finding.severity == "error" for finding in checked.findings)
    more = Message("findings-known", more=known) if known else ""
    more += Message("findings-of-info", count=notes) if notes and not checked.verbose else ""
    count = len(checked.findings) - (0 if checked.verbose else notes)
    files = Message("file-count", count=len(checked.files) - len(checked.failures))
    return Message("files-checked", files=files, findings=Message("finding-count", count=count),
                   errors=Message("error-count", count=errors), known=more)


def _confine(paths: tuple[Path, ...], schemas: tuple[str, ...], revision: str | None) -> Sandbox:
    from jiaokan.system.sandbox import around, confine
    from jiaokan.validate import store

    looked_at = [path if path.is_dir() else _home(path) for path in paths if str(path) != "-"]
    looked_at += [Path(schema).parent for schema in schemas if Path(schema).is_file()]
    with contextlib.suppress(OSError):  # the sandbox would forbid it later
        store().home.mkdir(parents=True, exist_ok=True)
    sandbox = around(looked_at, keeps=[store().home], programs=["git"] if revision is not None else [])
    confine(sandbox)
    return sandbox


def _home(file: Path) -> Path:
    tei = file.resolve().parent.parent
    return tei.parent if (tei / "catalog.toml").exists() else file.resolve().parent


def _check_once(
    paths: tuple[Path, ...], schemas: tuple[str, ...], ignore: tuple[str, ...], jobs: int
) -> list[FileFindings]:
    """Return the results of a run, or those of an earlier one whose files are unchanged."""
    files = tuple(dict.fromkeys(file for path in paths for file in _files(path)))
    begun, key = time.time(), run_key(files, schemas, sorted(ignore))
    if (known := recall(key)) is not None:
        return list(known)
    results = _check(paths, None, schemas, ignore, jobs, sandbox=False)
    from jiaokan import api
    from jiaokan.validate.files import inputs

    if (needed := inputs(files, api.checks(schemas, ignore))) is not None:
        remember(key, results, needed, begun)
    return results


def _check(
    paths: tuple[Path, ...], revision: str | None, schemas: tuple[str, ...], ignore: tuple[str, ...], jobs: int, *,
    sandbox: bool,
) -> list[FileFindings]:
    from jiaokan import api
    from jiaokan.system.listing import STDIN, read_stream
    from jiaokan.validate.files import changed_since, check_bytes, check_files, faulty_settings

    checks = api.checks(schemas, ignore, cached=True)
    confined = _confine(paths, schemas, revision) if sandbox else None
    files = tuple(dict.fromkeys(file for path in paths if str(path) != "-" for file in _files(path)))
    if revision is not None:
        files = changed_since(revision, files)
    results = list(faulty_settings(files))
    with Bar(len(files)) as bar:
        for result in check_files(files, checks, jobs=jobs, sandbox=confined):
            results.append(result)
            bar.start(result.file)
            bar.done(result.file, quiet=True)
    if Path("-") in paths:
        results.append(check_bytes(read_stream(sys.stdin.buffer), STDIN, checks))
    return results


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        xml_files = [path_given for path_given in input_files(path) if path_given.suffix == ".xml"]
        if not xml_files:
            raise JiaokanError(Message("no-xml-folder"), place=Place(str(path)),
                               mend=Message("hidden-folders-outputs-build-skipped"))
        yield from xml_files
    elif path.exists():
        yield path
    else:
        raise JiaokanError(Message("file-not-found"), place=Place(str(path)), mend=nearest_file(path))


COMMANDS = (command,)
