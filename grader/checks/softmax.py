"""Hidden checks of `softmax(scores)`."""

from __future__ import annotations

import math

import numpy as np
from attnkit.patterns import unequal

from grader.checks import compare
from grader.checks.interface import CheckFailure, Piece


def softmax_rows_sum(softmax: Piece, rng: np.random.Generator) -> None:
    """Each row is a distribution: as many weights as scores, none negative, together 1."""
    scores = rng.uniform(-1, 1, size=(5, 3))
    weights = compare.shape(softmax(scores), scores.shape, "the result")
    if not (weights >= 0).all():
        raise CheckFailure(f"a weight is {weights.min():.4g}; no weight is below 0")
    sums = weights.sum(axis=1)
    wrong = ~(np.abs(sums - 1) <= 1e-6)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise CheckFailure(f"row {row} adds up to {unequal(sums[row], 1)}{_columns_too(weights)}")


def softmax_values(softmax: Piece, rng: np.random.Generator) -> None:
    """Each weight is exp(score) over the sum of exp along its row."""
    tables = [
        rng.normal(size=(4, 4)),
        rng.normal(scale=3.0, size=(4, 7)),
        rng.normal(scale=1e-3, size=(6, 4)),
        rng.normal(size=(4, 4)),
        _ties(rng),
        _small_weights(rng),
    ]
    for scores in tables:
        compare.values(softmax(scores), row_by_row(scores), f"the result for scores {scores.shape}")


def softmax_odd_shapes(softmax: Piece, rng: np.random.Generator) -> None:
    """One row, one column, a single score and other sizes work, one after the other."""
    for shape in [(1, 5), (4, 1), (1, 1), (2, 8), (24, 5)]:
        scores = rng.uniform(-1, 1, size=shape)
        compare.values(softmax(scores), row_by_row(scores), f"the result for scores {shape}")


def softmax_stability(softmax: Piece, rng: np.random.Generator) -> None:
    """Scores from 1e-3 to 1e5, positive and negative in one table, give exact weights."""
    for scores in [_mixed(rng), *_far_from_zero(rng)]:
        reply = softmax(scores, upstream=rng.normal(size=scores.shape))
        compare.values(reply, row_by_row(scores), f"the result for large scores {scores.shape}")
        if not all(np.isfinite(grad).all() for grad in reply.grads if grad is not None):
            raise CheckFailure("the weights are right for scores up to 1e5, their gradient is nan")
    one_row = rng.uniform(-1, 1, size=(1, 5))
    if compare.right(softmax(one_row), row_by_row(one_row)):
        far = one_row - 1_000
        compare.values(softmax(far), row_by_row(far), "the result for one row near -1000")


def softmax_gradient(softmax: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to every score."""
    first = rng.uniform(-1, 1, size=(3, 5))
    sizes = [rng.uniform(-1, 1, size=shape) for shape in [(4, 4), (1, 4), (5, 2), (2, 2)]]
    _gradient(softmax, first, rng)
    for scores in [*sizes, _ties(rng), _mixed(rng), *_far_from_zero(rng), first]:
        if compare.right(softmax(scores), row_by_row(scores)):
            _gradient(softmax, scores, rng)


def softmax_inputs_untouched(softmax: Piece, rng: np.random.Generator) -> None:
    """The scores handed over are the same after the call."""
    scores, other = rng.uniform(-1, 1, size=(2, 4, 4))
    reply = softmax(scores)
    compare.computed(reply, softmax(scores), softmax(other), ["scores"])
    compare.untouched(reply, [scores], ["scores"])
    large = 1_000 * other
    if compare.right(reply := softmax(large), row_by_row(large)):
        compare.untouched(reply, [large], ["scores"])


def _ties(rng: np.random.Generator) -> np.ndarray:
    """Return scores that are equal, in whole rows and in parts of a row, and scores of 0."""
    high, low = rng.uniform(1, 2), rng.uniform(-2, -1)
    return np.array([[high] * 4, [high, high, 0, 0], [low, 0, low, high], [0] * 4])


def _small_weights(rng: np.random.Generator) -> np.ndarray:
    """Return scores whose weights are near 1, 1e-3, 1e-6 and 7e-9, in two orders."""
    row = np.array([0, -6.9, -13.8, -18.8]) + rng.uniform(-0.1, 0.1, size=4)
    return np.array([row, row[::-1]])


def _mixed(rng: np.random.Generator) -> np.ndarray:
    """Return rows of scores near 1e5, of 1e-3, near -1e5, near -2000, and spread over 1e5."""
    scores = rng.normal(size=(5, 4)) * [[1], [1e-3], [1], [1], [3e4]]
    scores += [[99_000], [0], [-99_000], [-2_000], [0]]
    scores[0, 1] -= 150_000
    return scores


def _far_from_zero(rng: np.random.Generator) -> list[np.ndarray]:
    """Return tables of scores that only the maximum of their own row makes harmless.

    All are far below 0; exp is the smallest number there is; only the sum of exps overflows; the
    largest stands in any column of many.
    """
    below = rng.uniform(-3, 0, size=(40, 5)) - np.linspace(1_000, 3_000, 40)[:, None]
    tiny = -744.5 - rng.uniform(0, [[0, 0.4], [0.4, 0]])
    huge = 709.4 + rng.uniform(0, 0.2, size=(2, 4))
    anywhere = rng.normal(size=(4, 9))
    anywhere[np.arange(4), [8, 4, 0, 3]] += 1_500
    return [below, tiny, huge, anywhere]


def _gradient(softmax: Piece, scores: np.ndarray, rng: np.random.Generator) -> None:
    upstream, weights = rng.normal(size=scores.shape), row_by_row(scores)
    along = (upstream * weights).sum(axis=1, keepdims=True)
    reply = softmax(scores, upstream=upstream)
    compare.gradient(reply, upstream, [weights * (upstream - along)], ["scores"])


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
