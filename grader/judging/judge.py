"""The judge: runs a learner's lessons in a process of their own and believes only numbers.

Everything that comes back is bytes. `wire.unpack` turns them into JSON values and arrays
after checking lengths; hidden checks look at those. Nothing is evaluated, nothing unpickled.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.judging.dialogue import Infrastructure, Process
from grader.judging.trial import Listen, Trial
from grader.judging.verdict import Cell, CellRun, Lesson, LessonResult, Verdict
from grader.sandbox.walls import Limits, Wall

__all__ = ["Cell", "CellRun", "Lesson", "LessonResult", "Verdict", "judge_learner"]


def judge_learner(
    lessons: Sequence[Lesson],
    secret: str,
    wall: Wall,
    limits: Limits = Limits(),  # noqa: B008 (a tuple)
    listen: Listen = lambda _, __, piece: piece,
) -> dict[str, LessonResult]:
    """Return the result of each of one learner's lessons, by name; raises for nothing they do.

    What hidden checks send comes from `secret` and from a lesson's own text.

    The fewer known-good pieces are at hand in a lesson, the earlier it is run.
    A lesson without checks is not run.
    `listen(name, exercise, piece)` may put something between check and piece, to hear what passes.
    """
    bench = Bench(wall, limits)
    results = {one.name: LessonResult({}, [], 0.0) for one in lessons}
    try:
        for one in sorted(lessons, key=lambda lesson: len(lesson.known_good)):
            if one.checks:
                results[one.name] = Trial(one, secret, bench, listen).result()
    finally:
        bench.clear()
    return results


class Bench:
    """Holds the learner's process, and replaces it when it broke."""

    def __init__(self, wall: Wall, limits: Limits) -> None:
        self.wall, self.limits = wall, limits
        self._process: Process | None = None

    def begin(self) -> Process:
        """Return a process that has begun a lesson: the one at hand, or a new one."""
        if self._process is not None:
            try:
                self._process.begin()
                return self._process
            except Infrastructure:  # the lesson before left it in no good state
                self.clear()
        self._process = Process(self.wall, self.limits)
        self._process.begin()
        return self._process

    def end(self, process: Process) -> None:
        try:
            process.end()
        except Infrastructure:  # all verdicts are in; the next lesson gets a new one
            self.clear()

    def clear(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()
