"""Hidden checks of lesson 08: what is right is counted, one multiplication after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, product

import numpy as np

from grader.checks.interface import CheckFailure, Piece, Reply

Formula = Callable[..., float]

# So many that who kept what was once asked in a table knows next to nothing of the next attempt;
# so small that an answer may count in loops.
SMALL, PRIMES = range(5, 20), (23, 29, 31, 37, 41, 43, 47)
SINGLE = range(20, 150)

# What a wrong formula comes to, by how one writes it.
OF_T_AND_D: dict[str, Formula] = {
    "T·D": lambda T, D: T * D,
    "T²": lambda T, D: T * T,
    "T²·D": lambda T, D: T * T * D,
    "2·T²·D": lambda T, D: 2 * T * T * D,
    "T·D²": lambda T, D: T * D * D,
    "3·T·D²": lambda T, D: 3 * T * D * D,
    "4·T·D²": lambda T, D: 4 * T * D * D,
    "4·T·D": lambda T, D: 4 * T * D,
    "4·D²": lambda T, D: 4 * D * D,
    "4·T²·D": lambda T, D: 4 * T * T * D,
    "T²·D²": lambda T, D: T * T * D * D,
    "T²·(2·D - 1)": lambda T, D: T * T * (2 * D - 1),
}
OF_D: dict[str, Formula] = {
    "D": lambda D: D,
    "4·D": lambda D: 4 * D,
    "D / 2": lambda D: D / 2,
    "2·D + 1": lambda D: 2 * D + 1,
    "2·D²": lambda D: 2 * D * D,
    "D²": lambda D: D * D,
    "4·D²": lambda D: 4 * D * D,
    "1.5·D": lambda D: 1.5 * D,
}
OF_T: dict[str, Formula] = {
    "T²": lambda T: T * T,
    "T² / 2": lambda T: T * T / 2,
    "T·(T - 1)/2, without the diagonal": lambda T: T * (T - 1) // 2,
    "8·T": lambda T: 8 * T,
    "4·T²": lambda T: 4 * T * T,
    "64·T²: bits": lambda T: 64 * T * T,
    "T": lambda T: T,
}


def score_multiplications_exact(score_multiplications: Piece, rng: np.random.Generator) -> None:
    """The count for the scores is right for any number of words and any width."""
    for T, D in _lengths_and_widths(rng):
        wanted = _ones(product(range(T), range(T), range(D)))
        _compare(score_multiplications, {"T": T, "D": D}, wanted, OF_T_AND_D)


def mixing_multiplications_exact(mixing_multiplications: Piece, rng: np.random.Generator) -> None:
    """The count for the mixing is right for any number of words and any width."""
    for T, D in _lengths_and_widths(rng):
        wanted = _ones(product(range(T), range(D), range(T)))
        _compare(mixing_multiplications, {"T": T, "D": D}, wanted, OF_T_AND_D)


def projection_multiplications_exact(
    projection_multiplications: Piece, rng: np.random.Generator
) -> None:
    """The count for all four projections is right for any number of words and any width."""
    for T, D in _lengths_and_widths(rng):
        wanted = _ones(product("qkvo", range(T), range(D), range(D)))
        _compare(projection_multiplications, {"T": T, "D": D}, wanted, OF_T_AND_D)


def length_of_balance_exact(length_of_balance: Piece, rng: np.random.Generator) -> None:
    """At this length both sides take equally many multiplications, for any width."""
    for D in (*_some(rng, 3, SINGLE), 1):
        wanted = next(T for T in count(1) if 2 * T * T * D >= 4 * T * D * D)
        _compare(length_of_balance, {"D": D}, wanted, OF_D)


def table_bytes_exact(table_bytes: Piece, rng: np.random.Generator) -> None:
    """The bytes of the table are right for any number of words."""
    for T in (*_some(rng, 3, SINGLE), 1):
        _compare(table_bytes, {"T": T}, np.zeros((T, T)).nbytes, OF_T)


def allowed_pairs_exact(allowed_pairs: Piece, rng: np.random.Generator) -> None:
    """The count of the entries left is right for an odd and an even number of words."""
    (half,) = _some(rng, 1, range(10, 75))
    for T in (2 * half + 1, 2 * half, 1):
        wanted = _ones(j for i in range(T) for j in range(T) if j <= i)
        _compare(allowed_pairs, {"T": T}, wanted, OF_T)


def _some(rng: np.random.Generator, number: int, of: Sequence[int] = SMALL) -> list[int]:
    """Return different numbers."""
    return [int(one) for one in rng.choice(of, number, replace=False)]


def _lengths_and_widths(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return pairs (T, D): T below D and above it, where no two formulas agree; then ones."""
    (short, narrow), (long, wide) = _some(rng, 2), _some(rng, 2, PRIMES)
    return [(short, wide), (long, narrow), (1, narrow), (short, 1), (1, 1)]


def _ones(steps: Iterable[object]) -> int:
    return sum(1 for _ in steps)


def _compare(
    piece: Piece, given: Mapping[str, int], wanted: int, formulas: Mapping[str, Formula]
) -> None:
    """Compare a number with the wanted one; the message names a formula that gives the number."""
    at = ", ".join(f"{name} = {number}" for name, number in given.items())
    got = _number(piece(*given.values()), at)
    if got == wanted:
        return
    same = [text for text, formula in formulas.items() if formula(**given) == got]
    named = f", as {same[0]} would be" if len(same) == 1 else ""
    raise CheckFailure(f"for {at} it is {got:.12g}{named}; counted one by one it is {wanted}")


def _number(reply: Reply, at: str) -> float:
    """Return the number that came back; a float that is whole will do."""
    output = reply.output
    if reply.type_name == "NoneType":
        raise CheckFailure(f"for {at} it is None: a return is missing")
    if not isinstance(output, np.ndarray) or output.dtype.kind not in "iuf" or output.size != 1:
        raise CheckFailure(f"for {at} it is of type {reply.type_name}, wanted one whole number")
    return float(output.item())
