"""How a hidden check compares an answer that is a list of names; order and case do not count."""

from __future__ import annotations

from collections.abc import Set

from grader.checks.interface import CheckFailure, Reply


def names(reply: Reply, wanted: Set[str], are_not: str, are: str) -> None:
    """Compare the names given with those wanted; the message begins with what is too much.

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
