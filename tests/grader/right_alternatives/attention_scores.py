"""Right ways to write attention_scores."""

import math

import numpy as np
from attnkit import Value


def plain(Q, K, d_k):
    return Q @ K.T / np.sqrt(d_k)


def math_sqrt(Q, K, d_k):
    return (Q @ K.T) / math.sqrt(d_k)


def half_power(Q, K, d_k):
    return Q @ K.transpose() * d_k**-0.5


def query_scaled_first(Q, K, d_k):
    return (Q / np.sqrt(d_k)) @ K.T


def both_scaled_by_fourth_root(Q, K, d_k):
    return (Q / d_k**0.25) @ (K / d_k**0.25).T


def matmul_and_swapaxes(Q, K, d_k):
    return np.matmul(Q, K.swapaxes(0, 1)) / np.sqrt(d_k)


def dot_and_np_transpose(Q, K, d_k):
    return np.dot(Q, np.transpose(K)) / np.sqrt(d_k)


def einsum(Q, K, d_k):
    return np.einsum("id,jd->ij", Q, K) / np.sqrt(d_k)


def keys_first_then_transposed(Q, K, d_k):
    return (K @ Q.T).T / np.sqrt(d_k)


def broadcast_product(Q, K, d_k):
    T_q, D = Q.shape
    T_k = K.shape[0]
    return (Q.reshape(T_q, 1, D) * K.reshape(1, T_k, D)).sum(axis=2) / np.sqrt(d_k)


def double_loop(Q, K, d_k):
    rows = []
    for i in range(Q.shape[0]):
        row = []
        for j in range(K.shape[0]):
            row.append((Q[i] * K[j]).sum() / np.sqrt(d_k))
        rows.append(Value(row))
    return Value(rows)


def triple_loop(Q, K, d_k):
    rows = []
    for q in Q:
        row = []
        for k in K:
            total = 0.0
            for d in range(Q.shape[1]):
                total = total + q[d] * k[d]
            row.append(total / math.sqrt(d_k))
        rows.append(row)
    return Value(rows)


def row_loop(Q, K, d_k):
    return np.stack([K @ Q[i] for i in range(len(Q))]) / np.sqrt(d_k)


def columns_concatenated(Q, K, d_k):
    return np.concatenate([Q @ K[j : j + 1].T for j in range(len(K))], axis=1) / np.sqrt(d_k)


def scale_as_value(Q, K, d_k):
    return Q @ K.T / Value(float(d_k)) ** 0.5


def outer_products_added(Q, K, d_k):
    total = 0
    for d in range(Q.shape[1]):
        total = total + Q[:, d : d + 1] @ K[:, d : d + 1].T
    return total / np.sqrt(d_k)


def checks_shapes_first(Q, K, d_k):
    if Q.shape[1] != K.shape[1]:
        raise ValueError("Q and K must have the same width")
    return Q @ K.T / np.sqrt(d_k)


def recursion_over_columns(Q, K, d_k):
    product = Q[:, :1] @ K[:, :1].T / math.sqrt(d_k)
    if Q.shape[1] == 1:
        return product
    return product + recursion_over_columns(Q[:, 1:], K[:, 1:], d_k)


def generator_of_rows(Q, K, d_k):
    return np.stack(list(K @ query * d_k**-0.5 for query in Q))  # noqa: C400


def polarisation(Q, K, d_k):
    both = (Q.reshape(len(Q), 1, Q.shape[1]) + K.reshape(1, len(K), K.shape[1])) ** 2
    squares = both.sum(axis=2) - (Q**2).sum(axis=1, keepdims=True) - (K**2).sum(axis=1)
    return squares / (2 * np.sqrt(d_k))


def exp_of_half_a_logarithm(Q, K, d_k):
    return Q @ K.T * np.exp(-0.5 * np.log(d_k))


def one_column_a_time(Q, K, d_k):
    columns = [Q @ key for key in K]
    return np.stack(columns, axis=1) / np.sqrt(d_k)


def scaled_identity_between(Q, K, d_k):
    return Q @ (np.eye(Q.shape[1]) / np.sqrt(d_k)) @ K.T


def own_rule(Q, K, d_k):
    scale = 1 / math.sqrt(d_k)
    return Value.from_rule(
        Q.data @ K.data.T * scale,
        (Q, lambda g: g @ K.data * scale),
        (K, lambda g: g.T @ Q.data * scale),
    )
