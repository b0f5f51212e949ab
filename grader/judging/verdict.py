"""What the judge is given and what it gives: lessons of cells, verdicts of checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """One code cell, in the order of the notebook; `number` is its place among the code cells."""

    id: str
    source: str
    number: int = 0


class Lesson(NamedTuple):
    """One lesson of one learner.

    `checks` are names of hidden checks. A cell whose id is one of them marks the place of that
    check; its source is not run. Checks without a place follow after the last cell.
    `known_good` maps names to source text; `attnkit.mine` offers them in this lesson.
    """

    name: str
    cells: Sequence[Cell]
    checks: Sequence[str]
    known_good: Mapping[str, str] = {}


class Verdict(NamedTuple):
    """What one check came to.

    `state` is passed, failed, not attempted, timed out, died or infrastructure. `message` is ours
    and for the learner; `said` is what the learner's code wrote into an error, for a person only:
    it may spell out what a hidden check asked.
    """

    state: str
    message: str = ""
    misconception: str | None = None
    said: str = ""


class CellRun(NamedTuple):
    """What a learner's cell printed: the learner's own word, of no weight."""

    id: str
    ok: bool
    output: str


class LessonResult(NamedTuple):
    """The verdicts of one lesson by the name of the check, and how its cells ran."""

    verdicts: dict[str, Verdict]
    runs: list[CellRun]
    seconds: float
    fault: str = ""  # why the grader could not run the lesson, if so
    remarks: tuple[str, ...] = ()  # what of it was cut short
