"""Hidden checks of `attention_scores(Q, K, d_k)`."""

from __future__ import annotations

import math

import numpy as np

from grader.checks import compare
from grader.checks.interface import Piece

NAMES = ("Q", "K")


def attention_scores_shape(attention_scores: Piece, rng: np.random.Generator) -> None:
    """The result has one row for each query and one column for each key."""
    Q, K = _draw(rng, 4, 6, 3)
    compare.shape(attention_scores(Q, K, 3), (4, 6), "the result for 4 queries and 6 keys")


def attention_scores_values(attention_scores: Piece, rng: np.random.Generator) -> None:
    """Entry [i, j] is the dot product of Q[i] and K[j], divided by sqrt(d_k)."""
    for T_q, T_k, D in [(3, 3, 3), (5, 2, 3), (2, 4, 6), (3, 3, 3)]:
        Q, K = _draw(rng, T_q, T_k, D)
        of = f"the result for {T_q} queries and {T_k} keys of width {D}"
        compare.values(attention_scores(Q, K, D), one_by_one(Q, K, D), of)
    Q, K = _equal_and_large(rng)
    of = "the result for equal and large numbers"
    compare.values(attention_scores(Q, K, 3), one_by_one(Q, K, 3), of)


def attention_scores_uses_d_k(attention_scores: Piece, rng: np.random.Generator) -> None:
    """The scale comes from the d_k that is handed over, not from the width of Q."""
    for d_k in (9, 1, 100):
        Q, K = _draw(rng, 9, 8, 4)
        of = f"the result for width 4 and d_k = {d_k}"
        compare.values(attention_scores(Q, K, d_k), one_by_one(Q, K, d_k), of)


def attention_scores_odd_shapes(attention_scores: Piece, rng: np.random.Generator) -> None:
    """One query, one key and a width of 1 work."""
    for T_q, T_k, D in [(1, 3, 4), (3, 1, 4), (12, 15, 1), (1, 1, 1)]:
        Q, K = _draw(rng, T_q, T_k, D)
        of = f"the result for queries {Q.shape} and keys {K.shape}"
        compare.values(attention_scores(Q, K, D), one_by_one(Q, K, D), of)


def attention_scores_gradient(attention_scores: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to Q and to K."""
    first = _draw(rng, 3, 5, 4)
    sizes = [(3, 3, 4), (2, 2, 2), (1, 3, 4), (3, 1, 4), (5, 2, 3)]
    _gradient(attention_scores, *first, rng)
    with_zeros = _draw(rng, 3, 2, 3)
    with_zeros[0][0] = with_zeros[1][1, :2] = 0
    for Q, K in [*(_draw(rng, *size) for size in sizes), with_zeros, first]:
        if compare.right(attention_scores(Q, K, Q.shape[1]), one_by_one(Q, K, Q.shape[1])):
            _gradient(attention_scores, Q, K, rng)
    for Q, K in [_draw(rng, 3, 2, 4), _draw(rng, 2, 3, 1)]:  # a d_k that is not the width
        if compare.right(attention_scores(Q, K, 7), one_by_one(Q, K, 7)):
            _gradient(attention_scores, Q, K, rng, d_k=7)


def attention_scores_inputs_untouched(attention_scores: Piece, rng: np.random.Generator) -> None:
    """Q and K are the same after the call."""
    (Q, K), (other_Q, other_K) = _draw(rng, 3, 3, 3), _draw(rng, 3, 3, 3)
    reply, other = attention_scores(Q, K, 3), attention_scores(other_Q, other_K, 3)
    compare.computed(reply, attention_scores(Q, K, 3), other, NAMES)
    compare.untouched(reply, [Q, K], NAMES)


def _gradient(
    attention_scores: Piece,
    Q: np.ndarray,
    K: np.ndarray,
    rng: np.random.Generator,
    d_k: int = 0,
) -> None:
    (T_q, D), T_k = Q.shape, len(K)
    d_k = d_k or D
    upstream = rng.normal(size=(T_q, T_k))
    wanted = [
        [[_dot(row, K[:, n]) / math.sqrt(d_k) for n in range(D)] for row in upstream],
        [[_dot(column, Q[:, n]) / math.sqrt(d_k) for n in range(D)] for column in upstream.T],
    ]
    reply = attention_scores(Q, K, d_k, upstream=upstream)
    compare.gradient(reply, upstream, [np.array(one) for one in wanted], NAMES)


def _equal_and_large(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return queries and keys with equal products, and with large ones that nearly cancel."""
    a, b = rng.uniform(1, 2, size=2)
    Q = np.array([[a, a, a], [1_000 + a, -1_000, 4]])
    return Q, np.array([[1, 1, 0], [b, b, b], [1e5 * b, 0, 0]])


def _draw(rng: np.random.Generator, T_q: int, T_k: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    return rng.uniform(-1, 1, size=(T_q, D)), rng.uniform(-1, 1, size=(T_k, D))


def one_by_one(Q: np.ndarray, K: np.ndarray, d_k: float) -> np.ndarray:
    """Return the scores by the definition, one query, one key and one product at a time."""
    return np.array([[_dot(query, key) / math.sqrt(d_k) for key in K] for query in Q])


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return math.fsum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
