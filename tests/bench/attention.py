"""What autograd costs: one SelfAttention, forward and backward, beside plain NumPy.

Run `python tests/bench/attention.py`.
The plain side does the same operations in the same order with gradients written by hand.
The two sides take turns in one run, so that a busy machine slows both.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

import numpy as np
from attnkit import Value

from solutions.attention import SelfAttention, causal_mask

Arrays = tuple[np.ndarray, ...]


def with_values(attention: SelfAttention, x: np.ndarray, upstream: np.ndarray) -> Arrays:
    """Return output and gradients (x, W_q, W_k, W_v, W_o) from the reference and `backward`."""
    node = Value(x)
    output = attention.forward(node)
    output.backward(upstream)
    return output.data, node.grad, *[parameter.grad for parameter in attention.parameters()]


def by_hand(W: Arrays, x: np.ndarray, upstream: np.ndarray) -> Arrays:
    """Return the same from plain arrays; one line of the backward part for each line above it."""
    W_q, W_k, W_v, W_o = W
    scale = np.sqrt(W_q.shape[1])
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    products = Q @ K.T
    scores = products / scale
    masked = scores + causal_mask(len(x))
    shifted = masked - masked.max(axis=1, keepdims=True)
    exps = np.exp(shifted)
    sums = exps.sum(axis=1, keepdims=True)
    weights = exps / sums
    attended = weights @ V
    output = attended @ W_o

    d_attended, d_W_o = upstream @ W_o.T, attended.T @ upstream
    d_weights, d_V = d_attended @ V.T, weights.T @ d_attended
    d_sums = (weights * (d_weights / -sums)).sum(axis=1, keepdims=True)
    d_exps = d_weights / sums + d_sums
    d_scores = d_exps * exps
    d_products = d_scores / scale
    d_Q, d_K = d_products @ K, d_products.T @ Q
    d_x = d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T
    return output, d_x, x.T @ d_Q, x.T @ d_K, x.T @ d_V, d_W_o


def compare(T: int = 256, D: int = 64, rounds: int = 200) -> tuple[float, float]:
    """Return the median seconds of a round, (with values, by hand); both must agree."""
    rng = np.random.default_rng(0)
    attention = SelfAttention(D, rng=rng)
    W = tuple(parameter.data for parameter in attention.parameters())
    x, upstream = rng.normal(size=(2, T, D))
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        start = perf_counter()
        ours = with_values(attention, x, upstream)
        middle = perf_counter()
        plain = by_hand(W, x, upstream)
        end = perf_counter()
        seconds[0].append(middle - start)
        seconds[1].append(end - middle)
    for one, other in zip(ours, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    return median(seconds[0]), median(seconds[1])


if __name__ == "__main__":
    values, plain = compare()
    print(f"with Value {values * 1e3:.2f} ms, by hand {plain * 1e3:.2f} ms, {values / plain:.2f} x")
