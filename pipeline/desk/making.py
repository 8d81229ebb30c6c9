"""The site made while the desk is open: on a thread of its own, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pipeline.build import Event, build
from pipeline.errors import JiaokanError

LATER = ("pdf", "also", "check")
"""Stages that nobody who opens a desk waits for: what "make all again" does."""


def made(root: Path, without: Collection[str] = (), watch: Callable[[Event], None] = lambda _: None) -> str:
    """Build what is stale of a folder, but for stages that it is to be `without`; give what is wrong, if anything."""
    try:
        build(root, without=without, watch=watch)
    except JiaokanError as error:
        return str(error)
    return ""


class Making:
    """Builds one after another, and how far the one that is under way has come."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="making")
        self.busy, self.steps = False, 0

    def start(self, then: Callable[[str], None], without: Collection[str] = ()) -> None:
        """Begin a build, if none is under way; `then` is told what was wrong, by the thread that built."""
        if self.busy:
            return
        self.busy, self.steps = True, 0

        def work() -> None:
            failed = made(self.root, without, self._watch)
            self.busy = False
            then(failed)

        self.thread.submit(work)

    def close(self) -> None:
        """Wait for the build that is under way, and begin no other."""
        self.thread.shutdown(cancel_futures=True)

    def _watch(self, event: Event) -> None:
        if event.kind == "done":
            self.steps += 1
