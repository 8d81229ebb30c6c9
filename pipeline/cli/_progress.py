"""Progress on standard error: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from pipeline.cli._say import console, say
from pipeline.system.shown import visible

T = TypeVar("T")


class Bar:
    """A bar that shows what is at work; where there is no terminal, a line for what is done."""

    def __init__(self, total: int | None = None) -> None:
        screen = console(stderr=True)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, console=screen, transient=True) if screen.is_terminal else None
        self._task = self._progress.add_task("", total=total) if self._progress else None
        self._done, self._total = 0, total

    def __enter__(self) -> Self:
        if self._progress:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress:
            self._progress.stop()

    def started(self, name: str) -> None:
        """Something is at work."""
        if self._progress and self._task is not None:
            self._progress.update(self._task, description=visible(name))

    def done(self, name: str, *, total: int | None = None, quiet: bool = False) -> None:
        """Something is done; `quiet`: not worth a line."""
        self._done, self._total = self._done + 1, total or self._total
        if self._progress and self._task is not None:
            self._progress.update(self._task, completed=self._done, total=self._total)
        elif not quiet:
            say(f"[{self._done}/{self._total}] {name}", err=True)


def each(items: Sequence[T], *, quiet: bool = False) -> Iterator[T]:
    """Give items one by one, with a bar; `quiet`: without lines where there is no terminal."""
    with Bar(len(items)) as bar:
        for item in items:
            bar.started(str(item))
            yield item
            bar.done(str(item), quiet=quiet)
