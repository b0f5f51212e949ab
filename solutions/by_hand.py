"""What is done by hand before it is done with matrices: paper answers and loops with one gap."""

from __future__ import annotations

import math
from collections.abc import Sequence


def softmax_row(row: Sequence[float]) -> list[float]:
    """Return the shares of one row of scores.

    row: T numbers. Returns: a list of T numbers that add up to 1.

    >>> softmax_row([0.0, 0.0])
    [0.5, 0.5]
    """
    total = 0.0
    for score in row:
        total = total + math.exp(score)
    shares = []
    for score in row:
        ### BEGIN SOLUTION
        shares.append(math.exp(score) / total)
        ### END SOLUTION
    return shares
