"""Do the checks of lessons 01 and 02 pass what is right, and catch what is not?"""

from fractions import Fraction

import numpy as np
import pytest
from attnkit import Value

from grader import checks
from grader.checks import by_hand as paper_checks
from grader.checks.interface import CheckFailure
from solutions import by_hand, value_rules

F = Fraction
MODULES = {"by_hand": by_hand, "value_rules": value_rules}
MINE = [
    name
    for name in checks.names()
    if checks.find(name).function.__module__.split(".")[-1] in MODULES
]
WEIGHTS = [[1, 0, 0], [F(2, 3), F(1, 3), 0], [F(1, 7), F(4, 7), F(2, 7)]]
UNHIDDEN = [[F(1, 4), F(1, 2), F(1, 4)], [F(1, 2), F(1, 4), F(1, 4)], WEIGHTS[2]]
ATTENDED, OUTPUT = [[3, 4], [4, 3], [3, 2]], [[3, 7], [4, 7], [3, 5]]


def answer(result):
    return lambda: result


def reference(name):
    exercise = checks.find(name).exercise
    return next(getattr(one, exercise) for one in MODULES.values() if hasattr(one, exercise))


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("seed", ["", "another class"])
def test_reference_passes(name, seed):
    checks.run(name, reference(name), seed=seed)


def test_there_are_ten_checks():
    assert len(MINE) == 10


@pytest.mark.parametrize("name", MINE)
def test_untouched_is_not_implemented(name):
    def untouched(*arguments):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        checks.run(name, untouched)


def test_checks_derive_the_published_numbers():
    assert paper_checks._causal(paper_checks.POINTS) == WEIGHTS
    assert paper_checks._output(paper_checks.POINTS, paper_checks.V) == OUTPUT


RIGHT = {
    "shares_of_bob_exact": ([1 / 7, 4 / 7, 2 / 7], (F(1, 7), F(4, 7), F(2, 7)), np.array([1, 4, 2]) / 7),
    "causal_weights_exact": (
        [[1, 0, 0], [2 / 3, 1 / 3, 0.0], [0.1428571428571, 0.5714285714286, 0.2857142857143]],
        np.array(WEIGHTS, dtype=float),
        [np.array([float(one) for one in row]) for row in WEIGHTS],
        [Value([float(one) for one in row]) for row in WEIGHTS],
        Value(np.array(WEIGHTS, dtype=float)),
    ),
    "attended_rows_exact": (ATTENDED, np.array(ATTENDED, dtype=np.float32)),
    "output_rows_exact": (tuple(map(tuple, OUTPUT)), Value(OUTPUT)),
    "saw_after_one_more_point_exact": ([0.8, 0.2, 0], [F(4, 5), F(1, 5), F(0)]),
    "rows_that_move_exact": (["saw", "bob"], ["bob", "saw"], ("Saw", "bob ")),
    "lost_gradients_named": (["b", "d"], ["d", "b"], ("B", "D")),
    "drill_shapes_exact": ([(2, 3), (3, 1), (3, 2), (3, 4), (2, 2)], np.array([[2, 3], [3, 1], [3, 2], [3, 4], [2, 2]])),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "result"), [(name, one) for name, all_ in RIGHT.items() for one in all_]
)
def test_other_spellings_of_the_answer_pass(name, result):
    checks.run(name, answer(result))


