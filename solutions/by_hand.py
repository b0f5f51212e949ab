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


def scores_of_query(q: Sequence[float], K: Sequence[Sequence[float]], d_k: float) -> list[float]:
    """Return the scores of one query, one for each key.

    q: D numbers. K: T_k rows of D numbers. d_k: number, the width to scale by.
    Returns: a list of T_k numbers.

    >>> scores_of_query([1.0, 2.0], [[3.0, 0.0], [0.0, 1.0]], d_k=4)
    [1.5, 1.0]
    """
    scores = []
    for key in K:
        product = 0.0
        for n in range(len(q)):
            ### BEGIN SOLUTION
            product = product + q[n] * key[n]
            ### END SOLUTION
        scores.append(product / math.sqrt(d_k))
    return scores


def mask_row(i: int, T: int) -> list[float]:
    """Return row `i` of the mask for T tokens: what is added to the scores of query i.

    i: int, from 0 to T - 1. T: int, the number of keys.
    Returns: a list of T numbers; 0.0 for what query i may see, -1e9 for what comes later.

    >>> len(mask_row(0, T=3))
    3
    """
    row = []
    for j in range(T):
        ### BEGIN SOLUTION
        row.append(0.0 if j <= i else -1e9)
        ### END SOLUTION
    return row


def attended_row(weights_row: Sequence[float], V: Sequence[Sequence[float]]) -> list[float]:
    """Return the weighted sum of the rows of V for one query.

    weights_row: T_k numbers, one for each row of V. V: T_k rows of D_v numbers.
    Returns: a list of D_v numbers.

    >>> attended_row([0.5, 0.5], [[2.0, 0.0], [4.0, 8.0]])
    [3.0, 4.0]
    """
    attended = [0.0] * len(V[0])
    for j in range(len(V)):
        for n in range(len(V[j])):
            ### BEGIN SOLUTION
            attended[n] = attended[n] + weights_row[j] * V[j][n]
            ### END SOLUTION
    return attended
