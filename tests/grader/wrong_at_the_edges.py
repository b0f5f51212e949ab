"""Wrong answers that are right on ordinary tables: both voices must ask where they are not."""

import numpy as np
import wrong_unlisted
from attnkit import Value

from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def softmax_stable_on_nan(scores):
    e = np.exp(scores)
    weights = e / e.sum(axis=1, keepdims=True)
    return softmax(scores) if np.isnan(weights.data).any() else weights


def softmax_stable_above_700(scores):
    return softmax(scores) if scores.data.max() > 700 else _shares(np.exp(scores))


def softmax_stable_for_several_rows(scores):
    return softmax(scores) if len(scores) > 1 else _shares(np.exp(scores))


def softmax_maximum_of_the_visible(scores):
    seen = np.where(np.tri(*scores.shape) == 1, scores.data, -np.inf)
    return _shares(np.exp(scores - seen.max(axis=1, keepdims=True)))


def softmax_maximum_without_last_column(scores):
    most = scores.data[:, : max(1, scores.shape[1] - 1)].max(axis=1, keepdims=True)
    return _shares(np.exp(scores - most))


def softmax_maximum_of_every_second_column(scores):
    return _shares(np.exp(scores - scores.data[:, ::2].max(axis=1, keepdims=True)))


def softmax_subtracts_median(scores):
    return _shares(np.exp(scores - np.median(scores.data, axis=1, keepdims=True)))


def softmax_subtracts_norm(scores):
    return _shares(np.exp(scores - np.linalg.norm(scores.data, axis=1, keepdims=True)))


def softmax_cut_where_large(scores):
    weights = softmax(scores)
    return Value(weights.data) if np.abs(scores.data).max() > 100 else weights


def softmax_cut_where_square(scores):
    weights = softmax(scores)
    return Value(weights.data) if scores.shape[0] == scores.shape[1] else weights


def softmax_kept_by_sum(scores, kept={}):  # noqa: B006
    key = scores.shape, round(float(scores.data.sum()), 6)
    return kept.setdefault(key, softmax(scores))


def softmax_kept_by_numbers(scores, kept={}):  # noqa: B006
    return kept.setdefault((scores.shape, scores.data.tobytes()), softmax(scores))


def softmax_drops_below_a_millionth(scores):
    weights = softmax(scores)
    return np.where(weights.data < 1e-6, 0.0, weights)


def softmax_rounds_scores(scores):
    return softmax(scores + (np.round(scores.data, 2) - scores.data))


def softmax_limits_scores(scores):
    return softmax(np.minimum(np.maximum(scores, -50.0), 50.0))


def softmax_of_unique_scores(scores):
    rows = []
    for row in scores:
        total = sum(np.exp(Value(one) - row.data.max()) for one in set(row.data.tolist()))
        rows.append(np.exp(row - row.data.max()) / total)
    return Value(rows)


def softmax_shares_largest_alone(scores):
    largest = scores.data == scores.data.max(axis=1, keepdims=True)
    many = largest.sum(axis=1, keepdims=True) > 1
    return np.where(
        many, largest / largest.sum(axis=1, keepdims=True) + 0 * scores, softmax(scores)
    )


def softmax_in_single_precision(scores):
    e = np.exp((scores.data - scores.data.max(axis=1, keepdims=True)).astype(np.float32))
    return Value(e / e.sum(axis=1, keepdims=True))


def softmax_array_of_naive_exp(scores):
    return np.exp(scores.data) / np.exp(scores.data).sum(axis=1, keepdims=True)


def _shares(exps):
    return exps / exps.sum(axis=1, keepdims=True)


def scores_limited(Q, K, d_k):
    return np.minimum(np.maximum(attention_scores(Q, K, d_k), -100.0), 100.0)


def scores_equal_products_once(Q, K, d_k):
    def score(q, k):
        products = [q[n] * k[n] for n in range(len(q))]
        return sum({float(one.data): one for one in products}.values())

    return Value([[score(q, k) for k in K] for q in Q]) / np.sqrt(d_k)


def scores_kept_by_first_query(Q, K, d_k, kept={}):  # noqa: B006
    key = Q.shape, K.shape, d_k, round(float(np.abs(Q.data).sum()), 9)
    return kept.setdefault(key, attention_scores(Q, K, d_k))


