"""The one module that knows nbgrader's Python interface."""

from __future__ import annotations

import copy
import logging
import os
import sys
from pathlib import Path

from nbgrader import utils
from nbgrader.apps.api import NbGraderAPI
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config.loader import PyFileConfigLoader

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


def written_by_learner(notebook: Notebook) -> list[str]:
    """Return the ids of the solution cells whose text is not the one that was released."""
    return [
        cell.metadata.nbgrader.grade_id
        for cell in notebook.cells
        if utils.is_solution(cell)
        and utils.compute_checksum(cell) != cell.metadata.nbgrader.get("checksum")
    ]


def generate_assignment(root: Path, assignment: str) -> None:
    """Release `assignment` in class folder `root`, as `nbgrader generate_assignment` does."""
    result = _api(root).generate_assignment(assignment, force=False, create=True)
    if not result["success"]:
        raise NbgraderError(f"nbgrader could not release {assignment} in {root}:\n{result['log']}")


def _api(root: Path) -> NbGraderAPI:
    # nbgrader starts `alembic` by name, which an environment that is not activated has not on PATH.
    here = str(Path(sys.executable).parent)
    if here not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = here + os.pathsep + os.environ["PATH"]
    config = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    config.CourseDirectory.root = str(root.resolve())
    return NbGraderAPI(config=config)
