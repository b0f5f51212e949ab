"""Whether a learner's check tells ill from healthy: what it is tried on, and how.

The versions never leave this process: their results cross the wall, and answers come back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from attnkit.clinic import LARGEST, MOST_ROWS

from grader.checks.attention_scores import one_by_one
from grader.checks.interface import CheckFailure, Piece, Plain, Reply
from grader.checks.softmax import row_by_row

Version = Callable[..., np.ndarray]
MORE = (
    1.1,
    1.2,
    1.35,
    1.5,
    1.75,
    2.0,
    2.5,
    3.0,
    4.0,
)  # many: whoever guesses which is healthy errs
MISTAKEN = {
    "healthy": (
        "the check flags a healthy version: right results reached in another way may differ in "
        "the last digits, so compare with np.isclose or np.allclose"
    ),
    "ill": "the check finds nothing wrong with a version that has the fault",
    "worse": (
        "the check finds nothing wrong with a version that has the fault and whose numbers are "
        "not the patient's: ask what holds for a healthy result, not what the patient gives"
    ),
}


class Versions(NamedTuple):
    """One step written in several ways: without a fault, and with it.

    `worse` has the fault too, and for each of `MORE` other numbers than the patient that the lesson
    shows: entry by entry further from the healthy ones. A question to a property catches these as
    it catches the patient; a comparison with the patient does not.
    """

    healthy: Sequence[Version]
    ill: Sequence[Version]
    worse: Version


def row_shares(scores: np.ndarray) -> np.ndarray:
    """Return the weights of each row; complex steps pass through."""
    parts = np.exp(scores - scores.real.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def causal_shares(scores: np.ndarray) -> np.ndarray:
    """Return the weights of each row among its entries up to the diagonal."""
    weights = np.zeros_like(scores)
    for i in range(len(scores)):
        weights[i, : i + 1] = row_shares(scores[i : i + 1, : i + 1])[0]
    return weights


def _minus_log_sum(scores: np.ndarray) -> np.ndarray:
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def _hidden(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tri(len(scores)) == 1, scores, -np.inf)


SCALED = Versions(
    healthy=(
        lambda Q, K: one_by_one(Q, K, Q.shape[1]),
        lambda Q, K: Q @ K.T / math.sqrt(Q.shape[1]),
        lambda Q, K: (Q / math.sqrt(Q.shape[1])) @ K.T,
        lambda Q, K: np.einsum("id,jd->ij", Q, K) * Q.shape[1] ** -0.5,
    ),
    ill=(
        lambda Q, K: one_by_one(Q, K, 1),
        lambda Q, K: Q @ K.T,
        lambda Q, K: (K @ Q.T).T,
        lambda Q, K: np.einsum("id,jd->ij", Q, K),
    ),
    worse=lambda more, Q, K: more * (Q @ K.T),
)
MASKED = Versions(
    healthy=(
        causal_shares,
        lambda scores: row_by_row(scores + np.triu(np.full(scores.shape, -1e9), k=1)),
        lambda scores: row_shares(_hidden(scores)),
        lambda scores: np.exp(_minus_log_sum(_hidden(scores))),
    ),
    ill=(
        lambda scores: np.tril(row_by_row(scores)),
        lambda scores: np.where(np.tri(len(scores)) == 1, row_shares(scores), 0.0),
        lambda scores: row_shares(scores) * np.tri(len(scores)),
        lambda scores: np.tril(np.exp(_minus_log_sum(scores))),
    ),
    worse=lambda more, scores: np.tril(row_by_row(scores)) / more,
)


def probed(reply: Reply, who: str, count: int) -> list[np.ndarray]:
    """Return the inputs that a probe gives, if they are small tables of finite numbers."""
    given = reply.output
    if reply.type_name == "NoneType":
        raise CheckFailure(f"{who} gave None: a return is missing")
    single = isinstance(given, np.ndarray) and (count == 1 or given.ndim == 0)
    arrays = [given] if single else list(given)
    if len(arrays) != count:
        wanted = "1 array" if count == 1 else f"{count} arrays"
        raise CheckFailure(f"{who} gave {len(arrays)} of them, wanted {wanted}")
    for array in arrays:
        _refuse_unfit(array, who)
    return [array.astype(np.float64) for array in arrays]


def _refuse_unfit(array: object, who: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf":
        raise CheckFailure(f"{who} gave something else than arrays of numbers")
    if array.ndim != 2 or not 1 <= min(array.shape) <= max(array.shape) <= MOST_ROWS:
        raise CheckFailure(
            f"{who} gave an array of shape {array.shape}, wanted (rows, columns), "
            f"from 1 to {MOST_ROWS} of each"
        )
    if not (np.abs(array.astype(np.float64)) <= LARGEST).all():
        raise CheckFailure(f"{who} gave a number that is not finite or is beyond {LARGEST:g}")


def tell_apart(
    rng: np.random.Generator, is_ill: Piece, versions: Versions, inputs: Sequence[np.ndarray]
) -> None:
    """Ask the check about each version twice, in random order; every answer must be right."""
    healthy, ill, worse = versions
    if np.allclose(healthy[0](*inputs), ill[0](*inputs)):
        raise CheckFailure(
            "the probe hides the fault: a healthy version and an ill one come to the same numbers"
        )
    further = [partial(worse, more) for more in MORE]
    said = {"healthy": healthy, "ill": ill, "worse": further}
    cases = 2 * [(kind, one) for kind, all_ in said.items() for one in all_]
    for kind, version in _an_ill_one_first([cases[place] for place in rng.permutation(len(cases))]):
        reply = is_ill(*(Plain(one) for one in (*inputs, version(*inputs))))
        if _yes_or_no(reply) != (kind != "healthy"):
            raise CheckFailure(MISTAKEN[kind])


def _an_ill_one_first(cases: list[tuple[str, Version]]) -> list[tuple[str, Version]]:
    """Return `cases` with one that has the fault in front.

    A check that takes the first result for healthy, and what is near it, is then never right.
    """
    first = next(i for i, (kind, _) in enumerate(cases) if kind != "healthy")
    return [cases[first], *cases[:first], *cases[first + 1 :]]


def _yes_or_no(reply: Reply) -> bool:
    answer = reply.output
    if not isinstance(answer, np.ndarray) or answer.dtype != bool or answer.shape != ():
        kind = f"{reply.type_name}{getattr(answer, 'shape', '') or ''}"
        raise CheckFailure(f"the check answers with {kind}, wanted one True or False")
    return bool(answer)