WRONG = [
    ("shares_of_bob_exact", [F(1, 8), F(1, 2), F(1, 4)], "row bob .* adds up to 7/8, wanted 1"),
    ("shares_of_bob_exact", [F(2, 7), F(4, 7), F(1, 7)], "2 of 3 entries are not right, the first is number 1 of 3"),
    ("shares_of_bob_exact", [0.14, 0.57, 0.29], "nearly right; write exact fractions"),
    ("shares_of_bob_exact", [F(1, 7), F(4, 7)], r"shape \(2,\), wanted \(3,\)"),
    ("shares_of_bob_exact", None, "a return is missing"),
    ("shares_of_bob_exact", "1/7, 4/7, 2/7", "wanted a table of numbers"),
    ("shares_of_bob_exact", [np.nan] * 3, "3 of 3"),
    ("causal_weights_exact", UNHIDDEN, r"6 of 9 entries are not right, the first in row 1 of 3"),
    ("causal_weights_exact", (np.array(UNHIDDEN) * np.tri(3)).tolist(), "row ada .* adds up to 1/4"),
    ("causal_weights_exact", np.ones((3, 3)) / 3, "8 of 9"),
    ("causal_weights_exact", np.array(WEIGHTS).T.tolist(), "row ada"),
    ("attended_rows_exact", np.array(UNHIDDEN) @ np.array([[3, 4], [6, 1], [-3, 3]]), "not right"),
    ("attended_rows_exact", [[3, 4], [4, 3], [3, 3]], "1 of 6 .* in row 3 of 3"),
    ("output_rows_exact", ATTENDED, "3 of 6"),
    ("output_rows_exact", [[7, 4], [7, 3], [5, 2]], "6 of 6"),
    ("saw_after_one_more_point_exact", WEIGHTS[1], "2 of 3"),
    ("saw_after_one_more_point_exact", [F(2, 3), F(1, 6), F(1, 6)], "3 of 3"),
    ("rows_that_move_exact", ["saw"], "1 of 2 left out that move too"),
    ("rows_that_move_exact", ["ada", "saw", "bob"], "ada: this row does not move"),
    ("rows_that_move_exact", [], "not a list of names"),
    ("rows_that_move_exact", ["saw", "what a check asked"], "a name in the list is none of ada, saw, bob"),
    ("causal_weights_exact", [[1, 0, 0], [0.67, 0.33, 0], [0.14, 0.57, 0.29]], "nearly right"),
    ("attended_rows_exact", [[3, 4], [4, 3], [2.98, 2]], "nearly right"),
    ("rows_that_move_exact", [1, 2], "not a list of names"),
    ("lost_gradients_named", ["b"], "1 of 2 left out that get no gradient"),
    ("lost_gradients_named", ["a", "b", "d"], "a: a gradient does arrive here"),
    ("drill_shapes_exact", [(2, 3), (3, 1), (3, 2), (3, 4), (3, 3)], "2 of 10 .* in row 5 of 5"),
    ("drill_shapes_exact", [(2, 3), (1, 2), (3, 2), (3, 4), (2, 2)], "2 of 10 .* in row 2 of 5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result", "says"), WRONG)
def test_wrong_answer_is_caught_and_not_given_away(name, result, says):
    with pytest.raises(CheckFailure, match=says) as failure:
        checks.run(name, answer(result))
    for secret in ("1/7", "4/7", "0.57", "0.14", "0.8", "4/5", "'d'"):
        assert secret not in str(failure.value)


CENTRED = {
    "sum over length": lambda x: x - x.sum(axis=1, keepdims=True) / x.shape[1],
    "rows stacked": lambda x: Value([row - row.mean() for row in x]),
    "transposed twice": lambda x: (x.T - x.mean(axis=1)).T,
    "a matrix": lambda x: x @ (np.eye(x.shape[1]) - np.ones((x.shape[1],) * 2) / x.shape[1]),
    "einsum": lambda x: x - np.einsum("td->t", x).reshape(-1, 1) / x.shape[1],
}


@pytest.mark.parametrize("function", CENTRED.values(), ids=CENTRED)
@pytest.mark.parametrize("name", ["centre_rows_values", "centre_rows_gradient"])
def test_other_ways_to_centre_pass(name, function):
    checks.run(name, function)


NOT_CENTRED = {
    "columns": (lambda x: x - x.mean(axis=0, keepdims=True), {"values", "gradient"}),
    "whole table": (lambda x: x - x.mean(), {"values", "gradient"}),
    "keepdims forgotten": (lambda x: x - x.mean(axis=1), {"values", "gradient"}),
    "nothing done": (lambda x: x, {"values", "gradient"}),
    "mean from .data": (lambda x: x - x.data.mean(axis=1, keepdims=True), {"gradient"}),
    "cut at the end": (lambda x: Value(value_rules.centre_rows(x).data), {"gradient"}),
    "a plain array": (lambda x: value_rules.centre_rows(x).data, {"gradient"}),
}


@pytest.mark.parametrize(("function", "caught"), NOT_CENTRED.values(), ids=NOT_CENTRED)
def test_wrong_centre_rows_is_caught_where_it_shows(function, caught):
    failed = set()
    for ending in ("values", "gradient"):
        try:
            checks.run(f"centre_rows_{ending}", function)
        except (CheckFailure, ValueError):  # NumPy refuses (2, 5) - (2,)
            failed.add(ending)
    assert failed == caught
