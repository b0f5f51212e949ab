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
    for T_q, T_k, D in [(3, 3, 3), (5, 2, 3), (2, 4, 6)]:
        Q, K = _draw(rng, T_q, T_k, D)
        of = f"the result for {T_q} queries and {T_k} keys of width {D}"
        compare.values(attention_scores(Q, K, D), one_by_one(Q, K, D), of)


def attention_scores_uses_d_k(attention_scores: Piece, rng: np.random.Generator) -> None:
    """The scale comes from the d_k that is handed over, not from the width of Q."""
    for d_k in (9, 1):
        Q, K = _draw(rng, 3, 3, 4)
        of = f"the result for width 4 and d_k = {d_k}"
        compare.values(attention_scores(Q, K, d_k), one_by_one(Q, K, d_k), of)


def attention_scores_odd_shapes(attention_scores: Piece, rng: np.random.Generator) -> None:
    """One query, one key and a width of 1 work."""
    for T_q, T_k, D in [(1, 3, 4), (3, 1, 4), (3, 5, 1), (1, 1, 1)]:
        Q, K = _draw(rng, T_q, T_k, D)
        of = f"the result for queries {Q.shape} and keys {K.shape}"
        compare.values(attention_scores(Q, K, D), one_by_one(Q, K, D), of)


def attention_scores_gradient(attention_scores: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to Q and to K."""
    (Q, K), d_k = _draw(rng, 3, 5, 4), 4
    upstream = rng.normal(size=(3, 5))
    wanted = [
        [[_dot(row, K[:, n]) / math.sqrt(d_k) for n in range(4)] for row in upstream],
        [[_dot(column, Q[:, n]) / math.sqrt(d_k) for n in range(4)] for column in upstream.T],
    ]
    reply = attention_scores(Q, K, d_k, upstream=upstream)
    compare.gradient(reply, upstream, [np.array(one) for one in wanted], NAMES)


def attention_scores_inputs_untouched(attention_scores: Piece, rng: np.random.Generator) -> None:
    """Q and K are the same after the call."""
    Q, K = _draw(rng, 3, 3, 3)
    compare.untouched(attention_scores(Q, K, 3), [Q, K], NAMES)


def _draw(rng: np.random.Generator, T_q: int, T_k: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    return rng.normal(size=(T_q, D)), rng.normal(size=(T_k, D))


def one_by_one(Q: np.ndarray, K: np.ndarray, d_k: float) -> np.ndarray:
    """Return the scores by the definition, one query, one key and one product at a time."""
    return np.array([[_dot(query, key) / math.sqrt(d_k) for key in K] for query in Q])


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return math.fsum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
