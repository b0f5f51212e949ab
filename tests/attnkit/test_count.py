"""Does the instrument count what loops count, and leave the kit as it was?"""

import math
from itertools import product

import numpy as np
import pytest
from attnkit import Linear, Value, value
from attnkit.count import Counted, counting
from hypothesis import given
from hypothesis import strategies as st

from solutions.attention import SelfAttention

sizes = st.integers(1, 5)


class Noting:
    """A number that notes each of its multiplications in `made`."""

    made = 0

    def __mul__(self, other):
        Noting.made += 1
        return self

    __rmul__ = __mul__

    def __add__(self, other):
        return self

    __radd__ = __add__


def noted(function, *shapes):
    """The multiplications that NumPy really makes: `function` on arrays of numbers that note."""
    tables = [
        np.array([Noting() for _ in range(math.prod(s))], dtype=object).reshape(s) for s in shapes
    ]
    Noting.made = 0
    function(*tables)
    return Noting.made


def counted_of(function, *shapes):
    with counting() as counted:
        function(*[Value(np.ones(shape)) for shape in shapes])
    return counted


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (lambda a, b: a @ b, [(3, 2), (2, 3)]),
        (lambda a, b: a @ b, [(3, 5), (5,)]),
        (lambda a, b: a @ b, [(4,), (4, 3)]),
        (lambda a, b: a @ b, [(4,), (4,)]),
        (lambda a, b: a @ b, [(2, 3, 4), (4, 5)]),
        (np.dot, [(3, 2), (2, 4)]),
        (lambda a, b: a * b, [(3, 2), (3, 2)]),
        (lambda a, b: a * b, [(3, 1), (1, 4)]),
        (lambda a: 2 * a, [(3, 4)]),
        (np.square, [(3, 4)]),
        (lambda a: a + a, [(3, 4)]),
        (lambda a: a.sum(axis=1), [(3, 4)]),
        (lambda a: a.T[1:], [(3, 4)]),
    ],
)  # fmt: skip
def test_multiplications_are_those_that_numpy_makes(function, shapes):
    assert counted_of(function, *shapes).multiplications == noted(function, *shapes)


def by_loop(spec, *shapes):
    """The multiplications of an einsum written as nested loops over all of its letters."""
    inputs = spec.partition("->")[0].split(",")
    pairs = [zip(*pair, strict=True) for pair in zip(inputs, shapes, strict=True)]
    lengths = {letter: length for pair in pairs for letter, length in pair}
    return sum(len(inputs) - 1 for _ in product(*map(range, lengths.values())))


@pytest.mark.parametrize(
    ("spec", "shapes"),
    [
        ("id,jd->ij", [(3, 2), (4, 2)]),
        ("ij,jd->id", [(3, 4), (4, 5)]),
        ("ij,ij->", [(3, 4), (3, 4)]),
        ("i,j->ij", [(3,), (4,)]),
        ("id,de,je->ij", [(3, 2), (2, 5), (4, 5)]),
        ("ij->i", [(3, 4)]),
        ("ij->ji", [(3, 4)]),
        ("id,jd", [(3, 2), (4, 2)]),
    ],
)
def test_einsum_counts_its_nested_loops(spec, shapes):
    counted = counted_of(lambda *tables: np.einsum(spec, *tables), *shapes)
    assert counted.multiplications == by_loop(spec, *shapes)


@pytest.mark.parametrize(
    ("spec", "shapes"),
    [
        ("...id,jd->...ij", [(7, 3, 2), (4, 2)]),
        ("...id,...jd->...ij", [(1, 3, 2), (7, 4, 2)]),
        ("...id,...jd->...ij", [(7, 3, 2), (1, 4, 2)]),
    ],
)
def test_einsum_counts_the_axes_behind_dots(spec, shapes):
    counted = counted_of(lambda *tables: np.einsum(spec, *tables), *shapes)
    assert counted.multiplications == 7 * 3 * 4 * 2


