"""One learner from what was taken in to a result: run, judge, points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader import checks
from grader.intake.work import Work
from grader.judging import known_good
from grader.judging.judge import Cell, CellRun, Lesson, LessonResult, Verdict, judge_learner
from grader.notebook import Notebook
from grader.sandbox.walls import Wall

Result = dict[str, Any]

# Tags of cells that no verdict needs.
SHOWN_ONLY = {"picture", "timing"}


class Task(NamedTuple):
    """Everything that grading one learner needs; small enough to send to another machine."""

    student: str
    works: Mapping[str, Work]
    release: Mapping[str, Notebook]
    seed: str


class Graded(NamedTuple):
    """One learner's entry of grades.json and, by lesson, what their cells printed.

    What they printed is for the instructor only: it may show what a hidden check asked.
    """

    result: Result
    runs: Mapping[str, Sequence[CellRun]]


def grade_learner(work: Task, wall: Wall) -> Graded:
    """Return what running and judging one learner's lessons came to."""
    lessons = [lesson_of(one.name, one.notebook) for one in work.works.values() if one.notebook]
    judged = judge_learner(lessons, work.seed, wall)
    graded = {
        name: _lesson(one, graded_cells(work.release[name]), judged.get(name))
        for name, one in work.works.items()
    }
    faults = [f"{name}: {one.fault}" for name, one in judged.items() if one.fault]
    runs = {name: one.runs for name, one in judged.items()}
    return Graded(_learner(graded, work.works, faults), runs)


def not_graded(work: Task, fault: str) -> Graded:
    """Return the result of a learner whom the grader failed: no points, which is not 0 points."""
    verdict = Verdict("infrastructure", fault)
    points = {name: graded_cells(work.release[name]) for name in work.works}
    judged = {
        name: LessonResult(dict.fromkeys(cells, verdict), [], 0.0, fault)
        for name, cells in points.items()
    }
    graded = {name: _lesson(one, points[name], judged[name]) for name, one in work.works.items()}
    return Graded(_learner(graded, work.works, [fault]), {})


def lesson_of(name: str, notebook: Notebook) -> Lesson:
    """Return what is run and checked of one lesson: no picture, no clock, no hidden test."""
    graded = graded_cells(notebook)
    cells = [
        Cell(cell.id, "") if cell.id in graded else Cell(cell.id, cell.source)
        for cell in notebook.cells
        if cell.cell_type == "code" and not SHOWN_ONLY & set(cell.metadata.get("tags", []))
    ]
    return Lesson(name, cells, list(graded), known_good.sources(name))


def graded_cells(notebook: Notebook) -> dict[str, float]:
    """Return the points of each graded cell by its grade_id."""
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    return {mark["grade_id"]: mark["points"] for mark in marks if mark.get("grade")}


def _lesson(work: Work, points: Mapping[str, float], judged: LessonResult | None) -> Result:
    verdicts = _named_missing(judged.verdicts, work.missing) if judged else {}
    unread = Verdict("rejected" if work.state == "rejected" else "not handed in", work.reason)
    cells = {name: _cell(verdicts.get(name, unread), most) for name, most in points.items()}
    return {
        "state": work.state,
        "score": total(cell["points"] for cell in cells.values()),
        "max": sum(points.values()),
        "seconds": round(judged.seconds, 3) if judged else 0.0,
        "cells": cells,
    }


def _named_missing(verdicts: Mapping[str, Verdict], missing: frozenset[str]) -> dict[str, Verdict]:
    """Return `verdicts`, told apart: a cell left empty, and one that was not in the file."""
    named = dict(verdicts)
    for name in (name for name, one in verdicts.items() if one.state == "not attempted"):
        if gone := missing.intersection(checks.find(name).exercises()):
            text = f"The cell of `{min(gone)}` was not in the file; it was put back empty."
            named[name] = Verdict("missing", text)
    return named


def _cell(verdict: Verdict, most: float) -> Result:
    """A fault of ours and a file nobody could read have no points, which is not 0 points."""
    nobody_knows = verdict.state in ("infrastructure", "rejected")
    return {
        "state": verdict.state,
        "points": None if nobody_knows else most if verdict.state == "passed" else 0,
        "max": most,
        "message": verdict.message,
        "misconception": verdict.misconception,
        "said": verdict.said,
    }


def total(points: Any) -> float | None:
    """Return the sum, or None where a part is unknown."""
    parts = list(points)
    return None if None in parts else sum(parts)


def _learner(lessons: Mapping[str, Result], works: Mapping[str, Work], faults: list[str]) -> Result:
    states = [work.state for work in works.values()]
    state = next((one for one in ("rejected", "repaired") if one in states), "ok")
    cells = [cell for lesson in lessons.values() for cell in lesson["cells"].values()]
    if faults or any(cell["state"] == "infrastructure" for cell in cells):
        state = "infrastructure"
    repairs = [f"{work.name}: {line}" for work in works.values() for line in work.repairs]
    reasons = [f"{work.name}: {work.reason}" for work in works.values() if work.reason]
    return {
        "state": state,
        "score": total(lesson["score"] for lesson in lessons.values()),
        "max": sum(lesson["max"] for lesson in lessons.values()),
        "repairs": repairs + reasons + faults,
        "lessons": lessons,
    }
