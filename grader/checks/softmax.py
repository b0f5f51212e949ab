"""Hidden checks of `softmax(scores)`."""

from __future__ import annotations

import math

import numpy as np

from grader.checks import compare
from grader.checks.interface import CheckFailure, Piece


def softmax_rows_sum(softmax: Piece, rng: np.random.Generator) -> None:
    """Each row is a distribution: as many weights as scores, none negative, together 1."""
    scores = rng.normal(size=(5, 3))
    weights = compare.shape(softmax(scores), scores.shape, "the result")
    if not (weights >= 0).all():
        raise CheckFailure(f"a weight is {weights.min():.4g}; no weight is below 0")
    sums = weights.sum(axis=1)
    wrong = ~(np.abs(sums - 1) <= 1e-6)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise CheckFailure(f"row {row} adds up to {sums[row]:.4g}, wanted 1{_columns_too(weights)}")


def softmax_values(softmax: Piece, rng: np.random.Generator) -> None:
    """Each weight is exp(score) over the sum of exp along its row."""
    for shape, spread in [((4, 4), 1.0), ((4, 7), 3.0), ((6, 4), 1e-3)]:
        scores = rng.normal(scale=spread, size=shape)
        compare.values(softmax(scores), row_by_row(scores), f"the result for scores {shape}")


def softmax_odd_shapes(softmax: Piece, rng: np.random.Generator) -> None:
    """One row, one column, a single score and other sizes work, one after the other."""
    for shape in [(1, 5), (4, 1), (1, 1), (2, 8)]:
        scores = rng.normal(size=shape)
        compare.values(softmax(scores), row_by_row(scores), f"the result for scores {shape}")


def softmax_stability(softmax: Piece, rng: np.random.Generator) -> None:
    """Scores from 1e-3 to 1e5, positive and negative in one table, give exact weights."""
    scores = rng.normal(size=(5, 4)) * [[1], [1e-3], [1], [1], [3e4]]
    scores += [[99_000], [0], [-99_000], [-2_000], [0]]
    scores[0, 1] -= 150_000
    reply = softmax(scores, upstream=rng.normal(size=scores.shape))
    compare.values(reply, row_by_row(scores), "the result for scores up to 1e5")
    if not all(np.isfinite(grad).all() for grad in reply.grads if grad is not None):
        raise CheckFailure("the weights are right for scores up to 1e5, their gradient is nan")


def softmax_gradient(softmax: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to every score."""
    scores, upstream = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
    weights = row_by_row(scores)
    along = (upstream * weights).sum(axis=1, keepdims=True)
    reply = softmax(scores, upstream=upstream)
    compare.gradient(reply, upstream, [weights * (upstream - along)], ["scores"])


def softmax_inputs_untouched(softmax: Piece, rng: np.random.Generator) -> None:
    """The scores handed over are the same after the call."""
    scores = rng.normal(size=(4, 4))
    compare.untouched(softmax(scores), [scores], ["scores"])


def row_by_row(scores: np.ndarray) -> np.ndarray:
    """Return the weights by the definition, one row and one number at a time."""
    return np.array([_row(row) for row in scores.tolist()])


def _row(row: list[float]) -> list[float]:
    parts = [math.exp(score - max(row)) for score in row]
    total = math.fsum(parts)
    return [part / total for part in parts]


def _columns_too(weights: np.ndarray) -> str:
    if np.allclose(weights.sum(axis=0), 1):
        return "; the columns do add up to 1"
    return "; the whole table adds up to 1" if np.isclose(weights.sum(), 1) else ""
