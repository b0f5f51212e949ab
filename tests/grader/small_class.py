"""A class of one or two short lessons, and what stands in it after a run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader import misconceptions, notebook
from grader.authoring import exercises
from grader.authoring.lesson import read_lessons
from grader.room import classroom, sample
from grader.room.classroom import Classroom

LESSON = "05_causal_mask"
RIGHT = exercises.solved_text(exercises.find("causal_mask"))
WRONG = misconceptions.source(misconceptions.of("causal_mask")[0])
ANSWERS = {"right": {"causal_mask": RIGHT}, "wrong": {"causal_mask": WRONG}, "untouched": {}}


def small_class(
    root: Path, learners: Iterable[str] = (), lessons: Iterable[str] = (LESSON,)
) -> Classroom:
    """Return a new class; a learner's id begins with a key of ANSWERS."""
    dropped = [one.name for one in read_lessons() if one.name not in lessons]
    settings = root.with_suffix(".toml")
    settings.write_text(f"drop = {json.dumps(dropped)}")
    made = classroom.new(root, settings)
    for learner in learners:
        hand_in(made, learner, ANSWERS[learner.split("-")[0]])
    return made


def hand_in(made: Classroom, learner: str, answers: dict[str, str]) -> None:
    """Write each lesson with `answers` in it into the learner's folder."""
    home = made.home()
    for name, lesson in made.release().items():
        folder = made.handed_in(learner, home[name])
        folder.mkdir(parents=True, exist_ok=True)
        text = notebook.text(sample.filled(lesson, answers))
        (folder / f"{name}.ipynb").write_text(text, "utf-8")


def standing(root: Path) -> dict[str, Any]:
    """Return all of grades.json but times."""
    text = (root / "grades.json").read_text("utf-8")
    return json.loads(
        text, object_hook=lambda one: {k: v for k, v in one.items() if k != "seconds"}
    )


def gradebook(root: Path) -> list[tuple[Any, ...]]:
    """Return the points of every graded cell of every learner in nbgrader's gradebook."""
    query = """
        select submitted_assignment.student_id, base_cell.name, grade.auto_score
        from grade
        join base_cell on base_cell.id = grade.cell_id
        join submitted_notebook on submitted_notebook.id = grade.notebook_id
        join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
        order by 1, 2"""
    with sqlite3.connect(root / "gradebook.db") as book:
        return book.execute(query).fetchall()
