"""What commands say: the only place that writes to a terminal. Nothing in it is read as markup or as a command."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.console import Console

from pipeline.system.shown import visible


def say(said: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message, a path or a line."""
    click.echo(visible(str(said)), err=err, nl=nl)


def give(text: str) -> None:
    """Print the text of a source: to a terminal so that it is harmless, to a file or another program as it is."""
    click.echo(visible(text) if sys.stdout.isatty() else text)


def console(**settings: Any) -> Console:
    """Give a console of rich to which all text is text: brackets and ``:words:`` mean nothing."""
    return Console(markup=False, emoji=False, highlight=False, **settings)
