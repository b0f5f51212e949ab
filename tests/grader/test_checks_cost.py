"""Do the checks of lesson 08 pass every right way to count, and catch every wrong one?"""

import math
from fractions import Fraction

import numpy as np
import pytest
from attnkit import Value
from attnkit.count import counting

from grader import checks
from grader.checks import cost as cost_checks
from grader.checks.interface import CheckFailure
from solutions import cost

MINE = [name for name in checks.names() if checks.find(name).function.__module__.endswith(".cost")]
SEEDS = ["", "one", "two", "three"]


def exercise(name):
    return checks.find(name).exercise


def passes(name, function, seed=""):
    try:
        checks.run(name, function, seed=seed)
    except CheckFailure:
        return False
    return True


def test_there_are_six_checks_of_six_exercises():
    assert len(MINE) == len({exercise(name) for name in MINE}) == 6


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("seed", SEEDS)
def test_reference_passes(name, seed):
    checks.run(name, getattr(cost, exercise(name)), seed=seed)


@pytest.mark.parametrize("name", MINE)
def test_untouched_is_not_implemented(name):
    def untouched(*numbers):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        checks.run(name, untouched)


def by_instrument(left, right):
    with counting() as counted:
        Value(np.ones(left)) @ np.ones(right)
    return counted.multiplications


def by_loops(T, D):
    number = 0
    for _ in range(T):
        for _ in range(T):
            for _ in range(D):
                number += 1
    return number


def by_search(D):
    T = 1
    while 2 * T * T * D < 4 * T * D * D:
        T += 1
    return T


RIGHT = {
    "score_multiplications_exact": [
        lambda T, D: T**2 * D,
        lambda T, D: D * T * T * 1.0,
        lambda T, D: np.int64(T) * T * D,
        lambda T, D: np.array(T * T * D),
        lambda T, D: Value(T) * T * D,
        lambda T, D: Fraction(T * T * D),
        lambda T, D: cost.count_scores(T, D),
        lambda T, D: by_instrument((T, D), (D, T)),
        by_loops,
    ],
    "mixing_multiplications_exact": [
        lambda T, D: np.prod([T, T, D]),
        lambda T, D: cost.score_multiplications(T, D),
        lambda T, D: by_instrument((T, T), (T, D)),
        by_loops,
    ],
    "projection_multiplications_exact": [
        lambda T, D: 4 * T * D**2,
        lambda T, D: T * D * D * 4,
        lambda T, D: 4.0 * T * D * D,
        lambda T, D: (2 * D) ** 2 * T,
        lambda T, D: sum(T * D * D for _ in range(4)),
        lambda T, D: 4 * by_instrument((T, D), (D, D)),
    ],
    "length_of_balance_exact": [
        lambda D: D + D,
        lambda D: 4 * D / 2,
        lambda D: np.float64(2 * D),
        by_search,
    ],
    "table_bytes_exact": [
        lambda T: T**2 * 8,
        lambda T: np.zeros((T, T)).nbytes,
        lambda T: 64 * T * T / 8,
        lambda T: np.float64().itemsize * T * T,
    ],
    "allowed_pairs_exact": [
        lambda T: T * (T + 1) / 2,
        lambda T: sum(range(T + 1)),
        lambda T: math.comb(T + 1, 2),
        lambda T: np.tri(T).sum(),
        lambda T: T * T - T * (T - 1) // 2,
        lambda T: (np.triu(np.ones((T, T))) > 0).sum(),
    ],
}


@pytest.mark.parametrize(("name", "function"), [(n, f) for n, all_ in RIGHT.items() for f in all_])
@pytest.mark.parametrize("seed", SEEDS)
def test_other_right_ways_pass(name, function, seed):
    checks.run(name, function, seed=seed)


