"""The loop: whatever is ready and stale is done, in processes, until nothing waits."""

from __future__ import annotations

import contextlib
import heapq
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from pipeline.build.cache import Cache
from pipeline.build.cluster import PATIENCE, Cluster
from pipeline.build.memory import at_once, fits, left, need
from pipeline.build.stages import STAGES, Step
from pipeline.build.work import Outcome, begin, performed, performed_apart, performed_roomy
from pipeline.errors import Finding, JiaokanError, Place, SystemFault
from pipeline.settings.catalog import Catalog
from pipeline.system.atomic import check_ours, recover
from pipeline.system.process import workers
from pipeline.system.store import Store, cache_folder

FAILED = "output-failed"
"""The rule of the finding on an output that could not be made."""
_LAST = ("pdf", "also")
"""Stages whose outputs no other output is made of (the site only copies the PDFs that are there)."""
_LOOK = 32
"""So many ready steps are looked at for one that memory holds: a library has ten thousand, nearly all alike."""
_SAVE = 60.0
"""So many seconds of work are lost at most where a build is killed: to save the records of ten thousand texts takes one
of them."""
_RANK = {stage.name: rank for rank, stage in enumerate(STAGES)}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that whoever watches a build may want to show."""

    kind: Literal["fresh", "start", "done"]
    step: Step
    total: int
    """How many steps there are in all."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step with what it reported, in this build or in the one that did it."""

    step: Step
    outcome: Outcome
    fresh: bool
    """Nothing had to be done."""


def run(
    steps: tuple[Step, ...], catalog: Catalog, cache: Cache, *, jobs: int, watch: Callable[[Event], None],
    memory: int | None = None, scheduler: str = "", without: Collection[str] = (),
) -> tuple[StepResult, ...]:
    """Do what is stale among `steps` and give the results in their order.

    At most `jobs` are done at a time, and of these only so many as `memory` (bytes; None: no limit) is thought to hold;
    with a `scheduler` (its address, or ``local``) by its workers, as many as there are. Stages that it is `without`
    are not done, and what they made before stays.

    A PDF or a further output that could not be made is a finding, and the rest goes on: its old form is taken away.
    Raises the first JiaokanError of any other step, after the steps that were under way have ended; what they made is
    kept. Interrupted, it ends its processes; every output is the old one or the new one.
    """
    outputs = [path for step in steps for path in step.outputs]
    outputs += [*cache.own, Store(cache_folder("settings", catalog.root)).path("catalog")]
    recover(*outputs)
    cache.forget(steps)
    steps = tuple(step for step in steps if step.stage not in without)
    loop = _Loop(steps, catalog, cache, jobs, watch, memory, scheduler)
    try:
        loop.go()
    finally:
        loop.close()
        recover(*outputs)  # what processes that were ended at their work left aside
        cache.save()
    return tuple(loop.done[step.name] for step in steps)


