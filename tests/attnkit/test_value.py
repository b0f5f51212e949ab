"""The graph of a Value, its way in and its way out."""

import gc
import math
import operator
import tracemalloc

import numpy as np
import pytest
from attnkit import Value


def test_data_is_float64_whatever_comes_in():
    for data in (3, 2.5, True, [1, 2], [[True, False]], np.float32(1.5), np.arange(3), (1, 2.0)):
        v = Value(data)
        assert v.data.dtype == np.float64
        np.testing.assert_array_equal(v.data, data)


@pytest.mark.parametrize("data", [1j, [1, 2j], "3", ["1"], None, [None], {1}, np.array("x")])
def test_what_is_not_a_real_number_is_refused(data):
    with pytest.raises(TypeError, match="a Value holds real numbers, got"):
        Value(data)


def test_data_is_copied_at_the_door():
    array = np.ones(2)
    v = Value(array)
    array[0] = 9
    np.testing.assert_array_equal(v.data, [1, 1])


def test_a_list_of_rows_is_stacked_and_keeps_the_graph():
    v0, v1 = Value([1, 2]), Value([3, 4])
    rows = Value([v0, v1, v0])
    np.testing.assert_array_equal(rows.data, [[1, 2], [3, 4], [1, 2]])
    rows.backward([[1, 2], [3, 4], [50, 60]])
    np.testing.assert_array_equal(v0.grad, [51, 62])
    np.testing.assert_array_equal(v1.grad, [3, 4])


def test_a_nested_list_may_mix_numbers_and_values():
    v = Value([1, 2])
    mixed = Value([[v[0], 5], [6, v[1] * 10], [7, 8]])
    np.testing.assert_array_equal(mixed.data, [[1, 5], [6, 20], [7, 8]])
    mixed.backward([[1, 2], [3, 4], [5, 6]])
    np.testing.assert_array_equal(v.grad, [1, 40])


def test_wrapping_again_stays_on_the_graph_and_data_cuts_it():
    v = Value([1, 2])
    Value(v * 3).backward()
    np.testing.assert_array_equal(v.grad, [3, 3])
    w = Value([1, 2])
    Value((w * 3).data).backward()
    assert w.grad is None


def test_backward_twice_gives_the_same():
    v = Value([1.0, 2.0])
    y = (v * v).sum()
    for _ in range(2):
        y.backward()
        np.testing.assert_array_equal(v.grad, [2, 4])
    (5 * v).sum().backward()
    np.testing.assert_array_equal(v.grad, [5, 5])


def test_a_node_used_often_collects_every_gradient():
    v = Value(3.0)
    square = v * v
    (square * v + square - v).backward()
    assert v.grad == 3 * 3**2 + 2 * 3 - 1
    assert square.grad == 3 + 1


def test_backward_waits_for_every_use_of_a_node():
    v = Value(1.0)
    early = v * 2
    late = ((early + 1) * 3 + 1) * 5
    (early * 7 + late).backward()
    assert v.grad == 2 * (7 + 15)


def test_grad_is_none_until_backward_and_everywhere_after():
    v = Value([1, 2])
    middle = v * 2
    end = middle.sum()
    assert v.grad is middle.grad is end.grad is None
    end.backward()
    assert end.grad == 1
    np.testing.assert_array_equal(middle.grad, [1, 1])


def test_a_leaf_owns_its_gradient():
    v, w, upstream = Value([1, 2]), Value([3, 4]), np.ones(2)
    total = v + w
    total.backward(upstream)
    v.grad *= 10
    total.grad *= 10
    np.testing.assert_array_equal(w.grad, [1, 1])
    np.testing.assert_array_equal(upstream, [1, 1])


def test_backward_without_upstream_starts_with_ones():
    v = Value([[1, 2], [3, 4]])
    (v * v).backward()
    np.testing.assert_array_equal(v.grad, [[2, 4], [6, 8]])


@pytest.mark.parametrize("upstream", [1.0, [1, 1], np.ones((2, 3)), np.ones((1, 3, 2))])
def test_an_upstream_gradient_of_another_shape_is_refused(upstream):
    with pytest.raises(ValueError, match=r"upstream gradient of shape .*, wanted \(3, 2\)"):
        Value(np.ones((3, 2))).backward(upstream)


def test_a_chain_of_ten_thousand_steps():
    v = end = Value(1.0)
    for _ in range(10_000):
        end = end + 1
    end.backward()
    assert end.data == 10_001
    assert v.grad == 1
    del end
    gc.collect()


