"""Run the steps of a build: those that are ready and stale, in processes, until none is left."""

from __future__ import annotations

import contextlib
import heapq
import multiprocessing
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from jiaokan.build.cache import Cache
from jiaokan.build.cluster import PATIENCE, Cluster
from jiaokan.build.memory import fits, left, need
from jiaokan.build.stages import Step
from jiaokan.build.work import Outcome, begin, work
from jiaokan.errors import Finding, JiaokanError, Message, Place, SystemFault
from jiaokan.settings.catalog import Catalog
from jiaokan.system.atomic import check_ours, recover
from jiaokan.system.process import serve_alone, workers
from jiaokan.system.store import Store, cache_folder

FAILED = "output-failed"
"""Rule of the finding on an output that could not be made."""
_LAST = ("book", "pdf", "also")
"""Stages whose outputs no other step needs (the site includes the PDFs that exist, a PDF makes its book)."""
_LOOK = 32  # how many ready steps are tried for one that fits into memory: a library has ten thousand, nearly all alike
_SAVE = 60.0
"""Seconds between two saves of the records, the most that a killed build loses; saving ten thousand takes a second."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a build, for progress reports."""

    kind: Literal["fresh", "start", "done"]
    step: Step
    total: int  # the number of all steps


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step with its report, of this build or of the one that did it."""

    step: Step
    outcome: Outcome
    fresh: bool  # whether the step was up to date


def run(
    steps: tuple[Step, ...], catalog: Catalog, cache: Cache, *, jobs: int, watch: Callable[[Event], None],
    memory: int | None = None, scheduler: str = "", without: Collection[str] = (),
) -> tuple[StepResult, ...]:
    """Do the stale steps and return all results in the order of `steps`.

    At most `jobs` steps run at a time, as many as fit into `memory` (bytes; None: no limit); with a `scheduler` (its
    address, or ``local``) as many as it has workers. Stages in `without` are skipped; their outputs are kept if
    a build of this user made them.

    If a PDF or a further output fails, that is a finding, its old version is removed, and the build continues. If any
    other step fails, its JiaokanError is raised after the running steps have ended; what they made is kept. If
    interrupted, all processes are stopped; every output is either the old or the new version.
    """
    outputs = [path for step in steps for path in step.outputs]
    outputs += [*cache.storage_files, Store(cache_folder("settings", catalog.root)).path("catalog")]
    recover(*outputs)
    cache.forget(steps)
    skipped = [step for step in steps if step.stage in without]
    steps = tuple(step for step in steps if step.stage not in without)
    needed = {path for step in steps for path in step.inputs}
    for step in skipped:
        if not needed.isdisjoint(step.outputs):  # a PDF that the folder brings is not published as one made here
            cache.clear_unknown(step)
    loop = _Loop(steps, catalog, cache, jobs, watch, memory, scheduler)
    try:
        loop.go()
    finally:
        loop.close()
        recover(*outputs)  # temporary files of stopped processes
        cache.save()
    return tuple(loop.done[step.name] for step in steps)


class _Loop:
    """The state of one run."""

    def __init__(
        self, steps: tuple[Step, ...], catalog: Catalog, cache: Cache, jobs: int, watch: Callable[[Event], None],
        memory: int | None, scheduler: str,
    ) -> None:
        self.memory, self.scheduler = memory, scheduler
        self.steps, self.catalog, self.cache, self.jobs, self.watch = steps, catalog, cache, jobs, watch
        makers = _makers(steps)
        before = {step.name: {makers[path] for path in map(str, step.inputs) if path in makers} for step in steps}
        self.order = TopologicalSorter(before)
        try:
            self.order.prepare()
        except CycleError as error:
            raise JiaokanError(Message("steps-wait-other", arg=" → ".join(f"`{name}`" for name in error.args[1])),
                               mend=Message("two-outputs-same-name-rename")) from None
        self.waiting = {step.name: step for step in steps}  # steps that are not started
        self.place = {step.name: place for place, step in enumerate(steps)}
        self.needs = {step.name: need(step, cache.files.size) for step in steps}
        """The bytes that each step needs; also a measure of its time."""
        self.tails = dict.fromkeys(self.waiting, 0)
        """For each step the sum of what those on the longest way to the end need after it."""
        for name in reversed([*TopologicalSorter(before).static_order()]):
            for earlier in before[name]:
                self.tails[earlier] = max(self.tails[earlier], self.needs[name] + self.tails[name])
        self.ready: list[tuple[int, int, Step]] = []
        """Steps whose inputs are complete, as a heap: first those with the longest way to the end."""
        self._add_ready()
        sources = [path for step in steps if step.stage == "read" for path in step.inputs[:1]]
        largest = max(map(cache.files.size, sources), default=0)
        self.kept = left(memory or 0, jobs, sum(step.stage in ("html", "pdf") for step in steps), largest)
        """Memory of a worker, in bytes."""
        self.saved = time.monotonic()
        self.running: dict[Future[Outcome], tuple[Step, str]] = {}
        self.done: dict[str, StepResult] = {}
        self.error: BaseException | None = None
        self.checked = False  # whether the folder of the site has been checked
        self.pool: ProcessPoolExecutor | None = None
        self.cluster: Cluster | None = None

    def go(self) -> None:
        while self.waiting or self.running:
            while self._start_one():
                pass
            if self.running:
                done = wait(self.running, PATIENCE if self.cluster else None, FIRST_COMPLETED).done
                for future in done:
                    self._take(future)
                if self.cluster and not done:
                    self.cluster.check_workers()
            if self.error and not self.running:
                raise self.error

    def close(self) -> None:
        """Stop the pool; after an exception, running processes are terminated."""
        if self.pool:
            if self.running or self.waiting:
                for process in multiprocessing.active_children():
                    process.terminate()
            with contextlib.suppress(RuntimeError):  # the thread of the pool could not start
                self.pool.shutdown(cancel_futures=True)
        if self.cluster:
            self.cluster.close()

    def _start_one(self) -> bool:
        """Start the first ready step, or record that it is up to date. Whether there was one."""
        step = None if self.error or len(self.running) >= self.jobs else self._next()
        if step is None:
            return False
        key = self.cache.key(step, self.catalog.root)
        outcome = self.cache.fresh(step, key)
        if outcome is not None:
            self._finish(step, outcome, fresh=True)
        else:
            if not self.checked:  # the site is the last step; its folder is checked before anything is made
                self.checked = True
                for other in self.steps:
                    if other.stage == "site":
                        check_ours(other.outputs[0], deep=False)
            self.cache.clear(step, key)
            self.watch(Event("start", step, len(self.steps)))
            self.running[self._submit(step, key)] = step, key
        return True

    def _next(self) -> Step | None:
        """Remove and return the first ready step that fits into memory; a single step always does."""
        running = [self.needs[step.name] for step, _ in self.running.values()]
        passed: list[tuple[int, int, Step]] = []
        chosen: Step | None = None
        while self.ready and chosen is None and len(passed) < _LOOK:
            candidate = heapq.heappop(self.ready)
            needed = self.needs[candidate[-1].name]
            if self.memory is None or not running or fits((needed, *running), self.memory, self.jobs, self.kept):
                chosen = self.waiting.pop(candidate[-1].name)
            else:
                passed.append(candidate)
        for candidate in passed:
            heapq.heappush(self.ready, candidate)
        return chosen

    def _add_ready(self) -> None:
        """Add the steps whose inputs are complete, and so their needs known, to the ready ones."""
        for name in self.order.get_ready():
            step = self.waiting[name]
            self.needs[name] = need(step, self.cache.files.size)
            heapq.heappush(self.ready, (-self.needs[name] - self.tails[name], self.place[name], step))

    def _submit(self, step: Step, key: str) -> Future[Outcome]:
        if self.scheduler:
            if self.cluster is None:
                self.cluster = Cluster(self.scheduler, self.catalog.root, jobs=self.jobs)
                self.jobs = 2 * self.cluster.workers  # so that no worker waits between two tasks
            return self.cluster.submit(step, key)
        alone = self.memory is not None and self.needs[step.name] > self.kept
        if self.jobs == 1:
            begin(self.catalog)
            future: Future[Outcome] = Future()
            try:
                future.set_result(work(step, alone))
            except JiaokanError as error:
                future.set_exception(error)
            return future
        if self.pool is None:
            self.pool = workers(self.jobs, _begin, self.catalog)
        try:
            return self.pool.submit(work, step, alone)
        except (OSError, RuntimeError) as error:  # RuntimeError if a thread cannot start
            raise SystemFault(Message("cannot-start-process", step=step.name, error=error),
                              mend=Message("build-jobs-raise-limit-ulimit")) from None

    def _take(self, future: Future[Outcome]) -> None:
        step, key = self.running.pop(future)
        try:
            outcome = future.result()
        except JiaokanError as error:
            if step.stage in _LAST:
                place = error.place or Place(step.outputs[0].name)
                failed = Finding(FAILED, place, Message("not-made", step=step.name, message=error.message), error.mend,
                                 "error")
                self.cache.drop(step)
                self._finish(step, Outcome(findings=(failed,) if step.stage != "book" else ()), fresh=False)
            else:
                self.error = self.error or error
        except BrokenProcessPool:
            self.error = self.error or JiaokanError(
                Message("process-ended-during-perhaps-lack", step=step.name), mend=Message("build-jobs")
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
        self.order.done(step.name)
        self._add_ready()
        if not fresh and (step.stage == "site" or time.monotonic() - self.saved > _SAVE):  # an open desk shows it
            self.cache.save()
            self.saved = time.monotonic()
        self.watch(Event("fresh" if fresh else "done", step, len(self.steps)))


def _makers(steps: tuple[Step, ...]) -> dict[str, str]:
    """Return the step of each output.

    Raises JiaokanError if two steps have the same output, or one reads its own.
    """
    makers: dict[str, str] = {}
    for step in steps:
        for path in step.outputs:
            if str(path) in makers or path in step.inputs:
                raise JiaokanError(Message("same-output", makers=makers.get(str(path), step.name), step=step.name),
                                   place=Place(str(path)), mend=Message("rename-texts"))
            makers[str(path)] = step.name
    return makers


@contextlib.contextmanager
def lock_outputs(out: Path) -> Iterator[None]:
    """Lock an outputs folder for one build; raises JiaokanError if another build is running there."""
    out.mkdir(parents=True, exist_ok=True)
    lock = FileLock(out / ".lock", blocking=False)  # the system releases it when the process ends
    try:
        lock.acquire()
    except Timeout:
        raise JiaokanError(Message("another-build-running"), place=Place(str(out)),
                           mend=Message("wait-for-it")) from None
    try:
        yield
    finally:
        lock.release()


def _begin(catalog: Catalog) -> None:
    """In a worker: store the settings, which are sent once."""
    begin(catalog)
    serve_alone()
