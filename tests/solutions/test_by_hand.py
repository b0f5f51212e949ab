"""Are the paper answers of lesson 01 right: against the same steps in binary floats?"""

import doctest
import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions import by_hand

POINTS = np.array([[-1, 0, -1], [2, 1, 1], [-3, -1, -2]])
V = np.array([[3, 4], [6, 1], [-3, 3]])
W_O = np.array([[1, 1], [0, 1]])


def weights(points, visible):
    parts = np.exp2(points) * visible
    return parts / parts.sum(axis=1, keepdims=True)


CAUSAL = weights(POINTS, np.tri(3))
ONE_MORE = POINTS + np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]])
EXPECTED = {
    "pairs_of_words": len([(i, j) for i in range(3) for j in range(3)]),
    "shares_of_bob": weights(POINTS, np.ones((3, 3)))[2],
    "causal_weights": CAUSAL,
    "attended_rows": CAUSAL @ V,
    "output_rows": CAUSAL @ V @ W_O,
    "saw_after_one_more_point": weights(ONE_MORE, np.tri(3))[1],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_paper_answer_equals_floats(name):
    given_answer = np.array(getattr(by_hand, name)(), dtype=float)
    np.testing.assert_allclose(given_answer, EXPECTED[name], rtol=1e-12)


def test_rows_that_move_are_those_that_see_saw():
    other = V + np.array([[0, 0], [1, 5], [0, 0]])
    moved = ((CAUSAL @ (V - other) @ W_O) != 0).any(axis=1)
    assert by_hand.rows_that_move() == np.array(["ada", "saw", "bob"])[moved].tolist()


rows = st.lists(st.integers(-20, 20), min_size=1, max_size=6)


@given(rows, st.data())
def test_shares_of_row_double_with_each_point(points, data):
    seen = data.draw(st.integers(1, len(points)))
    shares = by_hand.shares_of_row(points, seen)
    assert sum(shares) == 1
    assert shares[seen:] == [0] * (len(points) - seen)
    for share, point in zip(shares[:seen], points, strict=False):
        assert share * 2 ** (points[0] + 50) == shares[0] * 2 ** (point + 50)


@pytest.mark.parametrize("module", ["by_hand", "value_rules"])
def test_docstrings_tell_the_truth(module):
    result = doctest.testmod(importlib.import_module(f"solutions.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
