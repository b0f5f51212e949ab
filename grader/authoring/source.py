"""nbgrader's source notebook of a lesson: its cells as nbformat nodes."""

from __future__ import annotations

import hashlib

from attnkit import __version__ as kit_version
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader import checks
from grader.authoring import exercises
from grader.authoring.lesson import Cell, Lesson
from grader.notebook import Notebook

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def source_notebook(lesson: Lesson) -> Notebook:
    """Return nbgrader's source notebook of `lesson`: solutions and hidden tests between markers."""
    cells = [_node(cell, name) for cell, name in zip(lesson.cells, _ids(lesson), strict=True)]
    first = next(cell for cell in cells if cell.cell_type == "code")
    first.source += f'\n\nchecks.kit("{kit_version}")'
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}, "title": lesson.title}
    notebook = new_notebook(cells=cells, metadata=metadata)
    notebook.nbformat_minor = 5
    return notebook


def _ids(lesson: Lesson) -> list[str]:
    """Return each cell's id: its name, or else a hash of its text, numbered where it repeats."""
    ids: list[str] = []
    for cell in lesson.cells:
        base = cell.name or hashlib.sha256(f"{lesson.name}\n{cell.source}".encode()).hexdigest()[:8]
        ids.append(base if base not in ids else f"{base}-{ids.count(base)}-{len(ids)}")
    return ids


def _node(cell: Cell, name: str) -> Notebook:
    if cell.kind == "prose":
        return new_markdown_cell(cell.source, id=name)
    if cell.kind == "code":
        return new_code_cell(cell.source, id=name, metadata=_metadata(cell, name))
    source = exercises.source_text(exercises.find(name)) if cell.kind == "exercise" else _test(cell)
    return new_code_cell(source, id=name, metadata={"nbgrader": _nbgrader(cell, name)})


def _test(cell: Cell) -> str:
    check = checks.find(cell.name)
    points = "1 point" if cell.points == 1 else f"{cell.points} points"
    named = ", ".join(f"{one}={one}" for one in check.exercises())
    return "\n".join([
        f"# {points}: {check.property}",
        "from attnkit import checks",  # a learner may have used the name
        "",
        f"checks.require({named})",
        "### BEGIN HIDDEN TESTS",
        "import grader.checks",
        "",
        f'passed = grader.checks.run("{check.name}", {", ".join(check.exercises())})',
        "### END HIDDEN TESTS",
    ])  # fmt: skip


def _metadata(cell: Cell, name: str) -> dict[str, object]:
    """Return the metadata of given code: its tags; a locked cell is read-only to nbgrader too."""
    tags = {"tags": list(cell.tags)} if cell.tags else {}
    return tags | ({"nbgrader": _nbgrader(cell, name)} if "locked" in cell.tags else {})


def _nbgrader(cell: Cell, name: str) -> dict[str, object]:
    graded, solution = cell.kind == "check", cell.kind == "exercise"
    common = {"grade_id": name, "grade": graded, "locked": not solution, "solution": solution}
    points = {"points": cell.points} if graded else {}
    return {**common, **points, "task": False, "schema_version": 3}
