"""A gradient checker: what `backward` says beside central finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attnkit import Value

STEP = 1e-6


def assert_gradients(function: Callable[..., Any], *arrays: np.ndarray) -> None:
    """Check result and gradients of `function`, which must work on plain arrays as well.

    Then each array in turn stays plain, so that a rule is also tried beside constants.
    """
    wanted = np.asarray(function(*arrays))
    upstream = np.cos(np.arange(wanted.size)).reshape(wanted.shape)
    slopes = [_slopes(function, arrays, i, upstream) for i in range(len(arrays))]
    for constant in range(-1, len(arrays) if len(arrays) > 1 else 0):
        mixed = [a if i == constant else Value(a) for i, a in enumerate(arrays)]
        result = function(*mixed)
        assert isinstance(result, Value)
        np.testing.assert_allclose(result.data, wanted, rtol=1e-12, atol=1e-14)
        result.backward(upstream)
        for value, slope in zip(mixed, slopes, strict=True):
            if isinstance(value, Value):
                assert np.shape(value.grad) == value.shape, "no gradient of the Value's shape"
                np.testing.assert_allclose(value.grad, slope, rtol=1e-5, atol=1e-7)


def _slopes(
    function: Callable[..., Any], arrays: tuple[np.ndarray, ...], i: int, upstream: np.ndarray
) -> np.ndarray:
    """Return, for each entry of array i, how fast the weighted sum of the results grows with it."""
    slopes = np.zeros(arrays[i].shape)
    for place in np.ndindex(arrays[i].shape):
        ends = []
        for step in (STEP, -STEP):
            moved = [np.array(a) for a in arrays]
            moved[i][place] += step
            ends.append(np.sum(upstream * function(*moved)))
        slopes[place] = (ends[0] - ends[1]) / (2 * STEP)
    return slopes


def entries(shapes: tuple[tuple[int, ...], ...], seed: int, low: float = -2.0) -> list[np.ndarray]:
    """Return arrays of these shapes with shuffled entries from `low` to 2: none equal, none 0."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    even = sum(sizes) + sum(sizes) % 2 + 2
    numbers = np.random.default_rng(seed).permutation(np.linspace(low, 2.0, even))
    parts = np.split(numbers, np.cumsum(sizes))
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=False)]
