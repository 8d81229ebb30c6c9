"""`jiaokan validate`: structure and edition rules of TEI files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from pipeline.cli._progress import each
from pipeline.errors import Finding, JiaokanError, Place


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="How findings are told.")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True,
              help="The least severe finding that makes the exit code 1.")
def command(paths: tuple[Path, ...], form: str, fail_on: str) -> None:
    """Check TEI files, and all *.xml in folders, against the schema and the rules of editions.

    Exit code 0: valid; 1: there are findings that count; 2: a file could not be checked.

    \b
    Example:  jiaokan validate tei/editions/yili.xml tei/witnesses/
              jiaokan validate --format json edition.xml > findings.json
    """
    from pipeline.validate import validate
    from pipeline.validate.reports import report

    files = tuple(dict.fromkeys(file for path in paths for file in _files(path)))
    findings: list[Finding] = []
    for file in each(files, quiet=True):
        found = validate(file)
        findings += found
        if form == "text":
            click.echo(report(found, form), nl=False)
    if form != "text":
        click.echo(report(findings, form), nl=False)
    errors = sum(finding.severity == "error" for finding in findings)
    click.echo(f"{len(files)} files checked, {len(findings)} findings, {errors} of them errors", err=True)
    if errors or (findings and fail_on == "warning"):
        raise click.exceptions.Exit(1)


def _files(path: Path) -> Iterator[Path]:
    """Give a file itself, or the XML files of a folder; raises JiaokanError if there is none."""
    if path.is_dir():
        found = sorted(path.rglob("*.xml"))
        if not found:
            raise JiaokanError("this folder holds no *.xml", place=Place(str(path)))
        yield from found
    elif path.exists():
        yield path
    else:
        raise JiaokanError("there is no such file", place=Place(str(path)))


COMMANDS = (command,)
