"""Are the formulas of lesson 08 right: against the instrument on the reference's own head?"""

import doctest

import numpy as np
from attnkit import Value
from attnkit.count import counting
from hypothesis import given
from hypothesis import strategies as st

from solutions import cost
from solutions.attention import SelfAttention, apply_attention, attention_scores, causal_mask

sizes = st.integers(1, 8)


def counted_of(function, *shapes):
    with counting() as counted:
        function(*[Value(np.ones(shape)) for shape in shapes])
    return counted


@given(T=sizes, D=sizes)
def test_formulas_are_what_the_instrument_counts(T, D):
    scores = counted_of(lambda Q, K: attention_scores(Q, K, D), (T, D), (T, D))
    mixing = counted_of(apply_attention, (T, T), (T, D))
    head = counted_of(SelfAttention(D).forward, (T, D))
    assert cost.score_multiplications(T, D) == cost.count_scores(T, D) == scores.multiplications
    assert cost.mixing_multiplications(T, D) == mixing.multiplications
    rest = head.multiplications - scores.multiplications - mixing.multiplications
    assert cost.projection_multiplications(T, D) == rest
    assert cost.table_bytes(T) == scores.operations[-1].bytes


@given(D=sizes)
def test_at_the_balance_one_word_less_tips_to_one_side_and_one_more_to_the_other(D):
    def surplus(T):
        pairs = cost.score_multiplications(T, D) + cost.mixing_multiplications(T, D)
        return pairs - cost.projection_multiplications(T, D)

    T = cost.length_of_balance(D)
    assert surplus(T) == 0
    assert surplus(T - 1) < 0 < surplus(T + 1)


@given(T=sizes)
def test_allowed_pairs_are_what_the_mask_leaves(T):
    assert cost.allowed_pairs(T) == (causal_mask(T) == 0).sum()


def test_growth_factors_are_those_of_the_formulas():
    costs = [
        cost.projection_multiplications,
        cost.score_multiplications,
        cost.mixing_multiplications,
        lambda T, D: cost.table_bytes(T),
    ]
    T_doubles, D_doubles = cost.growth_factors()
    assert T_doubles == [one(14, 5) // one(7, 5) for one in costs]
    assert D_doubles == [one(7, 10) // one(7, 5) for one in costs]


def test_docstrings_tell_the_truth():
    assert doctest.testmod(cost).failed == 0
