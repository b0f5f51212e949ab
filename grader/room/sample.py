"""A make-believe class: right in several styles, wrong by misconception, untouched, damaged."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader import misconceptions, notebook
from grader.authoring import exercises
from grader.notebook import Notebook
from grader.room import styles
from grader.room.classroom import ClassError, Classroom

KINDS = ("right", "wrong", "right", "wrong", "untouched", "damaged")


def enrol(
    classroom: Classroom, students: int, seed: int = 0, kinds: Sequence[str] = KINDS
) -> list[tuple[str, str]]:
    """Hand in for `student-001` and so on; returns each with what was handed in.

    Raises `ClassError` where somebody has handed in already.
    """
    if classroom.students():
        raise ClassError(f"{classroom.submitted} holds learners; a sample goes into a new class")
    release, rng = classroom.release(), random.Random(seed)
    done = []
    for number in range(students):
        student, kind = f"student-{number + 1:03}", kinds[number % len(kinds)]
        paths = {
            name: classroom.handed_in(student, assignment) / f"{name}.ipynb"
            for name, assignment in classroom.home().items()
        }
        done.append((student, _hand_in(kind, release, paths, rng)))
    return done


def _hand_in(
    kind: str, release: Mapping[str, Notebook], paths: Mapping[str, Path], rng: random.Random
) -> str:
    answers = {} if kind == "untouched" else _right(rng)
    says = kind
    if kind == "wrong":
        wrong = rng.choice(_possible(release))
        answers[wrong.piece] = misconceptions.source(wrong)
        says = f"wrong: {wrong.name}"
    for name, lesson in release.items():
        paths[name].parent.mkdir(parents=True, exist_ok=True)
        paths[name].write_text(notebook.text(filled(lesson, answers)), "utf-8")
    if kind == "damaged":
        path = paths[rng.choice(sorted(release))]
        path.write_bytes(path.read_bytes()[:2000])
        says = f"damaged: {path.name} ends early"
    return says


def _possible(release: Mapping[str, Notebook]) -> list[misconceptions.Misconception]:
    """Return the wrong ideas about pieces that the class's lessons ask for."""
    asked = {cell.id for lesson in release.values() for cell in lesson.cells}
    return [one for one in misconceptions.every().values() if one.piece in asked]


def _right(rng: random.Random) -> dict[str, str]:
    """Return a right answer to every exercise, now in one style, now in another."""
    answers = {name: exercises.solved_text(exercises.find(name)) for name in exercises.names()}
    return answers | {
        name: rng.choice([answers[name], *ways]) for name, ways in styles.WAYS.items()
    }


def filled(lesson: Notebook, answers: Mapping[str, str]) -> Notebook:
    """Return a released lesson with `answers` (source text by exercise) in its solution cells.

    The answer to a class may be its last method alone.
    """
    done = copy.deepcopy(lesson)
    for cell in done.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.id in answers:
            cell.source = exercises.completed(exercises.find(cell.id), answers[cell.id])
    return done
