"""The corpus of hostile hand-ins: what plain nbgrader and this grader make of it, side by side.

Run `python tests/bench/hostile.py [WORDS]`; with words, only hand-ins whose titles hold one.
Plain nbgrader runs inside a bubblewrap of its own here, for this machine's sake, in which the
attacked class lies open to it as it does in life. Hand-ins that would hurt even so are not run.
Points: one for each of five checks. `next` is an honest lesson of the same learner, after it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

from grader.judging.judge import LessonResult, judge_learner  # noqa: E402
from grader.judging.probe import probe  # noqa: E402
from grader.sandbox.walls import Limits, Wall  # noqa: E402
from tests.grader.hostile.arena import CHECKS, FIRST, Arena, arena, cells, lesson  # noqa: E402
from tests.grader.hostile.bombs import BOMBS  # noqa: E402
from tests.grader.hostile.forging import FORGING  # noqa: E402
from tests.grader.hostile.harm import HURTING, MARKING  # noqa: E402
from tests.grader.hostile.honest import HONEST, RIGHT  # noqa: E402
from tests.grader.hostile.pipes import PIPES  # noqa: E402

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # for alembic

GROUPS = {
    "forging": FORGING, "pipes": PIPES, "harm": MARKING,
    "hurting": HURTING, "bombs": BOMBS, "honest": HONEST,
}  # fmt: skip
NOT_UNDER_NBGRADER = ("hurting", "bombs")
LONGEST = 40.0  # seconds that nbgrader may take for one hand-in
LATER = 3.5  # seconds after which the processes left behind have done what they wait for


class Outcome(NamedTuple):
    """Points of a hand-in, harm, seconds, and points of the lesson after it where one was run."""

    points: float | None
    harm: list[str]
    seconds: float
    following: float | None = None


def main(words: list[str]) -> None:
    """Print a line for each hand-in, then a summary for each group."""
    wall, course = probe(), _course()
    print(f"wall: {wall.name}\n{'':44} {'nbgrader':>28}   {'grader':>10}")
    rows = []
    for group, handins in GROUPS.items():
        for name, text in handins.items():
            if words and not any(word in name for word in words):
                continue
            plain = None if group in NOT_UNDER_NBGRADER else _under_nbgrader(text, course)
            ours = _under_grader(name, text, wall)
            rows.append((group, plain, ours))
            print(f"{group:8} {name[:36]:36} {_shown(plain):>28}   {_shown(ours):>10}", flush=True)
    for group in GROUPS:
        mine = [(plain, ours) for one, plain, ours in rows if one == group]
        if mine:
            plains = [plain for plain, _ in mine if plain]
            print(f"{group}: nbgrader {_summary(plains)}; grader {_summary([o for _, o in mine])}")


def _under_grader(name: str, text: str, wall: Wall) -> Outcome:
    with arena() as place:
        began = time.monotonic()
        lessons = [lesson(name, text, place.given()), lesson("next", RIGHT)]
        results = judge_learner(lessons, "seed", wall, Limits(lesson=4.0, cells=4.0, call=1.0))
        seconds = time.monotonic() - began
        return Outcome(_points(results[name]), place.harm(), seconds, _points(results["next"]))


def _points(result: LessonResult) -> float:
    return float(sum(verdict.state == "passed" for verdict in result.verdicts.values()))


def _under_nbgrader(text: str, course: Path) -> Outcome:
    """Have plain nbgrader grade the hand-in in a copy of `course`."""
    with arena() as place, tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(course, folder, dirs_exist_ok=True))
        _write(root / "submitted" / "a" / "hw" / "lesson.ipynb", _notebook(text, place.given()))
        began = time.monotonic()
        _nbgrader(root, "autograde", "hw", "--student=a")
        seconds = time.monotonic() - began
        time.sleep(LATER if "sleep(3)" in text else 0)
        return Outcome(_score(root), _harm(place), seconds)


def _course() -> Path:
    """Return a class folder whose one assignment is released."""
    course = Path(tempfile.mkdtemp())
    _write(course / "source" / "hw" / "lesson.ipynb", _notebook(RIGHT, ""))
    _nbgrader(course, "generate_assignment", "hw")
    return course


def _nbgrader(root: Path, *arguments: str) -> None:
    """Run nbgrader as an instructor would, with a home of its own and a secret around it."""
    (root / "nbgrader_config.py").write_text("get_config().ExecutePreprocessor.timeout = 10\n")
    home = root / "home"
    home.mkdir(exist_ok=True)
    private = {"HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "SECRET": "secret"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "nbgrader", *arguments], cwd=root, env={**os.environ, **private},
        stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True,
    )  # fmt: skip
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(LONGEST)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _harm(place: Arena) -> list[str]:
    return [one for one in place.harm() if not one.startswith("left behind")]


def _notebook(text: str, given: str) -> nbformat.NotebookNode:
    """Return a hand-in: its cells, then one graded cell a check, as nbgrader wants them."""
    sources = [FIRST, given, *cells(text)]
    notebook = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})
    graded = [_graded(check) for check in CHECKS]
    for number, source in enumerate(sources):
        if source == " check":
            notebook.cells += graded
            graded = []
        else:
            notebook.cells.append(new_code_cell(source, id=f"cell-{number}"))
    notebook.cells += graded
    return notebook


def _graded(check: str) -> nbformat.NotebookNode:
    source = f"from grader import checks as _hidden\n_hidden.run({check!r}, softmax)"
    mark = {
        "grade": True, "grade_id": check, "locked": True, "points": 1, "schema_version": 3,
        "solution": False, "task": False,
    }  # fmt: skip
    return new_code_cell(source, id=check, metadata={"nbgrader": mark})


def _write(path: Path, notebook: nbformat.NotebookNode) -> None:
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def _score(root: Path) -> float | None:
    """Return the points in the gradebook, None where there are none."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        found = book.assignment_submissions("hw")
        if not found or any(grade.needs_manual_grade for grade in _grades(found[0])):
            return None
        return float(found[0].score)


