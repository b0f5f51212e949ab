"""Fills a new class folder: sources with the class's points, the kit, and what is released."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import attnkit

from grader import nbgrader_api, notebook
from grader.authoring.lesson import Lesson, read_lessons
from grader.authoring.source import source_notebook
from grader.room.division import divided
from grader.room.settings import Settings


def planned(chosen: Settings) -> dict[str, list[Lesson]]:
    """Return the lessons of each assignment, with the class's points; writes nothing yet."""
    return divided(chosen, read_lessons())


def release(root: Path, lessons: Mapping[str, Sequence[Lesson]], chosen: Settings) -> None:
    """Write the source of each assignment into class folder `root`, and release it."""
    for assignment, those in lessons.items():
        source = root / "source" / assignment
        source.mkdir(parents=True)
        for lesson in those:
            text = notebook.text(source_notebook(lesson))
            (source / f"{lesson.name}.ipynb").write_text(text, "utf-8")
        kit = Path(str(attnkit.__file__)).parent
        shutil.copytree(kit, source / "attnkit", ignore=shutil.ignore_patterns("__pycache__"))
        nbgrader_api.generate_assignment(root, assignment)
    due = {name: one.due for name, one in chosen.assignments.items() if one.due}
    nbgrader_api.set_due(root, due)
