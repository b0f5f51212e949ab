"""What is done by hand before it is done with matrices: paper answers and loops with one gap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def pairs_of_words() -> int:
    """Return how many pairs a sentence of three words has.

    Each word is paired with each word, itself included: (ada, ada), (ada, saw), …
    Returns: an int.
    """
    return 9


def shares_of_bob() -> list[Fraction]:
    """Return the shares that row "bob" gives to ada, saw and bob, with nothing hidden.

    Its points are -3, -1, -2.
    Returns: a list of three fractions that add up to 1.
    """
    return [Fraction(1, 7), Fraction(4, 7), Fraction(2, 7)]


def causal_weights() -> list[list[Fraction]]:
    """Return the shares of all three rows, with the words that come later hidden.

    Returns: a table (3, 3), a list of three rows; a hidden word has the share 0.

    >>> len(causal_weights())
    3
    """
    return [
        [Fraction(1), Fraction(0), Fraction(0)],
        [Fraction(2, 3), Fraction(1, 3), Fraction(0)],
        [Fraction(1, 7), Fraction(4, 7), Fraction(2, 7)],
    ]


def attended_rows() -> list[list[Fraction]]:
    """Return for each word the mixture of the rows of V, by the shares of `causal_weights`.

    Returns: a table (3, 2), a list of three rows.

    >>> len(attended_rows())
    3
    """
    return [[Fraction(3), Fraction(4)], [Fraction(4), Fraction(3)], [Fraction(3), Fraction(2)]]


def output_rows() -> list[list[Fraction]]:
    """Return for each word its attended row times W_o.

    Returns: a table (3, 2), a list of three rows.

    >>> len(output_rows())
    3
    """
    return [[Fraction(3), Fraction(7)], [Fraction(4), Fraction(7)], [Fraction(3), Fraction(5)]]


def shares_of_row(points_of_row: Sequence[int], seen: int) -> list[Fraction]:
    """Return the shares of one row of points, when its word sees only the first `seen` words.

    points_of_row: T whole numbers. seen: int, from 1 to T.
    Returns: a list of T fractions that add up to 1.

    >>> len(shares_of_row([0, 0, 0], seen=2))
    3
    """
    parts = []
    for column, point in enumerate(points_of_row):
        ### BEGIN SOLUTION
        parts.append(Fraction(2) ** point if column < seen else Fraction(0))
        ### END SOLUTION
    total = sum(parts)
    return [part / total for part in parts]


def saw_after_one_more_point() -> list[Fraction]:
    """Return the shares of row "saw" when it gives ada 3 points in place of 2.

    bob stays hidden.
    Returns: a list of three fractions that add up to 1.
    """
    return [Fraction(4, 5), Fraction(1, 5), Fraction(0)]


def rows_that_move() -> list[str]:
    """Return the words whose row of the output changes when the row of V for "saw" changes.

    The points, and so the weights, stay as they are; later words are hidden.
    Returns: a list of words, such as ["ada"].
    """
    return ["saw", "bob"]


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