@pytest.mark.parametrize(
    "function",
    [
        lambda a: a / 2, lambda a: a**2, lambda a: np.exp(a), lambda a: a.max(axis=1),
        lambda a: np.stack([a, a]), lambda a: a > 0, lambda a: np.where(a.data > 0, a, 0),
        lambda a: a.data * a.data, lambda a: Value.from_rule(a.data * a.data, (a, lambda g: g)),
        lambda a: (a + a).backward(),
    ],
)  # fmt: skip
def test_all_else_counts_no_multiplication(function):
    assert counted_of(function, (3, 4)).multiplications == 0


@pytest.mark.parametrize(
    ("function", "takes"),
    [
        (lambda a: a + 1, 3 * 4 * 8),
        (lambda a: np.stack([a, a]), 2 * 3 * 4 * 8),
        (lambda a: a.sum(), 8),
        (lambda a: a.sum(axis=1, keepdims=True), 3 * 8),
        (lambda a: a[[0, 1]], 2 * 4 * 8),
        (lambda a: a @ np.ones((4, 6)), 3 * 6 * 8),
        (lambda a: np.einsum("ij,kj->ik", a, a), 3 * 3 * 8),
        (lambda a: a[1:], 0),
        (lambda a: a.T, 0),
        (lambda a: a.reshape(4, 3), 0),
        (lambda a: np.broadcast_to(a, (5, 3, 4)), 0),
        (lambda a: a > 0, 0),
    ],
)
def test_bytes_are_those_of_new_results(function, takes):
    assert counted_of(function, (3, 4)).bytes == takes


@given(T=sizes, D=sizes, causal=st.booleans())
def test_a_head_takes_what_loops_over_words_and_widths_take(T, D, causal):
    head, x = SelfAttention(D), Value(np.ones((T, D)))
    with counting() as counted:
        head.forward(x, causal=causal)
    once = sum(1 for _ in product(range(T), range(D), range(D)))
    pairs = sum(1 for _ in product(range(T), range(T), range(D)))
    assert counted.multiplications == 4 * once + 2 * pairs


def test_each_operation_says_what_it_was():
    with counting() as counted:
        Linear(2, 2)(Value(np.ones((3, 2)))) / 2
    assert counted.operations == [("matmul", (3, 2), 12, 48), ("divide", (3, 2), 0, 48)]
    assert str(counted).splitlines() == [
        "operation   result       multiplications       bytes",
        "matmul      (3, 2)                    12          48",
        "divide      (3, 2)                     0          48",
        "together                              12          96",
    ]  # fmt: skip


def test_blocks_within_blocks_count_their_own():
    v = Value(np.ones(3))
    with counting() as outer:
        v * v
        with counting() as inner:
            v * v * v
        v * v
    assert (outer.multiplications, inner.multiplications) == (4 * 3, 2 * 3)


def test_nothing_is_counted_before_or_after_the_block():
    v, before = Value(np.ones(3)), value._node
    v * v
    with counting() as counted:
        pass
    v * v
    assert counted.operations == []
    assert value._node is before


def test_an_error_ends_the_count_and_leaves_no_trace():
    v, before = Value(np.ones(3)), value._node
    with pytest.raises(ValueError, match="wanted"), counting() as outer, counting() as inner:
        v * v
        v @ np.ones((4, 4))
    assert value._node is before
    v * v
    assert [len(one.operations) for one in (outer, inner)] == [1, 1]


def test_counting_changes_no_result_and_no_gradient():
    head, x = SelfAttention(3), Value(np.random.default_rng(0).normal(size=(4, 3)))
    plain = head.forward(x)
    with counting():
        watched = head.forward(x)
        watched.backward()
    grad = x.grad
    plain.backward()
    assert np.array_equal(plain.data, watched.data)
    assert np.array_equal(x.grad, grad)


def test_an_empty_count_is_zero():
    assert (Counted().multiplications, Counted().bytes) == (0, 0)
