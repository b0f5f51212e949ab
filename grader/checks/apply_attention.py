"""Hidden checks of `apply_attention(weights, V)`."""

from __future__ import annotations

import math

import numpy as np

from grader.checks import compare
from grader.checks.interface import Piece

NAMES = ("weights", "V")


def apply_attention_shape(apply_attention: Piece, rng: np.random.Generator) -> None:
    """The result has one row for each query, as wide as a row of V."""
    weights, V = _draw(rng, 4, 6, 3)
    compare.shape(apply_attention(weights, V), (4, 3), "the result for weights (4, 6), V (6, 3)")


def apply_attention_values(apply_attention: Piece, rng: np.random.Generator) -> None:
    """Row i is the sum over j of weights[i, j] times V[j]."""
    sizes = [(3, 3, 3), (5, 3, 4), (3, 6, 4), (3, 3, 3)]
    for weights, V in [*(_draw(rng, *size) for size in sizes), _small_and_equal(rng)]:
        of = f"the result for weights {weights.shape}, V {V.shape}"
        compare.values(apply_attention(weights, V), term_by_term(weights, V), of)


def apply_attention_odd_shapes(apply_attention: Piece, rng: np.random.Generator) -> None:
    """One query, one key and a width of 1 work."""
    for T_q, T_k, D_v in [(1, 4, 3), (4, 1, 3), (24, 4, 1), (1, 1, 1)]:
        weights, V = _draw(rng, T_q, T_k, D_v)
        of = f"the result for weights {weights.shape}, V {V.shape}"
        compare.values(apply_attention(weights, V), term_by_term(weights, V), of)


def apply_attention_gradient(apply_attention: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to weights and to V."""
    first = _draw(rng, 3, 5, 4)
    sizes = [(3, 3, 3), (2, 2, 2), (1, 4, 3), (4, 1, 3), (5, 2, 3)]
    _gradient(apply_attention, *first, rng)
    with_zeros = np.eye(3)[[0, 2]], rng.normal(size=(3, 2))
    for weights, V in [*(_draw(rng, *size) for size in sizes), with_zeros, first]:
        if compare.right(apply_attention(weights, V), term_by_term(weights, V)):
            _gradient(apply_attention, weights, V, rng)


def apply_attention_inputs_untouched(apply_attention: Piece, rng: np.random.Generator) -> None:
    """The weights and V are the same after the call."""
    (weights, V), other = _draw(rng, 3, 3, 3), _draw(rng, 3, 3, 3)
    weights *= 1 - 1e-12  # the sum of a row times V is not V to the last bit, whatever is drawn
    reply = apply_attention(weights, V)
    compare.computed(reply, apply_attention(weights, V), apply_attention(*other), NAMES)
    compare.untouched(reply, [weights, V], NAMES)


def _gradient(
    apply_attention: Piece, weights: np.ndarray, V: np.ndarray, rng: np.random.Generator
) -> None:
    upstream = rng.normal(size=(len(weights), V.shape[1]))
    wanted = [term_by_term(upstream, V.T), term_by_term(weights.T, upstream)]
    reply = apply_attention(weights, V, upstream=upstream)
    compare.gradient(reply, upstream, wanted, NAMES)


def _small_and_equal(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return weights down to 1e-10 and equal ones, for 12 rows of V of which some are equal."""
    small, sizes = 10.0 ** -np.arange(0, 12, 2), 10.0 ** np.arange(0, 12, 2)
    weights = np.array([[*small, *[0] * 6], [1 / 12] * 12, [0.5, 0.5, *[0] * 10]])
    V = rng.uniform(1, 2, size=(12, 2))
    V[:6, 0] *= sizes
    V[7], V[9], V[10] = V[6], V[8], 0
    return weights, V


def _draw(rng: np.random.Generator, T_q: int, T_k: int, D_v: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of weights near 1/2, 1/4, 1/8, …, each in an order of its own, and V.

    So whoever leaves out small weights, or numbers below 0, meets some in every draw.
    """
    sizes = 0.5 ** np.arange(T_k) * rng.uniform(0.99, 1, size=(T_q, T_k))
    weights = rng.permuted(sizes / sizes.sum(axis=1, keepdims=True), axis=1)
    V = rng.normal(size=(T_k, D_v))
    V[:, :1], V[:, 1:2] = -np.abs(V[:, :1]), np.abs(V[:, 1:2])
    return weights, V


def term_by_term(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the attended rows by the definition, one term at a time."""
    return np.array([[_sum(row, column) for column in V.T] for row in weights])


def _sum(weights: np.ndarray, numbers: np.ndarray) -> float:
    return math.fsum(w * v for w, v in zip(weights.tolist(), numbers.tolist(), strict=True))
