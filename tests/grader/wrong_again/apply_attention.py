"""Wrong apply_attention, written in other ways."""

import numpy as np
from attnkit import Value


def mix_transposed_weights_again(weights, V):
    return np.einsum("ji,jd->id", weights, V)


def mix_transposed_values_again(weights, V):
    return Value([[(w * v).sum() for v in V] for w in weights])


def mix_swapped_again(weights, V):
    return np.matmul(V, weights)


def mix_elementwise_again(weights, V):
    return np.multiply(weights, V)


def mix_mean_again(weights, V):
    T_q, T_k = weights.shape
    return (weights.reshape(T_q, T_k, 1) * V).mean(axis=1)


def mix_uniform_again(weights, V):
    even = np.ones(weights.shape) / weights.shape[1]
    return even @ V


def mix_largest_only_again(weights, V):
    return Value([V[int(np.argmax(row))] for row in weights.data])


def mix_after_second_softmax_again(weights, V):
    e = np.exp(weights - weights.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V


def mix_normalises_again_again(weights, V):
    return (weights @ V) / weights.sum(axis=1, keepdims=True)


def mix_masks_again_again(weights, V):
    return Value([sum(weights[i, j] * V[j] for j in range(i + 1)) for i in range(len(weights))])


def mix_masks_again_again2(weights, V):
    T_q, T_k = weights.shape
    return np.where(np.tri(T_q, T_k) == 1, weights, 0.0) @ V


def mix_row_sums_again(weights, V):
    return Value(
        [sum(weights[i, j] * V[i] for j in range(weights.shape[1])) for i in range(len(weights))]
    )


def mix_never_resets_again(weights, V):
    total, rows = 0.0, []
    for row in weights:
        for j in range(len(row)):
            total = total + V[j] * row[j]
        rows.append(total)
    return np.stack(rows)


def mix_last_term_only_again(weights, V):
    rows = []
    for row in weights:
        for j in range(len(row)):
            total = row[j] * V[j]
        rows.append(total)
    return Value(rows)


def mix_own_row_only_again(weights, V):
    return Value([V[i] * weights[i][i] for i in range(weights.shape[0])])


def mix_cut_at_weights_again(weights, V):
    return Value(weights.data.copy()) @ V


def mix_cut_at_values_again(weights, V):
    rows = [sum(weights[i, j] * V.data[j] for j in range(len(V))) for i in range(len(weights))]
    return Value(rows)


def mix_rewrapped_again(weights, V):
    return Value(np.dot(weights.data, V.data).tolist())


def mix_returns_array_again(weights, V):
    result = np.zeros((len(weights), V.shape[1]))
    for i in range(len(weights)):
        for j in range(len(V)):
            result[i] += weights.data[i, j] * V.data[j]
    return result


def mix_counts_queries_again(weights, V):
    T = weights.shape[0]
    rows = []
    for i in range(T):
        total = 0.0
        for j in range(T):
            total = total + weights[i, j] * V[j]
        rows.append(total)
    return Value(rows)


def mix_three_rows_again(weights, V):
    return Value([row[0] * V[0] + row[1] * V[1] + row[2] * V[2] for row in weights])


def mix_two_columns_again(weights, V):
    return np.concatenate([weights @ V[:, 0:1], weights @ V[:, 1:2]], axis=1)


def mix_squeezes_one_query_again(weights, V):
    attended = [sum(row[j] * V[j] for j in range(len(V))) for row in weights]
    return attended[0] if len(attended) == 1 else Value(attended)
