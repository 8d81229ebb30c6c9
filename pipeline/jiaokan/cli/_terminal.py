"""Print to the terminal: messages, source text, tables, progress.

No other module prints. Text is never read as markup or as terminal commands.
"""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self, TypeVar

import click

from jiaokan import messages
from jiaokan.errors import JiaokanError, Message, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

_CHOSEN = ContextVar("language", default="")
"""The language that ``jiaokan --lang`` chooses. A command line runs in a context of its own, which ends with it."""


def language() -> str:
    """Return the language of the environment if it has a catalogue, else English: that of ``--lang``, else of
    JIAOKAN_LANG, else POSIX's (LC_ALL before LC_MESSAGES before LANG), else that of Windows."""
    names = ("JIAOKAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    context = click.get_current_context(silent=True)
    chosen = (context.params.get("lang") if context else None) or _CHOSEN.get()
    wanted = chosen or next(filter(None, map(os.environ.get, names)), locale.getlocale()[0] or "")
    return messages.language_of(wanted)


def choose_language(name: str) -> None:
    """Word messages in a language until the command line ends."""
    _CHOSEN.set(name)


def call_in_language(name: str, call: Callable[[], T]) -> T:
    """In a child process: call in the language of the command that started it."""
    choose_language(name)
    return call()


def lang_option(command: F) -> F:
    """Add ``--lang``, by default the machine's language."""
    return click.option("--lang", type=click.Choice(messages.languages()), default=language, show_default=False,
                        help="option-lang")(command)


def word_message(text: object) -> str:
    """Return a message or error in the language of the environment; any other text as it is."""
    message = text.whole if isinstance(text, JiaokanError) else text
    return message.in_language(language()) if isinstance(message, Message) else str(message)


def class_name(variant: str) -> str:
    """Return the name of a class of variants in the language of the environment."""
    return word_message(Message(f"{messages.TERM}variant-{variant}"))


def say(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message, a path or a line, in the language of the environment."""
    click.echo(visible(word_message(message)), err=err, nl=nl)


def print_text(text: str) -> None:
    """Print text of a source: with control characters escaped on a terminal, unchanged to a file or pipe."""
    click.echo(visible(text) if sys.stdout.isatty() else text)


def console(**settings: Any) -> Console:
    """Return a console of rich that prints brackets and ``:words:`` as they are."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False, **settings)


class Bar:
    """A progress bar on a terminal; elsewhere one line on standard error for each finished item."""

    def __init__(self, total: int | None = None) -> None:
        self._done, self._total = 0, total
        self._progress: Progress | None = None
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            self._progress = Progress(*columns, console=console(stderr=True), transient=True)
            self._task = self._progress.add_task("", total=total)

    def __enter__(self) -> Self:
        if self._progress:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress:
            self._progress.stop()

    def start(self, name: str) -> None:
        """Show what is being worked on."""
        if self._progress:
            self._progress.update(self._task, description=visible(name))

    def reach(self, share: float) -> None:
        """Show what share of the total is done."""
        if self._progress and self._total:
            self._progress.update(self._task, completed=share * self._total)

    def done(self, name: str, *, total: int | None = None, quiet: bool = False) -> None:
        """Count a finished item; `quiet` prints no line for it."""
        self._done, self._total = self._done + 1, total or self._total
        if self._progress:
            self._progress.update(self._task, completed=self._done, total=self._total)
        elif not quiet:
            say(f"[{self._done}/{self._total}] {name}", err=True)


def progress(items: Sequence[T], *, quiet: bool = False) -> Iterator[T]:
    """Yield items one by one with a progress bar; `quiet` prints no lines where there is no terminal."""
    with Bar(len(items)) as bar:
        for item in items:
            bar.start(str(item))
            yield item
            bar.done(str(item), quiet=quiet)
