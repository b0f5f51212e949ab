"""A class folder: a standard nbgrader course folder with this course in it, and `.grader/`."""

from __future__ import annotations

import json
import secrets
import shutil
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import attnkit

from grader import __version__, nbgrader_api, notebook
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook
from grader.notebook import Notebook

ASSIGNMENT = "self_attention"

NBGRADER_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "self-attention"
# `nbgrader autograde` gives a lesson that builds on earlier ones versions that are known good.
c.Execute.extra_arguments = [
    "--IPKernelApp.exec_lines=__import__('os').environ['ATTNKIT_MINE'] = 'grader.judging.known_good'"
]
"""

CLASS_TOML = """\
# The name that stands over this class's report.
name = "{name}"
"""


class ClassError(Exception):
    """A class folder that cannot be made or used; the message says what to do."""


class Classroom(NamedTuple):
    """A class folder that exists; the seed of its checks is secret and never changes."""

    root: Path
    name: str
    seed: str

    @property
    def submitted(self) -> Path:
        """The folder of the learners' folders."""
        return self.root / "submitted"

    @property
    def private(self) -> Path:
        """The folder of seed, state and logs."""
        return self.root / ".grader"

    def students(self) -> list[str]:
        """Return the ids of all learners who have a folder."""
        return sorted(path.name for path in self.submitted.glob("*") if path.is_dir())

    def source(self) -> dict[str, Notebook]:
        """Return the source notebook of each lesson: the class's own points and cells."""
        return self._notebooks("source")

    def release(self) -> dict[str, Notebook]:
        """Return the released notebook of each lesson."""
        return self._notebooks("release")

    def _notebooks(self, step: str) -> dict[str, Notebook]:
        paths = sorted((self.root / step / ASSIGNMENT).glob("*.ipynb"))
        return {path.stem: notebook.read(path) for path in paths}


def new(root: Path) -> Classroom:
    """Make the class folder `root` and release the course in it; never touches one that exists."""
    if root.exists():
        raise ClassError(f"{root} exists; name a folder that does not, or delete it yourself")
    source = root / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    for lesson in read_lessons():
        text = notebook.text(source_notebook(lesson))
        (source / f"{lesson.name}.ipynb").write_text(text, "utf-8")
    kit = Path(str(attnkit.__file__)).parent
    shutil.copytree(kit, source / "attnkit", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "nbgrader_config.py").write_text(NBGRADER_CONFIG, "utf-8")
    (root / "class.toml").write_text(CLASS_TOML.format(name=root.name), "utf-8")
    (root / "submitted").mkdir()
    (root / ".grader").mkdir(mode=0o700)
    secret = {"seed": secrets.token_hex(16), "version": __version__}
    (root / ".grader" / "class.json").write_text(json.dumps(secret), "utf-8")
    nbgrader_api.generate_assignment(root, ASSIGNMENT)
    return opened(root)


def opened(root: Path) -> Classroom:
    """Return the class in folder `root`; raises `ClassError` where it is none."""
    try:
        secret: dict[str, Any] = json.loads((root / ".grader" / "class.json").read_text("utf-8"))
        settings = tomllib.loads((root / "class.toml").read_text("utf-8"))
        return Classroom(root, str(settings["name"]), str(secret["seed"]))
    except FileNotFoundError as error:
        raise ClassError(
            f"{root} is no class folder, {error.filename} is missing; "
            f"make one with `grader new {root}`"
        ) from error
    except (ValueError, KeyError, tomllib.TOMLDecodeError) as error:
        raise ClassError(
            f"{root}: class.toml or .grader/class.json cannot be read: {error}"
        ) from error
