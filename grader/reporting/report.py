"""grades.json, grades.csv and report.html of a class, from the verdicts that stand in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jinja2

from grader import __version__, misconceptions
from grader.grading.store import Store, write_whole
from grader.reporting import marked, moodle, tables
from grader.reporting.tables import Cell
from grader.room import learners
from grader.room.classroom import Classroom

Grades = dict[str, Any]


def grades(classroom: Classroom) -> Grades:
    """Return the whole class as the mapping that grades.json holds, schema 1; ids are real ones."""
    store = Store(classroom.private / "results")
    students = marked.results(classroom, marked.all_marks(classroom))
    release = classroom.release()
    ids = learners.ids(classroom, {*students, *classroom.students()})
    return {
        "schema": 1,
        "class": classroom.name,
        "version": __version__,
        "wall": store.wall(),
        "max": sum(cell.metadata.nbgrader.points for cell in _graded(release)),
        "students": {ids[folder]: result for folder, result in students.items()},
        "not_graded": [ids[name] for name in classroom.students() if name not in students],
    }


def _graded(release: dict[str, Any]) -> list[Any]:
    cells = [cell for notebook in release.values() for cell in notebook.cells]
    return [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]


def write(classroom: Classroom, found: Grades | None = None) -> list[Path]:
    """Write the report's files into the class folder; returns their paths."""
    found = found or grades(classroom)
    texts = moodle.worksheets(classroom, found["students"]) | {
        "grades.json": as_json(found),
        "grades.csv": as_csv(found),
        "report.html": as_html(found),
    }
    for name, text in texts.items():
        write_whole(classroom.root / name, text)
    return [classroom.root / name for name in texts]


def need_a_person(found: Grades) -> list[str]:
    """Return the learners who have no verdict, or one that nobody should trust unseen."""
    unknown = [name for name, one in found["students"].items() if one["score"] is None]
    return unknown + found["not_graded"]


def as_json(found: Grades) -> str:
    """Return the mapping as JSON, one learner a line: four times as quick as indented."""
    students = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(one, ensure_ascii=False)}"
        for name, one in found["students"].items()
    ]
    about = {name: part for name, part in found.items() if name != "students"}
    head = json.dumps(about, ensure_ascii=False).removesuffix("}")
    return head + ', "students": {\n' + ",\n".join(students) + "\n}}\n"


def as_csv(found: Grades) -> str:
    """Return one row a learner: state, score, max, and the score of each lesson.

    A lesson without a verdict is an empty field, never a 0.
    """
    lessons = _lessons(found)
    rows: list[list[Cell]] = [["student", "state", "score", "max", *lessons]]
    for student, one in found["students"].items():
        scores = [one["lessons"].get(name, {}).get("score") for name in lessons]
        rows.append([student, one["state"], one["score"], one["max"], *scores])
    for student in found["not_graded"]:
        rows.append([student, "not graded", None, found["max"], *[None] * len(lessons)])
    return tables.as_csv(rows)


def as_html(found: Grades) -> str:
    """Return the class on one page; everything a learner typed is escaped."""
    loader = jinja2.PackageLoader("grader.reporting", "pages")
    page = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return page.get_template("report.html").render(
        found=found, lessons=_lessons(found), misconceptions=_misconceptions(found)
    )


def _lessons(found: Grades) -> list[str]:
    return sorted({name for one in found["students"].values() for name in one["lessons"]})


def _misconceptions(found: Grades) -> list[tuple[str, str, list[str]]]:
    """Return each misconception that was named, what it does, and who has it, most first."""
    met: dict[str, list[str]] = {}
    for student, one in found["students"].items():
        cells = [cell for lesson in one["lessons"].values() for cell in lesson["cells"].values()]
        for name in sorted({cell["misconception"] for cell in cells if cell["misconception"]}):
            met.setdefault(name, []).append(student)
    most_first = sorted(met.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [(name, _does(name), students) for name, students in most_first]


def _does(name: str) -> str:
    """Return what a misconception does, or each of a group that gives the same numbers."""
    known = misconceptions.every()
    return ", or ".join(known[one].does for one in name.split(" or ") if one in known)
