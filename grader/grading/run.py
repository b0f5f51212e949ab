"""One learner from what was taken in to a result: run, judge, points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """Everything that grading one learner needs; small enough to send to another machine.

    `remarks` and `asks` are about the folder as a whole: what was odd, why a person should look.
    """

    student: str
    works: Mapping[str, Work]
    release: Mapping[str, Notebook]
    seed: str
    remarks: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


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
    result = _learner(graded, work, faults)
    for name, one in judged.items():
        short = [f"{name}: {line}" for line in one.remarks]
        result["repairs"] += short
        if graded[name]["score"] != graded[name]["max"]:
            result["asks"] += [
                f"{line}, and points are missing there: look at it" for line in short
            ]
    return Graded(result, runs)


def not_graded(work: Task, fault: str) -> Graded:
    """Return the result of a learner whom the grader failed: no points, which is not 0 points."""
    verdict = Verdict("infrastructure", fault)
    points = {name: graded_cells(work.release[name]) for name in work.works}
    judged = {
        name: LessonResult(dict.fromkeys(cells, verdict), [], 0.0, fault)
        for name, cells in points.items()
    }
    graded = {name: _lesson(one, points[name], judged[name]) for name, one in work.works.items()}
    return Graded(_learner(graded, work, [fault]), {})


def lesson_of(name: str, notebook: Notebook) -> Lesson:
    """Return what is run and checked of one lesson: no picture, no clock, no hidden test."""
    graded = graded_cells(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cells = [
        Cell(cell.id, "" if cell.id in graded else cell.source, number)
        for number, cell in enumerate(code, start=1)
        if not SHOWN_ONLY & set(cell.metadata.get("tags", []))
    ]
    return Lesson(name, cells, list(graded), known_good.sources(name))


def graded_cells(notebook: Notebook) -> dict[str, float]:
    """Return the points of each graded cell by its grade_id."""
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    return {mark["grade_id"]: mark["points"] for mark in marks if mark.get("grade")}


def _lesson(work: Work, points: Mapping[str, float], judged: LessonResult | None) -> Result:
    verdicts = _named_missing(judged.verdicts, work.missing) if judged else {}
    is_absent = work.state == "not handed in"
    unread = Verdict("not handed in" if is_absent else "rejected", work.reason)
    cells = {name: _cell(verdicts.get(name, unread), most) for name, most in points.items()}
    return {
        "state": work.state,
        "score": total(cell["points"] for cell in cells.values()),
        "max": sum(points.values()),
        "seconds": round(judged.seconds, 3) if judged else 0.0,
        "remarks": list(judged.remarks) if judged else [],
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


def _learner(lessons: Mapping[str, Result], work: Task, faults: list[str]) -> Result:
    works = work.works.values()
    repairs = [*work.remarks, *(f"{one.name}: {line}" for one in works for line in one.repairs)]
    cells = [cell for lesson in lessons.values() for cell in lesson["cells"].values()]
    is_ours = faults or any(cell["state"] == "infrastructure" for cell in cells)
    reasons = dict.fromkeys(_reason(one) for one in works if one.reason)
    asks = [*work.asks, *(line for one in works for line in one.asks), *faults]
    return {
        "state": "infrastructure" if is_ours else _state(works, repairs),
        "score": total(lesson["score"] for lesson in lessons.values()),
        "max": sum(lesson["max"] for lesson in lessons.values()),
        "repairs": [*repairs, *reasons, *faults],
        "asks": list(dict.fromkeys(asks)),
        "lessons": lessons,
    }


def _state(works: Iterable[Work], repairs: Sequence[str]) -> str:
    states = {one.state for one in works}
    if states <= {"not handed in", "nothing recognised"}:
        return "nothing recognised"
    if "rejected" in states:
        return "rejected"
    return "repaired" if repairs else "ok"


def _reason(work: Work) -> str:
    """Return why a lesson has no verdict, once for all where nothing was recognised."""
    is_whole = work.state == "nothing recognised"
    return work.reason if is_whole else f"{work.name}: {work.reason}"
