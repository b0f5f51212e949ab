"""Writes what grading a learner came to: the verdict, then nbgrader's own record. One writer."""

from __future__ import annotations

from types import TracebackType

from grader.classroom import Classroom
from grader.run import Graded, Task
from grader.store import Store


class Recorder:
    """A context in which results are recorded; what is left over is written at its end."""

    def __init__(self, classroom: Classroom) -> None:
        self._store = Store(classroom.private / "results")

    def __enter__(self) -> Recorder:
        """Return the recorder."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Write what is left over."""

    def record(self, key: str, wall: str, work: Task, graded: Graded) -> None:
        """Record one learner; `key` stands for what the verdict was reached from."""
        self._store.keep(work.student, key, wall, graded.result)
