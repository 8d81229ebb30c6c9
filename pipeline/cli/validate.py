"""`jiaokan validate`: structure and edition rules of TEI files."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._progress import Bar
from pipeline.cli._say import say
from pipeline.errors import Finding, JiaokanError, Place
from pipeline.system.listing import given

if TYPE_CHECKING:
    from pipeline.system.sandbox import Sandbox
    from pipeline.validate import Checks
    from pipeline.validate.files import FileFindings

_RANK = {"error": 0, "warning": 1, "info": 2}
_FILE = click.Path(path_type=Path)


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=_FILE)
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "junit", "sarif"]), default="text",
              show_default=True, help="How findings are told.")
@click.option("--schema", "schemas", multiple=True, metavar="FILE", help="Check against this RELAX NG (.rng, .rnc), "
              "XSD, Schematron or ODD, and by the rules that hold for any TEI; `jiaokan` names ours. Can be repeated. "
              "Without it: the schema that a file names itself (xml-model), else tei_all; ours for TEI of our making.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave this rule out. Can be repeated.")
@click.option("--baseline", type=_FILE, help="A report (--format json) of known findings: only new ones count.")
@click.option("--changed-since", metavar="REV", help="Only files that differ from this git revision.")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True,
              help="The least severe finding that makes the exit code 1.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of findings.")
@click.option("--jobs", type=click.IntRange(1), help="So many files at a time (default: one for each core).")
@click.option("--sandbox", is_flag=True, help="For files of strangers: nothing is read but the paths, the schemas' "
              "folders and the folder in which one works, nothing written but the cache, no network, no program.")
def command(
    paths: tuple[Path, ...], form: str, schemas: tuple[str, ...], ignore: tuple[str, ...], baseline: Path | None,
    changed_since: str | None, fail_on: str, lang: str, jobs: int | None, sandbox: bool,
) -> None:
    """Check TEI files, all *.xml in folders, or standard input (-) against the schema and the rules of editions.

    In a folder, what a build has made is left out, and hidden folders; name it to have it checked.

    A file tei/witnesses/ID.xml or tei/editions/ID.xml of an edition folder is also held against its source, its
    witnesses and the editor's decisions.

    Exit code 0: valid; 1: there are findings that count; 2: something could not be checked (the rest was, and is told).

    \b
    Example:  jiaokan validate tei/editions/lunyu.xml tei/witnesses/
              jiaokan validate --schema tei_all.rng --schema house.sch --format sarif letters/ > findings.sarif
              jiaokan validate --format json tei > known.json; jiaokan validate --baseline known.json tei
    """
    from pipeline.validate import report as baselines

    checks = _checks(schemas, ignore)
    known = baselines.load(baseline) if baseline else ()
    confined = _confined(paths, schemas, changed_since) if sandbox else None
    results = list(_results(paths, changed_since, checks, jobs or 0, confined))
    found = [finding for result in results for finding in result.findings]
    files = [result.file for result in results]
    new, fixed = baselines.compare(found, known, files) if baseline else (tuple(found), ())
    _tell(results, new, form, lang)
    for each in fixed:
        say(f"fixed: {each.place}: [{each.rule}] {each.message}", err=True)
    failed = [result.failure for result in results if result.failure]
    for failure in failed:
        say(f"Error: {failure}", err=True)
    _sum_up(len(files) - len(failed), new, len(found) - len(new))
    if failed:
        raise click.exceptions.Exit(2)
    if any(_RANK[each.severity] <= _RANK[fail_on] for each in new):
        raise click.exceptions.Exit(1)


def _checks(schemas: tuple[str, ...], ignore: tuple[str, ...]) -> Checks:
    """What to check against; raises JiaokanError for a rule or a schema that there is not."""
    from pipeline.validate import OURS, OWN, STANDARD
    from pipeline.validate.rule import GRAMMAR
    from pipeline.validate.rules import rule

    for name in ignore:
        if name not in GRAMMAR:
            rule(name)
    for schema in schemas:
        if schema != OURS and not Path(schema).is_file():
            raise JiaokanError("there is no such schema", place=Place(schema), mend=f"a file, or {OURS!r} for our own")
    return replace(STANDARD, schemas=schemas or (OWN,), kept=True, ignored=frozenset(ignore))


def _confined(paths: tuple[Path, ...], schemas: tuple[str, ...], revision: str | None) -> Sandbox:
    """Confine this process to what is asked for; gives the sandbox, for the processes that it starts."""
    from pipeline.system.sandbox import around, confine
    from pipeline.validate.cache import folder

    looked_at = [path if path.is_dir() else _home(path) for path in paths if str(path) != "-"]
    looked_at += [Path(each).parent for each in schemas if Path(each).is_file()]
    with contextlib.suppress(OSError):  # later it could not be made
        folder().mkdir(parents=True, exist_ok=True)
    sandbox = around(looked_at, keeps=[folder()], programs=["git"] if revision is not None else [])
    confine(sandbox)
    return sandbox


def _home(file: Path) -> Path:
    """The edition folder in which a file lies, if it does, else its own."""
    tei = file.resolve().parent.parent
    return tei.parent if (tei / "catalog.toml").exists() else file.resolve().parent


def _results(
    paths: tuple[Path, ...], revision: str | None, checks: Checks, jobs: int, sandbox: Sandbox | None
) -> Iterator[FileFindings]:
    """Check what the paths name, with a bar."""
    from pipeline.validate.files import check_bytes, check_files
    from pipeline.validate.reading import STDIN, changed_since, read_stream

    files = tuple(dict.fromkeys(file for path in paths if str(path) != "-" for file in _files(path)))
    if revision is not None:
        files = changed_since(revision, files)
    with Bar(len(files)) as bar:
        for result in check_files(files, checks, jobs=jobs, sandbox=sandbox):
            yield result
            bar.started(result.file)
            bar.done(result.file, quiet=True)
    if Path("-") in paths:
        yield check_bytes(read_stream(sys.stdin.buffer), STDIN, checks)


def _files(path: Path) -> Iterator[Path]:
    """Give a file itself, or the XML files of a folder that no build has made; raises JiaokanError if there is none."""
    if path.is_dir():
        found = [each for each in given(path) if each.suffix == ".xml"]
        if not found:
            raise JiaokanError("this folder holds no *.xml", place=Place(str(path)),
                               mend="hidden folders, and what a build has made, are left out: name them to check them")
        yield from found
    elif path.exists():
        yield path
    else:
        raise JiaokanError("there is no such file", place=Place(str(path)))


def _tell(results: list[FileFindings], findings: tuple[Finding, ...], form: str, lang: str) -> None:
    """Print the report."""
    from pipeline.validate.report import Checked, report
    from pipeline.validate.report.chinese import in_chinese

    told = [in_chinese(each) for each in findings] if lang == "zh" else list(findings)
    lines = {(result.file, n): line for result in results for n, line in result.lines.items()}
    say(report(Checked(told, [result.file for result in results], lines, lang), form), nl=False)


def _sum_up(files: int, new: tuple[Finding, ...], known: int) -> None:
    """Print how many of what there are, on standard error."""
    errors = sum(each.severity == "error" for each in new)
    more = f" ({known} more are known)" if known else ""
    say(f"{files} files checked, {len(new)} findings, {errors} of them errors{more}", err=True)


COMMANDS = (command,)
