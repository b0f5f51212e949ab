"""Are the answers of lesson 02 right: against the graph itself, NumPy and nudges?"""

from fractions import Fraction

import numpy as np
import pytest
from attnkit import Value
from hypothesis import given
from hypothesis import strategies as st

from solutions import value_rules

sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def test_lost_gradients_are_none():
    values = {name: Value(number) for name, number in zip("abcd", (2, 3, 5, 7), strict=True)}
    left = values["a"] * values["b"]
    (left.data * values["c"] + values["a"] * values["d"].data).backward()
    assert value_rules.lost_gradients() == [n for n, one in values.items() if one.grad is None]


@pytest.mark.parametrize("kind", [np.array, Value])
def test_drill_shapes_are_those_of_numpy_and_of_value(kind):
    x, W = kind(np.ones((3, 2))), kind(np.ones((2, 4)))
    results = (
        x.T,
        x.sum(axis=1, keepdims=True),
        x - x.sum(axis=0, keepdims=True),
        x @ W,
        x.T @ x,
    )
    assert value_rules.drill_shapes() == [one.shape for one in results]


def test_centre_rows_gives_a_paper_answer():
    """The mean of 1, 5 and 6 is 4."""
    assert value_rules.centre_rows(Value([[1, 5, 6], [0, 0, 0]])).data.tolist() == [
        [-3, 1, 2],
        [0, 0, 0],
    ]


@given(sizes, sizes, seeds)
def test_centre_rows_equals_fractions(T, D, seed):
    x = np.random.default_rng(seed).integers(-9, 9, size=(T, D))
    wanted = [[float(one - Fraction(sum(row), D)) for one in row] for row in x.tolist()]
    np.testing.assert_allclose(value_rules.centre_rows(Value(x)).data, wanted, atol=1e-12)


def slopes(function, x, upstream):
    """Each entry nudged up and down, and how far the weighted sum of the result moves."""
    grad, step = np.empty_like(x), 1e-6
    for place in np.ndindex(x.shape):
        nudge = np.zeros_like(x)
        nudge[place] = step
        move = function(Value(x + nudge)).data - function(Value(x - nudge)).data
        grad[place] = (move * upstream).sum() / (2 * step)
    return grad


@pytest.mark.parametrize("function", [value_rules.centre_rows, value_rules.two_to_the])
@given(T=sizes, D=sizes, seed=seeds)
def test_gradients_equal_nudges(function, T, D, seed):
    rng = np.random.default_rng(seed)
    x, upstream = rng.normal(size=(T, D)), rng.normal(size=(T, D))
    source = Value(x)
    function(source).backward(upstream)
    np.testing.assert_allclose(source.grad, slopes(function, x, upstream), atol=1e-7)


def test_two_to_the_gives_powers_of_two():
    assert value_rules.two_to_the(Value([-1, 0, 3])).data.tolist() == [0.5, 1, 8]


def test_centre_rows_refuses_a_vector():
    with pytest.raises(ValueError, match=r"centre_rows: x has shape \(3,\), wanted \(T, D\)"):
        value_rules.centre_rows(Value([1, 2, 3]))
