"""Lessons to notebooks: the learner's in `course/`, the solved and executed one in `solutions/`.

`reference.md` is no lesson: it has a solved notebook only, which uses the package.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from grader import nbgrader_api, notebook
from grader.authoring import answers, exercises, fingerprints, patients, source
from grader.authoring.lesson import LESSONS, Lesson, read_lesson, read_lessons
from grader.notebook import Notebook

ROOT = Path(__file__).parents[2]


class BuildError(Exception):
    """Generated files cannot be written, or are not what the lessons say."""


class House(NamedTuple):
    """Where the build reads and writes; a test builds elsewhere."""

    lessons: Path = LESSONS
    course: Path = ROOT / "course"
    solutions: Path = ROOT / "solutions"


def build(house: House = House()) -> Iterator[str]:  # noqa: B008 (an immutable tuple)
    """Write every generated file that is not current; yields the name of each file written."""
    lessons = read_lessons(house.lessons)
    for lesson in lessons:
        _refuse_written(house.course / f"{lesson.name}.ipynb")
    for path, text in _plain_files(house, lessons).items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            yield path.name
    for lesson in [*lessons, *_reference(house)]:
        path, wanted = house.solutions / f"{lesson.name}.ipynb", solved(lesson, house)
        if not path.exists() or _unlike(wanted, notebook.read(path)):
            path.write_text(notebook.text(execute(wanted, house.solutions)), "utf-8")
            yield f"solutions/{path.name}"


def stale(house: House = House()) -> list[str]:  # noqa: B008
    """Return one line for each generated file that is not current; executes nothing."""
    lessons = read_lessons(house.lessons)
    lines = [
        f"{path.name} is not what its lesson says; run `python -m grader build`"
        for path, text in _plain_files(house, lessons).items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    for lesson in [*lessons, *_reference(house)]:
        path = house.solutions / f"{lesson.name}.ipynb"
        differs = (
            _unlike(solved(lesson, house), notebook.read(path)) if path.exists() else "is missing"
        )
        if differs:
            lines.append(f"solutions/{path.name} {differs}; run `python -m grader build`")
    known = {f"{lesson.name}.ipynb" for lesson in lessons}
    for folder in (house.course, house.solutions):
        extra = sorted({path.name for path in folder.glob("[0-9][0-9]_*.ipynb")} - known)
        lines += [f"{folder.name}/{name} has no lesson; delete it" for name in extra]
    return lines


def _reference(house: House) -> list[Lesson]:
    return [read_lesson(path) for path in house.lessons.glob("reference.md")]


def _plain_files(house: House, lessons: list[Lesson]) -> dict[Path, str]:
    """Return the generated files that need no execution, with their text."""
    released = {
        house.course / f"{lesson.name}.ipynb": notebook.text(
            nbgrader_api.release(source.source_notebook(lesson))
        )
        for lesson in lessons
    }
    kit = house.course / "attnkit"
    numbers = {
        "answers.json": answers.text(),
        "fingerprints.json": fingerprints.text(),
        "patients.json": patients.text(),
    }
    return {kit / name: text for name, text in numbers.items()} | released


def solved(lesson: Lesson, house: House = House()) -> Notebook:  # noqa: B008
    """Return the solved notebook of `lesson`, not executed, with the hash of what it depends on.

    nbval is told by its own tag not to compare what differs from run to run.
    """
    result = source.source_notebook(lesson)
    markers = (exercises.BEGIN, exercises.END, "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")
    for cell in result.cells:
        cell.metadata.pop("nbgrader", None)
        if "timing" in cell.metadata.get("tags", []):
            cell.metadata.tags.append("nbval-ignore-output")
        lines = cell.source.split("\n")
        cell.source = "\n".join(line for line in lines if line.strip() not in markers)
    result.metadata["built_from"] = _fingerprint(house.lessons / f"{lesson.name}.md", house)
    return result


def _fingerprint(lesson: Path, house: House) -> str:
    kit = [*house.course.glob("attnkit/**/*.py"), *house.course.glob("attnkit/*.json")]
    digest = hashlib.sha256()
    for path in [lesson, *sorted(house.solutions.glob("*.py")), *sorted(kit)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def execute(wanted: Notebook, folder: Path) -> Notebook:
    """Return `wanted` run from top to bottom in `folder`; raises `BuildError` on a bad output."""
    client = NotebookClient(
        copy.deepcopy(wanted),
        timeout=120,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        done = client.execute()
    except CellExecutionError as error:
        raise BuildError(f"{wanted.metadata.title!r}: {error}") from error
    done.metadata = copy.deepcopy(wanted.metadata)  # the kernel adds its own version
    if faults := bad_outputs(done):
        raise BuildError(f"{wanted.metadata.title!r}: " + "; ".join(faults))
    return done


def bad_outputs(done: Notebook) -> list[str]:
    """Return one line for each output of a solved notebook that a reader should not meet."""
    faults = []
    for cell in done.cells:
        outputs, tags = cell.get("outputs", []), cell.metadata.get("tags", [])
        if "raises-exception" not in tags:
            faults += [f"cell {cell.id} ends with {one.ename}" for one in outputs if "ename" in one]
        if any(one.get("name") == "stderr" for one in outputs):
            faults.append(f"cell {cell.id} writes to stderr")
        if "picture" in tags and not any(_is_picture(one) for one in outputs):
            faults.append(f"cell {cell.id} is tagged picture and shows none")
    return faults


def _is_picture(output: Notebook) -> bool:
    """Return whether `output` is an image with alternative text."""
    return re.search(r'<img alt="[^"]+"', output.get("data", {}).get("text/html", "")) is not None


def _unlike(wanted: Notebook, found: Notebook) -> str:
    """Return how the two notebooks differ apart from outputs, or nothing."""
    if wanted.metadata != found.metadata:
        return "was built from other lessons, solutions or kit"
    stripped = [(c.id, c.cell_type, c.source, c.metadata) for c in found.cells]
    if [(c.id, c.cell_type, c.source, c.metadata) for c in wanted.cells] != stripped:
        return "has cells that its lesson has not"
    return ""


def _refuse_written(path: Path) -> None:
    if path.exists() and (written := nbgrader_api.written_by_learner(notebook.read(path))):
        raise BuildError(
            f"{path}: {', '.join(written)} was filled in; work in my-course (`make lab`), "
            "move your work there, then restore this file from git"
        )
