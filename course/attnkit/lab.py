"""`python -m attnkit.lab`: copies the course to `my-course/` and opens JupyterLab there.

A notebook that exists in `my-course/` is never overwritten; the kit is refreshed each time.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

COURSE = Path(__file__).parent.parent


def copy_course(target: Path, course: Path = COURSE) -> list[str]:
    """Bring `target` up to date with `course`; returns the names of the notebooks it added."""
    if target.resolve() == course.resolve() or course.resolve() in target.resolve().parents:
        raise ValueError(f"lab: {target} lies in the course itself; name a folder outside it")
    target.mkdir(parents=True, exist_ok=True)
    added = [path for path in sorted(course.glob("*.ipynb")) if not (target / path.name).exists()]
    for path in added:
        shutil.copyfile(path, target / path.name)
    shutil.copyfile(course / "README.md", target / "README.md")
    shutil.rmtree(target / "attnkit", ignore_errors=True)
    shutil.copytree(
        course / "attnkit", target / "attnkit", ignore=shutil.ignore_patterns("__pycache__")
    )
    return [path.name for path in added]


def main() -> None:
    """Copy, say what was copied, open JupyterLab."""
    parser = argparse.ArgumentParser(prog="python -m attnkit.lab", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("my-course"))
    parser.add_argument("--no-open", action="store_true", help="copy only")
    options = parser.parse_args()
    added = copy_course(options.folder)
    print(f"{options.folder}: {len(added)} notebooks added, your own work left as it was")
    if not options.no_open:
        command = [sys.executable, "-m", "jupyterlab", "--notebook-dir", str(options.folder)]
        raise SystemExit(subprocess.call(command))


if __name__ == "__main__":
    main()
