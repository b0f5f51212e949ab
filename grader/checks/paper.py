"""How a hidden check compares a paper answer, whose message never says what is right."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction

import numpy as np

from grader.checks import compare
from grader.checks.interface import CheckFailure, Reply


def numbers(reply: Reply, wanted: Sequence[object], of: str) -> None:
    """Compare a list or table of numbers; the message says where the first wrong one stands."""
    right = np.array(wanted, dtype=np.float64)
    given = table(reply, right.shape, of)
    wrong = ~np.isclose(given, right, rtol=1e-7, atol=1e-9)
    if wrong.any() and _is_rounded(given, right):
        raise CheckFailure(
            f"{of}: nearly right; write exact fractions in place of rounded decimals"
        )
    if wrong.any():
        row = int(np.argwhere(wrong)[0, 0]) + 1
        where = f"the first {'in row' if right.ndim > 1 else 'is number'} {row} of {len(right)}"
        raise CheckFailure(f"{of}: {wrong.sum()} of {wrong.size} entries are not right, {where}")


def shares(reply: Reply, wanted: Sequence[object], of: str, rows: Sequence[str]) -> None:
    """Compare a row of shares, or a table of them with `rows` for names: each adds up to 1."""
    right = np.array(wanted, dtype=np.float64)
    given = table(reply, right.shape, of)
    for row, total in zip(rows, np.atleast_2d(given).sum(axis=1), strict=True):
        if abs(total - 1) > 1e-6 and not _is_rounded(given, right):
            sum_ = Fraction(float(total)).limit_denominator(1000)
            raise CheckFailure(
                f"row {row} of {of} adds up to {sum_}, wanted 1: divide by the sum of the parts "
                "that are left"
            )
    numbers(reply, wanted, of)


def table(reply: Reply, wanted: tuple[int, ...], of: str) -> np.ndarray:
    """Return the numbers, if they have the wanted shape; a list of rows may hold arrays."""
    output = reply.output
    if isinstance(output, tuple) and all(np.shape(one) == wanted[1:] for one in output):
        reply = reply._replace(output=np.array(output))
    return compare.shape(reply, wanted, of)


def names(reply: Reply, wanted: Set[str], among: Sequence[str], are_not: str, are: str) -> None:
    """Compare a list of names `among` those that are asked about, whatever their order.

    First comes what is too much. `are_not` says in a clause what holds for a name given in error,
    `are` for one left out.
    """
    given = _names(reply.output)
    if not given <= {*among}:
        raise CheckFailure(f"a name in the list is none of {', '.join(among)}")
    if extra := sorted(given - wanted):
        raise CheckFailure(f"{', '.join(extra)}: {are_not}")
    if missing := wanted - given:
        raise CheckFailure(f"{len(missing)} of {len(wanted)} left out that {are}")


def _is_rounded(given: np.ndarray, right: np.ndarray) -> bool:
    return bool((np.abs(given - right) <= 0.01 * np.maximum(1, np.abs(right))).all())


def _names(output: object) -> frozenset[str]:
    given = (output,) if isinstance(output, str) else output
    if not isinstance(given, tuple) or not all(isinstance(one, str) for one in given):
        raise CheckFailure('the answer is not a list of names in quotes, such as ["one", "other"]')
    return frozenset(one.strip().lower() for one in given)
