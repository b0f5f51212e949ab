"""How a hidden check compares a paper answer, whose message never says what is right."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from grader.checks import compare
from grader.checks.interface import CheckFailure, Reply


def numbers(reply: Reply, wanted: Sequence[object], of: str) -> None:
    """Compare a list or table of numbers; the message says where the first wrong one stands."""
    right = np.array(wanted, dtype=np.float64)
    wrong = ~np.isclose(table(reply, right.shape, of), right, rtol=1e-7, atol=1e-9)
    if wrong.any():
        first = np.argwhere(wrong)[0].tolist()
        raise CheckFailure(
            f"{of}: {wrong.sum()} of {wrong.size} entries are not right, the first at {first}"
        )


def table(reply: Reply, wanted: tuple[int, ...], of: str) -> np.ndarray:
    """Return the numbers, if they have the wanted shape; a list of rows may hold arrays."""
    output = reply.output
    if isinstance(output, tuple) and all(np.shape(one) == wanted[1:] for one in output):
        reply = reply._replace(output=np.array(output))
    return compare.shape(reply, wanted, of)


def names(reply: Reply, wanted: Set[str], are_not: str, are: str) -> None:
    """Compare a list of names, whatever their order; first comes what is too much.

    `are_not` says in a clause what holds for a name given in error, `are` for one left out.
    """
    given = _names(reply.output)
    if extra := sorted(given - wanted):
        raise CheckFailure(f"{', '.join(extra)}: {are_not}")
    if missing := wanted - given:
        raise CheckFailure(f"{len(missing)} of {len(wanted)} left out that {are}")


def _names(output: object) -> frozenset[str]:
    given = (output,) if isinstance(output, str) else output
    if not isinstance(given, tuple) or not all(isinstance(one, str) for one in given):
        raise CheckFailure('the answer is not a list of names in quotes, such as ["one", "other"]')
    return frozenset(one.strip().lower() for one in given)
