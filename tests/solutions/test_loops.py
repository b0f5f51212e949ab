"""Are the loops of lessons 04 to 06 right: against fractions, and against NumPy's own sums?"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions.by_hand import attended_row, mask_row, scores_of_query

sizes = st.integers(1, 6)
seeds = st.integers(0, 2**32 - 1)

THIRDS = [Fraction(2, 3), Fraction(1, 3), Fraction(0)]
V = [[3, 4], [6, 1], [-3, 3]]


def test_scores_of_query_gives_a_paper_answer():
    """(1, 2)·(3, 0) = 3 and (1, 2)·(5, -4) = -3; the root of 9 is 3."""
    assert scores_of_query([1, 2], [[3, 0], [5, -4]], d_k=9) == [1.0, -1.0]


@given(sizes, sizes, seeds, st.sampled_from([1, 2, 7.5]))
def test_scores_of_query_equal_an_einsum(t_k, width, seed, d_k):
    rng = np.random.default_rng(seed)
    q, K = rng.normal(size=width), rng.normal(size=(t_k, width))
    expected = np.einsum("d,kd->k", q, K) / d_k**0.5
    np.testing.assert_allclose(scores_of_query(q, K, d_k), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("i", "row"),
    [(0, [0.0, -1e9, -1e9]), (1, [0.0, 0.0, -1e9]), (2, [0.0, 0.0, 0.0])],
)
def test_mask_row_hides_what_comes_later(i, row):
    assert mask_row(i, T=3) == row


@given(sizes, st.data())
def test_mask_row_hides_all_but_the_first_i_and_itself(T, data):
    i = data.draw(st.integers(0, T - 1))
    assert mask_row(i, T) == [0.0] * (i + 1) + [-1e9] * (T - i - 1)


def test_attended_row_gives_the_worked_example():
    """2/3 of (3, 4) and 1/3 of (6, 1) are (4, 3)."""
    assert attended_row(THIRDS, V) == pytest.approx([4, 3], rel=1e-12)
    assert attended_row([Fraction(1, 7), Fraction(4, 7), Fraction(2, 7)], V) == pytest.approx(
        [3, 2]
    )


@given(sizes, sizes, seeds)
def test_attended_row_equals_an_einsum(t_k, width, seed):
    rng = np.random.default_rng(seed)
    weights, values = rng.dirichlet(np.ones(t_k)), rng.normal(size=(t_k, width))
    expected = np.einsum("k,kd->d", weights, values)
    np.testing.assert_allclose(attended_row(weights, values), expected, atol=1e-12)
