"""Hidden checks of lesson 02: which gradients vanish, shapes, and rows with mean 0."""

from __future__ import annotations

import math

import numpy as np
from attnkit import Value

from grader.checks import compare, paper
from grader.checks.interface import Piece


def lost_gradients_named(lost_gradients: Piece, rng: np.random.Generator) -> None:
    """Exactly the Values that no path leads back to are named."""
    lost = _without_gradient()
    paper.names(lost_gradients(), lost, "abcd", "a gradient does arrive here", "get no gradient")


def drill_shapes_exact(drill_shapes: Piece, rng: np.random.Generator) -> None:
    """The five shapes are right."""
    x, W = np.ones((3, 2)), np.ones((2, 4))
    results = [
        x.T,
        x.sum(axis=1, keepdims=True),
        x - x.sum(axis=0, keepdims=True),
        x @ W,
        x.T @ x,
    ]
    paper.numbers(drill_shapes(), [one.shape for one in results], "`drill_shapes`")


def centre_rows_values(centre_rows: Piece, rng: np.random.Generator) -> None:
    """Each row has lost its own mean, for square tables and for others."""
    for shape in [(3, 3), (2, 5), (4, 1), (1, 6)]:
        x = rng.normal(size=shape) + 3
        compare.values(centre_rows(x), _centred(x), f"the result for x {shape}")


def centre_rows_gradient(centre_rows: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to every entry, through the mean as well."""
    x, upstream = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    reply = centre_rows(x, upstream=upstream)
    compare.gradient(reply, upstream, [_centred(upstream)], ["x"])


def _centred(table: np.ndarray) -> np.ndarray:
    """Return each row less its mean; the matrix that does this is its own transpose."""
    return np.array([[one - math.fsum(row) / len(row) for one in row] for row in table.tolist()])


def _without_gradient() -> set[str]:
    a, b, c, d = (Value(number) for number in (1, 2, 3, 4))
    left = a * b
    y: Value = c * left.data + a * d.data
    y.backward()
    return {name for name, one in zip("abcd", (a, b, c, d), strict=True) if one.grad is None}
