"""A small release, and a table of the ways in which a learner's notebook of it arrives.

The rows stand in `damaged_files.py` and `damaged_cells.py`; `python tests/grader/test_intake.py`
prints them with what came of each.
"""

from __future__ import annotations

import copy
import json
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import numpy as np
from attnkit.handin import ASSIGNMENT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader import nbgrader_api
from grader.intake import folder as folders
from grader.intake.folder import Taken
from grader.intake.gathered import gather
from grader.intake.work import Work, may_be_notebook

Json = dict[str, Any]
LESSON = "03_softmax"

HEAD = 'def softmax(scores):\n    """Return the softmax of each row."""\n'
STUB = HEAD + "    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION"
BODY = "    e = np.exp(scores)\n    return e / e.sum(axis=1, keepdims=True)\n"
RIGHT = HEAD + BODY
WRONG = HEAD + "    return scores\n"
GIVEN = "import numpy as np"


def _marked(name: str, text: str, points: int = 0) -> Any:
    mark = {"grade_id": name, "schema_version": 3, "task": False}
    role = {"grade": bool(points), "locked": bool(points), "solution": not points}
    mark |= role | ({"points": points} if points else {})
    return new_code_cell(text, id=name, metadata={"nbgrader": mark})


def _released(title: str, *cells: Any) -> Any:
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = new_notebook(cells=[new_markdown_cell(f"# {title}", id=f"{title}-title"), *cells])
    notebook.metadata.update(kernel)
    return nbgrader_api.release(notebook)


RELEASE = {
    LESSON: _released(
        "softmax",
        new_code_cell(GIVEN, id="given"),
        _marked("softmax_row", STUB.replace("softmax", "softmax_row")),
        _marked("softmax", STUB),
        new_code_cell("plot.show(softmax)", id="seen", metadata={"tags": ["picture"]}),
        _marked("softmax_sums", "# 2 points: each row adds up to 1", 2),
        _marked("softmax_values", "# 3 points: the values are right", 3),
    ),
    "05_causal_mask": _released(
        "causal_mask",
        _marked("causal_mask", "def causal_mask(n):\n    ### BEGIN SOLUTION\n    ### END SOLUTION"),
        _marked("causal_mask_zeros", "# 1 point: zeros", 1),
    ),
}
PLACE = {cell.id: index for index, cell in enumerate(RELEASE[LESSON].cells)}


def handed(text: str | None = RIGHT) -> Json:
    """Return the lesson as a learner saves it, with `text` in the solution cell."""
    notebook: Json = json.loads(nbformat.writes(copy.deepcopy(RELEASE[LESSON])))
    if text is not None:
        cell(notebook, "softmax")["source"] = text
    return notebook


def cell(notebook: Json, name: str) -> Json:
    """Return the cell with that id."""
    found: Json = next(one for one in notebook["cells"] if one.get("id") == name)
    return found


def code(text: str, **more: Any) -> Json:
    """Return a code cell without any metadata."""
    plain = {"cell_type": "code", "source": text, "metadata": {}, "outputs": []}
    return plain | {"id": f"n{abs(hash(text)) % 10**8}", "execution_count": None} | more


def save(folder: Path, content: Json | bytes | str, name: str = f"{LESSON}.ipynb") -> Path:
    """Write what is handed in, however broken."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(content, indent=1) if isinstance(content, dict) else content
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


class Case(NamedTuple):
    """`points` of 5 that the rebuilt notebook earns, None where there is none; `says` is told."""

    title: str
    damage: Callable[[Path], object]
    state: str
    points: int | None
    says: str = ""


CASES: list[Case] = []
Damage = Callable[[Path], object]


def case(
    title: str, state: str, points: int | None = None, says: str = ""
) -> Callable[[Damage], Damage]:
    """Enter the function below into the table."""

    def enter(damage: Damage) -> Damage:
        CASES.append(Case(title, damage, state, points, says))
        return damage

    return enter


def rejected(title: str, says: str) -> Callable[[Damage], Damage]:
    """Enter a file that cannot be read."""
    return case(title, "rejected", None, says)


def edited(title: str, state: str, points: int, says: str = "") -> Callable[..., object]:
    """Enter a function that changes a right notebook in memory."""

    def enter(change: Callable[[Json], object]) -> None:
        def damage(folder: Path) -> None:
            notebook = handed()
            change(notebook)
            save(folder, notebook)

        CASES.append(Case(title, damage, state, points, says))

    return enter


def take_in(folder: Path, release: Mapping[str, nbformat.NotebookNode]) -> dict[str, Work]:
    """Return the work in `folder` on each lesson of `release`."""
    return dict(whole(folder, release).works)


def whole(folder: Path, release: Mapping[str, nbformat.NotebookNode]) -> Taken:
    """Return all that comes of the learner's folder around `folder`, their assignment's."""
    is_notebook = partial(may_be_notebook, lessons=release)
    return folders.take_in(gather(folder.parent, [ASSIGNMENT], is_notebook), {ASSIGNMENT: release})


def take(folder: Path, damage: Damage) -> Work:
    """Return what intake makes of the lesson after `damage` in `folder`."""
    folder.mkdir(parents=True)
    damage(folder)
    return take_in(folder, RELEASE)[LESSON]


def points(work: Work) -> int | None:
    """Return the points that the rebuilt notebook earns when its cells run in order."""
    if work.notebook is None:
        return None
    earned, space = 0, {}
    tests = {"softmax_sums": (2, _sums), "softmax_values": (3, _values)}
    for one in _code_cells(work):
        if one.id in tests:
            worth, holds = tests[one.id]
            earned += worth * holds(space.get("softmax"))
        elif "picture" not in one.metadata.get("tags", []) and "input" not in one.source:
            _run(one.source.replace("%matplotlib inline", ""), space)
    return earned


def _code_cells(work: Work) -> Iterator[Any]:
    return (one for one in work.notebook.cells if one.cell_type == "code")


def _run(text: str, space: Json) -> None:
    try:
        exec(textwrap.dedent(text), space)
    except Exception:
        return


def _applied(softmax: Any) -> Any:
    try:
        return np.reshape(softmax(np.log([[1.0, 2.0, 5.0], [3.0, 3.0, 2.0]])), (2, 3))
    except Exception:
        return np.zeros((2, 3))


def _sums(softmax: Any) -> bool:
    return bool(np.allclose(_applied(softmax).sum(axis=1), 1))


def _values(softmax: Any) -> bool:
    return bool(np.allclose(_applied(softmax), [[1 / 8, 2 / 8, 5 / 8], [3 / 8, 3 / 8, 2 / 8]]))


def table() -> Iterator[str]:
    """Yield one line for each case: input, state, points, what was repaired."""
    for number, one in enumerate(CASES):
        with tempfile.TemporaryDirectory() as scratch:
            work = take(Path(scratch) / str(number) / "self_attention", one.damage)
        told = "; ".join(work.repairs) or work.reason
        earned = points(work)
        yield f"{one.title:40} {work.state:13} {'-' if earned is None else earned:>1}  {told}"
