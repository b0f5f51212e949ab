"""A page a learner: properties, points, advice and a person's remarks; no hidden check, no script.

What cells printed is not on it: a learner's own code can print what a hidden check asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from grader import misconceptions, nbgrader_api
from grader.grading.run import Result, total
from grader.grading.store import write_whole
from grader.intake.plainfiles import readable
from grader.notebook import Notebook
from grader.recording.autograded import SECRET, TIMESTAMP, handed_in
from grader.recording.gradebook import Place
from grader.reporting import marked, moodle
from grader.room import learners
from grader.room.classroom import Classroom

Item = dict[str, Any]
Texts = Mapping[Place, str]
POINTS = re.compile(r"# \d+ points?: ")
PAGE = "feedback.html"
NOTHING: Result = {"cells": {}, "state": "not handed in", "score": 0, "max": 0}
WORDS = {
    "not attempted": "not written",
    "died": "stopped",
    "infrastructure": "waits for a person",
    "rejected": "waits for a person",
}


def write(room: Classroom) -> Iterator[Path]:
    """Write a page for each learner and assignment into nbgrader's `feedback`; yield the paths.

    For those who come from Moodle there is a zip of all pages, too.
    """
    given, release, page = marked.all_marks(room), room.release(), _page()
    find = nbgrader_api.finder(room.root)
    names = {folder: readable(one.name) for folder, one in learners.known_learners(room).items()}
    pages: dict[str, dict[str, Path]] = {name: {} for name in room.assignments}
    found = marked.results(room, given)
    ids = learners.ids(room, found)
    for student, result in found.items():
        comments = given.get(student, marked.NONE).comments
        for assignment in handed_in(room, result):
            graded = find("autograded", student, assignment)
            asked = {name: release[name] for name in room.assignments[assignment]}
            lessons = _lessons(asked, result, _texts(graded), comments)
            text = page.render(
                title=room.name,
                learner=names.get(student) or ids[student],
                score=total(one["score"] for one in lessons),
                lessons=lessons,
            )
            path = _keep(find("feedback", student, assignment), text, graded)
            pages[assignment][student] = path
            yield path
    for assignment, written in pages.items():
        if packed := moodle.pack(room, assignment, written):
            yield packed


def _keep(folder: Path, text: str, graded: Path) -> Path:
    """Write the page; what came through nbgrader's exchange can go back there.

    The exchange knows the pages of a hand-in by its secret and the names of its notebooks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told = {name: graded / name for name in (SECRET, TIMESTAMP)}
    if all(path.exists() for path in told.values()):
        for name, path in told.items():
            write_whole(folder / name, path.read_text("utf-8", "replace"))
        for path in graded.glob("*.ipynb"):
            write_whole(folder / f"{path.stem}.html", text)
    write_whole(folder / PAGE, text)
    return folder / PAGE


def _page() -> jinja2.Template:
    loader = jinja2.PackageLoader("grader.reporting", "pages")
    pages = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.globals |= {"points": _points, "number": _number, "words": WORDS}
    return pages.get_template(PAGE)


def _points(score: float | None, most: float) -> str:
    return f"{'–' if score is None else _number(score)} / {_number(most)}"


def _number(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _lessons(
    release: Mapping[str, Notebook], result: Result, texts: Texts, comments: Mapping[Place, str]
) -> list[Item]:
    """Return what the page says of each lesson, in the order of its notebook; advice once."""
    found = []
    for name, lesson in release.items():
        verdicts = result["lessons"].get(name, NOTHING)
        items: list[Item] = []
        for cell in lesson.cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                place = (name, cell.id)
                code, comment = texts.get(place), comments.get(place)
                items.append({"answer": cell.id, "code": code, "comment": comment})
            if cell.id in verdicts["cells"]:
                items.append(_check(cell, verdicts["cells"][cell.id], items))
        unread = next((one["message"] for one in items if one.get("state") == "rejected"), "")
        title = lesson.metadata.get("title", name)
        found.append(verdicts | {"title": title, "unread": unread, "items": items})
    return found


def _check(cell: Notebook, verdict: Result, before: Sequence[Item]) -> Item:
    line = POINTS.sub("", cell.source.partition("\n")[0])
    known = misconceptions.every()
    named = [one for one in (verdict["misconception"] or "").split(" or ") if one in known]
    is_new = all(verdict["misconception"] != item.get("misconception") for item in before)
    return verdict | {"property": line, "advice": [known[one] for one in named if is_new]}


def _texts(graded: Path) -> Texts:
    """Return the learner's code by lesson and solution cell, from the graded notebooks."""
    texts = {}
    for path in sorted(graded.glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            mark = cell["metadata"].get("nbgrader", {})
            if mark.get("solution"):
                texts[path.stem, str(mark.get("grade_id"))] = "".join(cell["source"])
    return texts
