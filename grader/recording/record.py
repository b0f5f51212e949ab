"""Writes what grading came to: graded notebooks, verdicts, nbgrader's gradebook. One writer.

In this order: a learner's notebooks, then the verdict, then rows of the gradebook, many learners
at a time. A run may be killed between any two: what stands and is not in the gradebook is
written at the end of the next run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice

from sqlalchemy.exc import OperationalError

from grader import nbgrader_api
from grader.grading import standard
from grader.grading.order import order, task
from grader.grading.run import Graded, Result, Task
from grader.grading.standard import Standard
from grader.grading.store import Store
from grader.nbgrader_api import NbgraderError
from grader.recording.autograded import Autograded, handed_in
from grader.recording.backups import back_up
from grader.recording.gradebook import Entry, Gradebook, Place
from grader.recording.penalties import charge_the_late
from grader.room.classroom import Classroom

BATCH = 50  # learners whose rows are written together


class Recorder:
    """A context in which results are recorded."""

    def __init__(self, room: Classroom) -> None:
        self._room = room
        self._store = Store(room.private / "results")
        self._autograded = Autograded(room)
        self._pending: list[Entry] = []
        self._is_backed_up = False
        with self._gradebook():  # where there is none, say so before anything is graded
            pass

    def __enter__(self) -> Recorder:
        """Return the recorder."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Write what is left over and, at a good end, what a run that was killed left out."""
        self._write(self._pending)
        if kind is None:
            self._catch_up()

    def record(self, key: str, wall: str, work: Task, graded: Graded) -> None:
        """Record one learner; `key` stands for what the verdict was reached from."""
        self._autograded.write(work, graded)
        self._store.keep(work.student, key, wall, graded.result)
        self._pending += self._entries(work.student, graded.result, work)
        if len(self._pending) >= BATCH:
            self._write(self._pending)
            self._pending = []

    def _write(self, entries: list[Entry]) -> None:
        if entries:
            with self._gradebook() as gradebook:
                if not self._is_backed_up:
                    back_up(self._room.root, self._room.private / "backups")
                self._is_backed_up = True
                gradebook.write(entries)

    def _catch_up(self) -> None:
        """Record the verdicts that stand and are not in the gradebook; charge who was late."""
        students = iter(self._store.students())
        while some := list(islice(students, BATCH)):
            for student in some:
                self._put_right(student)
            standing = [entry for student in some for entry in self._standing(student)]
            with self._gradebook() as gradebook:
                lacking = {one.student for one in gradebook.lacking(standing)}
            self._write([
                entry for one in sorted(lacking) for entry in self._standing(one, self._work(one))
            ])  # fmt: skip
        with self._gradebook() as gradebook:
            charge_the_late(self._room.root, gradebook)

    def _put_right(self, student: str) -> None:
        """Write graded notebooks that were deleted anew, without what the cells printed."""
        result = self._store.result(student) or {"lessons": {}}
        names = handed_in(self._room, result)
        is_whole = all(self._autograded.folder(student, name).is_dir() for name in names)
        if not is_whole and (work := self._work(student)):
            self._autograded.write(work, Graded(result, {}))

    def _work(self, student: str) -> Task | None:
        """Return the work that the verdict on `student` was reached from, if it is there."""
        found = order(self._room, student, self._against)
        return task(found) if self._store.is_current(student, found.key) else None

    @cached_property
    def _against(self) -> Standard:
        return standard.of(self._room)

    def _standing(self, student: str, work: Task | None = None) -> list[Entry]:
        return self._entries(student, self._store.result(student) or {"lessons": {}}, work)

    def _entries(self, student: str, result: Result, work: Task | None) -> list[Entry]:
        """Return one entry for each assignment of which anything was handed in."""
        comments, home = _comments(work), self._room.home()
        entries = []
        for assignment, names in handed_in(self._room, result).items():
            scores = {
                (name, cell): verdict["points"]
                for name, lesson in result["lessons"].items()
                if home.get(name) == assignment
                for cell, verdict in lesson["cells"].items()
            }
            time = self._autograded.timestamp(student, assignment)
            entries.append(Entry(student, assignment, time, scores, comments, frozenset(names)))
        return entries

    @contextmanager
    def _gradebook(self) -> Iterator[Gradebook]:
        try:
            with Gradebook(self._room.root, self._room.assignments) as gradebook:
                yield gradebook
        except OperationalError as error:
            raise NbgraderError(
                f"the gradebook cannot be written: {error.orig}. No verdict is lost; close what "
                "holds the gradebook and grade again"
            ) from error


def _comments(work: Task | None) -> dict[Place, str | None]:
    """Return what nbgrader notes on solution cells: whether there was a response."""
    comments: dict[Place, str | None] = {}
    for name, one in work.works.items() if work else ():
        if one.notebook:
            for cell, is_written in nbgrader_api.responses(one.notebook).items():
                comments[name, cell] = None if is_written else "No response."
    return comments
