"""Numbers as they stand in a picture: short, and the same everywhere."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .canvas import Array

# A score this low is a masked one: no other score of the course comes near.
MASKED_BELOW = -1e8


def as_fraction(number: float) -> str | None:
    """The number as text like 2/3, or None where no denominator up to 99 fits."""
    near = Fraction(number).limit_denominator(99)
    return str(near) if abs(float(near) - number) <= 1e-9 * (1 + abs(number)) else None


def numeral(number: float, digits: int = 2, fractions: bool = False) -> str:
    """One number as text: 2, 0.25, 2/3, −1e9, −inf, nan."""
    if not np.isfinite(number):
        text = str(float(number))
    elif abs(number) >= 1e5:
        mantissa, exponent = f"{number:.1e}".split("e")
        text = f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    else:
        text = (fractions and as_fraction(number)) or f"{number:.{digits}f}"
    is_zero = not any(sign in text for sign in "123456789an")
    return (text.removeprefix("-") if is_zero else text).replace("-", "−")


def numerals(numbers: npt.ArrayLike, digits: int = 2, fractions: bool = False) -> list[list[str]]:
    """The array as texts; whole numbers stand without decimals if all of them are whole."""
    array = np.asarray(numbers, dtype=np.float64)
    ordinary = array[np.abs(array) < 1e5]
    places = 0 if np.all(np.abs(ordinary - np.round(ordinary)) <= 1e-9) else digits
    return [[numeral(number, places, fractions) for number in row] for row in array]


def masked_cells(array: Array) -> npt.NDArray[np.bool_]:
    """Where the array holds no ordinary number: masked, infinite or nan."""
    return ~np.isfinite(array) | (array <= MASKED_BELOW)
