"""Wrong attention_scores, written in other ways."""

import math

import numpy as np
from attnkit import Value


def _loop(Q, K, scale):
    return Value([[(q * k).sum() * scale for k in K] for q in Q])


def scores_without_scale_again(Q, K, d_k):
    return _loop(Q, K, 1.0)


def scores_without_scale_again2(Q, K, d_k):
    return np.einsum("id,jd->ij", Q, K)


def scores_scaled_by_d_k_again(Q, K, d_k):
    return (Q / np.sqrt(d_k)) @ (K / np.sqrt(d_k)).T


def scores_multiplied_by_root_again(Q, K, d_k):
    return _loop(Q, K, d_k**0.5)


def scores_scaled_by_length_again(Q, K, d_k):
    return np.matmul(Q, K.T) * (1 / K.shape[0])


def scores_scaled_by_root_of_length_again(Q, K, d_k):
    return _loop(Q, K, K.shape[0] ** -0.5)


def scores_integer_root_again(Q, K, d_k):
    return Q @ K.T / int(np.sqrt(d_k))


def scores_typed_scale_again(Q, K, d_k):
    return _loop(Q, K, 1 / 1.4142135623730951)


def scores_ignore_d_k_again(Q, K, d_k):
    return _loop(Q, K, 1 / math.sqrt(len(Q[0])))


def scores_ignore_d_k_again2(Q, K, d_k):
    return Q @ K.T * K.shape[-1] ** -0.5


def scores_swapped_again(Q, K, d_k):
    return (Q @ K.T).T / np.sqrt(d_k)


def scores_swapped_again2(Q, K, d_k):
    return _loop(K, Q, d_k**-0.5)


def scores_without_transpose_again(Q, K, d_k):
    return np.matmul(Q / math.sqrt(d_k), K)


def scores_transposed_query_again(Q, K, d_k):
    return np.transpose(Q) @ K * d_k**-0.5


def scores_reshaped_keys_again(Q, K, d_k):
    T_k, D = K.shape
    return np.matmul(Q, np.reshape(K, (D, T_k))) / d_k**0.5


def scores_elementwise_again(Q, K, d_k):
    return Value([q * k for q, k in zip(Q, K, strict=True)]) / math.sqrt(d_k)


def scores_own_key_only_again(Q, K, d_k):
    return Value([[(Q[i] * K[i]).sum()] for i in range(len(Q))]) / math.sqrt(d_k)


def scores_mean_product_again(Q, K, d_k):
    return Value([[(q * k).mean() for k in K] for q in Q]) / math.sqrt(d_k)


def _unit(rows):
    return Value([row / (row @ row).sqrt() for row in rows])


def scores_cosine_again(Q, K, d_k):
    return _unit(Q) @ _unit(K).T / d_k**0.5


def _softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def scores_after_softmax_again(Q, K, d_k):
    return _softmax(_loop(Q, K, d_k**-0.5))


def scores_scaled_after_softmax_again(Q, K, d_k):
    return _softmax(Q @ K.T) * d_k**-0.5


def scores_with_mask_again(Q, K, d_k):
    i, j = np.arange(len(Q))[:, None], np.arange(len(K))
    return _loop(Q, K, d_k**-0.5) + np.where(j > i, -1e9, 0.0)


def scores_cut_at_query_again(Q, K, d_k):
    return Value(Q.data / np.sqrt(d_k)) @ K.T


def scores_cut_at_key_again(Q, K, d_k):
    keys = Value(np.transpose(K.data))
    return Q @ keys / np.sqrt(d_k)


def scores_rewrapped_again(Q, K, d_k):
    return Value((Q @ K.T).data / np.sqrt(d_k))


def scores_return_array_again(Q, K, d_k):
    result = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            result[i, j] = Q.data[i] @ K.data[j] / math.sqrt(d_k)
    return result


def scores_change_query_again(Q, K, d_k):
    Q.data = Q.data / math.sqrt(d_k)
    return np.matmul(Q, K.T)


def scores_count_queries_twice_again(Q, K, d_k):
    T = Q.shape[0]
    rows = []
    for i in range(T):
        row = []
        for j in range(T):
            row.append((Q[i] * K[j]).sum() / math.sqrt(d_k))
        rows.append(row)
    return Value(rows)


def scores_two_columns_again(Q, K, d_k):
    rows = [[q[0] * k[0] + q[1] * k[1] for k in K] for q in Q]
    return Value(rows) / np.sqrt(d_k)


def scores_squeeze_one_query_again(Q, K, d_k):
    scores = _loop(Q, K, d_k**-0.5)
    return scores.reshape(len(K)) if len(Q) == 1 else scores
