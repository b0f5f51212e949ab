"""Linear and Adam."""

from math import sqrt

import numpy as np
import pytest
from attnkit import Adam, Linear, Value


def test_linear_is_x_times_w():
    layer = Linear(2, 3, rng=0)
    layer.W = Value([[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(layer(Value([[1, 0], [0, 10]])).data, [[1, 2, 3], [40, 50, 60]])


def test_linear_with_bias_adds_it_to_each_row():
    layer = Linear(2, 3, bias=True, rng=0)
    np.testing.assert_array_equal(layer.b.data, [0, 0, 0])
    layer.W, layer.b = Value(np.zeros((2, 3))), Value([1, 2, 3])
    np.testing.assert_array_equal(layer(np.ones((2, 2))).data, [[1, 2, 3], [1, 2, 3]])


def test_linear_passes_gradients_to_x_and_its_parameters():
    layer, x = Linear(2, 3, bias=True, rng=0), Value([[1, 2], [3, 4], [5, 6], [7, 8]])
    upstream = np.arange(12.0).reshape(4, 3)
    layer(x).backward(upstream)
    for t in range(4):
        for i in range(2):
            wanted = sum(upstream[t, j] * layer.W.data[i, j] for j in range(3))
            assert x.grad[t, i] == pytest.approx(wanted)
    np.testing.assert_allclose(layer.b.grad, [18, 22, 26])
    np.testing.assert_allclose(
        layer.W.grad[1], [0 + 12 + 36 + 72, 2 + 16 + 42 + 80, 4 + 20 + 48 + 88]
    )


def test_linear_lists_its_learnables():
    plain, biased = Linear(2, 3), Linear(2, 3, bias=True)
    assert [p.shape for p in plain.parameters()] == [(2, 3)]
    assert [p.shape for p in biased.parameters()] == [(2, 3), (3,)]
    plain.W = Value(np.ones((2, 3)))
    assert plain.parameters()[0] is plain.W


def test_linear_repeats_with_a_seed_and_differs_without():
    first, again = Linear(4, 4, rng=7), Linear(4, 4, rng=np.random.default_rng(7))
    np.testing.assert_array_equal(first.W.data, again.W.data)
    assert (Linear(4, 4).W.data != Linear(4, 4).W.data).all()


def test_linear_keeps_the_size_of_what_goes_through():
    W = Linear(400, 400, rng=0).W.data
    assert abs(W.mean()) < 0.001
    assert W.std() * sqrt(400) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("shape", [(3, 5), (4, 3), (5,), ()])
def test_linear_refuses_x_of_another_width(shape):
    with pytest.raises(ValueError, match=r"Linear\(4, 2\) got x of shape .*, wanted \(T, 4\)"):
        Linear(4, 2)(Value(np.ones(shape)))


def test_adam_first_step_has_the_length_of_lr():
    p = Value([1.0, 2.0, 3.0])
    p.grad = np.array([1e-3, -50.0, 0.0])
    Adam([p], lr=0.1).step()
    np.testing.assert_allclose(p.data, [0.9, 2.1, 3.0], atol=2e-6)


def test_adam_second_step_by_hand():
    p = Value(0.0)
    adam = Adam([p], lr=0.5)
    p.grad = np.array(1.0)
    adam.step()
    first = -0.5 * 1 / (1 + 1e-8)
    assert p.data == pytest.approx(first, rel=1e-14)
    p.grad = np.array(-2.0)
    adam.step()
    m = 0.9 * 0.1 - 0.1 * 2
    v = 0.999 * 0.001 + 0.001 * 4
    second = -0.5 * (m / 0.19) / (sqrt(v / 0.001999) + 1e-8)
    assert p.data == pytest.approx(first + second, rel=1e-12)


def test_adam_finds_the_lowest_point():
    target, p = np.array([3.0, -1.0]), Value([0.0, 0.0])
    adam = Adam([p], lr=0.1)
    for _ in range(500):
        ((p - target) ** 2).sum().backward()
        adam.step()
    np.testing.assert_allclose(p.data, target, atol=1e-3)


def test_adam_gives_new_data_and_leaves_the_old_alone():
    p = Value([1.0])
    before = p.data
    y = p * p
    y.backward()
    Adam([p]).step()
    assert before == 1.0
    assert p.data != before
    y.backward()
    assert p.grad == 2.0


def test_adam_without_a_gradient_says_which_parameter():
    reached, missed = Value([1.0]), Value(np.ones((2, 3)))
    reached.sum().backward()
    with pytest.raises(ValueError, match=r"no gradient for parameter 1 of shape \(2, 3\).*cut"):
        Adam([reached, missed]).step()
