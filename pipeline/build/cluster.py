"""Steps done by the workers of a scheduler (Dask distributed), on this machine or on others that see the same folder.

A task is a step with the hashes of what it is made of: a worker that sees other files, or runs another program, refuses
it. What it makes it writes into the folder as a process of this machine would, so that the bytes are the same; a task
whose worker dies is given to another, which finds the outputs old or new, never half made.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from pipeline.build.cache import key_of
from pipeline.build.stages import Step
from pipeline.build.work import Outcome, perform
from pipeline.errors import JiaokanError, SystemFault
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog
from pipeline.system.process import run_nothing_from_here

LOCAL = "local"
"""A scheduler and workers that are started here, for this build."""
PATIENCE = 30
"""So many seconds a build waits for a scheduler, for its first worker, and for another where all have ended: a cluster
starts machines in minutes, but whoever waits should know that he does."""
_AGAIN = "build again: what is made is kept"


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, address: str, root: Path, *, jobs: int) -> None:
        """Reach a scheduler, or start one with `jobs` workers if the address is ``local``.

        Raises JiaokanError if it is not reached, has no worker, or workers with several threads.
        """
        try:
            import distributed
        except ImportError:
            raise JiaokanError("--scheduler needs Dask distributed, which is not installed",
                               mend="pip install 'jiaokan[cluster]'") from None
        for name in [each for each in logging.root.manager.loggerDict if each.startswith(("distributed", "tornado"))]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what it meets is told once, by the build
        library: Any = distributed  # parts of it have no types
        self._killed = library.scheduler.KilledWorker
        self._own: Any = None
        self._client: Any = None
        run_nothing_from_here()
        try:
            if address == LOCAL:
                self._own = library.LocalCluster(
                    n_workers=jobs, threads_per_worker=1, memory_limit=0, dashboard_address=None)
            self._client = library.Client(self._own or address, timeout=PATIENCE)
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:  # TypeError: tls:// without keys
            self.close()
            raise SystemFault(f"the scheduler {address} is not reached, or has no worker: {error}",
                              mend="`dask scheduler` starts one, `dask worker ADDRESS --nthreads 1` a worker") from None
        threads = self._client.nthreads()
        if any(number != 1 for number in threads.values()):
            self.close()
            raise JiaokanError("a worker has several threads, which Saxon does not bear",
                               mend="start each with `--nthreads 1`, and several of them (`--nworkers`)")
        self.workers = len(threads)
        self._executor = self._client.get_executor(pure=False)
        self._catalog = self._client.submit(catalogs.load, root, pure=False)
        # read by a worker, not sent with each task; read again where the one that holds it dies

    def submit(self, step: Step, key: str) -> Future[Outcome]:
        """Have a step done; its key says of what. `failure` says what its errors mean.

        The future raises JiaokanError where a worker has other files or another program.
        """
        future: Future[Outcome] = self._executor.submit(_task, step, self._catalog, key)
        return future

    def failure(self, error: Exception, step: Step) -> JiaokanError | None:
        """Give what is to be said of an error that is the cluster's, not the task's; None if it is the task's."""
        if isinstance(error, self._killed):
            return JiaokanError(f"several workers ended while doing `{step.name}`", mend="too little memory there?")
        if isinstance(error, CancelledError):
            return SystemFault(f"the scheduler was lost while `{step.name}` was done", mend=_AGAIN)
        return None

    def hold(self) -> None:
        """Raise SystemFault if the scheduler is lost, or has no worker any more: nothing would ever be done."""
        try:
            workers = self._client.nthreads()
        except (OSError, TimeoutError, RuntimeError):
            raise SystemFault("the scheduler was lost", mend=_AGAIN) from None
        if not workers:
            raise SystemFault("the scheduler has no worker any more", mend=f"start some, {_AGAIN}")

    def close(self) -> None:
        """Leave the scheduler; one that was started here ends, with its workers and what they are at."""
        for each in (self._client, self._own):
            if each is not None:
                each.close()


def _task(step: Step, catalog: Catalog, key: str) -> Outcome:
    """In a worker: do a step, if what it is made of is here what it is there."""
    if key_of(step, catalog.root) != key:
        raise JiaokanError(
            f"a worker has other files, or another version of the program, for `{step.name}`",
            mend="let all machines see the same folder under the same path, and install the same version on each",
        )
    return perform(step, catalog)
