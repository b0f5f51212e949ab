"""Who does the work: processes of this machine, or a Dask cluster, each through an `Executor`.

Work is handed out when there is room for it, so memory does not grow with the class.
A process that dies costs time: those whose work was lost with it are tried again one by one,
and only one with whom it happens again and again is given up.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, TypeVar

from grader.sandbox import exposed

TRIES = 3
HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
CONNECT = 20  # seconds
T = TypeVar("T")
R = TypeVar("R")


class CrewError(Exception):
    """Those who should do the work cannot be reached; the message says what to do."""


class Crew:
    """A context in which work is done by an executor, which is replaced when it breaks."""

    is_elsewhere = False  # whether those who work must look where they are

    def __init__(self, hire: Callable[[], Executor], most: int) -> None:
        self._hire, self._most = hire, most
        self._executor: Executor | None = None

    def __enter__(self) -> Crew:
        """Return the crew; nobody is hired before there is work."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Send everybody home, in the middle of their work where something went wrong."""
        self._dismiss(at_once=kind is not None)

    def most(self) -> int:
        """Return how many items may be under way: what is worked on, and as many in reserve."""
        return self._most

    def prepare(self) -> None:
        """Begin what takes a while and will be needed, beside what the caller does next."""

    def done(
        self, do: Callable[..., R], items: Iterable[T], *more: Any
    ) -> Iterator[tuple[T, Future[R]]]:
        """Yield each item with the future of `do(item, *more)` when that is over."""
        waiting, running, lost = iter(items), dict[Future[R], T](), list[T]()
        while True:
            if not lost:
                for item in islice(waiting, max(0, self.most() - len(running))):
                    running[self._submit(do, item, more)] = item
            elif not running:
                item = lost.pop()
                yield item, self._alone(do, item, more)
                continue
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                item = running.pop(future)
                if _broke(future):
                    lost.append(item)
                else:
                    yield item, future

    def _alone(self, do: Callable[..., R], item: T, more: tuple[Any, ...]) -> Future[R]:
        """Return the future of an item that is worked on while nothing else is."""
        for _ in range(TRIES):
            future = self._submit(do, item, more)
            wait([future])
            if not _broke(future):
                break
        return future

    def _submit(self, do: Callable[..., R], item: T, more: tuple[Any, ...]) -> Future[R]:
        self._executor = self._executor or self._hire()
        try:
            return self._executor.submit(do, item, *more)
        except BrokenExecutor:
            self._dismiss(at_once=True)
            self._executor = self._hire()
            return self._executor.submit(do, item, *more)

    def _dismiss(self, at_once: bool) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=not at_once)


def _broke(future: Future[Any]) -> bool:
    return not future.cancelled() and isinstance(future.exception(), BrokenExecutor)


class Local(Crew):
    """Processes of this machine, by default one for each core."""

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or _cores()
        super().__init__(self._processes, 2 * self._jobs)

    def prepare(self) -> None:
        """Start the process that imports what all workers need, and forks them."""
        if HAS_FORKSERVER:
            multiprocessing.set_forkserver_preload(["grader.grading.order"])
            forkserver.ensure_running()

    def _processes(self) -> Executor:
        self.prepare()
        context = multiprocessing.get_context("forkserver" if HAS_FORKSERVER else "spawn")
        return ProcessPoolExecutor(self._jobs, context, _enter, (exposed.kit(),))

    def _dismiss(self, at_once: bool) -> None:
        working = getattr(self._executor, "_processes", None) or {}
        processes = list(working.values()) if at_once else []
        for one in processes:
            one.kill()
        super()._dismiss(at_once)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _enter(kit: Path) -> None:
    """Begin a worker's life: Ctrl-C is for the process that hired it, whose end is its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exposed.share(kit)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster(Crew):
    """The workers of a Dask cluster; each proves its own wall."""

    is_elsewhere = True

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise CrewError("--cluster needs Dask: pip install '.[cluster]'") from error
        try:
            self._client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise CrewError(f"no Dask scheduler answers at {address}: {error}") from error
        super().__init__(lambda: self._client.get_executor(pure=False), 0)

    def most(self) -> int:
        """Return twice the number of threads that the cluster has now."""
        return 2 * max(1, sum(self._client.nthreads().values()))

    def _dismiss(self, at_once: bool) -> None:
        try:
            super()._dismiss(at_once)
        finally:
            self._client.close()
