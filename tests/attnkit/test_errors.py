"""Does what the kit refuses say what would be lost and what to write, beside the learner's line?"""

import math
import re

import numpy as np
import pytest
from attnkit import Linear, Value
from attnkit.errors import INSTEAD, meant
from gradients import assert_gradients
from IPython.core.interactiveshell import InteractiveShell

v, w = Value([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), Value([[1.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
layer = Linear(3, 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda a: a.dot(np.ones((3, 2))),
        lambda a: a.copy() * a,
        lambda a: a.flatten() * np.arange(6),
        lambda a: a.ravel() * np.arange(6),
        lambda a: a.min(axis=1),
        lambda a: a.min(axis=0, keepdims=True) * a,
        lambda a: np.min(a),
        lambda a: np.amin(a, axis=1),
    ],
)
def test_small_methods_of_numpy_are_there_with_the_right_gradient(function):
    assert_gradients(function, np.array([[0.3, -1.2, 2.0], [1.5, 0.1, -0.7]]))


def test_equal_smallest_entries_share_the_gradient():
    tied = Value([[5.0, 2.0, 2.0]])
    tied.min(axis=1).backward()
    np.testing.assert_array_equal(tied.grad, [[0, 0.5, 0.5]])


def test_questions_about_numbers_are_answered_with_plain_ones():
    assert (v.size, v.argmax(), v.argmin()) == (6, 5, 0)
    np.testing.assert_array_equal(v.argmax(axis=1), [2, 2])


@pytest.mark.parametrize(
    ("slip", "says"),
    [
        (lambda: v.tolist(), "Write v.data.tolist()"),
        (lambda: v[0, 0].item(), "Write float(v.data)"),
        (lambda: v.astype(float), "holds float64 as it is"),
        (lambda: v.repeat(2), "Write np.concatenate"),
        (lambda: v.clip(0, 1), "Write np.minimum(np.maximum(v, low), high)"),
        (lambda: v.masked_fill(v > 1, 0), "Write np.where(condition, number, v)"),
        (lambda: v.sine(), "a Value has no sine here"),
        (lambda: v.sum(axis=1, keepdim=True), "'keepdim'; its rule takes a, axis, keepdims"),
        (lambda: v.max(dim=1), "'dim'; its rule takes a, axis, keepdims"),
        (lambda: np.clip(v, 0, 1), "Write np.minimum(np.maximum(v, low), high)"),
        (lambda: np.outer(v[0], v[1]), "Write v[:, None] * w[None, :]"),
        (lambda: np.inner(v, v), "Write v @ w.T"),
        (lambda: np.linalg.norm(v), "Write (v * v).sum().sqrt()"),
        (lambda: np.apply_along_axis(np.sum, 1, v), "Write np.stack([f(row) for row in v])"),
        (lambda: np.vectorize(math.exp)(v), "a plain array cannot hold a Value"),
        (lambda: abs(v), "np.maximum(v, -v)"),
        (lambda: np.ones((v, v)), "for the number of its rows write len(v)"),
        (lambda: range(v), "for the number of its rows write len(v)"),
        (lambda: v(v), "give the result a name of its own"),
        (lambda: v + None, "is a return missing?"),
        (lambda: v @ layer, "call it with x, as in self.W_q(x), in place of x @ self.W_q"),
        (lambda: v.data @ layer, "call it with x"),
        (lambda: layer.shape, "write self.W_q.W.shape where you mean its table"),
        (lambda: v + np.ones((4, 3)), "the first has 2 rows, the second 4"),
        (lambda: v + np.ones((2, 4)), "the first has 3 columns, the second 4"),
        (lambda: v - v.mean(axis=1), "keepdims=True"),
        (lambda: np.zeros((2, 3)).__setitem__((0, 1), v[0, 1]), "instead of array[i, j] = v"),
        (lambda: np.zeros((2, 3)).__setitem__(0, v[0]), "write np.stack(rows)"),
    ],
)
def test_a_slip_is_answered_by_what_to_write(slip, says):
    with pytest.raises((AttributeError, TypeError, ValueError)) as caught:
        slip()
    assert says in meant(caught.value)


def test_keepdims_is_not_offered_where_the_axes_are_as_many():
    with pytest.raises(ValueError) as caught:
        v + np.ones((4, 3))
    assert "keepdims" not in str(caught.value)


@pytest.mark.parametrize("name", INSTEAD)
def test_what_is_offered_instead_can_be_run(name):
    scope = {
        "np": np,
        "v": Value([[2, 1], [1, 3]]),
        "w": Value(np.eye(2)),
        "f": lambda row: row * 2,
    }
    scope |= {"low": 0, "high": 1, "number": 0, "axis": 0, "shape": (2, 2), "condition": np.eye(2)}
    scope |= {"v0": v[0], "v1": v[1]}
    if name == "item":
        scope["v"] = Value(1)
    for code in INSTEAD[name].partition(", which")[0].split(" or "):
        eval(code, scope)


def test_a_notebook_shows_the_learners_line_and_the_sentence(capsys):
    shell = InteractiveShell.instance()
    shell.run_cell("import numpy as np\nfrom attnkit import Value", store_history=True)
    shell.run_cell("def softmax(scores):\n    return np.sin(scores)", store_history=True)
    capsys.readouterr()
    shell.run_cell("softmax(Value([1.0]))", store_history=True)
    printed = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "----> softmax(Value([1.0]))" in printed
    assert "----> return np.sin(scores)" in printed
    assert "TypeError: np.sin has no gradient rule here" in printed
    assert "rules.py" not in printed and "value.py" not in printed
    assert printed.count("---->") == 2


def test_a_missing_piece_is_shown_as_the_import_and_a_sentence(capsys, monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    InteractiveShell.instance().run_cell("from attnkit.mine import softmax", store_history=True)
    lines = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out).strip().splitlines()
    assert lines[1] == "----> from attnkit.mine import softmax"
    assert lines[3].startswith("CarryError: softmax: 03_softmax.ipynb is neither in this folder")
    assert len(lines) == 4
