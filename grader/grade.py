"""Grades a class: every learner whose work, or what it is held against, has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from typing import NamedTuple

from grader.classroom import ClassError, Classroom
from grader.intake.work import Work
from grader.judging.replay import replay
from grader.notebook import Notebook
from grader.record import Recorder
from grader.run import Graded, Result, Task, digest, grade_learner, lesson_of, not_graded, task
from grader.sandbox.probe import probe
from grader.sandbox.walls import Wall
from grader.store import Store


class SelfTestError(Exception):
    """The reference or an untouched release did not get what it must: nothing was graded."""


class NoWallError(Exception):
    """No wall holds on this machine, and nobody said that the code is trusted."""


NEED_A_PERSON = ("rejected", "infrastructure")


class Plan(NamedTuple):
    """Who is to be graded, and how many verdicts stand already."""

    tasks: list[tuple[str, Task]]
    current: int


def choose_wall(trusted: bool) -> Wall:
    """Return the strongest wall that holds; raises `NoWallError` where none does."""
    wall = probe()
    if not wall.inner and not trusted:
        raise NoWallError(
            f"no wall holds here. {wall.explain} Install bubblewrap and libseccomp (Debian, "
            "Ubuntu: apt install bubblewrap libseccomp2) and run as a user who may use them, or "
            "say --i-trust-this-code"
        )
    return wall


def plan(classroom: Classroom, only: str | None = None, regrade: bool = False) -> Plan:
    """Return what there is to do; executes nothing."""
    store, release = Store(classroom.private / "results"), classroom.release()
    students = classroom.students() if only is None else [_known(classroom, only)]
    tasks = [(digest(one), one) for one in (task(classroom, name, release) for name in students)]
    due = [(key, one) for key, one in tasks if regrade or not store.is_current(one.student, key)]
    return Plan(due, len(students) - len(due))


def grade(
    classroom: Classroom, wall: Wall, planned: Plan, executor: Callable[[], Executor] | None = None
) -> Iterator[tuple[str, Result]]:
    """Grade what is planned; yields each learner with the result, after it was written."""
    with Recorder(classroom) as recorder, (executor or local)() as pool:
        keys: dict[Future[Graded], tuple[str, Task]] = {
            pool.submit(grade_learner, one, wall): (key, one) for key, one in planned.tasks
        }
        for done in as_completed(keys):
            key, work = keys[done]
            graded = _graded(done, work)
            recorder.record(key, wall.name, work, graded)
            yield work.student, graded.result


def _graded(done: Future[Graded], work: Task) -> Graded:
    """A fault of ours costs one learner a verdict, and nobody else."""
    try:
        return done.result()
    except Exception as fault:
        return not_graded(work, f"the grader failed with {fault!r}; grade this learner again")


def local(jobs: int | None = None) -> Executor:
    """Return the executor of this machine: `jobs` processes, by default one for each core."""
    return ProcessPoolExecutor(jobs)


def replays(classroom: Classroom, wall: Wall, student: str) -> Iterator[str]:
    """Run what `student` handed in once more; yields what was asked and answered, by lesson."""
    work = task(classroom, _known(classroom, student), classroom.release())
    for one in work.works.values():
        if one.notebook:
            yield replay(lesson_of(one.name, one.notebook), classroom.seed, wall)


def _known(classroom: Classroom, student: str) -> str:
    if student not in classroom.students():
        known = ", ".join(classroom.students()[:10])
        raise ClassError(f"{student} has handed in nothing here; there are: {known}")
    return student


def self_test(classroom: Classroom, wall: Wall) -> None:
    """Hold the reference and an untouched release against the checks, behind the same wall.

    Raises `SelfTestError` unless the first gets every point and the second none.
    """
    release = classroom.release()
    for name, notebooks, wanted in (
        ("the reference", classroom.source(), "passed"),
        ("an untouched release", release, "not attempted"),
    ):
        works = {lesson: _as_work(lesson, notebook) for lesson, notebook in notebooks.items()}
        graded = grade_learner(Task(name, works, release, classroom.seed), wall)
        for lesson in graded.result["lessons"].values():
            for cell, verdict in lesson["cells"].items():
                if verdict["state"] != wanted:
                    raise SelfTestError(
                        f"{name} got {verdict['state']!r} in {cell}, wanted {wanted!r} "
                        f"({verdict['message']}); nothing was graded. Wall: {wall.name}"
                    )


def _as_work(name: str, notebook: Notebook) -> Work:
    return Work(name, "ok", "", (), notebook, frozenset(), "")
