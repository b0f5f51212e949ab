"""The gradient rule of np.einsum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

import numpy as np

from attnkit.errors import type_error, value_error


def einsum(spec: str, *operands: np.ndarray, optimize: bool = False) -> tuple[Any, ...]:
    """Return np.einsum(spec, *operands) and its rules, none for `spec`.

    An operand's gradient is the einsum of the result's gradient with the other operands.
    An index that only this operand has was summed over: a vector of ones stands in for it.
    """
    if not isinstance(spec, str):
        raise type_error('np.einsum of Values wants the text first: np.einsum("id,jd->ij", a, b)')
    result = np.einsum(spec, *operands, optimize=optimize)
    inputs, output = indices(spec, operands)

    def part(i: int, g: np.ndarray) -> Any:
        names = [output, *inputs[:i], *inputs[i + 1 :]]
        alone = [n for n in inputs[i] if n not in "".join(names)]
        ones = [np.ones(operands[i].shape[inputs[i].index(n)]) for n in alone]
        terms = f"{','.join([*names, *alone])}->{inputs[i]}"
        return np.einsum(terms, g, *operands[:i], *operands[i + 1 :], *ones, optimize=optimize)

    return result, None, *[partial(part, i) for i in range(len(operands))]


def indices(spec: str, operands: Sequence[np.ndarray]) -> tuple[list[str], str]:
    """Return the index letters of each operand and of the result, with `...` written out."""
    left, arrow, output = spec.replace(" ", "").partition("->")
    spare = "".join(letter for letter in ascii_uppercase if letter not in spec)
    dots, inputs = "", []
    for term, operand in zip(left.split(","), operands, strict=True):
        count = np.ndim(operand) - len(term.replace("...", ""))
        inputs.append(term.replace("...", spare[-count:] if count else ""))
        dots = max(dots, spare[-count:] if count else "", key=len)
        if len(set(inputs[-1])) < len(inputs[-1]):
            raise value_error(f"einsum got {term!r}, wanted each index once in an operand")
    if not arrow:
        once = sorted(n for n in left if n.isalpha() and left.count(n) == 1)
        output = "".join(["...", *once])
    return inputs, output.replace("...", dots)