def test_from_rule_makes_an_operation():
    v = Value([1, 2])
    cube = Value.from_rule(v.data**3, (v, lambda g: g * 3 * v.data**2))
    (cube * 2).sum().backward()
    np.testing.assert_array_equal(v.grad, [6, 24])


def test_from_rule_sums_back_what_broadcasting_stretched():
    v = Value([[1], [2]])
    Value.from_rule(v.data * np.ones((2, 3)), (v, lambda g: g)).backward()
    np.testing.assert_array_equal(v.grad, [[3], [3]])


@pytest.mark.parametrize("grad", [np.ones(3), np.ones((3, 2)), 1.0, np.ones((2, 2))])
def test_from_rule_with_a_gradient_of_another_shape_says_so(grad):
    v = Value(np.ones((2, 3)))
    shape = "" if np.ndim(grad) == 0 else ".*"
    with pytest.raises(ValueError, match=rf"rule returned shape \({shape}\), wanted \(2, 3\)"):
        Value.from_rule(v.data, (v, lambda g: grad)).backward()


@pytest.mark.parametrize("pair", [(np.ones(2), abs), (Value(1), None), (Value(1), 2.0)])
def test_from_rule_with_a_wrong_pair_says_so(pair):
    with pytest.raises(TypeError, match=r"got a pair .*, wanted \(Value, function"):
        Value.from_rule(1.0, pair)


@pytest.mark.parametrize(
    "lose",
    [
        np.array,
        np.asarray,
        lambda v: np.array([v, v]),
        lambda v: np.exp([v, v]),
        lambda v: v * [v[0], 1.0],
        lambda v: np.stack([[v[0], 1.0], [1.0, 2.0]]),
        lambda v: np.where([True, False], v, [v[0], 1.0]),
        lambda v: np.zeros((3, 2)).__setitem__(0, v),
        lambda v: np.zeros(2).__setitem__(slice(None), v),
    ],
)
def test_a_plain_array_never_takes_a_value(lose):
    with pytest.raises(TypeError, match=r"lose the graph.*write np\.stack.*write v\.data"):
        lose(Value([1.0, 2.0]))


@pytest.mark.parametrize("lose", [float, int, complex, math.exp, math.sqrt])
def test_a_plain_number_never_takes_a_value(lose):
    with pytest.raises(TypeError, match=r"lose the graph.*write float\(v\.data\); write np\.exp"):
        lose(Value(2.0))


def test_one_entry_of_an_array_never_takes_a_value():
    """NumPy answers with a ValueError of its own here and names ours as the cause."""
    with pytest.raises((TypeError, ValueError)) as caught:
        np.zeros((3, 3))[0, 1] = Value(2.0)
    error = caught.value
    assert "instead of array[i, j] = v" in str(
        error if type(error) is TypeError else error.__cause__
    )


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("np.cumsum", lambda v: np.cumsum(v)),
        ("np.sin", lambda v: np.sin(v)),
        ("np.round", lambda v: np.round(v)),
        ("np.linalg.norm", lambda v: np.linalg.norm(v)),
        ("np.add.reduce", lambda v: np.add.reduce(v)),
        ("np.multiply.outer", lambda v: np.multiply.outer(v, v)),
        ("np.copy", lambda v: np.copy(v)),
    ],
)
def test_a_function_without_a_rule_says_what_would_be_lost(name, call):
    with pytest.raises(TypeError) as caught:
        call(Value([1.0, 2.0]))
    message = str(caught.value)
    assert message.startswith(f"{name} has no gradient rule")
    assert "lose the graph" in message
    assert f"{name}(v.data)" in message


def test_writing_into_an_array_is_refused():
    array, v = np.ones(2), Value([1.0, 2.0])
    with pytest.raises(TypeError, match=r"lose the graph.*Write array = array \+ v"):
        array += v
    with pytest.raises(TypeError, match=r"np\.exp cannot write a Value into an array"):
        np.exp(v, out=array)
    with pytest.raises(TypeError, match=r"np\.sum cannot write a Value into an array"):
        np.sum(v, out=array)
    np.testing.assert_array_equal(array, [1, 1])


def test_changing_a_value_in_place_is_refused():
    v = Value([1.0, 2.0])
    with pytest.raises(TypeError, match=r"not changed in place.*np\.where.*np\.stack"):
        v[0] = 3.0


@pytest.mark.parametrize("option", ["where", "dtype", "initial"])
def test_an_option_without_a_rule_is_refused_by_name(option):
    with pytest.raises(
        TypeError, match=f"np.sum of a Value got an .*'{option}'.*takes a, axis, keepdims"
    ):
        np.sum(Value([1.0, 2.0]), axis=0, **{option: float})


