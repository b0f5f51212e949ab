"""What wrong numbers have in common: the clause that follows a first wrong entry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def unequal(got: float, wanted: float) -> str:
    """Return "0.25001, wanted 0.25": two numbers with as many digits as show that they differ."""
    for digits in (4, 6, 8, 10, 13, 17):
        texts = [f"{one + 0.0:.{digits}g}" for one in (got, wanted)]
        if texts[0] != texts[1]:
            break
    return ", wanted ".join(texts)


def pattern(got: Array, wanted: Array) -> str:
    """Return what wrong numbers of the right shape have in common, or "" where nothing is seen."""
    if not got.size:
        return ""
    if not np.isfinite(got).all():
        return _not_finite(got)
    error = got - wanted
    if (np.abs(error) <= 1e-3 * np.abs(wanted) + 1e-6).all():
        return _nearly(error)
    return _scaled(got, wanted) or _moved(got, wanted) or _partly(got, wanted)


def _not_finite(got: Array) -> str:
    bad = ~np.isfinite(got)
    rows = [str(i) for i in np.flatnonzero(bad.any(axis=tuple(range(1, got.ndim))))]
    return f"nan or inf in {_listed('row', rows)}" if got.ndim and not bad.all() else ""


def _nearly(error: Array) -> str:
    most = float(error.flat[np.abs(error).argmax()])
    way = "large" if most > 0 else "small"
    if (error <= 0).all() or (error >= 0).all():
        return f"nearly right, but too {way} by {abs(most):.2g}: is something added or rounded?"
    return f"nearly right, off by {abs(most):.2g}: is something rounded, or of type float32?"


def _scaled(got: Array, wanted: Array) -> str:
    if got.size < 2:
        return ""
    if not got.any():
        return "every entry is 0"
    there = wanted != 0
    if there.sum() > 1 and (got[~there] == 0).all():
        ratio = got[there] / wanted[there]
        if np.ptp(ratio) <= 1e-6 * np.abs(ratio).max():
            return f"every entry is {ratio[0]:.4g} times what it should be"
    offset = got - wanted
    if np.ptp(offset) <= 1e-9 * (1 + np.abs(wanted).max()):
        way = "large" if offset.flat[0] > 0 else "small"
        return f"every entry is too {way} by {abs(offset.flat[0]):.4g}"
    return ""


def _moved(got: Array, wanted: Array) -> str:
    if got.ndim != 2:
        return ""
    if got.shape == got.T.shape and np.allclose(got.T, wanted):
        return "it is the transpose of what it should be"
    if np.allclose(np.sort(got, axis=1), np.sort(wanted, axis=1)):
        return "each row holds the right numbers in other places"
    if np.allclose(np.sort(got, axis=None), np.sort(wanted, axis=None)):
        return "the numbers are right and their places are not"
    return ""


def _partly(got: Array, wanted: Array) -> str:
    right = np.isclose(got, wanted, rtol=1e-7, atol=1e-9)
    if got.ndim != 2 or right.all() or not right.any():
        return ""
    for word, axis in (("row", 1), ("column", 0)):
        wrong = ~right.all(axis=axis)
        if not wrong.all():
            places = [str(i) for i in np.flatnonzero(wrong)]
            return f"only {_listed(word, places)} {'differ' if len(places) > 1 else 'differs'}"
    return ""


def _listed(word: str, places: list[str]) -> str:
    return f"{word}{'s' * (len(places) > 1)} {', '.join(places)}"
