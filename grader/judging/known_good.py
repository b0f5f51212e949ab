"""Known-good versions of earlier pieces, for a lesson that builds on them: a slip costs once.

They are fused, result and gradient in one rule, or written as sums over named axes, and so are
not the reference's text.
Each stands alone: its source is run in the learner's process beside `np`, `Value` and `Linear`.
"""

from __future__ import annotations

import inspect

import numpy as np
from attnkit import Linear, Value, mine

# What a lesson's own text imports from `attnkit.mine`: it cannot be taught without these.
BUILT_ON = {
    "07_self_attention": ("softmax", "attention_scores", "causal_mask", "apply_attention"),
    "08_cost": ("SelfAttention",),
    "09_clinic": ("softmax", "causal_mask"),
}


def sources(lesson: str) -> dict[str, str]:
    """Return the source of each piece that `attnkit.mine` offers in `lesson`, by name.

    These are the pieces of the lessons before it: never what the lesson itself asks for, and
    nothing that is made of that.
    """
    offered = [name for name, home in mine.LESSONS.items() if home < lesson]
    return {name: inspect.getsource(globals()[name]) for name in offered}


def softmax(scores: Value) -> Value:
    """Return the softmax of each row of `scores`."""
    scores = Value(scores)
    below = scores.data - scores.data.max(axis=-1, keepdims=True)
    p = np.exp(below - np.logaddexp.reduce(below, axis=-1, keepdims=True))
    return Value.from_rule(p, (scores, lambda g: p * (g - (g * p).sum(axis=-1, keepdims=True))))


def attention_scores(Q: Value, K: Value, d_k: float) -> Value:
    """Return the scaled dot product of every query with every key."""
    Q, K, scale = Value(Q), Value(K), float(d_k) ** -0.5
    queries = np.atleast_2d(Q.data)  # a single row is welcome too, here and below
    return Value.from_rule(
        scale * (Q.data @ K.data.swapaxes(-1, -2)),
        (Q, lambda g: scale * g @ K.data),
        (K, lambda g: scale * np.atleast_2d(g).swapaxes(-1, -2) @ queries),
    )


def causal_mask(seq_len: int) -> np.ndarray:
    """Return the mask that hides the future."""
    mask = np.full((seq_len, seq_len), -1e9)
    mask[np.tril_indices(seq_len)] = 0.0
    return mask


def apply_attention(weights: Value, V: Value) -> Value:
    """Return, for each query, the weighted sum of the rows of V."""
    weights, V = Value(weights), Value(V)
    shares = np.atleast_2d(weights.data)
    return Value.from_rule(
        weights.data @ V.data,
        (weights, lambda g: g @ V.data.swapaxes(-1, -2)),
        (V, lambda g: shares.swapaxes(-1, -2) @ np.atleast_2d(g)),
    )


class SelfAttention:
    """One head; its products are sums over named axes, which `attnkit.count` can count."""

    def __init__(self, D: int, rng: np.random.Generator | None = None) -> None:
        rng = np.random.default_rng(0 if rng is None else rng)
        self.W_q, self.W_k, self.W_v, self.W_o = (Linear(D, D, rng=rng) for _ in range(4))

    def forward(self, x: Value, causal: bool = True) -> Value:
        """Return the output for every position of `x`."""
        q, k, v = (layer(x) for layer in (self.W_q, self.W_k, self.W_v))
        products = np.einsum("id,jd->ij", q, k) / float(x.shape[1]) ** 0.5
        shown = np.tri(len(x)) if causal else np.ones((len(x), len(x)))
        s = Value(np.where(shown == 1, products, -1e9))
        parts = np.exp(s - s.data.max(1, keepdims=True))
        return self.W_o(np.einsum("ij,jd->id", parts / parts.sum(1, keepdims=True), v))