def test_arrays_may_be_named():
    v, w = Value([1.0, 2.0]), Value([3.0, 4.0])
    (np.sum(a=v, axis=0) + np.stack(arrays=[v, w]).sum()).backward()
    np.testing.assert_array_equal(v.grad, [2, 2])
    np.testing.assert_array_equal(w.grad, [1, 1])


def test_adding_to_a_name_makes_a_new_value():
    v = total = Value([1.0, 2.0])
    total += v * 3
    assert total is not v
    np.testing.assert_array_equal(v.data, [1, 2])
    total.backward()
    np.testing.assert_array_equal(v.grad, [4, 4])


def test_plain_arrays_and_numbers_may_stand_on_the_left():
    v, array = Value([[1, 2], [3, 4]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    for left in (array, np.float64(2), np.int64(2), 2, True, [5, 6]):
        for operate in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow):
            result = operate(left, v)
            assert isinstance(result, Value)
            np.testing.assert_allclose(result.data, operate(np.asarray(left, float), v.data))
    np.testing.assert_array_equal((array @ v).data, [[1, 2], [4, 6]])


def test_products_that_do_not_fit_say_both_shapes():
    with pytest.raises(ValueError, match=r"a @ b got shapes \(3, 2\) and \(3, 2\).*transposed"):
        Value(np.ones((3, 2))) @ Value(np.ones((3, 2)))


def test_shapes_that_do_not_line_up_say_both_and_point_to_keepdims():
    v = Value(np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"subtract got shapes \(3, 2\) and \(3,\).*keepdims") as e:
        v - v.mean(axis=1)
    assert e.traceback[-1].name == "_node"  # and no listing of the table of rules


def test_comparisons_give_plain_arrays():
    v = Value([1, 2, 3])
    for answer in (v > 2, v >= 2, v < 2, v <= 2, v == 2, v != 2, v > Value([0, 2, 5])):
        assert type(answer) is np.ndarray
        assert answer.dtype == bool
    np.testing.assert_array_equal(v > 2, [False, False, True])
    np.testing.assert_array_equal(np.array([2, 2, 4]) > v, [True, False, True])


def test_questions_about_numbers_give_plain_answers():
    v = Value([[1, 5], [4, 2]])
    np.testing.assert_array_equal(np.argmax(v, axis=1), [1, 0])
    assert (np.shape(v), np.ndim(v), np.size(v)) == ((2, 2), 2, 4)
    assert np.allclose(v, b=v) and np.allclose(v.data, v) and not np.allclose(v, 2 * v)
    assert np.isfinite(v).all()
    assert type(np.zeros_like(v)) is np.ndarray


def test_only_a_single_number_is_true_or_false():
    assert Value(1) and Value([[2]]) and not Value(0)
    with pytest.raises(TypeError, match=r"shape \(2,\) is neither true nor false"):
        bool(Value([1, 2]))


def test_rows_can_be_walked_and_counted():
    v = Value([[1, 2], [3, 4], [5, 6]])
    assert len(v) == 3
    total = sum(row * weight for row, weight in zip(v, [1, 10, 100], strict=True))
    total.backward()
    np.testing.assert_array_equal(v.grad, [[1, 1], [10, 10], [100, 100]])
    with pytest.raises(TypeError):
        len(Value(1.0))


def test_values_are_told_apart_by_identity():
    v, w = Value([1, 2]), Value([1, 2])
    assert len({v, w, v}) == 2


def test_shape_and_ndim_are_those_of_the_data():
    v = Value(np.ones((2, 3)))
    assert (v.shape, v.ndim, v.T.shape) == ((2, 3), 2, (3, 2))


def test_repr_is_short_and_tells_the_shape():
    assert repr(Value(2.5)) == "Value(2.5)"
    assert repr(Value([1 / 3, 2])) == "Value([0.3333, 2.    ], shape=(2,))"
    assert len(repr(Value(np.ones((256, 256))))) < 500


def test_format_writes_single_numbers():
    assert f"{Value(1 / 3):.3f}" == "0.333"
    assert f"{Value(2.0)}" == "Value(2.)"


def test_memory_grows_with_the_square_of_the_length():
    small, large = _peak_bytes(128), _peak_bytes(256)
    assert 3.5 < large / small < 4.2
    assert large < 25 * 256 * 256 * 8  # so many tables of T x T float64


def _peak_bytes(T):
    """Return the most memory that attention over T rows takes, forward and backward."""
    x = Value(np.random.default_rng(0).normal(size=(T, 4)))
    tracemalloc.start()
    exps = np.exp(x @ x.T / 2 + np.triu(np.full((T, T), -1e9), 1))
    (exps / exps.sum(axis=1, keepdims=True) @ x).backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
