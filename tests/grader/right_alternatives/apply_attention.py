"""Right ways to write apply_attention."""

import numpy as np
from attnkit import Value


def product(weights, V):
    return weights @ V


def matmul(weights, V):
    return np.matmul(weights, V)


def dot(weights, V):
    return np.dot(weights, V)


def einsum(weights, V):
    return np.einsum("ij,jd->id", weights, V)


def transposed_both_ways(weights, V):
    return (V.T @ weights.T).T


def row_loop(weights, V):
    return np.stack([weights[i] @ V for i in range(len(weights))])


def sum_of_rows(weights, V):
    rows = []
    for i in range(weights.shape[0]):
        total = weights[i, 0] * V[0]
        for j in range(1, V.shape[0]):
            total = total + weights[i, j] * V[j]
        rows.append(total)
    return Value(rows)


def builtin_sum(weights, V):
    T_q, T_k = weights.shape
    return Value([sum(weights[i, j] * V[j] for j in range(T_k)) for i in range(T_q)])


def every_entry(weights, V):
    rows = []
    for i in range(len(weights)):
        rows.append([(weights[i] * V[:, n]).sum() for n in range(V.shape[1])])
    return Value(rows)


def broadcast(weights, V):
    T_q, T_k = weights.shape
    return (weights.reshape(T_q, T_k, 1) * V.reshape(1, T_k, V.shape[1])).sum(axis=1)


def one_row_of_values_at_a_time(weights, V):
    total = 0
    for j in range(len(V)):
        total = total + weights[:, j : j + 1] * V[j]
    return total


def outer_products(weights, V):
    total = weights[:, :1] @ V[:1]
    for j in range(1, len(V)):
        total = total + weights[:, j : j + 1] @ V[j : j + 1]
    return total


def columns(weights, V):
    return np.concatenate([weights @ V[:, n : n + 1] for n in range(V.shape[1])], axis=1)


def recursion_over_keys(weights, V):
    first = weights[:, :1] @ V[:1]
    return first if len(V) == 1 else first + recursion_over_keys(weights[:, 1:], V[1:])


def generator_of_rows(weights, V):
    return Value(list(row @ V for row in weights))  # noqa: C400


def halves(weights, V):
    half = len(V) // 2
    if half == 0:
        return weights @ V
    return weights[:, :half] @ V[:half] + weights[:, half:] @ V[half:]


def from_the_last_key(weights, V):
    total = 0
    for j in reversed(range(len(V))):
        total = weights[:, j : j + 1] * V[j : j + 1] + total
    return total


def own_rule(weights, V):
    return Value.from_rule(
        weights.data @ V.data,
        (weights, lambda g: g @ V.data.T),
        (V, lambda g: weights.data.T @ g),
    )


def einsum_of_the_transpose(weights, V):
    return np.einsum("di,ij->jd", V.T, weights.T)


def stacked_columns(weights, V):
    return np.stack([(weights * V[:, n]).sum(axis=1) for n in range(V.shape[1])], axis=1)
