"""Is the reference right: against loops, exact fractions, closed forms and finite differences?"""

import math
from fractions import Fraction

import numpy as np
import pytest
from attnkit import Value
from hypothesis import given
from hypothesis import strategies as st

from solutions.attention import (
    SelfAttention,
    apply_attention,
    attention_scores,
    causal_mask,
    softmax,
)

LN2 = math.log(2)
X = np.array([[1.0, 0], [0, 1], [1, -1]])
W = {
    "W_q": math.sqrt(2) * LN2 * np.eye(2),
    "W_k": np.array([[-1.0, 2], [0, 1]]),
    "W_v": np.array([[3.0, 4], [6, 1]]),
    "W_o": np.array([[1.0, 1], [0, 1]]),
}
POINTS = [[-1, 0, -1], [2, 1, 1], [-3, -1, -2]]

sizes = st.integers(1, 6)
seeds = st.integers(0, 2**32 - 1)


def exact_weights(causal: bool) -> list[list[Fraction]]:
    """The worked example in fractions: one point doubles the share."""
    rows = []
    for i, row in enumerate(POINTS):
        parts = [
            Fraction(2) ** p if j <= i or not causal else Fraction(0) for j, p in enumerate(row)
        ]
        rows.append([part / sum(parts) for part in parts])
    return rows


def exact_output(causal: bool) -> np.ndarray:
    V = [[3, 4], [6, 1], [-3, 3]]
    attended = [
        [sum(w * V[j][d] for j, w in enumerate(row)) for d in (0, 1)]
        for row in exact_weights(causal)
    ]
    return np.array([[float(a), float(a + b)] for a, b in attended])


def worked_example() -> SelfAttention:
    head = SelfAttention(2)
    for name, matrix in W.items():
        getattr(head, name).W = Value(matrix)
    return head


def test_worked_example_states_the_published_fractions():
    assert exact_weights(causal=True)[2] == [Fraction(1, 7), Fraction(4, 7), Fraction(2, 7)]
    assert exact_output(causal=True).tolist() == [[3, 7], [4, 7], [3, 5]]
    assert exact_output(causal=False).tolist() == [[3, 21 / 4], [9 / 4, 21 / 4], [3, 5]]


@pytest.mark.parametrize("causal", [True, False])
def test_forward_gives_the_worked_example(causal):
    output = worked_example().forward(Value(X), causal=causal)
    np.testing.assert_allclose(output.data, exact_output(causal), rtol=1e-12)


def test_softmax_gives_the_worked_example():
    weights = softmax(Value(LN2 * np.array(POINTS)))
    expected = np.array(exact_weights(causal=False), dtype=float)
    np.testing.assert_allclose(weights.data, expected, rtol=1e-12)


def test_attention_scores_give_the_worked_example():
    scores = attention_scores(Value(X @ W["W_q"]), Value(X @ W["W_k"]), d_k=2)
    np.testing.assert_allclose(scores.data, LN2 * np.array(POINTS), atol=1e-12)


@given(sizes, sizes, seeds, st.sampled_from([1e-3, 1.0, 30.0]))
def test_softmax_equals_a_loop(t_q, t_k, seed, size):
    scores = size * np.random.default_rng(seed).normal(size=(t_q, t_k))
    by_loop = [[math.exp(s) / math.fsum(math.exp(r) for r in row) for s in row] for row in scores]
    np.testing.assert_allclose(softmax(Value(scores)).data, by_loop, rtol=1e-9)


@pytest.mark.parametrize("offset", [1e5, -1e5])
def test_softmax_is_exact_far_from_zero(offset):
    """Two scores one apart have the shares 1 / (1 + e) and e / (1 + e), wherever they are."""
    near, far = offset, -offset
    weights = softmax(Value([[near, near + 1], [far, far + 1]])).data
    share = math.e / (1 + math.e)
    np.testing.assert_allclose(weights, [[1 - share, share]] * 2, rtol=1e-9)


