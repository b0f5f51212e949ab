"""The clinic: the faults of the patients, the checks that catch them, and the repairs."""

from __future__ import annotations

import numpy as np
from attnkit import Value

from solutions.attention import causal_mask, softmax
from solutions.contracts import takes


def fault_of_b() -> int:
    """Return the number of patient B's fault.

    Returns: an int from 1 to 12, as in the list of faults.
    """
    return 10


@takes(scores="T_q T_k", V="T_k D_v")
def repaired_b(scores: Value, V: Value) -> Value:
    """Return what `patient_b` should: for each query the mixture of the rows of V.

    scores: Value (T_q, T_k), the mask already added. V: Value (T_k, D_v).
    Returns: Value (T_q, D_v); gradients reach scores and V.

    >>> repaired_b(Value(np.ones((2, 3))), Value(np.ones((3, 4)))).shape
    (2, 4)
    """
    return softmax(scores) @ V


def fault_of_c() -> int:
    """Return the number of patient C's fault.

    Returns: an int from 1 to 12, as in the list of faults.
    """
    return 4


def probe_c() -> tuple[np.ndarray, np.ndarray]:
    """Return a Q and a K on which the fault of patient C shows.

    Returns: two arrays, Q (T_q, D) and K (T_k, D), with at most 32 rows and columns.

    >>> len(probe_c())
    2
    """
    return np.ones((1, 4)), np.ones((1, 4))


def is_ill_c(Q: np.ndarray, K: np.ndarray, scores: np.ndarray) -> bool:
    """Return whether `scores` has the fault of patient C.

    Q, K: arrays, as `probe_c` gave them. scores: array (T_q, T_k) that a version made.
    Returns: True where that version has the fault, False where it is healthy.
    """
    return not np.allclose(scores, Q @ K.T / np.sqrt(Q.shape[1]))


def fault_of_d() -> int:
    """Return the number of patient D's fault.

    Returns: an int from 1 to 12, as in the list of faults.
    """
    return 7


def probe_d() -> np.ndarray:
    """Return scores on which the fault of patient D shows.

    Returns: array (T, T), with at most 32 rows.

    >>> probe_d().ndim
    2
    """
    return np.zeros((3, 3))


def is_ill_d(scores: np.ndarray, weights: np.ndarray) -> bool:
    """Return whether `weights` has the fault of patient D.

    scores: array, as `probe_d` gave it. weights: array (T, T), what some version made of it.
    Returns: True where that version has the fault, False where it is healthy.
    """
    return not np.allclose(weights.sum(axis=1), 1)


@takes(scores="T T")
def repaired_d(scores: Value) -> Value:
    """Return what `patient_d` should: weights in which no word sees what comes later.

    scores: Value (T, T), no mask added yet.
    Returns: Value (T, T); each row adds up to 1, and gradients reach scores.

    >>> repaired_d(Value(np.zeros((3, 3)))).shape
    (3, 3)
    """
    return softmax(scores + causal_mask(len(scores)))


def fault_of_e() -> int:
    """Return the number of patient E's fault.

    Returns: an int from 1 to 12, as in the list of faults.
    """
    return 9


@takes(weights="T_q T_k", V="T_k D_v")
def repaired_e(weights: Value, V: Value) -> Value:
    """Return what `patient_e` should: for each query the weighted sum of the rows of V.

    weights: Value (T_q, T_k). V: Value (T_k, D_v).
    Returns: Value (T_q, D_v); gradients reach weights and V.

    >>> repaired_e(Value(np.ones((2, 3)) / 3), Value(np.ones((3, 4)))).shape
    (2, 4)
    """
    rows = []
    for i in range(len(weights)):
        rows.append(sum(weights[i, j] * V[j] for j in range(len(V))))
    return Value(rows)


def first_signs() -> list[int]:
    """Return for patients B, C, D and E the first reading that differs from the healthy chart.

        1.  scores
        2.  weights
        3.  attended
        4.  moved by a nudge
        5.  gradients

    Returns: a list of four whole numbers from 1 to 5, for B, C, D and E in this order.

    >>> len(first_signs())
    4
    """
    return [5, 1, 2, 3]


def other_faults() -> list[int]:
    """Return the numbers of the faults of patients F, G and H.

    Returns: a list of three whole numbers from 1 to 12, for F, G and H in this order.

    >>> len(other_faults())
    3
    """
    return [8, 3, 12]
