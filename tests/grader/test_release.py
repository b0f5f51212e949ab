"""Does anything that stands in a release earn a piece's points without being written?"""

import ast
import math

import numpy as np
import pytest
from attnkit import Linear, Value, tasks

from grader import checks, notebook
from grader.authoring import exercises
from grader.authoring.build import ROOT
from grader.checks import CheckFailure, run
from solutions import attention

PIECES = ("softmax", "attention_scores", "causal_mask", "apply_attention", "SelfAttention")
GRADED = {one for name in checks.names() for one in checks.find(name).exercises()}
GIVEN = {
    (path.stem, node.name): ast.unparse(node)
    for path in sorted((ROOT / "solutions").glob("[0-9]*.ipynb"))
    for cell in notebook.read(path).cells
    if cell.cell_type == "code" and cell.id not in GRADED
    for node in ast.parse(cell.source).body
    if isinstance(node, ast.FunctionDef | ast.ClassDef)
}


def earns_everything(piece: str, target: object) -> bool:
    """Whether `target` passes each hidden check of `piece`."""
    for name in checks.names():
        if checks.find(name).exercise == piece:
            try:
                run(name, target)
            except (CheckFailure, Exception):
                return False
    return True


@pytest.mark.parametrize("piece", PIECES)
def test_the_reference_earns_everything(piece):
    assert earns_everything(piece, getattr(attention, piece))


@pytest.mark.parametrize("given", GIVEN, ids=lambda pair: "-".join(pair))
def test_no_function_found_in_a_lesson_earns_a_piece(given):
    """Loops that a learner completes are in the solved notebooks; they count as found.

    What is graded somewhere stands in no release.
    """
    names = {"np": np, "Value": Value, "Linear": Linear, "math": math, "tasks": tasks}
    names |= {piece: getattr(attention, piece) for piece in PIECES}
    exec(GIVEN[given], names)
    found = names[given[1]]
    for piece in PIECES:
        wanted_class = piece == "SelfAttention"
        if isinstance(found, type) == wanted_class:
            assert not earns_everything(piece, found), piece


def test_stub_earns_nothing():
    for piece in PIECES:
        text = exercises.source_text(exercises.find(piece)).split(exercises.BEGIN)[0]
        names: dict = {"np": np, "Value": Value, "Linear": Linear}
        exec(f"{text}raise NotImplementedError()", names)
        for name in checks.names():
            if checks.find(name).exercise == piece:
                with pytest.raises(NotImplementedError):
                    run(name, names[piece])
