"""Runs part of the tests with the oldest release of each dependency that is allowed.

The bounds are those that the two pyproject.toml files declare.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
TOOLS = ("hypothesis", "nbval", "pytest")
# The kit, a lesson as learners run it, Validate, and a class from release to grades.
TESTS = (
    "tests/attnkit",
    "--ignore=tests/attnkit/test_plot_in_jupyterlab.py",
    "solutions/03_softmax.ipynb",
    "tests/grader/test_validate.py::test_untouched_lesson_fails_and_says_what_is_not_written",
    "tests/grader/test_cli.py::test_lines_and_exit_codes",
)


def oldest(pyproject: Path) -> Iterator[str]:
    """Yield `name==version` for each dependency with a lower bound."""
    project = tomllib.loads(pyproject.read_text("utf-8"))["project"]
    extras = project.get("optional-dependencies", {}).values()
    for text in [*project["dependencies"], *(one for extra in extras for one in extra)]:
        wanted = Requirement(text)
        yield from (f"{wanted.name}=={one.version}" for one in wanted.specifier)


def main() -> int:
    """Make an environment of the oldest releases and run the tests in it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        python, bounds = Path(folder, "bin", "python"), Path(folder, "oldest.txt")
        pins = [*oldest(ROOT / "course" / "pyproject.toml"), *oldest(ROOT / "pyproject.toml")]
        bounds.write_text("\n".join(pins))
        install = [python, "-m", "pip", "install", "-qq", "--no-compile", "--constraint", bounds]
        ours = ["--editable", "course", "--editable", ".[grading,cluster]"]
        subprocess.run([*install, *ours, *TOOLS], cwd=ROOT, check=True)
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
        command = [python, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *TESTS]
        return subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
