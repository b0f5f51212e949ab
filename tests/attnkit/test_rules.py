"""Each gradient rule beside finite differences, on shapes that hypothesis chooses."""

import numpy as np
import pytest
from attnkit import Value
from gradients import assert_gradients, entries
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

quick = settings(max_examples=20, deadline=None, derandomize=True)
seeds = st.integers(0, 999)
shapes = hnp.array_shapes(min_dims=0, max_dims=3, max_side=3)
ABOVE_ZERO = 0.3


def broadcastable(count):
    return hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=3, max_side=3)


@pytest.mark.parametrize(
    ("function", "low"),
    [
        (np.positive, -2),
        (np.negative, -2),
        (np.square, -2),
        (np.exp, -2),
        (np.exp2, -2),
        (np.tanh, -2),
        (np.sqrt, ABOVE_ZERO),
        (np.log, ABOVE_ZERO),
        (lambda v: -v, -2),
        (lambda v: v**2, -2),
        (lambda v: v**-1, -2),
        (lambda v: 2.0**v, -2),
        (lambda v: 1 / v - 3 * v + v / 2, -2),
    ],
)
@given(shape=shapes, seed=seeds)
@quick
def test_one_array(function, low, shape, seed):
    assert_gradients(function, *entries((shape,), seed, low))


@pytest.mark.parametrize(
    ("function", "low"),
    [
        (np.add, -2),
        (np.subtract, -2),
        (np.multiply, -2),
        (np.divide, -2),
        (np.power, ABOVE_ZERO),
        (np.maximum, -2),
        (np.minimum, -2),
        (np.logaddexp, -2),
        (lambda a, b: a + b, -2),
        (lambda a, b: a - b, -2),
        (lambda a, b: a * b, -2),
        (lambda a, b: a / b, -2),
        (lambda a, b: a**b, ABOVE_ZERO),
    ],
)
@given(given_shapes=broadcastable(2), seed=seeds)
@quick
def test_two_arrays_broadcast(function, low, given_shapes, seed):
    assert_gradients(function, *entries(given_shapes.input_shapes, seed, low))


@given(given_shapes=broadcastable(3), seed=seeds)
@quick
def test_where_broadcasts(given_shapes, seed):
    condition, a, b = entries(given_shapes.input_shapes, seed)
    assert_gradients(lambda a, b: np.where(condition > 0, a, b), a, b)


@st.composite
def shape_axis_keepdims(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=3))
    one_axis = st.integers(-len(shape), len(shape) - 1)
    axis = draw(st.none() | one_axis | hnp.valid_tuple_axes(len(shape), min_size=1))
    return shape, axis, draw(st.booleans())


@pytest.mark.parametrize(
    "function",
    [
        np.sum,
        np.mean,
        np.max,
        np.amax,
        np.logaddexp.reduce,
        lambda a, axis, keepdims: a.sum(axis, keepdims=keepdims),
        lambda a, axis, keepdims: a.mean(axis, keepdims=keepdims),
        lambda a, axis, keepdims: a.max(axis, keepdims=keepdims),
    ],
)
@given(case=shape_axis_keepdims(), seed=seeds)
@quick
def test_reductions(function, case, seed):
    shape, axis, keepdims = case
    assert_gradients(lambda a: function(a, axis=axis, keepdims=keepdims), *entries((shape,), seed))


@pytest.mark.parametrize("function", [np.matmul, lambda a, b: a @ b])
@given(
    case=hnp.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=1, max_side=3),
    seed=seeds,
)
@quick
def test_matmul(function, case, seed):
    assert_gradients(function, *entries(case.input_shapes, seed))


PRODUCTS = [((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 3), (3, 4))]


@pytest.mark.parametrize("pair", PRODUCTS)
def test_dot(pair):
    assert_gradients(np.dot, *entries(pair, seed=0))


@pytest.mark.parametrize(
    ("spec", "pair"),
    [
        ("id,jd->ij", ((3, 2), (4, 2))),
        ("ij,jd->id", ((3, 4), (4, 2))),
        ("id,jd", ((3, 2), (4, 2))),
        ("ij,jk", ((3, 4), (4, 2))),
        ("ba,cb", ((3, 4), (2, 3))),
        ("ij,ik->i", ((3, 4), (3, 2))),
        ("ij,kl->", ((3, 4), (2, 5))),
        ("i,j->ij", ((3,), (4,))),
        ("i,i->", ((3,), (3,))),
        (" i d , j d -> j i ", ((3, 2), (4, 2))),
        ("...id,...jd->...ij", ((2, 3, 2), (4, 2))),
        ("...d,...d", ((2, 3), (3,))),
        ("ij,ij->ij", ((1, 3), (2, 3))),
    ],
)
def test_einsum_of_two(spec, pair):
    assert_gradients(lambda a, b: np.einsum(spec, a, b), *entries(pair, seed=0))


@pytest.mark.parametrize("spec", ["ij->ji", "ij->i", "ij->", "ji", "ij", "...j->...", "i...->..."])
def test_einsum_of_one(spec):
    assert_gradients(lambda a: np.einsum(spec, a), *entries(((3, 2),), seed=0))


def test_einsum_of_three():
    arrays = entries(((2, 3), (3, 4), (4, 2)), seed=0)
    assert_gradients(lambda a, b, c: np.einsum("ij,jk,kl->il", a, b, c, optimize=True), *arrays)


