"""Hidden checks of `causal_mask(seq_len)`; a mask has no rounding, so all is compared exactly.

No length occurs in two checks, and 3 and 4 in none: a mask that is kept and handed out again
costs one check only, and the visible probes still know it afterwards.
"""

from __future__ import annotations

import numpy as np

from grader.checks import compare
from grader.checks.interface import CheckFailure, Piece


def causal_mask_shape(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is a table of numbers with seq_len rows and seq_len columns."""
    compare.shape(causal_mask(12), (12, 12), "the mask for seq_len = 12")


def causal_mask_allowed(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is exactly 0.0 where j <= i."""
    T = int(rng.choice([5, 8]))
    mask = _mask(causal_mask, T)
    for i in range(T):
        for j in range(i + 1):
            if mask[i, j] != 0:
                raise CheckFailure(f"mask[{i}, {j}] is {mask[i, j]:.10g}, wanted 0.0: j <= i")


def causal_mask_future(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The mask is exactly -1e9 where j > i."""
    T = int(rng.choice([7, 9]))
    mask = _mask(causal_mask, T)
    for i in range(T):
        for j in range(i + 1, T):
            if np.isneginf(mask[i, j]):
                raise CheckFailure(f"mask[{i}, {j}] is -inf; the course uses -1e9")
            if mask[i, j] != -1e9:
                raise CheckFailure(f"mask[{i}, {j}] is {mask[i, j]:.10g}, wanted -1e9: j > i")


def causal_mask_lengths(causal_mask: Piece, rng: np.random.Generator) -> None:
    """The right places are blocked for one token and for other lengths, one after the other."""
    for T in (6, 1, 2, 11):
        mask = compare.shape(causal_mask(T), (T, T), f"the mask for seq_len = {T}")
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
    second = compare.shape(causal_mask(10), (10, 10), "the second mask for seq_len = 10")
    if not np.array_equal(first, second, equal_nan=True):
        raise CheckFailure(
            "the first mask was overwritten, and the second call returned it again: make the "
            "array inside the function"
        )


def _mask(causal_mask: Piece, T: int) -> np.ndarray:
    """Return the mask for T tokens, if it is one: a constant table is right nowhere."""
    mask = compare.shape(causal_mask(T), (T, T), f"the mask for seq_len = {T}")
    if (mask == mask[0, 0]).all():
        raise CheckFailure(
            f"every entry of the mask for seq_len = {T} is {mask[0, 0]:.10g}: it does not tell "
            "what may be seen from what may not"
        )
    return mask
