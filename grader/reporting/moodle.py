"""What Moodle takes back: a grading worksheet, and a zip of feedback files.

Its importer needs the columns Identifier, Grade and Last modified (grade), in English, and
passes over an empty grade. A feedback file lies in a folder named like the hand-in's.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from grader.grading.run import Result, total
from grader.intake.plainfiles import readable
from grader.reporting.tables import Cell, as_csv
from grader.room import learners
from grader.room.classroom import Classroom
from grader.room.learners import Learner

COLUMNS = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)")


def worksheets(room: Classroom, found: Mapping[str, Result]) -> dict[str, str]:
    """Return a grading worksheet for each assignment that learners of Moodle handed in.

    `found` has results by the ids that people read.
    """
    known = _from_moodle(room)
    ids = learners.ids(room, known)
    sheets = {}
    for assignment, lessons in room.assignments.items():
        rows = [
            _row(learner, parts)
            for name, learner in known.items()
            if (parts := _handed_in(found.get(ids[name], {"lessons": {}}), lessons))
        ]
        if rows:
            sheets[f"moodle_{assignment}.csv"] = as_csv([COLUMNS, *rows])
    return sheets


def _from_moodle(room: Classroom) -> dict[str, Learner]:
    return {name: one for name, one in learners.known_learners(room).items() if one.participant}


def _handed_in(result: Result, lessons: Iterable[str]) -> list[Result]:
    """Return what became of `lessons`, nothing where none of them was handed in."""
    parts = [result["lessons"][name] for name in lessons if name in result["lessons"]]
    return parts if any(one["state"] != "not handed in" for one in parts) else []


def _row(learner: Learner, lessons: list[Result]) -> list[Cell]:
    score, most = total(one["score"] for one in lessons), sum(one["max"] for one in lessons)
    grade = "" if score is None else f"{score:g}"
    # Moodle keeps a grade that was changed there after this moment.
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    return [f"Participant {learner.participant}", readable(learner.name), grade, f"{most:g}", now]


def pack(room: Classroom, assignment: str, pages: Mapping[str, Path]) -> Path | None:
    """Zip the page of each learner of Moodle; return the zip, None where there is no such page."""
    known = _from_moodle(room)
    path = room.root / f"moodle_{assignment}_feedback.zip"
    scratch = path.with_name(f".{path.name}.new")
    with zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED) as packed:
        for student in sorted(pages.keys() & known.keys()):
            packed.write(pages[student], f"{_folder(known[student])}/feedback.html")
        is_empty = not packed.namelist()
    if is_empty:
        scratch.unlink()
        return None
    return scratch.replace(path)


def _folder(learner: Learner) -> str:
    """Return the folder that Moodle knows as the learner's: no underscore may be in the name."""
    name = re.sub(r"[_/\\:*?\"<>|\x00-\x1f]", " ", readable(learner.name))
    return f"{name}_{learner.participant}_assignsubmission_file_"
