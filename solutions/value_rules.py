"""What one does with Values before building attention of them: gradients, shapes, one rule."""

from __future__ import annotations

import math

from attnkit import Value

from solutions.contracts import takes


def lost_gradients() -> list[str]:
    """Return the names whose `.grad` is None after `y.backward()`.

        left = a * b
        y = left.data * c + a * d.data

    a, b, c and d are Values, each made of one number.
    Returns: a list of names, such as ["c"].
    """
    return ["b", "d"]


def drill_shapes() -> list[tuple[int, int]]:
    """Return the shapes of five results, where x has shape (3, 2) and W has shape (2, 4).

        1.  x.T
        2.  x.sum(axis=1, keepdims=True)
        3.  x - x.sum(axis=0, keepdims=True)
        4.  x @ W
        5.  x.T @ x

    Returns: a list of five pairs (rows, columns).
    """
    return [(2, 3), (3, 1), (3, 2), (3, 4), (2, 2)]


@takes(x="T D")
def centre_rows(x: Value) -> Value:
    """Return `x` with the mean of each row taken away from that row.

    x: Value (T, D).
    Returns: Value (T, D); each row has the mean 0.

    >>> centre_rows(Value([[1.0, 5.0, 6.0]])).shape
    (1, 3)
    """
    return x - x.mean(axis=1, keepdims=True)


def two_to_the(points: Value) -> Value:
    """Return 2 to the power of each entry of `points`, made by `Value.from_rule`.

    points: Value, any shape.
    Returns: Value, the same shape; its gradient rule is your own.

    >>> two_to_the(Value([[0.0, 1.0]])).shape
    (1, 2)
    """
    parts = 2**points.data
    return Value.from_rule(parts, (points, lambda gradient: gradient * math.log(2) * parts))
