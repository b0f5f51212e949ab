"""grades.json, grades.csv and report.html of a class, from the verdicts that stand in it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jinja2

from grader import __version__, misconceptions
from grader.collecting.unplaced import unplaced
from grader.grading.store import Store, write_whole
from grader.intake.plainfiles import readable
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
        "strays": classroom.strays(),
        "not_placed": _not_placed(classroom),
    }


def _not_placed(classroom: Classroom) -> dict[str, list[str]]:
    """Return what was collected and waits for a person: by learner, or by its path if nobody's."""
    waiting: dict[str, list[str]] = {}
    for one in unplaced(classroom):
        kept = f" (kept as {one.kept})" if one.kept else ""
        waiting.setdefault(one.learner or one.what, []).append(f"{one.what}: {one.why}{kept}")
    return waiting


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
    """Return the learners who have no verdict, or one that nobody should trust unseen.

    After them come the names of what lies in `submitted` and is nobody's, and of what `collect`
    could not place.
    """
    return list(reasons(found))


def reasons(found: Grades) -> dict[str, list[str]]:
    """Return why a person is needed, by learner or by what is no learner's."""
    asked = {
        name: one["asks"] or ["no score; see the details"]
        for name, one in found["students"].items()
        if one["asks"] or one["score"] is None
    }
    waiting = {name: ["not graded yet"] for name in found["not_graded"]}
    whys = asked | waiting | {name: [why] for name, why in found["strays"].items()}
    for name, reasons_of_one in found["not_placed"].items():
        whys[name] = [*whys.get(name, []), *reasons_of_one]
    return whys


def summary(found: Grades) -> str:
    """Return one line of counts: how many are graded, how many need a person, and why."""
    results, needed = found["students"].values(), reasons(found)
    graded = [one for one in results if _is_graded(one)]
    repaired = sum(one["state"] == "repaired" for one in graded)
    notes = {"repaired": repaired, "cut short": sum(map(_is_cut_short, graded))}
    about = ", ".join(f"{count} {what}" for what, count in notes.items() if count)
    whys = Counter(_why(found, name) for name in needed)
    told = ", ".join(f"{count} {why}" for why, count in whys.items())
    many = len(results) + len(found["not_graded"])
    head = f"{many} learner{'' if many == 1 else 's'}: {len(graded)} graded"
    people = f"{len(needed)} need{'s' if len(needed) == 1 else ''} a person: {told}"
    return (
        f"{head}{f' ({about})' if about else ''}, {people if needed else 'nobody needs a person'}"
    )


def _is_graded(result: Grades) -> bool:
    return result["score"] is not None and result["state"] != "nothing recognised"


def _is_cut_short(result: Grades) -> bool:
    lessons = result["lessons"].values()
    states = {cell["state"] for lesson in lessons for cell in lesson["cells"].values()}
    return bool(states & {"timed out", "died"}) or any(one.get("remarks") for one in lessons)


def _why(found: Grades, name: str) -> str:
    """Return in a few words why a person is needed."""
    if one := found["students"].get(name):
        words = {"infrastructure": "failed by the grader"}
        return "to be checked" if _is_graded(one) else words.get(one["state"], one["state"])
    if name in found["not_graded"]:
        return "not graded"
    return "not placed" if name in found["not_placed"] else "in no learner's folder"


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
    page.filters["readable"] = readable
    return page.get_template("report.html").render(
        found=found,
        summary=summary(found),
        reasons=reasons(found),
        lessons=_lessons(found),
        misconceptions=_misconceptions(found),
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
