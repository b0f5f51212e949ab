"""Results as they count: the judge's points, with what a person gave and what being late cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.grading.run import Result, total
from grader.grading.store import Store
from grader.recording.gradebook import Gradebook
from grader.recording.marks import Marks, marks
from grader.room.classroom import Classroom

NONE = Marks({}, {}, {}, {})


def results(room: Classroom, given: Mapping[str, Marks]) -> dict[str, Result]:
    """Return the result of each learner on whom a verdict stands, with the marks `given`."""
    store = Store(room.private / "results")
    found = {student: store.result(student) for student in store.students()}
    return {name: marked(one, given.get(name, NONE)) for name, one in found.items() if one}


def all_marks(room: Classroom) -> dict[str, Marks]:
    """Return what the gradebook has of marks and penalties, by learner."""
    with Gradebook(room.root, room.assignments) as gradebook:
        return marks(gradebook)


def marked(result: Result, given: Marks) -> Result:
    """Return `result` with a person's scores in place of the judge's, and penalties taken off.

    Where a person has filled in what nobody knew, nobody is asked any more.
    """
    lessons = {name: _lesson(name, one, given) for name, one in result["lessons"].items()}
    score = total(one["score"] for one in lessons.values())
    is_decided = result["score"] is None and score is not None
    asks = [] if is_decided else result["asks"]
    return result | {"score": score, "asks": asks, "lessons": lessons}


def _lesson(name: str, lesson: Result, given: Marks) -> Result:
    cells = {cell: _cell((name, cell), one, given) for cell, one in lesson["cells"].items()}
    score, penalty = total(one["points"] for one in cells.values()), given.penalties.get(name, 0)
    late: Result = {"penalty": penalty} if penalty else {}
    return lesson | late | {"score": None if score is None else score - penalty, "cells": cells}


def _cell(place: tuple[str, str], cell: Result, given: Marks) -> Result:
    points: Any = given.scores.get(place, cell["points"])
    extra = given.extra.get(place, 0)
    if points is None or (place not in given.scores and not extra):
        return cell
    return cell | {"points": points + extra, "by_hand": True}
