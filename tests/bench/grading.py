"""Grading side by side in one run: `nbgrader autograde` and `grader grade` on the same learners.

Run `make bench`, or `python tests/bench/grading.py --learners 2 --sizes 4,8` to try it.
Seconds are those of the whole command. CPU counts every process that was started. Memory is the
most that all of them held together, shared pages once. Both sides must give the same scores.
The last line is how many times more learners an hour `grader grade` does, with two processes.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "grader")]

from attnkit.handin import ASSIGNMENT  # noqa: E402
from small_class import gradebook  # noqa: E402

from grader.room import classroom, sample  # noqa: E402
from grader.room.classroom import Classroom  # noqa: E402

HONEST = ("right", "wrong", "right", "wrong", "untouched")  # both sides agree on these
BECOME_SUBREAPER = 36
LINE = "{:34} {:>8} {:>9} {:>13} {:>13} {:>11}"


class Cost(NamedTuple):
    """What one command took: seconds, processor seconds, most megabytes at a time."""

    seconds: float
    cpu: float
    memory: float


def main() -> None:
    """Print one line for each run, then growth and ratio."""
    options = _options()
    sizes = [int(one) for one in options.sizes.split(",")]
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)  # or orphans' seconds would be lost
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        whole = classroom.new(Path(folder, "whole"))
        sample.enrol(whole, max(options.learners, *sizes), kinds=HONEST)
        print(LINE.format("", "learners", "seconds", "learners/hour", "CPU s/learner", "peak MB"))
        few = options.learners
        plain, theirs = _plain(whole, few)
        alone, _ = _ours(whole, few, 1)
        two, ours = _ours(whole, few, 2)
        assert theirs == ours, f"scores differ: {sorted(set(theirs) ^ set(ours))[:6]}"
        print(f"the same {len(ours)} scores on both sides")
        costs = {size: _ours(whole, size, 2)[0] for size in sizes}
        _nothing(whole, sizes[-1])
    _compare(plain, alone, two, few, costs)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--learners", type=int, default=10, help="on both sides")
    parser.add_argument("--sizes", default="25,50,100,200", help="of classes for grader alone")
    return parser.parse_args()


def _compare(plain: Cost, alone: Cost, two: Cost, few: int, costs: dict[int, Cost]) -> None:
    for small, large in pairwise(costs):
        more = costs[large].seconds / costs[small].seconds
        print(f"{large / small:g} times the learners take {more:.2f} times as long")
    print(
        f"CPU: {plain.cpu / two.cpu:.1f} times less; one process: {plain.seconds / alone.seconds:.1f}"
    )
    print(f"ratio: {plain.seconds / two.seconds:.1f}")


def _plain(whole: Classroom, learners: int) -> tuple[Cost, list[tuple[object, ...]]]:
    root = _part(whole, learners, "plain")
    cost = _measured(["nbgrader", "autograde", ASSIGNMENT], root)
    return _shown("nbgrader autograde", learners, cost), gradebook(root)


def _ours(whole: Classroom, learners: int, jobs: int) -> tuple[Cost, list[tuple[object, ...]]]:
    root = _part(whole, learners, f"ours-{jobs}")
    cost = _measured(["grader", "grade", ".", f"--jobs={jobs}"], root)
    return _shown(f"grader grade --jobs {jobs}", learners, cost), gradebook(root)


def _nothing(whole: Classroom, learners: int) -> None:
    root = whole.root.with_name(f"ours-2-{learners}")
    _shown("the same again, nothing changed", learners, _measured(["grader", "grade", "."], root))


def _part(whole: Classroom, learners: int, name: str) -> Path:
    """Return a class that is `whole` with its first learners only."""
    root = whole.root.with_name(f"{name}-{learners}")
    shutil.copytree(whole.root, root, ignore=shutil.ignore_patterns("submitted"))
    for student in whole.students()[:learners]:
        shutil.copytree(whole.submitted / student, root / "submitted" / student)
    return root


def _measured(command: list[str], root: Path) -> Cost:
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kit = [str(REPOSITORY), str(REPOSITORY / "course"), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=root, stdout=subprocess.DEVNULL,
        stderr=(root / "errors").open("w"),
        env={**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, kit))},
    )  # fmt: skip
    with _watched(process.pid) as most:
        code = process.wait()
    seconds = time.monotonic() - began
    assert code == 0, (root / "errors").read_text()[-3000:]
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0):
            pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, cpu, max(most, default=0.0))


@contextlib.contextmanager
def _watched(process: int):
    """Yield a list that fills with the megabytes that a process and all below it hold."""
    most: list[float] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.3):
            most.append(sum(map(_megabytes, [process, *_below(process)])))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def _below(process: int) -> list[int]:
    found = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, children.read_text().split()):
                found += [child, *_below(child)]
    return found


def _megabytes(process: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _shown(what: str, learners: int, cost: Cost) -> Cost:
    hourly = f"{3600 * learners / cost.seconds:.0f}"
    cpu, memory = f"{cost.cpu / learners:.2f}", f"{cost.memory:.0f}"
    print(LINE.format(what, learners, f"{cost.seconds:.1f}", hourly, cpu, memory), flush=True)
    return cost


if __name__ == "__main__":
    main()
