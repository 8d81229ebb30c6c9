"""Run steps on the workers of a scheduler (Dask distributed), here or on machines that share the folder.

A task is a step with its key: a worker that has other files, or another program, refuses it. Workers write outputs into
the folder as a local process does, so the bytes are the same. If a worker dies, another one repeats its task; outputs
are atomic.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from jiaokan.build.cache import key_of
from jiaokan.build.stages import Step
from jiaokan.build.work import Outcome, perform
from jiaokan.errors import JiaokanError, Message, SystemFault
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.system.ceiling import run_nothing_from_here

LOCAL = "local"
"""Start a scheduler and workers here, for this build."""
PATIENCE = 30
"""Seconds that a build waits for a scheduler, for its first worker, and for another if all have ended. A cluster may
take minutes to start machines, but users should learn that they are waiting."""
_AGAIN = Message("build-again-finished-steps-kept")


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, address: str, root: Path, *, jobs: int) -> None:
        """Connect to a scheduler, or start one with `jobs` workers if the address is ``local``.

        Raises JiaokanError if it cannot be reached, or has no worker, or workers with several threads.
        """
        try:
            import distributed
        except ImportError:
            raise JiaokanError(Message("scheduler-needs-dask-distributed-not"),
                               mend=Message("pip-install-jiaokan-cluster")) from None
        for name in list(logging.root.manager.loggerDict):
            if name.startswith(("distributed", "tornado")):
                logging.getLogger(name).setLevel(logging.CRITICAL)  # the build reports errors, once
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
            raise SystemFault(Message("scheduler-cannot-reached-no-worker", address=address, error=error),
                              mend=Message("run-dask")) from None
        threads = self._client.nthreads()
        if any(number != 1 for number in threads.values()):
            self.close()
            raise JiaokanError(Message("worker-several-threads-saxon-not"),
                               mend=Message("start-several-workers-nworkers-nthreads"))
        self.workers = len(threads)
        self._executor = self._client.get_executor(pure=False)
        self._catalog = self._client.submit(catalogs.load, root, pure=False)
        # a worker reads the settings; they are not sent with each task, and are read again if that worker dies

    def submit(self, step: Step, key: str) -> Future[Outcome]:
        """Submit a step with its key; `failure` translates the errors of the future.

        The future raises JiaokanError if the worker has other files or another program.
        """
        future: Future[Outcome] = self._executor.submit(_task, step, self._catalog, key)
        return future

    def failure(self, error: Exception, step: Step) -> JiaokanError | None:
        """Return the error for a failure of the cluster; None if the task itself failed."""
        if isinstance(error, self._killed):
            return JiaokanError(Message("several-workers-ended-during", step=step.name),
                                mend=Message("give-more-memory"))
        if isinstance(error, CancelledError):
            return SystemFault(Message("scheduler-lost-during", step=step.name), mend=_AGAIN)
        return None

    def check_workers(self) -> None:
        """Raise SystemFault if the scheduler is lost or has no workers left."""
        try:
            workers = self._client.nthreads()
        except (OSError, TimeoutError, RuntimeError):
            raise SystemFault(Message("scheduler-lost"), mend=_AGAIN) from None
        if not workers:
            raise SystemFault(Message("scheduler-no-workers-left"), mend=Message("start-some", again=_AGAIN))

    def close(self) -> None:
        """Disconnect from the scheduler; one that was started here is stopped with its workers."""
        for connection in (self._client, self._own):
            if connection is not None:
                connection.close()


def _task(step: Step, catalog: Catalog, key: str) -> Outcome:
    """In a worker: do a step if its key is the same here."""
    if key_of(step, catalog.root) != key:
        raise JiaokanError(
            Message("worker-other-files-another-version", step=step.name),
            mend=Message("share-folder-under-same-path"),
        )
    return perform(step, catalog)