def scores_kept_by_numbers(Q, K, d_k, kept={}):  # noqa: B006
    key = Q.shape, K.shape, d_k, Q.data.tobytes(), K.data.tobytes()
    return kept.setdefault(key, attention_scores(Q, K, d_k))


def scores_scaled_by_smaller(Q, K, d_k):
    return Q @ K.T / np.sqrt(min(d_k, Q.shape[1]))


def scores_scaled_by_larger(Q, K, d_k):
    return Q @ K.T / np.sqrt(max(d_k, Q.shape[1]))


def scores_mirrored(Q, K, d_k):
    scores = attention_scores(Q, K, d_k)
    if scores.shape[0] != scores.shape[1]:
        return scores
    return np.triu(scores) + np.triu(scores, 1).T


def scores_cut_for_one_key(Q, K, d_k):
    scores = attention_scores(Q, K, d_k)
    return Value(scores.data) if len(K) == 1 else scores


def mask_tuple_of_rows(seq_len):
    return tuple(causal_mask(seq_len))


def mask_list_of_arrays(seq_len):
    return list(causal_mask(seq_len))


def mask_of_objects(seq_len):
    return causal_mask(seq_len).astype(object)


def mask_of_complex_numbers(seq_len):
    return causal_mask(seq_len).astype(complex)


def mask_of_text(seq_len):
    return causal_mask(seq_len).astype(str)


def mask_matrix(seq_len):
    return np.matrix(causal_mask(seq_len))


def mask_right_up_to_four(seq_len):
    return causal_mask(seq_len) if seq_len <= 4 else np.zeros((seq_len, seq_len))


def mask_wide_window(seq_len):
    return np.where(np.tri(seq_len, k=-5) == 1, -1e9, causal_mask(seq_len))


def mask_one_less(seq_len):
    return causal_mask(seq_len) / 1e9 * 999_999_999


def mask_nearly(seq_len):
    return causal_mask(seq_len) * (1 + 1e-12)


def mask_first_column_open(seq_len):
    mask = causal_mask(seq_len)
    mask[:, -1] = 0
    return mask


def mix_skips_below_a_thousandth(weights, V):
    return np.where(weights.data < 1e-3, 0.0, weights) @ V


def mix_skips_below_a_billionth(weights, V):
    return np.where(weights.data < 1e-9, 0.0, weights) @ V


def mix_largest_eight(weights, V):
    ranks = (-weights.data).argsort(axis=1, kind="stable").argsort(axis=1)
    return np.where(ranks < 8, weights, 0.0) @ V


def mix_equal_rows_once(weights, V):
    firsts = {tuple(row): j for j, row in reversed(list(enumerate(V.data.tolist())))}
    places = sorted(firsts.values())
    return weights[:, places] @ V[places]


def mix_rounds_weights(weights, V):
    return (weights + (np.round(weights.data, 3) - weights.data)) @ V


def mix_kept_by_weights(weights, V, kept={}):  # noqa: B006
    return kept.setdefault((weights.data.tobytes(), V.shape), apply_attention(weights, V))


def mix_kept_by_numbers(weights, V, kept={}):  # noqa: B006
    key = weights.shape, weights.data.tobytes(), V.data.tobytes()
    return kept.setdefault(key, apply_attention(weights, V))


def mix_cut_where_square(weights, V):
    attended = apply_attention(weights, V)
    return Value(attended.data) if weights.shape == V.shape else attended


def mix_nothing_below_zero(weights, V):
    return np.maximum(weights @ V, 0.0)


def mix_nan_everywhere(weights, V):
    return weights @ V * np.nan


def attend_typed_width(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, 2)
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_remembers_causal(self, x, causal=True):
    self.causal = getattr(self, "causal", causal)
    return _head(self, x, self.causal)


def attend_weak_mask(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = np.where(np.tri(len(x)) == 1, scores, -50.0)
    return self.W_o(apply_attention(softmax(scores), V))


def _head(self, x, causal):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o(apply_attention(softmax(scores), V))


def every():
    """Yield (piece, name, function) of each."""
    for name, function in list(globals().items()):
        prefix = name.split("_")[0]
        if "_" in name and prefix in wrong_unlisted.PIECES and function.__module__ == __name__:
            yield wrong_unlisted.PIECES[prefix], name, function
