"""What the visible checks try on a piece: the worked example, and tables that tell ideas apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
LN2 = np.log(2.0)


def _array(*rows: Any) -> Array:
    return np.array(rows, dtype=np.float64)


X = _array([1, 0], [0, 1], [1, -1])
PARAMETERS = {
    "W_q": np.sqrt(2) * LN2 * np.eye(2),
    "W_k": _array([-1, 2], [0, 1]),
    "W_v": _array([3, 4], [6, 1]),
    "W_o": _array([1, 1], [0, 1]),
}
Q = np.sqrt(2) * LN2 * X
K = _array([-1, 2], [0, 1], [-1, 1])
V = _array([3, 4], [6, 1], [-3, 3])
SCORES = LN2 * _array([-1, 0, -1], [2, 1, 1], [-3, -1, -2])
WEIGHTS = _array([7, 14, 7], [14, 7, 7], [4, 16, 8]) / 28
CAUSAL = _array([21, 0, 0], [14, 7, 0], [3, 12, 6]) / 21
MASK = _array([0, -1e9, -1e9], [0, 0, -1e9], [0, 0, 0])
MASK_12 = _array(*([0.0] * i + [-1e9] * (12 - i) for i in range(1, 13)))
OUTPUT = _array([3, 7], [4, 7], [3, 5])
# Gradients to send backward: no two rows or columns alike, no row constant.
SQUARE = _array([1, 0, 2], [0, 3, -1], [2, 1, 0])
NARROW = _array([1, -2], [3, 1], [0, 2])
# A head of another width, before and after a step of training, and those of widths 4 and 1.
PARAMETERS_3 = {
    "W_q": np.sqrt(3) * LN2 * _array([0, 1, 0], [0, 0, 1], [1, 1, 0]),
    "W_k": _array([0, 1, 0], [1, 0, 1], [-1, 0, 0]),
    "W_v": _array([1, 0, 2], [0, 3, 1], [2, 1, 0]),
    "W_o": _array([0, 1, 0], [1, 0, 0], [1, 0, 1]),
}
STEPPED_3 = {
    "W_q": np.sqrt(3) * LN2 * _array([1, 0, 0], [0, 0, 1], [0, 1, 0]),
    "W_k": _array([1, 1, 0], [0, 1, 0], [0, 0, -1]),
    "W_v": _array([0, 2, 0], [1, 0, 1], [1, 0, 0]),
    "W_o": _array([1, 0, 1], [0, 1, 0], [0, 1, 1]),
}
PARAMETERS_4 = {
    "W_q": 2 * LN2 * np.eye(4),
    "W_k": _array([1, 0, 2, 0], [0, 1, 0, 2], [2, 0, 1, 1], [0, 2, 0, 1]),
    "W_v": _array([1, 0, 2, 0], [0, 3, 0, 1], [2, 0, 0, 1], [0, 1, 1, 0]),
    "W_o": _array([1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1]),
}
PARAMETERS_1 = {"W_q": _array([LN2]), "W_k": _array([1]), "W_v": _array([3]), "W_o": _array([2])}


class Probe(NamedTuple):
    """One call of a piece: its arguments, the right result, the gradient sent backward.

    A head has these `parameters`; `after` are those that a step of training then gives it, and
    the call is made once before and once after.
    """

    arguments: tuple[Any, ...]
    wanted: Any
    upstream: Array | None = None
    options: Mapping[str, bool] = {}
    parameters: Mapping[str, Array] = PARAMETERS
    after: Mapping[str, Array] = {}


WIDE = _array([1, 0, 2, -1], [0, 3, -1, 2])

PROBES: dict[str, dict[str, Probe]] = {
    "centre_rows": {
        "example": Probe(
            (_array([1, 2, 6], [0, 3, 3], [4, 4, -2]),),
            _array([-2, -1, 3], [-2, 1, 1], [2, 2, -4]),
            SQUARE,
        ),
        "2 rows of 4": Probe(
            (_array([0, 4, 8, 0], [1, 1, 1, 5]),), _array([-3, 1, 5, -3], [-1, -1, -1, 3])
        ),
        "3 rows of 2": Probe((_array([1, 3], [2, 2], [0, 8]),), _array([-1, 1], [0, 0], [-4, 4])),
        "1 row of 3": Probe((_array([5, 6, 1]),), _array([1, 2, -3])),
    },
    "softmax": {
        "example": Probe((SCORES,), WEIGHTS, SQUARE),
        "2 rows of 4": Probe(
            (LN2 * _array([0, 2, 1, 0], [3, 0, 2, 2]),),
            _array([2, 8, 4, 2], [8, 1, 4, 4]) / [[16], [17]],
            WIDE,
        ),
        "3 rows of 2": Probe(
            (LN2 * _array([0, 1], [1, -1], [-2, 0]),),
            _array([5, 10], [12, 3], [3, 12]) / 15,
            NARROW,
        ),
        "1 row of 4": Probe((LN2 * _array([1, 0, 0, 2]),), _array([2, 1, 1, 4]) / 8, WIDE[:1]),
        "1 column": Probe((_array([1], [-2], [0]),), _array([1], [1], [1])),
        "1 score": Probe((_array([2]),), _array([1])),
        "equal scores": Probe(
            (LN2 * _array([1, 1, 1, 1], [2, 2, 0, 0]),),
            _array([5, 5, 5, 5], [8, 8, 2, 2]) / 20,
            WIDE,
        ),
        "small weights": Probe(
            (np.log(_array([2**27, 2**17, 2**7, 1], [1000, 1001, 1002, 997]) / 1000),),
            _array([2**27, 2**17, 2**7, 1], [1000, 1001, 1002, 997]) / [[134348929], [4000]],
        ),
        "large": Probe(
            (_array([1e5 + LN2, 1e5, 0], [-1e5, LN2 - 1e5, -1e5]),),
            _array([8, 4, 0], [3, 6, 3]) / 12,
            SQUARE[:2],
        ),
        "3 large rows": Probe(
            (_array([1000 + LN2, 1000, 1000], [-1000, LN2 - 1000, -1000], [0, LN2, 0]),),
            _array([2, 1, 1], [1, 2, 1], [1, 2, 1]) / 4,
        ),
        "all far below 0": Probe(
            (_array([-1000, -1000 - LN2], [-2000 - LN2, -2000]),),
            _array([2, 1], [1, 2]) / 3,
            NARROW[:2],
        ),
        # exp gives the smallest number there is, and 0; then numbers whose sum overflows.
        "scores near -745": Probe((_array([-744.5, -744.5 - LN2]),), _array([2, 1]) / 3),
        "scores near 710": Probe(
            (_array([709.5, 709.5, 709.5 - LN2]),), _array([2, 2, 1]) / 5, SQUARE[2:]
        ),
        "7 columns": Probe((1000 * np.eye(7)[[6, 3, 0]],), np.eye(7)[[6, 3, 0]]),
        "another of this size": Probe(
            (LN2 * _array([1, -1, -3], [0, -2, 1], [-1, 2, -1]),),
            _array([16, 4, 1], [4, 1, 8], [1, 8, 1]) / [[21], [13], [10]],
            SQUARE,
        ),
        "example again": Probe((SCORES,), WEIGHTS, SQUARE),
    },
    "attention_scores": {
        "example": Probe((Q, K, 2), SCORES, SQUARE),
        "2 queries, 4 keys of width 3, d_k 7": Probe(
            (_array([1, 2, 0], [3, -1, 1]), _array([1, 1, 0], [0, 2, 5], [4, 0, 1], [1, 3, 2]), 7),
            _array([3, 4, 4, 7], [2, 3, 13, 2]) / np.sqrt(7),
            WIDE,
        ),
        "4 queries, 2 keys of width 3, d_k 1": Probe(
            (
                _array([1, 0, 2], [0, 1, -1], [2, 2, 0], [1, -1, 1]),
                _array([1, 2, 3], [0, -1, 4]),
                1,
            ),
            _array([7, 8], [-1, -5], [6, -2], [2, 5]),
        ),
        "2 queries, 2 keys of width 2, d_k 4": Probe(
            (K[:2], V[:2], 4), _array([5, -4], [4, 1]) / 2, NARROW[:2]
        ),
        "1 query": Probe((Q[1:2], K, 2), SCORES[1:2], SQUARE[:1]),
        "1 key": Probe((X, V[:1], 2), _array([3], [4], [-1]) / np.sqrt(2), NARROW[:, :1]),
        "width 1": Probe(
            (_array([2], [-1]), _array([1], [0], [3]), 5),
            _array([2, 0, 6], [-1, 0, -3]) / np.sqrt(5),
        ),
        "1 query, 1 key of width 1": Probe((_array([3]), _array([-2]), 1), _array([-6])),
        "equal and large numbers": Probe(
            (
                _array([2, 2, 2], [1000.1, -1000, 4]),
                _array([1, 1, 0], [3, 3, 3], [100_000, 0, 0]),
                100,
            ),
            _array([0.4, 1.8, 20_000], [0.01, 1.23, 10_001_000]),
        ),
        "another of this size": Probe(
            (K, V, 2), _array([5, -4, 9], [4, 1, 3], [1, -5, 6]) / np.sqrt(2), SQUARE
        ),
        "example again": Probe((Q, K, 2), SCORES, SQUARE),
    },
    "causal_mask": {
        "4 tokens": Probe(
            (4,), -1e9 * _array([0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0])
        ),
        "3 tokens": Probe((3,), MASK),
        "3 tokens again": Probe((3,), MASK),
        "1 token": Probe((1,), _array([0])),
        "2 tokens": Probe((2,), MASK[:2, :2]),
        "12 tokens": Probe((12,), MASK_12),
        "12 tokens again": Probe((12,), MASK_12),
    },
    "apply_attention": {
        "example": Probe((CAUSAL, V), _array([3, 4], [4, 3], [3, 2]), NARROW),
        "2 queries, 3 keys, 4 columns": Probe(
            (_array([1, 1, 2], [3, 1, 0]), _array([4, 0, 8, 1], [0, -4, 0, 3], [8, -4, 4, 0])),
            _array([20, -12, 16, 4], [12, -4, 24, 6]),
            WIDE,
        ),
        "4 queries, 2 keys, 3 columns": Probe(
            (_array([4, 0], [0, 4], [2, 2], [1, 3]) / 4, _array([4, 0, 8], [0, 4, 12])),
            _array([4, 0, 8], [0, 4, 12], [2, 2, 10], [1, 3, 11]),
        ),
        "2 queries, 2 keys, 2 columns": Probe(
            (_array([1, 3], [2, 2]) / 4, V[:2]), _array([5.25, 1.75], [4.5, 2.5]), NARROW[:2]
        ),
        "1 query": Probe((CAUSAL[1:2], V), _array([4, 3]), NARROW[:1]),
        "1 key": Probe((_array([1], [1], [1]), V[:1]), V[[0, 0, 0]], NARROW),
        "1 column": Probe((_array([1, 3], [2, 2]) / 4, _array([4], [8])), _array([7], [6])),
        "1 query, 1 key, 1 column": Probe((_array([1]), _array([5])), _array([5])),
        "12 keys": Probe(
            (
                _array([1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, *[0] * 6], [1 / 12] * 12),
                _array(
                    [1, 1e2, 1e4, 1e6, 1e8, 1e10, *[0] * 6],
                    [6, 6, 6, 0, 0, 0, 12, 12, 0, 0, 0, -6],
                ).T,
            ),
            _array([6, 6.0606], [10_101_010_101 / 12, 3]),
        ),
        "another of this size": Probe(
            (_array([2, 1, 1], [1, 2, 1], [1, 1, 2]) / 4, _array([4, 0], [8, 4], [0, 8])),
            _array([4, 3], [5, 4], [3, 5]),
            NARROW,
        ),
        "example again": Probe((CAUSAL, V), _array([3, 4], [4, 3], [3, 2]), NARROW),
    },
    "SelfAttention": {
        "example": Probe((X,), OUTPUT, NARROW),
        "all visible": Probe(
            (X,), _array([12, 21], [9, 21], [12, 20]) / 4, NARROW, options={"causal": False}
        ),
        "by default again": Probe((X,), OUTPUT),
        # The score that is hidden from token 0 is 1.7e5 above the one that it sees.
        "large": Probe(
            (_array([350, 0], [-350, 0], [175, 0]),), 350 * _array([3, 7], [3, 7], [-3, -7])
        ),
        "rows far apart": Probe((_array([0, 250], [250, -250]),), 250 * _array([6, 7], [6, 7])),
        "2 tokens": Probe((X[:2],), OUTPUT[:2]),
        "5 tokens": Probe(
            (_array(*X, [0, -1], [1, 1]),),
            _array(*OUTPUT, [-3, -35 / 13], [96 / 19, 161 / 19]),
        ),
        "1 token": Probe((X[:1],), OUTPUT[:1]),
        "example again": Probe((X,), OUTPUT, options={"causal": True}),
        "3 others": Probe(
            (_array([0, 1], [1, 1], [1, 0]),),
            _array([48 / 7, 11], [27 / 4, 21 / 2], [6, 35 / 4]),
            options={"causal": False},
        ),
        "width 3": Probe(
            (_array([1, 0, 1], [0, 2, -1]),),
            _array([9, 9, 6], [17, -1, 6]) / 3,
            parameters=PARAMETERS_3,
        ),
        "width 1": Probe(
            (_array([1], [2], [-1]),), _array([6], [54 / 5], [-24 / 11]), parameters=PARAMETERS_1
        ),
        "9 tokens of width 4": Probe(
            (np.tile(np.eye(4), (3, 1))[:9],),
            _array(
                *([3, 0, 2, 1], [3, 6, 10, 3], [16, 3, 14, 11], [9, 14, 24, 11], [21, 4, 18, 17]),
                *([12, 16, 29, 9], [33, 7, 30, 22], [9, 14, 24, 11], [18, 4, 16, 16]),
            )
            / _array([1, 3, 7, 9, 10, 11, 15, 9, 9]).T,
            parameters=PARAMETERS_4,
        ),
        "after a step": Probe(
            (_array([1, 0, 1], [0, 2, -1]),),
            _array([9, 18, 9], [9, 18, 25]) / 9,
            parameters=PARAMETERS_3,
            after=STEPPED_3,
        ),
    },
}
