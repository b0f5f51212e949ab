"""Are the answers of lesson 07 right: run where they can be run, else against exact fractions?"""

import contextlib
import io

import numpy as np
import pytest
from attnkit import Value, checks
from attnkit.examples import OUTPUT, PARAMETERS, K, Q, V

from solutions import attention, by_hand
from solutions.by_hand import attend_by_loop, two_heads

ATTENDED = {True: [[3, 4], [4, 3], [3, 2]], False: [[3, 9 / 4], [9 / 4, 3], [3, 2]]}


@pytest.mark.parametrize("causal", [True, False])
def test_the_loop_gives_the_worked_example(causal):
    np.testing.assert_allclose(attend_by_loop(Q, K, V, causal), ATTENDED[causal], rtol=1e-12)
    if causal:
        np.testing.assert_allclose(attend_by_loop(Q, K, V) @ PARAMETERS["W_o"], OUTPUT)


def test_the_loop_never_touches_what_comes_later():
    hidden = K.copy(), V.copy()
    for table in hidden:
        table[2] = np.nan
    np.testing.assert_allclose(attend_by_loop(Q, *hidden)[:2], ATTENDED[True][:2])


def test_fragments_are_the_four_functions():
    """Fed with indices, each function gives its fragment and no other does."""
    one = Value([[2.0, 3.0]])
    given = {
        "A": lambda piece: piece(one, Value([[5.0], [7.0]])).data.tolist() == [[31.0]],
        "B": lambda piece: piece(one, Value([[5.0, 7.0]]), 4).data.tolist() == [[15.5]],
        "C": lambda piece: piece(2).tolist() == [[0.0, -1e9], [0.0, 0.0]],
        "D": lambda piece: np.allclose(piece(Value([[0.0, np.log(3)]])).data, [[0.25, 0.75]]),
    }
    answer = by_hand.fragments()
    assert sorted(answer) == sorted(given)
    assert all(fits(getattr(attention, answer[letter])) for letter, fits in given.items())


def test_all_shapes_are_those_of_arrays():
    x, W = np.ones((5, 4)), np.ones((4, 4))
    q, k, v = x @ W, x @ W, x @ W
    scores = q @ k.T
    mask = np.triu(scores)
    weights = scores + mask
    attended = weights @ v
    arrays = [W, q, k.T, scores, mask, weights, v, attended, attended @ W]
    assert by_hand.all_shapes() == [array.shape for array in arrays]


def raises(line):
    with contextlib.suppress(ValueError):
        line()
        return False
    return True


@pytest.mark.parametrize(("place", "T", "D"), [(0, 5, 4), (1, 4, 4)])
def test_lines_that_raise_do_and_the_others_run(place, T, D):
    q = k = v = x = np.ones((T, D))
    scores = weights = np.ones((T, T))
    lines = {
        "A": lambda: q @ k,
        "B": lambda: q.T @ k,
        "C": lambda: scores + attention.causal_mask(x.shape[1]),
        "D": lambda: weights.T @ v,
    }
    found = [letter for letter, line in lines.items() if raises(line)]
    assert by_hand.lines_that_raise()[place] == found


class LateMask(attention.SelfAttention):
    def forward(self, x, causal=True):
        weights = attention.softmax(attention.attention_scores(self.W_q(x), self.W_k(x), 4))
        return self.W_o(attention.apply_attention(weights + attention.causal_mask(5), self.W_v(x)))


def over_all(scores):
    exps = np.exp(scores)
    return exps / exps.sum()


BUGS = {
    1: {"softmax": over_all},
    2: {"SelfAttention": LateMask},
    3: {"attention_scores": lambda Q, K, d_k: Q @ K.T},
    4: {"softmax": lambda scores: Value(attention.softmax(scores).data)},
    5: {"attention_scores": lambda Q, K, d_k: Q @ K / np.sqrt(d_k)},
}
PIECES = ["softmax", "attention_scores", "causal_mask", "apply_attention", "SelfAttention"]


def test_bugs_behind_ticks_leave_five_lines_green():
    right, hiding = {name: getattr(attention, name) for name in PIECES}, []
    for number, bug in BUGS.items():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            checks.checklist(**(right | bug))
        if out.getvalue().count("✓") == 5:
            hiding.append(number)
    assert by_hand.bugs_behind_ticks() == hiding


def layers_and_x(T=5, D=6):
    rng = np.random.default_rng(3)
    return attention.SelfAttention(D, rng), rng.normal(size=(T, D))


@pytest.mark.parametrize("causal", [True, False])
def test_two_heads_equal_two_loops(causal):
    layers, x = layers_and_x()
    q, k, v = (x @ layer.W.data for layer in (layers.W_q, layers.W_k, layers.W_v))
    halves = [attend_by_loop(q[:, c], k[:, c], v[:, c], causal) for c in (slice(0, 3), slice(3, 6))]
    wanted = np.hstack(halves) @ layers.W_o.W.data
    np.testing.assert_allclose(two_heads(layers, Value(x), causal).data, wanted, rtol=1e-12)


def test_two_heads_keep_the_graph_whole():
    layers, x = layers_and_x(T=3, D=2)
    source, upstream = Value(x), np.arange(6.0).reshape(3, 2)
    two_heads(layers, source).backward(upstream)
    for place in np.ndindex(x.shape):
        ends = []
        for step in (1e-6, -1e-6):
            nudged = x.copy()
            nudged[place] += step
            ends.append((two_heads(layers, Value(nudged)).data * upstream).sum())
        assert source.grad[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-7)
    assert all(p.grad is not None for p in layers.parameters())
