"""Does a Dask cluster give the verdicts that this machine gives, also when a worker dies?"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from small_class import small_class, standing

from grader.grading import grade, proof
from grader.grading.crew import Cluster, CrewError, Local
from grader.reporting import report
from grader.room.classroom import Classroom, opened
from grader.sandbox import walls

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

LEARNERS = [f"{kind}-{number}" for number in range(3) for kind in ("right", "wrong", "untouched")]


class Started:
    """A scheduler and workers on this machine, each a process of its own."""

    def __init__(self, folder: Path, stack: ExitStack, workers: int, *options: str) -> None:
        self._folder, self._stack = folder, stack
        self._start("dask_scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard")
        self.address = self._said("dask_scheduler", r"Scheduler at: +(tcp://\S+)")
        self.workers = [self._worker(number, *options) for number in range(workers)]

    def _worker(self, number: int, *options: str) -> subprocess.Popen[bytes]:
        return self._start(
            "dask_worker", self.address, f"--name={number}", "--nthreads=1", "--no-dashboard",
            "--no-nanny", f"--local-directory={self._folder}", *options,
        )  # fmt: skip

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self._folder / f"{module}.log").open("ab"))
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *options],
            stdout=log,
            stderr=log,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def _said(self, module: str, pattern: str) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if found := re.search(pattern, (self._folder / f"{module}.log").read_text()):
                return found[1]
            time.sleep(0.1)
        raise AssertionError((self._folder / f"{module}.log").read_text())


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_class(tmp_path_factory.mktemp("class") / "room", LEARNERS).root


@pytest.fixture
def room(untouched: Path, tmp_path: Path) -> Classroom:
    return opened(shutil.copytree(untouched, tmp_path / "room"))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with ExitStack() as stack:
        yield Started(tmp_path_factory.mktemp("dask"), stack, 2)


def graded(room: Classroom, crew: Cluster | Local, after_first: int | None = None) -> dict:
    """Grade the class; kill the process `after_first` when the first verdict is there."""
    wall = walls.NONE if isinstance(crew, Local) else None
    with crew:
        for _ in grade.grade(room, grade.plan(room), crew, wall, trusted=True):
            if after_first:
                os.kill(after_first, signal.SIGKILL)
                after_first = None
    report.write(room)
    return standing(room.root)


def test_worker_that_is_killed_costs_nothing_but_time(room, started, tmp_path):
    here = opened(shutil.copytree(room.root, tmp_path / "here"))
    there = graded(room, Cluster(started.address), after_first=started.workers[0].pid)
    assert there["students"] == graded(here, Local(2))["students"]
    assert len(there["students"]) == len(LEARNERS)
    assert there["wall"] == proof.choose_wall(trusted=True).name
    assert started.workers[0].wait() == -signal.SIGKILL
    assert started.workers[1].poll() is None


REFUSALS = {
    "proof.probe = lambda: walls.NONE": "no wall holds on",
    "standard.of_code = lambda: 'other'": "has other checks, another kit or another version",
    "proof.WANTED['an untouched release'] = ('release', 'passed')": "an untouched release got",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", REFUSALS)
def test_worker_where_something_does_not_hold_stops_the_run(fault, room, tmp_path):
    preload = tmp_path / "preload.py"
    preload.write_text(
        f"from grader.grading import proof, standard\nfrom grader.sandbox import walls\n{fault}"
    )
    with ExitStack() as stack:
        one = Started(tmp_path, stack, 1, f"--preload={preload}")
        crew = stack.enter_context(Cluster(one.address))
        with pytest.raises(proof.ProofError, match=REFUSALS[fault]):
            list(grade.grade(room, grade.plan(room), crew, None))
    assert len(grade.plan(room).due) == len(LEARNERS)


def test_address_without_a_scheduler_is_named(monkeypatch):
    monkeypatch.setattr("grader.grading.crew.CONNECT", 1)
    with pytest.raises(CrewError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9"):
        Cluster("tcp://127.0.0.1:9")
