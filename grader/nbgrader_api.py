"""nbgrader's own steps on notebooks and folders; its database is met in `grader/recording`."""

from __future__ import annotations

import copy
import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from nbgrader import utils
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config.loader import Config, PyFileConfigLoader

from grader.notebook import Notebook

logging.getLogger("traitlets").setLevel(logging.ERROR)


class NbgraderError(Exception):
    """Nbgrader refused or failed; the message carries its own log."""


RELEASE_STEPS = (LockCells, ClearSolutions, ComputeChecksums, ClearHiddenTests, ComputeChecksums)


def release(source: Notebook) -> Notebook:
    """Return the learner's notebook: `source` after the steps nbgrader takes for a release."""
    notebook = copy.deepcopy(source)
    resources: dict[str, object] = {}
    for step in RELEASE_STEPS:
        notebook, resources = step().preprocess(notebook, resources)
    return notebook


def responses(notebook: Notebook) -> dict[str, bool]:
    """Return for each solution cell whether its text is other than the one that was released."""
    return {
        cell.metadata.nbgrader.grade_id: utils.compute_checksum(cell)
        != cell.metadata.nbgrader.get("checksum")
        for cell in notebook.cells
        if utils.is_solution(cell)
    }


def written_by_learner(notebook: Notebook) -> list[str]:
    """Return the ids of the solution cells whose text is not the one that was released."""
    return [name for name, written in responses(notebook).items() if written]


def generate_assignment(root: Path, assignment: str) -> None:
    """Release `assignment` in class folder `root`, as `nbgrader generate_assignment` does."""
    result = _api(root).generate_assignment(assignment, force=False, create=True)
    if not result["success"]:
        raise NbgraderError(f"nbgrader could not release {assignment} in {root}:\n{result['log']}")


def set_due(root: Path, dates: Mapping[str, datetime]) -> None:
    """Write the due date of each assignment named into the gradebook of class folder `root`."""
    with _api(root).gradebook as book:
        for assignment, when in dates.items():
            book.update_or_create_assignment(assignment, duedate=when.isoformat())


def prepared(
    root: Path, home: Mapping[str, str], release: Mapping[str, Notebook]
) -> dict[str, Notebook]:
    """Return `release` after the steps `nbgrader autograde` takes before it runs a notebook.

    The hidden tests are in it again, as in every autograded notebook.
    `home` names the assignment of each lesson.
    """
    directory = course_directory(root)
    steps = Autograde(coursedir=directory, config=config(root)).sanitize_preprocessors
    done = {}
    for name, released in release.items():
        notebook = copy.deepcopy(released)
        about = {"notebook": name, "assignment": home[name], "db_url": directory.db_url}
        resources: dict[str, object] = {"nbgrader": about}
        for step in steps:
            notebook, resources = step(config=config(root)).preprocess(notebook, resources)
        done[name] = notebook
    return done


def files_beside(root: Path, assignment: str) -> dict[Path, bytes]:
    """Return the files of `source` that `nbgrader autograde` puts beside the notebooks."""
    directory = course_directory(root)
    source = Path(directory.format_path(directory.source_directory, ".", assignment))
    paths = utils.find_all_files(str(source), [*directory.ignore, "*.ipynb"])
    return {Path(path).relative_to(source): Path(path).read_bytes() for path in paths}


def moment(timestamp: bytes) -> datetime | None:
    """Return the time in a timestamp.txt as nbgrader reads it, in UTC; None for what is no time."""
    try:
        text = timestamp.decode().strip()
        return utils.parse_utc(text) if text else None
    except (ValueError, OverflowError, TypeError):
        return None


def finder(root: Path) -> Callable[[str, str, str], Path]:
    """Return what finds the folder of a step ("feedback"), a learner and an assignment."""
    directory = course_directory(root)

    def find(step: str, student: str, assignment: str) -> Path:
        name = getattr(directory, f"{step}_directory")
        return Path(directory.format_path(name, student, assignment))

    return find


def course_directory(root: Path) -> CourseDirectory:
    """Return nbgrader's view of class folder `root`, its nbgrader_config.py included."""
    return CourseDirectory(config=config(root))


def config(root: Path) -> Config:
    """Return what nbgrader_config.py of class folder `root` sets."""
    found = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    course = found.CourseDirectory
    course.root = str(root.resolve())
    if "db_url" in course and course.db_url.startswith("sqlite:///"):
        # nbgrader means the folder that it was started in, which is the class folder
        file = root.resolve() / course.db_url.removeprefix("sqlite:///")
        course.db_url = f"sqlite:///{file}"
    return found


def _api(root: Path) -> NbGraderAPI:
    # nbgrader starts `alembic` by name, which an environment that is not activated has not on PATH.
    here = str(Path(sys.executable).parent)
    if here not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = here + os.pathsep + os.environ["PATH"]
    return NbGraderAPI(config=config(root))
