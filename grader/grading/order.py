"""One learner's work on its way to a worker: bytes go there, a result comes back."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import NamedTuple

from grader.grading import standard, timestamps
from grader.grading.proof import wall_here
from grader.grading.run import Graded, Task, grade_learner
from grader.grading.standard import Standard
from grader.intake.folder import Taken, take_in
from grader.intake.gathered import Gathered, gather, unreadable
from grader.intake.work import may_be_notebook
from grader.room.classroom import Classroom
from grader.sandbox.walls import Wall


class Order(NamedTuple):
    """What a learner handed in, and what it is held against."""

    student: str
    handed_in: Gathered
    standard: Standard

    @property
    def key(self) -> str:
        """Return one hash of all that the verdict rests on."""
        whole = hashlib.sha256(self.standard.digest.encode())
        whole.update(self.handed_in.digest())
        return whole.hexdigest()


def order(room: Classroom, student: str, against: Standard) -> Order:
    """Return the order to grade what `student` handed in; reads, and parses nothing."""
    is_notebook = partial(may_be_notebook, lessons=list(room.home()))
    try:
        found = gather(room.submitted / student, room.assignments, is_notebook)
    except OSError as error:
        found = unreadable(room.assignments, error)
    remarks = timestamps.remarks(room, student)
    return Order(student, found._replace(remarks=remarks), against)


class Done(NamedTuple):
    """What comes back: what was taken in, what grading it came to, and behind which wall."""

    taken: Taken
    graded: Graded
    wall: str


def carry_out(one: Order, wall: Wall | None, trusted: bool = False) -> Done:
    """Take in, run and judge what a learner handed in; without a wall given, find one here."""
    wall = wall or wall_here(one.standard, trusted)
    work = task(one)
    return Done(Taken(work.works, work.remarks, work.asks), grade_learner(work, wall), wall.name)


def task(one: Order, taken: Taken | None = None) -> Task:
    """Return the task in an order; `taken` where it was taken in already."""
    release = standard.by_name(one.standard.release)
    taken = taken or take_in(one.handed_in, standard.unpacked(one.standard.release))
    return Task(one.student, taken.works, release, one.standard.seed, taken.remarks, taken.asks)
