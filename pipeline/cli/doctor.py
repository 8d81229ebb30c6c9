"""`jiaokan doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline import __version__
from pipeline.cli._folder import FOLDER

_OPTIONAL = (
    (("chromium", "chromium-browser", "google-chrome"), "only to test the HTML edition in a browser",
     "apt install chromium, or https://www.chromium.org"),
    (("jing",), "only to compare our validation with jing", "apt install jing, or https://relaxng.org/jclark/jing.html"),
    (("pdftotext",), "only to test the text of a PDF", "apt install poppler-utils, or brew install poppler"),
)


@click.command("doctor")
@click.argument("folder", type=FOLDER, default=Path())
def command(folder: Path) -> None:
    """Say what is installed, what each text needs of the fonts, and what is missing.

    Exit code 1 if something that jiaokan needs is missing.

    \b
    Example:  jiaokan doctor demo
    """
    click.echo(f"jiaokan {__version__} on Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    missing = [name for name, version in _packages() if not version]
    for name, version in _packages():
        click.echo(f"  {name} {version or 'MISSING: pip install ' + name}")
    click.echo("Optional programs")
    for names, use, how in _OPTIONAL:
        found = next(filter(None, map(shutil.which, names)), None)
        click.echo(f"  {names[0]}: {found or 'not there; ' + how} ({use})")
    if missing:
        raise click.exceptions.Exit(1)


def _packages() -> Iterator[tuple[str, str]]:
    """Give each package that jiaokan needs, with its version or nothing."""
    for requirement in importlib.metadata.requires("jiaokan") or ():
        if "extra ==" not in requirement:
            name = re.split(r"[<>=!~; \[]", requirement, maxsplit=1)[0]
            try:
                yield name, importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                yield name, ""


COMMANDS = (command,)