class _Loop:
    """The state of one run."""

    def __init__(
        self, steps: tuple[Step, ...], catalog: Catalog, cache: Cache, jobs: int, watch: Callable[[Event], None],
        memory: int | None = None, scheduler: str = "",
    ) -> None:
        self.memory, self.scheduler = memory, scheduler
        self.cluster: Cluster | None = None
        self.steps, self.catalog, self.cache, self.jobs, self.watch = steps, catalog, cache, jobs, watch
        self.makers = _makers(steps)
        self.waiting = {step.name: step for step in steps}
        """What is not begun."""
        self.lacking, self.after = _order(steps, self.makers)
        order = sorted(steps, key=lambda step: (_RANK[step.stage], -sum(map(cache.files.size, step.inputs))))
        self.place = {step.name: place for place, step in enumerate(order)}
        self.ready = [(self.place[step.name], step) for step in order if not self.lacking[step.name]]
        """What waits for nothing, what comes first in front: a heap."""
        self.saved = time.monotonic()
        self.running: dict[Future[Outcome], tuple[Step, str]] = {}
        self.done: dict[str, StepResult] = {}
        self.error: BaseException | None = None
        self.held = False
        """Whether it was looked where the site is to be."""
        self.pool: ProcessPoolExecutor | None = None

    def go(self) -> None:
        while self.waiting or self.running:
            while self._start_one():
                pass
            if self.waiting and not self.running and not self.error:
                raise JiaokanError(f"steps wait for each other: {self._circle()}",
                                   mend="two things that this folder makes have the same name: rename one")
            if self.running:
                done = wait(self.running, PATIENCE if self.cluster else None, FIRST_COMPLETED).done
                for future in done:
                    self._take(future)
                if self.cluster and not done:
                    self.cluster.hold()
            if self.error and not self.running:
                raise self.error

    def close(self) -> None:
        """End the pool; processes still at work when the loop was left by an exception are ended at once."""
        if self.pool:
            if self.running or self.waiting:
                for process in multiprocessing.active_children():
                    process.terminate()
            with contextlib.suppress(RuntimeError):  # the pool's own thread could not be started: nothing to wait for
                self.pool.shutdown(cancel_futures=True)
        if self.cluster:
            self.cluster.close()

    def _start_one(self) -> bool:
        """Start the first step that is ready, or note that it need not be done; tell whether there was one."""
        step = None if self.error or len(self.running) >= self.jobs else self._next()
        if step is None:
            return False
        key = self.cache.key(step, self.catalog.root)
        outcome = self.cache.fresh(step, key)
        if outcome is not None:
            self._finish(step, outcome, fresh=True)
        else:
            self._hold()
            self.cache.clear(step, key)
            self.watch(Event("start", step, len(self.steps)))
            self.running[self._submit(step, key)] = step, key
        return True

    def _hold(self) -> None:
        """Refuse, before anything is made, to make a site where somebody else's files are; it is the last step."""
        if not self.held:
            self.held = True
            for step in self.steps:
                if step.stage == "site":
                    check_ours(step.outputs[0], deep=False)

    def _next(self) -> Step | None:
        """Take the first of the steps that are ready for which there is memory."""
        passed: list[tuple[int, Step]] = []
        found: Step | None = None
        while self.ready and found is None and len(passed) < _LOOK:
            place, step = heapq.heappop(self.ready)
            if self._fits(step):
                found = self.waiting.pop(step.name)
            else:
                passed.append((place, step))
        for each in passed:
            heapq.heappush(self.ready, each)
        return found

    def _fits(self, step: Step) -> bool:
        """Whether there is memory for a step beside those at work; if none is, there is."""
        if self.memory is None or not self.running:
            return True
        return fits(step, (other for other, _ in self.running.values()), self.memory, self.jobs)

    def _circle(self) -> str:
        """Name the steps that wait for each other, when none is ready and none is at work."""
        names = self.waiting
        way = [next(iter(names))]
        while True:
            makers = (self.makers.get(str(path), "") for path in names[way[-1]].inputs)
            after = next(maker for maker in makers if maker in names)
            if after in way:
                return " → ".join(f"`{name}`" for name in (*way[way.index(after):], after))
            way.append(after)

    def _submit(self, step: Step, key: str) -> Future[Outcome]:
        if self.scheduler:
            if self.cluster is None:
                self.cluster = Cluster(self.scheduler, self.catalog.root, jobs=self.jobs)
                self.jobs = 2 * self.cluster.workers  # none waits for us between two tasks
            return self.cluster.submit(step, key)
        way = self._way(step)
        if self.jobs == 1:
            begin(self.catalog)
            future: Future[Outcome] = Future()
            try:
                future.set_result(way(step))
            except JiaokanError as error:
                future.set_exception(error)
            return future
        if self.pool is None:
            self.pool = workers(self.jobs, _begin, self.catalog)
        try:
            return self.pool.submit(way, step)
        except (OSError, RuntimeError) as error:  # of threads it is the latter
            raise SystemFault(f"no process can be started for `{step.name}`: {error}",
                              mend="build with `--jobs 1`; `ulimit -u` says how many there may be") from None

    def _way(self, step: Step) -> Callable[[Step], Outcome]:
        """Give how a step is done with the memory that there is for it."""
        if self.memory is None:
            return performed
        most = left(self.memory, self.jobs)
        return performed_apart if need(step) > most else performed_roomy if at_once(step) <= most else performed

    def _take(self, future: Future[Outcome]) -> None:
        step, key = self.running.pop(future)
        try:
            outcome = future.result()
        except JiaokanError as error:
            if step.stage in _LAST:
                self.cache.drop(step)
                self._finish(step, Outcome(findings=(_failed(step, error),)), fresh=False)
            else:
                self.error = self.error or error
        except BrokenProcessPool:
            self.error = self.error or JiaokanError(
                f"a process ended while doing `{step.name}`", mend="too little memory? try `--jobs 1`"
            )
        except Exception as error:
            if self.cluster is None or (failure := self.cluster.failure(error, step)) is None:
                raise
            self.error = self.error or failure
        else:
            self.cache.keep(step, key, outcome)
            self._finish(step, outcome, fresh=False)

    def _finish(self, step: Step, outcome: Outcome, *, fresh: bool) -> None:
        self.done[step.name] = StepResult(step, outcome, fresh)
        for name in self.after.get(step.name, ()):
            self.lacking[name] -= 1
            if not self.lacking[name]:
                heapq.heappush(self.ready, (self.place[name], self.waiting[name]))
        if not fresh and time.monotonic() - self.saved > _SAVE:
            self.cache.save()
            self.saved = time.monotonic()
        self.watch(Event("fresh" if fresh else "done", step, len(self.steps)))


