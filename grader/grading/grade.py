"""Grades a class: every learner whose work, or what it is held against, has changed."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError, Future
from typing import NamedTuple

from grader.grading import standard, timestamps
from grader.grading.crew import Crew, CrewError
from grader.grading.order import Done, Order, carry_out, order, task
from grader.grading.proof import WANTED, ProofError, choose_wall, self_test
from grader.grading.run import Result, lesson_of, not_graded
from grader.grading.standard import Standard
from grader.grading.store import Store
from grader.intake.folder import Taken, take_in
from grader.intake.work import Work
from grader.judging.replay import replay
from grader.recording.record import Recorder
from grader.room.classroom import ClassError, Classroom
from grader.sandbox.walls import Wall


class Plan(NamedTuple):
    """Who is to be graded, how many verdicts stand already, and what all are held against."""

    due: list[str]
    current: int
    against: Standard


def plan(room: Classroom, only: str | None = None, regrade: bool = False) -> Plan:
    """Return what there is to do; reads every submission, parses none.

    A timestamp.txt that would stop nbgrader's own commands is made sound or set aside first.
    """
    store, against = Store(room.private / "results"), standard.of(room)
    students = room.students() if only is None else [_known(room, only)]
    for name in students:
        timestamps.put_right(room, name)
    due = [
        name
        for name in students
        if regrade or not store.is_current(name, order(room, name, against).key)
    ]
    return Plan(due, len(students) - len(due), against)


def find_wall(planned: Plan, crew: Crew, trusted: bool) -> Wall | None:
    """Return the wall that holds here, once the checks work behind it; raises `ProofError`.

    None where those who work are elsewhere and must find their own.
    """
    if crew.is_elsewhere:
        return None
    crew.prepare()
    wall = choose_wall(trusted)
    for _, over in crew.done(self_test, WANTED, planned.against, wall):
        over.result()
    return wall


def grade(
    room: Classroom, planned: Plan, crew: Crew, wall: Wall | None, trusted: bool = False
) -> Generator[tuple[str, Result]]:
    """Grade what is planned; yields each learner with the result, after it was written."""
    orders = (order(room, name, planned.against) for name in planned.due)
    with Recorder(room) as recorder:
        for one, over in crew.done(carry_out, orders, wall, trusted):
            done = _done(one, over)
            recorder.record(one.key, done.wall, task(one, done.taken), done.graded)
            yield one.student, done.graded.result


def _done(one: Order, over: Future[Done]) -> Done:
    """A fault of ours costs one learner a verdict, and nobody else."""
    try:
        return over.result()
    except ProofError:
        raise
    except CancelledError as lost:
        raise CrewError(
            "the cluster's scheduler is gone; no verdict is lost: start it, and grade again"
        ) from lost
    except Exception as fault:
        taken = _taken(one)
        why = f"the grader failed with {fault!r}; grade this learner again"
        return Done(taken, not_graded(task(one, taken), why), "")


def _taken(one: Order) -> Taken:
    """Return what was handed in, or nothing where taking it in is what failed."""
    try:
        return take_in(one.handed_in, standard.unpacked(one.standard.release))
    except Exception:
        names = standard.by_name(one.standard.release)
        return Taken(
            {name: Work(name, "not handed in", "", (), None, frozenset()) for name in names}
        )


def replays(room: Classroom, wall: Wall, student: str) -> Iterator[str]:
    """Run what `student` handed in once more; yields what was asked and answered, by lesson."""
    work = task(order(room, _known(room, student), standard.of(room)))
    for one in work.works.values():
        if one.notebook:
            yield replay(lesson_of(one.name, one.notebook), room.seed, wall)


def _known(room: Classroom, student: str) -> str:
    if student not in room.students():
        known = ", ".join(room.students()[:10])
        raise ClassError(f"{student} has handed in nothing here; there are: {known}")
    return student
