"""One learner's work on its way to a worker: bytes go there, a result comes back."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import NamedTuple

from grader.grading import standard
from grader.grading.proof import wall_here
from grader.grading.run import Graded, Task, grade_learner
from grader.grading.standard import Standard
from grader.intake.gathered import Gathered, gather
from grader.intake.work import Work, may_be_notebook, works_in
from grader.room.classroom import Classroom
from grader.sandbox.walls import Wall


class Order(NamedTuple):
    """What a learner handed in, by assignment, and what it is held against."""

    student: str
    handed_in: dict[str, Gathered]
    standard: Standard

    @property
    def key(self) -> str:
        """Return one hash of all that the verdict rests on."""
        whole = hashlib.sha256(self.standard.digest.encode())
        for assignment, gathered in self.handed_in.items():
            whole.update(f"\0{assignment}\0".encode() + gathered.digest())
        return whole.hexdigest()


def order(room: Classroom, student: str, against: Standard) -> Order:
    """Return the order to grade what `student` handed in; reads, and parses nothing."""
    return Order(
        student,
        {
            name: gather(room.handed_in(student, name), partial(may_be_notebook, lessons=lessons))
            for name, lessons in room.assignments.items()
        },
        against,
    )


class Done(NamedTuple):
    """What comes back: the work that was found, what grading it came to, and behind which wall."""

    works: dict[str, Work]
    graded: Graded
    wall: str


def carry_out(one: Order, wall: Wall | None, trusted: bool = False) -> Done:
    """Take in, run and judge what a learner handed in; without a wall given, find one here."""
    wall = wall or wall_here(one.standard, trusted)
    work = task(one)
    return Done(dict(work.works), grade_learner(work, wall), wall.name)


def task(one: Order, works: dict[str, Work] | None = None) -> Task:
    """Return the task in an order; `works` where they were taken in already."""
    release = standard.by_name(one.standard.release)
    return Task(one.student, _works(one) if works is None else works, release, one.standard.seed)


def _works(one: Order) -> dict[str, Work]:
    lessons = standard.unpacked(one.standard.release)
    parts = [works_in(found, lessons[name]) for name, found in one.handed_in.items()]
    return {name: work for part in parts for name, work in part.items()}