def _failed(step: Step, error: JiaokanError) -> Finding:
    """Give the finding that tells of an output that could not be made."""
    place = error.place or Place(step.outputs[0].name)
    return Finding(FAILED, place, f"`{step.name}` was not made: {error.message}", error.mend, "error")


def _makers(steps: tuple[Step, ...]) -> dict[str, str]:
    """Give by output the step that makes it; raises JiaokanError if two make the same, or one what it reads."""
    makers: dict[str, str] = {}
    for step in steps:
        for path in step.outputs:
            if str(path) in makers or path in step.inputs:
                raise JiaokanError(f"`{makers.get(str(path), step.name)}` and `{step.name}` would make the same",
                                   place=Place(str(path)), mend="rename one of the texts")
            makers[str(path)] = step.name
    return makers


def _order(steps: tuple[Step, ...], makers: dict[str, str]) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Give how many others each step waits for, and which wait for it, by name."""
    lacking: dict[str, int] = {}
    after: dict[str, list[str]] = {}
    for step in steps:
        before = {maker for maker in map(makers.get, map(str, step.inputs)) if maker is not None}
        lacking[step.name] = len(before)
        for name in before:
            after.setdefault(name, []).append(step.name)
    return lacking, after


@contextlib.contextmanager
def locked(out: Path) -> Iterator[None]:
    """Hold an outputs folder for one build; raises JiaokanError if another one is at work there."""
    out.mkdir(parents=True, exist_ok=True)
    lock = FileLock(out / ".lock", blocking=False)  # the system lets go of it when the process ends, however it ends
    try:
        lock.acquire()
    except Timeout:
        raise JiaokanError("another build is at work here", place=Place(str(out)), mend="wait for it") from None
    try:
        yield
    finally:
        lock.release()


def _begin(catalog: Catalog) -> None:
    """In a worker: have the settings at hand, sent once and not with each step, and end with the main process."""
    begin(catalog)
    _leave_with_parent()


def _leave_with_parent() -> None:
    """In a worker: leave Ctrl-C to the main process, and end when that is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