WRONG = {
    "score_multiplications_exact": {
        "T·D²": lambda T, D: T * D * D,
        "T·D": lambda T, D: T * D,
        "T²": lambda T, D: T * T,
        "2·T²·D": lambda T, D: 2 * T * T * D,
        "T²·(2·D - 1)": lambda T, D: T * T * (2 * D - 1),
        "4·T·D²": cost.projection_multiplications,
    },
    "mixing_multiplications_exact": {
        "T·D": lambda T, D: T * D,
        "T²": lambda T, D: T * T,
        "4·T·D²": cost.projection_multiplications,
    },
    "projection_multiplications_exact": {
        "T·D²": lambda T, D: T * D * D,
        "3·T·D²": lambda T, D: 3 * T * D * D,
        "4·T²·D": lambda T, D: 4 * T * T * D,
        "4·T·D": lambda T, D: 4 * T * D,
        "4·D²": lambda T, D: 4 * D * D,
        "T²·D": cost.score_multiplications,
    },
    "length_of_balance_exact": {
        "D": lambda D: D,
        "4·D": lambda D: 4 * D,
        "1.5·D": lambda D: 1.5 * D,
        "2·D + 1": lambda D: 2 * D + 1,
    },
    "table_bytes_exact": {
        "T²": lambda T: T * T,
        "8·T": lambda T: 8 * T,
        "4·T²": lambda T: 4 * T * T,
        "64·T²: bits": lambda T: 64 * T * T,
    },
    "allowed_pairs_exact": {
        "T²": lambda T: T * T,
        "T² / 2": lambda T: T * T / 2,
        "T·(T - 1)/2, without the diagonal": lambda T: T * (T - 1) // 2,
    },
}
NO_NAME = {
    "score_multiplications_exact": [lambda T, D: T * T * D + 1, lambda T, D: T * T * D * 1.001],
    "projection_multiplications_exact": [lambda T, D: 4 * T * T * T],
    "allowed_pairs_exact": [lambda T: T * T // 2, lambda T: T * T // 2 + T // 2],
    "length_of_balance_exact": [lambda D: 2 * D if D > 1 else 1],
}


@pytest.mark.parametrize(
    ("name", "said", "function"), [(n, said, f) for n, all_ in WRONG.items() for said, f in all_.items()]
)  # fmt: skip
@pytest.mark.parametrize("seed", SEEDS)
def test_wrong_formula_is_caught_and_named(name, said, function, seed):
    with pytest.raises(CheckFailure) as failure:
        checks.run(name, function, seed=seed)
    assert f", as {said} would be;" in str(failure.value)


@pytest.mark.parametrize(
    ("name", "function"), [(n, f) for n, all_ in NO_NAME.items() for f in all_]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_wrong_number_without_a_name_is_caught(name, function, seed):
    assert not passes(name, function, seed=seed)


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_constant_passes(name, seed):
    """Each number that is right somewhere, given everywhere."""
    wanted = set()

    def right(*numbers):
        wanted.add(getattr(cost, exercise(name))(*numbers))
        return getattr(cost, exercise(name))(*numbers)

    checks.run(name, right, seed=seed)
    assert len(wanted) >= 3
    assert not any(passes(name, lambda *_, one=one: one, seed) for one in wanted)


@pytest.mark.parametrize("name", MINE)
def test_only_equal_answers_are_exchangeable(name):
    """No exercise of the lesson earns another's point, but for scores and mixing: they are equal."""
    pair = {"score_multiplications", "mixing_multiplications", "count_scores"}
    others = [
        f
        for f in vars(cost).values()
        if callable(f) and getattr(f, "__module__", "") == "solutions.cost"
    ]
    for other in others:
        if other.__name__ != exercise(name) and not {other.__name__, exercise(name)} <= pair:
            with pytest.raises((CheckFailure, TypeError)):
                checks.run(name, other)


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (None, "a return is missing"),
        ("147", "of type str, wanted one whole number"),
        ([1, 2], "of type list, wanted one whole number"),
        (True, "of type bool"),
        (math.nan, "is nan; counted"),
    ],
)
def test_no_number_is_said(result, says):
    with pytest.raises(CheckFailure, match=says):
        checks.run("score_multiplications_exact", lambda T, D: result)


def test_at_the_first_sizes_no_two_formulas_agree():
    for seed in range(200):
        sizes = cost_checks._lengths_and_widths(np.random.default_rng(seed))
        for T, D in sizes[:2]:
            same = [f(T, D) for f in cost_checks.OF_T_AND_D.values()]
            assert len(set(same)) == len(same), (T, D)
