"""What is done by hand before it is done with matrices: paper answers and loops with one gap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attnkit import Value

from solutions.attention import (
    SelfAttention,
    apply_attention,
    attention_scores,
    causal_mask,
    softmax,
)


def pairs_of_words() -> int:
    """Return how many pairs a sentence of three words has.

    Each word is paired with each word, itself included: (ada, ada), (ada, saw), …
    Returns: an int.
    """
    return 9


def shares_of_bob() -> list[Fraction]:
    """Return the shares of ada, saw and bob in row "bob", with nothing hidden.

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

    points_of_row: T whole numbers, one for each of T words. seen: int, from 1 to T.
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
    """Return the shares of row "saw" when ada has 3 points there in place of 2.

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


def fragments() -> dict[str, str]:
    """Return the name of your function for each fragment of the equation.

        A.  the sum over j of weights[i, j] times V[j]
        B.  Q[i] · K[j] / sqrt(d_k)
        C.  0 where j <= i, -1e9 where j > i
        D.  e to the power of entry [i, j], over the sum of such powers in row i

    Returns: a dict such as {"A": "softmax", …}, with the letters A to D.

    >>> len(fragments())
    4
    """
    return {"A": "apply_attention", "B": "attention_scores", "C": "causal_mask", "D": "softmax"}


def attend_by_loop(Q: np.ndarray, K: np.ndarray, V: np.ndarray, causal: bool = True) -> np.ndarray:
    """Return the attended rows, one word after the other and without a mask.

    Q, K, V: arrays (T, D). causal: True lets word i see words 0 to i, False lets it see all.
    Returns: array (T, D).

    >>> attend_by_loop(np.ones((3, 2)), np.ones((3, 2)), np.ones((3, 2))).shape
    (3, 2)
    """
    attended = []
    for i, query in enumerate(Q):
        ### BEGIN SOLUTION
        seen = i + 1 if causal else len(K)
        ### END SOLUTION
        assert seen > 0, "a word sees itself at least"
        scores = K[:seen] @ query / math.sqrt(len(query))
        parts = np.exp(scores - scores.max())
        attended.append(parts / parts.sum() @ V[:seen])
    return np.array(attended)


def all_shapes() -> list[tuple[int, int]]:
    """Return the shapes of nine arrays on the way through `forward`, for T = 5 and D = 4.

        1.  W_q
        2.  Q
        3.  K.T
        4.  scores
        5.  mask
        6.  weights
        7.  V
        8.  attended
        9.  output

    Returns: a list of nine pairs (rows, columns).

    >>> len(all_shapes())
    9
    """
    return [(4, 4), (5, 4), (4, 5), (5, 5), (5, 5), (5, 5), (5, 4), (5, 4), (5, 4)]


def lines_that_raise() -> list[list[str]]:
    """Return the letters of the wrong lines that raise an error, at two sizes.

    Returns: two lists of letters, such as [["A"], ["A", "D"]]; the first is for T = 5 and D = 4,
    the second for T = D = 4. A list may be empty.

    >>> len(lines_that_raise())
    2
    """
    return [["A", "C"], []]


def bugs_behind_ticks() -> list[int]:
    """Return the numbers of the bugs that leave all five lines of the checklist green.

    Returns: a list of whole numbers from 1 to 5, the smallest first.
    """
    return [2, 3, 4]


def two_heads(layers: SelfAttention, x: Value, causal: bool = True) -> Value:
    """Return the output of two heads side by side, each on half of the columns of Q, K and V.

    layers: a SelfAttention, for its W_q, W_k, W_v and W_o. x: Value (T, D), D even.
    causal: True hides the future from both heads.
    Returns: Value (T, D); the attended rows of both heads, concatenated, go through one W_o.

    >>> two_heads(SelfAttention(4), Value(np.ones((3, 4)))).shape
    (3, 4)
    """
    Q, K, V = layers.W_q(x), layers.W_k(x), layers.W_v(x)
    half = Q.shape[1] // 2
    attended = []
    for columns in (slice(0, half), slice(half, None)):
        scores = attention_scores(Q[:, columns], K[:, columns], d_k=half)
        if causal:
            scores = scores + causal_mask(len(x))
        attended.append(apply_attention(softmax(scores), V[:, columns]))
    return layers.W_o(np.concatenate(attended, axis=1))