@given(data=st.data(), seed=seeds)
@quick
def test_basic_indexing(data, seed):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=3))
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True))
    assert_gradients(lambda a: a[index], *entries((shape,), seed))


@pytest.mark.parametrize(
    "index",
    [
        [0, 2, 0, 0],
        (slice(None), [1, 1, 0]),
        ([0, 1, 0], [1, 0, 1]),
        (np.arange(3)[:, None], [0, 0]),
        np.array([True, False, True]),
        np.array([[True, False], [True, True], [False, False]]),
        (2, [0, 0]),
        ...,
        (),
    ],
)
def test_indexing_with_arrays(index):
    assert_gradients(lambda a: a[index], *entries(((3, 2),), seed=0))


@pytest.mark.parametrize(
    "function",
    [
        lambda a: a.T,
        np.transpose,
        lambda a: a.transpose(),
        lambda a: a.transpose(2, 0, 1),
        lambda a: a.transpose((1, 2, 0)),
        lambda a: np.transpose(a, axes=(-1, 0, 1)),
        lambda a: a.swapaxes(0, -1),
        lambda a: np.swapaxes(a, axis1=1, axis2=2),
        lambda a: a.reshape(4, 6),
        lambda a: a.reshape((-1, 3)),
        lambda a: a.reshape(-1),
        lambda a: np.reshape(a, (2, 12)),
        lambda a: np.expand_dims(a, 1),
        lambda a: np.broadcast_to(a, (2, 2, 3, 4)),
        lambda a: np.broadcast_to(a[:, :1], (2, 3, 4)),
        np.tril,
        lambda a: np.tril(a, k=1),
        np.triu,
        lambda a: np.triu(a, -1),
    ],
)
def test_moving_entries(function):
    assert_gradients(function, *entries(((2, 3, 4),), seed=0))


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_stack(axis):
    arrays = entries(((2, 3),) * 3, seed=0)
    assert_gradients(lambda a, b, c: np.stack([a, b, a, c], axis=axis), *arrays)


@pytest.mark.parametrize(("axis", "pair"), [(0, ((1, 3), (2, 3))), (-1, ((2, 1), (2, 3)))])
def test_concatenate(axis, pair):
    assert_gradients(lambda a, b: np.concatenate([a, b, a], axis), *entries(pair, seed=0))


@pytest.mark.parametrize("pair", [((3,), (3,)), ((3,), (2, 3)), ((1, 3), (2, 3))])
def test_vstack(pair):
    assert_gradients(lambda a, b: np.vstack((a, b)), *entries(pair, seed=0))


@pytest.mark.parametrize("pair", [((3,), (2,)), ((2, 1), (2, 3))])
def test_hstack(pair):
    assert_gradients(lambda a, b: np.hstack([a, b]), *entries(pair, seed=0))


def test_equal_largest_entries_share_the_gradient():
    v = Value([[2, 5, 5], [7, 7, 7]])
    v.max(axis=1).backward()
    np.testing.assert_allclose(v.grad, [[0, 1 / 2, 1 / 2], [1 / 3, 1 / 3, 1 / 3]])


@pytest.mark.parametrize("function", [np.maximum, np.minimum])
def test_maximum_and_minimum_share_at_a_tie(function):
    v, w = Value([1, 2]), Value([1, 2])
    function(v, w).backward([1, 3])
    np.testing.assert_array_equal(v.grad, [0.5, 1.5])
    np.testing.assert_array_equal(w.grad, [0.5, 1.5])


def test_power_at_zero_has_finite_slopes():
    for exponent, slope in [(0, 0), (1, 1), (2, 0)]:
        v = Value(0)
        (v**exponent).backward()
        assert v.grad == slope
    base, power = Value(0), Value(2)
    (base**power).backward()
    assert power.grad == 0


def test_softmax_follows_its_closed_form():
    scores = np.array([[1.0, -2.0, 0.5], [300.0, 301.0, -9.0]])
    upstream = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
    v = Value(scores)
    exps = np.exp(v - v.max(axis=1, keepdims=True))
    weights = exps / exps.sum(axis=1, keepdims=True)
    weights.backward(upstream)
    a = weights.data
    wanted = a * (upstream - (a * upstream).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(v.grad, wanted, rtol=1e-12, atol=1e-15)


def squared(wrong_rule):
    """Return v**2 with a rule of one's own where v is a Value."""
    return lambda v: (
        Value.from_rule(v.data**2, (v, lambda g: wrong_rule(g, v.data)))
        if isinstance(v, Value)
        else v**2
    )


def test_checker_passes_the_right_rule_only():
    (a,) = entries(((2, 3),), seed=0)
    assert_gradients(squared(lambda g, v: g * 2 * v), a)
    for wrong in (lambda g, v: g, lambda g, v: 2 * v, lambda g, v: -2 * g * v, lambda g, v: 0 * v):
        with pytest.raises(AssertionError):
            assert_gradients(squared(wrong), a)


def test_checker_sees_a_cut_graph():
    with pytest.raises(AssertionError, match="no gradient"):
        assert_gradients(lambda a, b: a * getattr(b, "data", b), *entries(((3,), (3,)), seed=0))


def test_checker_sees_a_wrong_result():
    with pytest.raises(AssertionError):
        assert_gradients(lambda v: v * 2 if isinstance(v, Value) else v, np.ones(3))