@given(sizes, sizes, seeds)
def test_softmax_gradient_equals_the_jacobian(t_q, t_k, seed):
    """Row by row d softmax / d scores = diag(p) - p pᵀ (Bridle 1990)."""
    rng = np.random.default_rng(seed)
    scores, upstream = Value(rng.normal(size=(t_q, t_k))), rng.normal(size=(t_q, t_k))
    parts = np.exp(scores.data)
    p = parts / parts.sum(axis=1, keepdims=True)
    softmax(scores).backward(upstream)
    expected = [
        (np.diag(row) - np.outer(row, row)) @ up for row, up in zip(p, upstream, strict=True)
    ]
    np.testing.assert_allclose(scores.grad, expected, atol=1e-12)


@given(sizes, sizes, sizes, seeds)
def test_scores_and_mixing_equal_loops(t_q, t_k, width, seed):
    rng = np.random.default_rng(seed)
    Q, K = rng.normal(size=(t_q, width)), rng.normal(size=(t_k, width))
    scores = attention_scores(Value(Q), Value(K), d_k=7).data
    loop = [
        [math.fsum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(7) for k in K] for q in Q
    ]
    np.testing.assert_allclose(scores, loop, atol=1e-12)
    mixed = apply_attention(Value(scores), Value(K)).data
    loop = [
        [math.fsum(w * k[d] for w, k in zip(row, K, strict=True)) for d in range(width)]
        for row in scores
    ]
    np.testing.assert_allclose(mixed, loop, atol=1e-11)


@given(sizes)
def test_causal_mask_equals_its_rule(seq_len):
    rule = [[0.0 if j <= i else -1e9 for j in range(seq_len)] for i in range(seq_len)]
    assert causal_mask(seq_len).tolist() == rule


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("T", "D"), [(1, 1), (1, 3), (4, 2), (3, 5)])
def test_forward_gradients_equal_finite_differences(T, D, causal):
    rng = np.random.default_rng(T * 10 + D)
    head, x, upstream = SelfAttention(D, rng), rng.normal(size=(T, D)), rng.normal(size=(T, D))
    source = Value(x)
    head.forward(source, causal).backward(upstream)

    def total(array: np.ndarray) -> float:
        return float((head.forward(Value(x), causal).data * upstream).sum())

    for array, grad in [(x, source.grad), *((p.data, p.grad) for p in head.parameters())]:
        slopes = np.empty_like(array)
        for place in np.ndindex(array.shape):
            kept, step = array[place], 1e-6
            array[place] = kept + step
            above = total(array)
            array[place] = kept - step
            slopes[place] = (above - total(array)) / (2 * step)
            array[place] = kept
        np.testing.assert_allclose(grad, slopes, atol=1e-7)


@given(st.integers(2, 6), seeds)
def test_forward_ignores_the_future(T, seed):
    rng = np.random.default_rng(seed)
    head, x = SelfAttention(3, rng), rng.normal(size=(T, 3))
    before = head.forward(Value(x)).data
    x[-1] = 100.0
    after = head.forward(Value(x)).data
    assert np.array_equal(before[:-1], after[:-1])
    assert not np.allclose(before[-1], after[-1])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: softmax(Value([1.0, 2.0])), r"softmax: scores has shape \(2,\), wanted \(T_q, T_k\)"),
        (lambda: attention_scores(Value(np.ones((2, 3))), Value(np.ones((2, 4))), 3), r"K has shape \(2, 4\), wanted \(T_k, D\), T_k = 2, D = 3"),
        (lambda: apply_attention(Value(np.ones((2, 3))), Value(np.ones((2, 3)))), r"V has shape \(2, 3\), wanted \(T_k, D_v\), T_k = 3"),
        (lambda: SelfAttention(2).forward(Value(np.ones(2))), r"forward: x has shape \(2,\), wanted \(T, D\)"),
    ],
)  # fmt: skip
def test_wrong_shape_is_refused_with_who_got_wanted(call, says):
    with pytest.raises(ValueError, match=says):
        call()
