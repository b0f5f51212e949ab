"""What stands in the gradebook beyond the autograder's scores: a person's marks, penalties."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from nbgrader.api import BaseCell, Comment, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from grader.recording.gradebook import Gradebook, Place


class Marks(NamedTuple):
    """What a person, or being late, did to one learner's scores.

    `scores` and `extra` have the manual score and the extra credit of graded cells, `comments`
    a person's remarks on solution cells, `penalties` what each late lesson costs.
    """

    scores: dict[Place, float]
    extra: dict[Place, float]
    comments: dict[Place, str]
    penalties: dict[str, float]


def marks(gradebook: Gradebook) -> dict[str, Marks]:
    """Return the marks of each learner who has any."""
    found: dict[str, Marks] = {}
    for place, column in enumerate(
        (Grade.manual_score, Grade.extra_credit, Comment.manual_comment)
    ):
        for student, lesson, cell, mark in _of_cells(gradebook, column):
            _of(found, student)[place][lesson, cell] = mark
    penalty = SubmittedNotebook.late_submission_penalty
    for student, lesson, mark in _of_lessons(gradebook, penalty):
        _of(found, student).penalties[lesson] = mark
    return found


def _of(found: dict[str, Marks], student: str) -> Any:
    return found.setdefault(student, Marks({}, {}, {}, {}))


def _of_cells(gradebook: Gradebook, column: Any) -> Iterable[Any]:
    """Return learner, lesson, cell and `column` of Grade or Comment, where there is anything."""
    model = column.class_
    query = (
        select(SubmittedAssignment.student_id, Notebook.name, BaseCell.name, column)
        .select_from(model)
        .join(BaseCell, BaseCell.id == model.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == model.notebook_id)
    )
    return _found(gradebook, query, column)


def _of_lessons(gradebook: Gradebook, column: Any) -> Iterable[Any]:
    query = select(SubmittedAssignment.student_id, Notebook.name, column)
    return _found(gradebook, query.select_from(SubmittedNotebook), column)


def _found(gradebook: Gradebook, query: Any, column: Any) -> Iterable[Any]:
    ours = [one.id for one in gradebook.assignments.values()]
    rows = (
        query.join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .where(SubmittedAssignment.assignment_id.in_(ours), column.is_not(None))
    )
    found: Iterable[Any] = gradebook.session.execute(rows)
    return found
