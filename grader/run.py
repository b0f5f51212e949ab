"""One learner from submission to result: intake, judge, points."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from grader import __version__, known_good
from grader.classroom import ASSIGNMENT, Classroom
from grader.intake import Work, take_in
from grader.judge import Cell, Lesson, judge_learner
from grader.notebook import Notebook
from grader.walls import Wall

Result = dict[str, Any]


class Task(NamedTuple):
    """Everything that grading one learner needs; small enough to send to another machine."""

    student: str
    works: Mapping[str, Work]
    seed: str


def task(classroom: Classroom, student: str, release: Mapping[str, Notebook]) -> Task:
    """Return the task of grading what `student` handed in."""
    works = take_in(classroom.submitted / student / ASSIGNMENT, release)
    return Task(student, works, classroom.seed)


def digest(work: Task) -> str:
    """Return what the verdict depends on, as one hash: the learner's text, the seed, the version."""
    parts = [f"{one.name} {one.state} {one.digest}" for one in work.works.values()]
    return hashlib.sha256("\n".join([__version__, work.seed, *parts]).encode()).hexdigest()


def grade_learner(work: Task, wall: Wall) -> Result:
    """Return the learner's entry of grades.json."""
    lessons = [lesson_of(one) for one in work.works.values() if one.notebook is not None]
    verdicts = judge_learner(lessons, work.seed, wall)
    graded = {name: _lesson(one, verdicts.get(name)) for name, one in work.works.items()}
    return _total(graded, work.works)


def lesson_of(work: Work) -> Lesson:
    """Return what is run and checked of one lesson: no picture, no hidden test's text."""
    assert work.notebook is not None
    cells = [
        Cell(cell.id, cell.source)
        for cell in work.notebook.cells
        if cell.cell_type == "code" and not _is_graded(cell) and not _is_picture(cell)
    ]
    names = [cell.metadata.nbgrader.grade_id for cell in work.notebook.cells if _is_graded(cell)]
    return Lesson(work.name, cells, names, known_good.sources(work.name))


def _is_graded(cell: Notebook) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _is_picture(cell: Notebook) -> bool:
    return "picture" in cell.metadata.get("tags", [])
