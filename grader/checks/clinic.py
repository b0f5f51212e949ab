"""Hidden checks of lesson 09: faults named, checks that tell ill from healthy, repairs.

The faults and first signs are read off the charts, which the tests hold against the known ideas.
"""

from __future__ import annotations

import numpy as np

from grader.checks import compare, paper, telling
from grader.checks.interface import CheckFailure, Piece, Reply

FAULTS = {"b": 10, "c": 4, "d": 7, "e": 9}
SIGNS = (5, 1, 2, 3)


def fault_of_b_named(fault_of_b: Piece, rng: np.random.Generator) -> None:
    """The fault of patient B is named."""
    _named(fault_of_b(), "b")


def fault_of_c_named(fault_of_c: Piece, rng: np.random.Generator) -> None:
    """The fault of patient C is named."""
    _named(fault_of_c(), "c")


def fault_of_d_named(fault_of_d: Piece, rng: np.random.Generator) -> None:
    """The fault of patient D is named."""
    _named(fault_of_d(), "d")


def fault_of_e_named(fault_of_e: Piece, rng: np.random.Generator) -> None:
    """The fault of patient E is named."""
    _named(fault_of_e(), "e")


def first_signs_named(first_signs: Piece, rng: np.random.Generator) -> None:
    """For each of four patients the first reading that differs is named."""
    paper.numbers(first_signs(), SIGNS, "`first_signs`")


def check_c_tells(probe_c: Piece, is_ill_c: Piece, rng: np.random.Generator) -> None:
    """The check flags each version with the fault of patient C and no healthy one."""
    Q, K = telling.probed(probe_c(), "`probe_c`", 2)
    if Q.shape[1] != K.shape[1]:
        raise CheckFailure(f"`probe_c`: Q {Q.shape} and K {K.shape} are not equally wide")
    telling.tell_apart(rng, is_ill_c, telling.SCALED, (Q, K))


def check_d_tells(probe_d: Piece, is_ill_d: Piece, rng: np.random.Generator) -> None:
    """The check flags each version with the fault of patient D and no healthy one."""
    (scores,) = telling.probed(probe_d(), "`probe_d`", 1)
    if scores.shape[0] != scores.shape[1]:
        raise CheckFailure(f"`probe_d`: the scores have shape {scores.shape}, wanted (T, T)")
    telling.tell_apart(rng, is_ill_d, telling.MASKED, (scores,))


def repaired_b_right(repaired_b: Piece, rng: np.random.Generator) -> None:
    """Patient B repaired: the rows are right, and the gradient flows back to scores and V."""
    for T_q, T_k, D_v in [(3, 3, 3), (2, 4, 1)]:
        scores, V = rng.normal(size=(T_q, T_k)), rng.normal(size=(T_k, D_v))
        _repaired(repaired_b, lambda s, V: telling.row_shares(s) @ V, rng, scores=scores, V=V)


def repaired_d_right(repaired_d: Piece, rng: np.random.Generator) -> None:
    """Patient D repaired: each row shares 1 among what it may see, and the graph is whole."""
    for T in (4, 1, 3):
        _repaired(repaired_d, telling.causal_shares, rng, scores=rng.normal(size=(T, T)))


def repaired_d_far_above(repaired_d: Piece, rng: np.random.Generator) -> None:
    """Patient D repaired: a future score far above the visible ones changes no earlier row."""
    scores = rng.normal(size=(4, 4))
    scores[0, 2], scores[:3, 3] = rng.uniform(900, 3_000, size=2)
    of = "the result where a future score is far above the visible ones"
    compare.values(repaired_d(scores), telling.causal_shares(scores), of)


def repaired_e_right(repaired_e: Piece, rng: np.random.Generator) -> None:
    """Patient E repaired: the rows are right, and the gradient flows back to weights and V."""
    for T_q, T_k, D_v in [(3, 3, 3), (2, 4, 3), (4, 1, 2)]:
        weights, V = rng.dirichlet(np.ones(T_k), size=T_q), rng.normal(size=(T_k, D_v))
        _repaired(repaired_e, lambda weights, V: weights @ V, rng, weights=weights, V=V)


def _named(reply: Reply, patient: str) -> None:
    try:
        number = float(reply.output)
    except (TypeError, ValueError):
        raise CheckFailure(
            f"`fault_of_{patient}` is of type {reply.type_name}, wanted the number of a fault"
        ) from None
    if number not in range(1, 13):
        raise CheckFailure(f"`fault_of_{patient}` is no number from 1 to 12")
    if number != FAULTS[patient]:
        raise CheckFailure(
            f"fault {number:g} of the table would show otherwise on the chart of patient "
            f"{patient.upper()}: look at the first reading that differs from the healthy chart"
        )


def _repaired(
    piece: Piece, right: telling.Version, rng: np.random.Generator, **arrays: np.ndarray
) -> None:
    """Compare values and gradients with those of `right`."""
    names, given = list(arrays), list(arrays.values())
    wanted = right(*given)
    upstream = rng.normal(size=wanted.shape)
    reply = piece(*given, upstream=upstream)
    shapes = " and ".join(f"{name} {one.shape}" for name, one in arrays.items())
    compare.values(reply, wanted, f"the result for {shapes}")
    compare.gradient(reply, upstream, compare.slopes(right, given, upstream), names)
