"""Do the visible and the hidden checks agree on heads that keep their layers in other ways?"""

import functools
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from attnkit import Linear, Value
from attnkit import checks as visible

from grader.authoring import matrix
from solutions import attention
from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def mixed(layers, x, causal):
    W_q, W_k, W_v, W_o = layers
    scores = attention_scores(W_q(x), W_k(x), x.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return W_o(apply_attention(softmax(scores), W_v(x)))


class InAList(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(D, rng)
        self.layers = [self.W_q, self.W_k, self.W_v, self.W_o]

    def forward(self, x, causal=True):
        return mixed(self.layers, x, causal)


class InADict(attention.SelfAttention):
    def __init__(self, D, rng=None):
        self.layers = {name: Linear(D, D, rng=rng) for name in "oqkv"}
        self.W_o, self.W_q, self.W_k, self.W_v = self.layers.values()

    def forward(self, x, causal=True):
        return mixed([self.layers[name] for name in "qkvo"], x, causal)


class Properties:
    def __init__(self, D, rng=None):
        self.layers = [Linear(D, D) for _ in range(4)]

    W_q = property(lambda self: self.layers[0])
    W_k = property(lambda self: self.layers[1])
    W_v = property(lambda self: self.layers[2])
    W_o = property(lambda self: self.layers[3])

    def forward(self, x, causal=True):
        return mixed(self.layers, x, causal)


class MadeWhenAskedFor:
    def __init__(self, D, rng=None):
        self.D = D

    W_q = functools.cached_property(lambda self: Linear(self.D, self.D))
    W_k = functools.cached_property(lambda self: Linear(self.D, self.D))
    W_v = functools.cached_property(lambda self: Linear(self.D, self.D))
    W_o = functools.cached_property(lambda self: Linear(self.D, self.D))

    def forward(self, x, causal=True):
        return mixed([self.W_q, self.W_k, self.W_v, self.W_o], x, causal)


class Nested(attention.SelfAttention):
    class Projections:
        def __init__(self, D):
            self.to_q, self.to_k, self.to_v = (Linear(D, D) for _ in range(3))

    def __init__(self, D, rng=None):
        self.into = self.Projections(D)
        self.W_q, self.W_k, self.W_v = self.into.to_q, self.into.to_k, self.into.to_v
        self.W_o = Linear(D, D, bias=True)

    def forward(self, x, causal=True):
        return mixed([self.into.to_q, self.into.to_k, self.into.to_v, self.W_o], x, causal)


class Tables(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(D, rng)
        self.tables = self.parameters()

    def forward(self, x, causal=True):
        return mixed([lambda y, W=W: y @ W for W in self.tables], x, causal)


class Slots:
    __slots__ = ("W_k", "W_o", "W_q", "W_v")

    def __init__(self, D, rng=None):
        for name in self.__slots__:
            setattr(self, name, Linear(D, D))

    def forward(self, x, causal=True):
        return mixed([self.W_q, self.W_k, self.W_v, self.W_o], x, causal)


class OneForThree(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(D, rng)
        self.W_q = self.W_k = self.W_v


class OneTableForTwo(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(D, rng)
        self.W_k.W = self.W_q.W


class Misnamed:
    def __init__(self, D, rng=None):
        self.query, self.key, self.value, self.out = (Linear(D, D) for _ in range(4))

    def forward(self, x, causal=True):
        return mixed([self.query, self.key, self.value, self.out], x, causal)


class WidthTypedIn(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(2, rng)


class TransposedAtTheStart(attention.SelfAttention):
    def __init__(self, D, rng=None):
        super().__init__(D, rng)
        self.turned = self.W_k.W.T

    def forward(self, x, causal=True):
        scores = self.W_q(x) @ (x @ self.turned.T).T / np.sqrt(x.shape[1])
        weights = softmax(scores + causal_mask(len(x)) if causal else scores)
        return self.W_o(weights @ self.W_v(x))


class NewLayersEachTime(attention.SelfAttention):
    @property
    def W_v(self):
        return Linear(*self.W_q.W.shape)

    @W_v.setter
    def W_v(self, layer):
        pass


RIGHT = [InAList, InADict, Properties, MadeWhenAskedFor, Nested, Tables, Slots]
WRONG = [OneForThree, OneTableForTwo, Misnamed, WidthTypedIn, TransposedAtTheStart]


def printed(head):
    with redirect_stdout(StringIO()) as out:
        visible.self_attention(head)
    return out.getvalue()


def caught(head):
    return [name for name in matrix.of("SelfAttention") if matrix.verdict(name, head, "seed")]


@pytest.mark.parametrize("head", RIGHT)
def test_layers_may_be_kept_in_any_way(head):
    assert "✗" not in printed(head)
    assert caught(head) == []


@pytest.mark.parametrize("head", [*WRONG, NewLayersEachTime])
def test_layers_that_are_shared_missing_or_stale_are_caught_in_both_voices(head):
    assert "✗" in printed(head)
    assert caught(head) != []


def test_layers_stay_the_objects_that_they_are():
    head = InAList(2)
    before = list(head.layers)
    matrix.verdict("self_attention_causal", lambda D: head)
    assert all(one is other for one, other in zip(head.layers, before, strict=True))


def test_a_cache_of_the_same_object_shows_after_a_step():
    class Keeps(attention.SelfAttention):
        def forward(self, x, causal=True):
            self.kept = getattr(self, "kept", {})
            key = id(x), causal
            self.kept[key] = self.kept.get(key) or (x, super().forward(x, causal))
            return self.kept[key][1]

    assert "after a step" in printed(Keeps)
    assert caught(Keeps) == ["self_attention_lengths"]


@pytest.mark.parametrize(
    "guess",
    [
        lambda x: x * np.nan,
        lambda x: Value(np.full(x.shape, 0.5)),
        lambda x: Value(np.arange(x.size).reshape(x.shape)),
        lambda x: Value(np.eye(*x.shape)),
        lambda x: x,
        lambda x: Value(x),
    ],
)
def test_where_nothing_is_computed_the_shape_alone_counts(guess):
    head = type(
        "SelfAttention",
        (attention.SelfAttention,),
        {"forward": lambda self, x, causal=True: guess(x)},
    )
    assert set(matrix.of("SelfAttention")) - set(caught(head)) <= {"self_attention_shape"}
