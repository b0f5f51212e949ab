"""Hidden checks of `causal_mask(seq_len)`; a mask has no rounding, so all is compared exactly.

A list, tuple, matrix or Value costs the check of the shape alone, where its numbers are right.
"""

from __future__ import annotations

import numpy as np
from attnkit.patterns import unequal

from grader.checks import compare
from grader.checks.interface import CheckFailure, Piece, Reply


def causal_mask_shape(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is an array of numbers with seq_len rows and seq_len columns."""
    reply = causal_mask(12)
    _table(reply, 12)
    if reply.type_name == "Value":
        raise CheckFailure("a Value came back, wanted a plain array: a mask holds no parameters")
    if reply.type_name != "ndarray":
        article = "an" if reply.type_name[0] in "aeiou" else "a"
        raise CheckFailure(f"{article} {reply.type_name} came back, wanted an array of numbers")


def causal_mask_allowed(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is exactly 0.0 where j <= i."""
    T = 11
    mask = _mask(causal_mask, T)
    for i in range(T):
        for j in range(i + 1):
            if mask[i, j] != 0:
                raise CheckFailure(f"mask[{i}, {j}] is {mask[i, j]:.10g}, wanted 0.0: j <= i")


def causal_mask_future(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is exactly -1e9 where j > i."""
    T = 9
    mask = _mask(causal_mask, T)
    for i in range(T):
        for j in range(i + 1, T):
            if np.isneginf(mask[i, j]):
                raise CheckFailure(f"mask[{i}, {j}] is -inf; the course uses -1e9")
            if mask[i, j] != -1e9:
                shown = unequal(mask[i, j], -1e9)
                raise CheckFailure(f"mask[{i}, {j}] is {shown}: j > i")


def causal_mask_lengths(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The right places are blocked for one token and for other lengths, one after the other."""
    for T in (6, 1, 2, 4, 3, 12):
        mask = _table(causal_mask(T), T)
        wrong = [(i, j) for i in range(T) for j in range(T) if (mask[i, j] < 0) != (j > i)]
        if wrong:
            i, j = wrong[0]
            state, wanted = ("blocked", "open") if mask[i, j] < 0 else ("open", "blocked")
            raise CheckFailure(
                f"for seq_len = {T} mask[{i}, {j}] is {state}, wanted {wanted}: "
                "the places with j > i are blocked, and no others"
            )


def causal_mask_fresh(causal_mask: Piece, rng: np.random.Generator) -> None:
    """Each call returns a new mask: writing into one does not change the next."""
    first = _mask(causal_mask, 10)
    second = _table(causal_mask(10), 10)  # while this runs, the first mask is overwritten
    if not np.array_equal(first, second, equal_nan=True):
        raise CheckFailure(
            "the first mask was overwritten, and the second call returned it again: make the "
            "array inside the function"
        )


def _mask(causal_mask: Piece, T: int) -> np.ndarray:
    """Return the mask for T tokens, if it is one, right or not.

    Zeros, a constant, arange, one entry and an identity all agree with a triangle in about half
    of their entries: in 40 to 60 of 100 for T from 7 on.
    """
    mask = _table(causal_mask(T), T)
    agree = ((mask != mask[0, 0]) == (np.tri(T) == 0)).mean()
    if 0.4 <= agree <= 0.6:
        raise CheckFailure(
            f"the table for seq_len = {T} does not tell what may be seen from what may not: the "
            "places with j > i differ from the others"
        )
    return mask


def _table(reply: Reply, T: int) -> np.ndarray:
    """Return the mask as float64, also where it came as a list of rows."""
    if isinstance(reply.output, tuple) and all(np.shape(one) == (T,) for one in reply.output):
        reply = reply._replace(output=np.array(reply.output))
    return compare.shape(reply, (T, T), f"the mask for seq_len = {T}")
