"""A class folder: a standard nbgrader course folder with this course in it, and `.grader/`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from attnkit.handin import ASSIGNMENT

from grader import __version__, notebook
from grader.intake.plainfiles import LEFT_BY_MACHINES, readable, shown
from grader.notebook import Notebook
from grader.room import settings
from grader.room.settings import TEMPLATE, Fixed, Settings

NBGRADER_CONFIG = """\
import tomllib
from pathlib import Path

c = get_config()
settings = tomllib.loads(Path(__file__).with_name("class.toml").read_text("utf-8"))
if "db_url" in settings:
    c.CourseDirectory.db_url = settings["db_url"]
c.CourseDirectory.course_id = "self-attention"
# `nbgrader autograde` gives a lesson that builds on earlier ones versions that are known good.
c.Execute.extra_arguments = [
    "--IPKernelApp.exec_lines="
    "__import__('os').environ['ATTNKIT_MINE'] = 'grader.judging.known_good'"
]
# `nbgrader export` writes beside the grades.csv of `grader`, not over it.
c.CsvExportPlugin.to = "nbgrader.csv"
# Nothing that a learner typed or printed runs in Formgrader or in feedback.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {"markdown2html": "grader.reporting.rendering.markdown"}
c.HTMLExporter.preprocessors = ["grader.reporting.rendering.SafeOutputs"]
# nbgrader's feedback shows no hidden test, nor what one asked; `grader feedback` says more.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "grader.reporting.rendering.VerdictsOnly",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
"""


class ClassError(Exception):
    """A class folder that cannot be made or used; the message says what to do."""


class Classroom(NamedTuple):
    """A class folder that exists; the seed of its checks is secret and never changes.

    `assignments` holds, for each that is released, the names of its lessons.
    """

    root: Path
    name: str
    seed: str
    assignments: Mapping[str, tuple[str, ...]]

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
        return sorted(path.name for path in self._handed_in() if not _oddity(path))

    def strays(self) -> dict[str, str]:
        """Return what else lies in `submitted`, by a name fit to be shown, and what to do."""
        return {shown(path.name): why for path in self._handed_in() if (why := _oddity(path))}

    def _handed_in(self) -> list[Path]:
        found = sorted(self.submitted.glob("[!.]*"))
        return [path for path in found if path.name not in LEFT_BY_MACHINES]

    def handed_in(self, student: str, assignment: str) -> Path:
        """Return the folder of what `student` handed in for `assignment`."""
        return self.submitted / student / assignment

    def home(self) -> dict[str, str]:
        """Return the assignment of each lesson."""
        return {name: key for key, names in self.assignments.items() for name in names}

    def source(self) -> dict[str, Notebook]:
        """Return the source notebook of each lesson: the class's own points and cells."""
        return self._notebooks("source")

    def release(self) -> dict[str, Notebook]:
        """Return the released notebook of each lesson."""
        return self._notebooks("release")

    def paths(self, step: str, assignment: str) -> list[Path]:
        """Return the files of an assignment's lessons in a folder such as `release`."""
        names = self.assignments[assignment]
        return [self.root / step / assignment / f"{name}.ipynb" for name in names]

    def _notebooks(self, step: str) -> dict[str, Notebook]:
        paths = [path for key in self.assignments for path in self.paths(step, key)]
        return {path.stem: notebook.read(path) for path in sorted(paths, key=lambda one: one.stem)}


def _oddity(path: Path) -> str:
    """Return why `path` is no learner's folder, nothing where it is one."""
    try:
        path.name.encode("utf-8")
    except UnicodeEncodeError:
        return "the name is not UTF-8; rename it to the learner's id, and grade again"
    if path.is_dir():
        return ""
    if path.is_symlink():
        return "is a link that leads nowhere; put the learner's folder in its place"
    return "is in no learner's folder; collect it, or put it into a folder of the learner's id"


def new(root: Path, settings_file: Path | None = None) -> Classroom:
    """Make the class folder `root` and release the course in it; never touches one that exists."""
    from grader.room import making  # with it comes nbgrader, which takes a second

    _refuse_odd(root)
    if root.exists():
        raise ClassError(f"{root} exists; name a folder that does not, or delete it yourself")
    chosen = settings.read(settings_file) if settings_file else Settings()
    text = (
        settings_file.read_text("utf-8")
        if settings_file
        else TEMPLATE.format(name=json.dumps(root.name, ensure_ascii=False))
    )
    lessons = making.planned(chosen)
    root.mkdir(parents=True)
    (root / "nbgrader_config.py").write_text(NBGRADER_CONFIG, "utf-8")
    (root / "class.toml").write_text(text, "utf-8")
    (root / "submitted").mkdir()
    (root / ".grader").mkdir(mode=0o700)
    making.release(root, lessons, chosen)
    secret = {
        "seed": secrets.token_hex(16), "version": __version__,
        "assignments": list(lessons), "made_with": chosen.fixed(),
    }  # fmt: skip
    (root / ".grader" / "class.json").write_text(json.dumps(secret), "utf-8")
    return opened(root)


def opened(root: Path) -> Classroom:
    """Return the class in folder `root`; raises `ClassError` where it is none."""
    _refuse_odd(root)
    try:
        secret: dict[str, Any] = json.loads((root / ".grader" / "class.json").read_text("utf-8"))
        now = settings.read(root / "class.toml")
        _refuse_changed(root, now.fixed(), secret.get("made_with"))
        names = secret.get("assignments", [ASSIGNMENT])
        return Classroom(root, now.name or root.name, str(secret["seed"]), _released(root, names))
    except FileNotFoundError as error:
        raise ClassError(
            f"{root} is no class folder, {error.filename} is missing; "
            f"make one with `grader new {root}`"
        ) from error
    except (ValueError, KeyError) as error:
        raise ClassError(f"{root}: .grader/class.json cannot be read: {error}") from error


def _refuse_odd(root: Path) -> None:
    """Refuse a path that nbgrader takes for a pattern, a template or a part of an address."""
    path = str(root.absolute())
    odd = sorted({one for one in path if one in "*?[$%" or readable(one) != one})
    if odd:
        raise ClassError(
            f"{readable(path)} cannot be a class folder: nbgrader takes "
            f"{' and '.join(map(readable, odd))} in a path for something else; "
            "choose a path without"
        )


def _released(root: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the lessons of each assignment that is released and comes from this course."""
    found = {name: sorted((root / "release" / name).glob("*.ipynb")) for name in names}
    if not any(found.values()):
        first = f"`nbgrader generate_assignment {names[0]}`"
        raise ClassError(f"nothing is released in {root}; run {first} in that folder")
    return {name: tuple(path.stem for path in paths) for name, paths in found.items() if paths}


def _refuse_changed(root: Path, now: Fixed, made_with: Fixed | None) -> None:
    changed = sorted(key for key in now if made_with is not None and now[key] != made_with[key])
    if changed:
        raise ClassError(
            f"{root}/class.toml: {', '.join(changed)} was read when the class was made and cannot "
            "change now; put it back. To change points or cells, edit source/ and release it again "
            "with nbgrader; to change due dates, use Formgrader; else make a new class with "
            "`grader new --settings`"
        )
