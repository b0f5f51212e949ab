"""Does a solved lesson print the same when it is run twice in one kernel?"""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

SOLVED = sorted((Path(__file__).parents[2] / "solutions").glob("[0-9][0-9]_*.ipynb"))
IN_THE_GATE = "04_attention_scores"  # it draws random numbers; all others take a minute


def changed(notebook, folder="."):
    """The ids of the code cells that print something else at the second run."""
    once = [cell for cell in notebook.cells if cell.cell_type == "code"]
    notebook.cells = [nbformat.from_dict(cell) for cell in (*once, *once)]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    first, second = notebook.cells[: len(once)], notebook.cells[len(once) :]
    return [one.id for one, two in zip(first, second, strict=True) if text(one) != text(two)]


def text(cell):
    """All that a cell prints and shows; nothing for a cell that nbval does not compare either.

    When a notebook was saved is no result: somebody may save it between the two runs.
    """
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        return "", ""
    printed = "".join(one.text for one in cell.outputs if one.output_type == "stream")
    shown = [one.data.get("text/plain") for one in cell.outputs if "data" in one]
    return re.sub(r"saved [\d-]+ [\d:]+", "saved", printed), shown


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[] if path.stem == IN_THE_GATE else pytest.mark.slow)
        for path in SOLVED
    ],
)
def test_solved_lesson_prints_the_same_twice(path):
    assert changed(nbformat.read(path, as_version=4), path.parent) == []


def test_lesson_of_the_gate_is_there():
    assert IN_THE_GATE in [path.stem for path in SOLVED]


def test_unseeded_draw_and_leftover_state_show():
    cells = {
        "seeded": "import numpy as np\nprint(np.random.default_rng(0).random())",
        "unseeded": "print(np.random.default_rng().random())",
        "leftover": "seen = globals().get('seen', 0) + 1\nprint(seen)",
        "shown": "np.random.default_rng().random()",
    }
    code = [nbformat.v4.new_code_cell(source, id=name) for name, source in cells.items()]
    assert changed(nbformat.v4.new_notebook(cells=code)) == ["unseeded", "leftover", "shown"]