def _grades(submission: object) -> list[object]:
    return [grade for notebook in submission.notebooks for grade in notebook.grades]


def _shown(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not run"
    points = "none" if outcome.points is None else f"{outcome.points:g}"
    harm = f" harm: {', '.join(outcome.harm)[:14]}" if outcome.harm else ""
    following = f" next: {outcome.following:g}" if _cost_the_next(outcome) else ""
    return f"{points}{harm}{following} {outcome.seconds:4.1f} s"


def _summary(outcomes: list[Outcome]) -> str:
    full = sum(one.points == len(CHECKS) for one in outcomes)
    some = sum(bool(one.points) for one in outcomes) - full
    unscored = sum(one.points is None for one in outcomes)
    harmed = sum(bool(one.harm) for one in outcomes)
    hurt = sum(map(_cost_the_next, outcomes))
    return (
        f"{len(outcomes)} run, {full} full, {some} some, {unscored} unscored, "
        f"{harmed} harmed something" + (f", {hurt} cost the next" if hurt else "")
    )


def _cost_the_next(outcome: Outcome) -> bool:
    return outcome.following not in (None, len(CHECKS))


def _contained(arguments: list[str]) -> list[str]:
    """Return the command that runs this script where it can spoil a temporary folder only."""
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent",
        "--chdir", "/tmp", "--setenv", "CONTAINED", "1",
        sys.executable, __file__, *arguments,
    ]  # fmt: skip


if __name__ == "__main__":
    if "CONTAINED" in os.environ:
        main(sys.argv[1:])
    elif shutil.which("bwrap"):
        sys.exit(subprocess.run(_contained(sys.argv[1:])).returncode)
    else:
        sys.exit("bubblewrap is not installed; plain nbgrader is not run without it")
