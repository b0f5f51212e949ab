"""The debugging checklist: five properties of the five pieces, each with what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from attnkit.judges import raised
from attnkit.value import Value

LARGE = 1e8


class Entry(NamedTuple):
    """One line of the list: what is claimed, whether it holds, and what was seen."""

    claim: str
    holds: bool
    seen: str


def entries(pieces: dict[str, Any], T: int, D: int) -> Iterator[Entry]:
    """Yield the five lines for `pieces`, by name, tried on arrays of T rows and width D."""
    rng = np.random.default_rng(0)
    Q, K, V = (Value(rng.normal(size=(T, D))) for _ in range(3))
    scores, even = Value(3 * rng.normal(size=(T, T))), Value(np.full((T, T), 1 / T))
    yield _entry(
        "each softmax row sums to 1",
        lambda: _row_sums(pieces["softmax"](scores), T),
    )
    yield _entry(
        "the causal mask has large negatives above the diagonal",
        lambda: _above_diagonal(pieces["causal_mask"](T), T),
    )
    yield _entry(
        "attention_scores returns (T, T)",
        lambda: _shape(pieces["attention_scores"](Q, K, d_k=D), (T, T)),
    )
    yield _entry(
        "apply_attention returns (T, D)",
        lambda: _shape(pieces["apply_attention"](even, V), (T, D)),
    )
    yield _entry(
        "forward returns the shape of x, (T, D)",
        lambda: _shape(pieces["SelfAttention"](D).forward(Q), (T, D)),
    )


def _entry(claim: str, look: Callable[[], tuple[bool, str]]) -> Entry:
    try:
        return Entry(claim, *look())
    except NotImplementedError:
        return Entry(claim, False, "not written yet")
    except Exception as problem:
        return Entry(claim, False, raised(problem))


def _row_sums(weights: Any, T: int) -> tuple[bool, str]:
    fits, seen = _shape(weights, (T, T))
    if not fits:
        return False, seen
    sums = _array(weights).sum(axis=1)
    wrong = np.flatnonzero(~np.isclose(sums, 1, rtol=0, atol=1e-6))
    if wrong.size:
        return False, f"row {wrong[0]} sums to {sums[wrong[0]]:.3f}"
    return True, f"all {T} rows do"


def _above_diagonal(mask: Any, T: int) -> tuple[bool, str]:
    fits, seen = _shape(mask, (T, T))
    if not fits:
        return False, seen
    places = np.stack(np.triu_indices(T, k=1), axis=1)
    above = _array(mask)[tuple(places.T)]
    wrong = np.flatnonzero(~(above <= -LARGE))
    if wrong.size:
        return False, f"entry {places[wrong[0]].tolist()} is {above[wrong[0]]:g}"
    return True, f"all {above.size} entries there are -1e8 or less"


def _shape(result: Any, wanted: tuple[int, int]) -> tuple[bool, str]:
    shape = _array(result).shape
    return shape == wanted, f"{shape}" if shape == wanted else f"{shape}, wanted {wanted}"


def _array(result: Any) -> Any:
    return np.asarray(result.data if isinstance(result, Value) else result)
