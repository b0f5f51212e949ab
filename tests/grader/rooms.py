"""Small classes for tests: a few lessons, a few learners, graded without a wall."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from nbgrader.api import Gradebook

from grader import nbgrader_api, notebook
from grader.authoring import exercises
from grader.grading import grade
from grader.grading.crew import Local
from grader.room import classroom, making, sample
from grader.room.classroom import Classroom
from grader.sandbox import walls

FULL = {name: exercises.solved_text(exercises.find(name)) for name in exercises.names()}


@contextmanager
def only_lessons(*names: str) -> Iterator[None]:
    """Let the classes that are made meanwhile have these lessons only."""
    lessons = [one for one in making.read_lessons() if one.name in names]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "read_lessons", lambda: lessons)
        yield


def new_class(root: Path, students: dict[str, dict[str, str]]) -> Classroom:
    made = classroom.new(root)
    for student, answers in students.items():
        hand_in(made, student, answers)
    return made


def hand_in(made: Classroom, student: str, answers: dict[str, str], when: str = "") -> Path:
    folder = made.submitted / student / ASSIGNMENT
    folder.mkdir(parents=True, exist_ok=True)
    for name, lesson in made.release().items():
        text = notebook.text(sample.filled(lesson, answers))
        (folder / f"{name}.ipynb").write_text(text, "utf-8")
    if when:
        (folder / "timestamp.txt").write_text(when)
    return folder


def graded(made: Classroom, *, regrade: bool = False) -> dict[str, dict]:
    planned = grade.plan(made, regrade=regrade)
    with Local(1) as crew:
        return dict(grade.grade(made, planned, crew, walls.NONE))


def book(made: Classroom) -> Gradebook:
    return Gradebook(nbgrader_api.course_directory(made.root).db_url, "self-attention")
