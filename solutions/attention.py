"""Scaled dot-product self-attention in five pieces: softmax(Q Kᵀ / sqrt(d_k) + mask) V.

Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
"""

from __future__ import annotations

import numpy as np
from attnkit import Linear, Value

from solutions.contracts import takes


@takes(scores="T_q T_k")
def softmax(scores: Value) -> Value:
    """Return the softmax of each row of `scores`.

    scores: Value (T_q, T_k), one row for each query.
    Returns: Value (T_q, T_k); no entry is negative and each row sums to 1.
    Scores up to ±1e5 do not overflow, and the graph stays whole.

    >>> softmax(Value([[0.0, 0.0, 0.0]])).shape
    (1, 3)
    """
    row_max = scores.data.max(axis=1, keepdims=True)
    exps = np.exp(scores - row_max)
    return exps / exps.sum(axis=1, keepdims=True)


@takes(Q="T_q D", K="T_k D")
def attention_scores(Q: Value, K: Value, d_k: float) -> Value:
    """Return the scaled dot product of every query with every key.

    Q: Value (T_q, D). K: Value (T_k, D). d_k: number, the width to scale by.
    Returns: Value (T_q, T_k); entry [i, j] is Q[i] · K[j] / sqrt(d_k).

    >>> attention_scores(Value(np.ones((2, 4))), Value(np.ones((3, 4))), d_k=4).shape
    (2, 3)
    """
    return Q @ K.T / np.sqrt(d_k)


def causal_mask(seq_len: int) -> np.ndarray:
    """Return the mask that hides the future.

    seq_len: int, T.
    Returns: a new array (T, T); 0.0 where j <= i, -1e9 where j > i.

    >>> causal_mask(3).shape
    (3, 3)
    """
    future = np.triu(np.ones((seq_len, seq_len)), k=1)
    return np.where(future == 1, -1e9, 0.0)


@takes(weights="T_q T_k", V="T_k D_v")
def apply_attention(weights: Value, V: Value) -> Value:
    """Return, for each query, the weighted sum of the rows of V.

    weights: Value (T_q, T_k). V: Value (T_k, D_v).
    Returns: Value (T_q, D_v); row i is the sum over j of weights[i, j] * V[j].

    >>> apply_attention(Value(np.ones((2, 3)) / 3), Value(np.ones((3, 4)))).shape
    (2, 4)
    """
    return weights @ V


class SelfAttention:
    """One head of self-attention over a sequence of width D."""

    def __init__(self, D: int, rng: np.random.Generator | None = None) -> None:
        rng = rng or np.random.default_rng(0)
        self.W_q = Linear(D, D, rng=rng)
        self.W_k = Linear(D, D, rng=rng)
        self.W_v = Linear(D, D, rng=rng)
        self.W_o = Linear(D, D, rng=rng)

    def parameters(self) -> list[Value]:
        """Return the four matrices that training may change."""
        return [layer.W for layer in (self.W_q, self.W_k, self.W_v, self.W_o)]

    @takes(x="T D")
    def forward(self, x: Value, causal: bool = True) -> Value:
        """Return the output of self-attention for every token of `x`.

        x: Value (T, D), any T >= 1.
        causal: True hides the future; False lets every token see all tokens.
        Returns: Value (T, D); row i is W_o(attended[i]).

        >>> SelfAttention(4).forward(Value(np.ones((3, 4)))).shape
        (3, 4)
        """
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = attention_scores(Q, K, d_k=Q.shape[1])
        if causal:
            scores = scores + causal_mask(len(x))
        weights = softmax(scores)
        attended = apply_attention(weights, V)
        return self.W_o(attended)
