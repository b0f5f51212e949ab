"""Wrong forward, written in other ways."""

import math

import numpy as np
from attnkit import Value

from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def _right(self, Q, K, V, hidden):
    scores = attention_scores(Q, K, Q.shape[1])
    if hidden:
        scores = scores + causal_mask(len(Q))
    return self.W_o(apply_attention(softmax(scores), V))


def _layers(self, x):
    return self.W_q(x), self.W_k(x), self.W_v(x)


def attend_always_causal_again(self, x, causal=True):
    return _right(self, *_layers(self, x), True)


def attend_never_causal_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores + causal_mask(len(x))
    return self.W_o(apply_attention(softmax(scores), V))


def attend_inverted_flag_again(self, x, causal=True):
    return _right(self, *_layers(self, x), not causal)


def attend_default_false_again(self, x, causal=None):
    return _right(self, *_layers(self, x), causal)


def attend_mask_added_late_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    mask = causal_mask(len(x)) if causal else 0
    return self.W_o(apply_attention(softmax(attention_scores(Q, K, Q.shape[1])) + mask, V))


def attend_masked_late_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    weights = softmax(attention_scores(Q, K, Q.shape[1]))
    if causal:
        weights = weights * (causal_mask(len(x)) == 0)
    return self.W_o(apply_attention(weights, V))


def attend_masked_late_and_divided_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    weights = softmax(attention_scores(Q, K, Q.shape[1]))
    if causal:
        rows = [np.where(np.arange(len(x)) <= i, weights[i], 0) for i in range(len(x))]
        weights = Value([row / row.sum() for row in rows])
    return self.W_o(apply_attention(weights, V))


def attend_mask_multiplied_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    mask = causal_mask(len(x)) if causal else 1
    return self.W_o(apply_attention(softmax(mask * attention_scores(Q, K, Q.shape[1])), V))


def attend_mask_subtracted_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + -causal_mask(len(x))
    return self.W_o(apply_attention(softmax(scores), V))


def attend_mask_transposed_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = (scores.T + causal_mask(len(x))).T
    return self.W_o(apply_attention(softmax(scores), V))


def attend_mask_of_width_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    scores = scores + causal_mask(Q.shape[-1]) if causal else scores
    return self.W_o(apply_attention(softmax(scores), V))


def attend_three_tokens_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    T = 3
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = causal_mask(T) + scores
    return self.W_o(apply_attention(softmax(scores), V))


def attend_without_output_layer_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    output = softmax(scores + causal_mask(len(x)) if causal else scores) @ V
    return output


def attend_output_layer_twice_again(self, x, causal=True):
    return self.W_o(_right(self, *_layers(self, x), causal))


def attend_key_from_query_layer_again(self, x, causal=True):
    Q = K = self.W_q(x)
    return _right(self, Q, K, self.W_v(x), causal)


def attend_query_from_key_layer_again(self, x, causal=True):
    return _right(self, self.W_k(x), self.W_k(x), self.W_v(x), causal)


def attend_value_from_key_layer_again(self, x, causal=True):
    K = V = self.W_k(x)
    return _right(self, self.W_q(x), K, V, causal)


def attend_queries_for_values_again(self, x, causal=True):
    Q = self.W_q(x)
    return _right(self, Q, self.W_k(x), Q, causal)


def attend_x_for_values_again(self, x, causal=True):
    return _right(self, self.W_q(x), self.W_k(x), x, causal)


def attend_x_for_queries_and_keys_again(self, x, causal=True):
    return _right(self, x, x, self.W_v(x), causal)


def attend_swapped_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    return _right(self, K, Q, V, causal)


def attend_softmax_twice_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    weights = softmax(scores + causal_mask(len(x)) if causal else scores)
    return self.W_o(apply_attention(softmax(weights), V))


def attend_without_softmax_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o(scores @ V)


def attend_transposed_weights_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    weights = softmax(scores + causal_mask(len(x)) if causal else scores)
    return self.W_o(np.einsum("ji,jd->id", weights, V))


def attend_length_for_d_k_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, K.shape[0])
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_root_for_d_k_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Q @ K.T / np.sqrt(np.sqrt(x.shape[1]))
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_scaled_twice_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    return _right(self, Q / np.sqrt(x.shape[1]), K, V, causal)


def attend_without_scale_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Q @ K.T
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_with_residual_again(self, x, causal=True):
    return _right(self, *_layers(self, x), causal) + x


def attend_last_token_only_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    weights = softmax(attention_scores(Q[-1:], K, Q.shape[1]))
    return self.W_o(apply_attention(weights, V))


def attend_returns_list_again(self, x, causal=True):
    output = _right(self, *_layers(self, x), causal)
    return [output, softmax(output)]


def attend_returns_pair_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    weights = softmax(attention_scores(Q, K, Q.shape[1]) + (causal_mask(len(x)) if causal else 0))
    return (self.W_o(weights @ V), weights)


def attend_keeps_mask_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    if not hasattr(self, "kept"):
        self.kept = causal_mask(len(x))
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + self.kept
    return self.W_o(apply_attention(softmax(scores), V))


def attend_cut_at_x_again(self, x, causal=True):
    return _right(self, *_layers(self, x.data), causal)


def attend_cut_at_Q_again(self, x, causal=True):
    return _right(self, Value(x.data @ self.W_q.W.data), self.W_k(x), self.W_v(x), causal)


def attend_cut_at_K_again(self, x, causal=True):
    return _right(self, self.W_q(x), Value(x.data @ self.W_k.W.data), self.W_v(x), causal)


def attend_cut_at_V_again(self, x, causal=True):
    return _right(self, self.W_q(x), self.W_k(x), Value(x.data @ self.W_v.W.data), causal)


def attend_cut_at_weights_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Q.data @ K.data.T / np.sqrt(Q.shape[1])
    scores = Value(scores + causal_mask(len(x)) * causal)
    return self.W_o(apply_attention(softmax(scores), V))


def attend_cut_at_attended_again(self, x, causal=True):
    Q, K, V = (Value(one.data) for one in _layers(self, x))
    return _right(self, Q, K, V, causal)


def attend_rewrapped_again(self, x, causal=True):
    return Value(_right(self, *_layers(self, x), causal).data.tolist())


def attend_returns_array_again(self, x, causal=True):
    return np.array(_right(self, *_layers(self, x), causal).data)


def attend_changes_x_again(self, x, causal=True):
    output = _right(self, *_layers(self, x), causal)
    x.data = x.data + output.data
    return output


def attend_later_scores_zero_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    return self.W_o(apply_attention(softmax(scores * np.tri(len(x)) if causal else scores), V))


def attend_mask_too_weak_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x)) / 1e5
    return self.W_o(apply_attention(softmax(scores), V))


def attend_mask_set_too_weak_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    rows = attention_scores(Q, K, Q.shape[1])
    if causal:
        rows = Value([[s if j <= i else -50 for j, s in enumerate(r)] for i, r in enumerate(rows)])
    return self.W_o(apply_attention(softmax(rows), V))


def attend_maximum_of_all_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1]) + (causal_mask(len(x)) if causal else 0)
    exps = (scores - scores.max()).exp()
    return self.W_o(exps @ V / exps.sum(axis=1, keepdims=True))


def attend_one_future_leaks_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        i = np.arange(len(x))
        scores = np.where(i > i[:, None] + 1, -1e9, scores)
    return self.W_o(apply_attention(softmax(scores), V))


def attend_diagonal_hidden_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x)) - 1e9 * np.eye(len(x))
    return self.W_o(apply_attention(softmax(scores), V))


def attend_softmax_over_columns_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = attention_scores(Q, K, Q.shape[1]) + (causal_mask(len(x)) if causal else 0)
    exps = np.exp(scores - scores.max(axis=0, keepdims=True))
    return self.W_o(exps / exps.sum(axis=0, keepdims=True) @ V)


def attend_products_of_one_row_kept_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Value([[(q * k).sum()] for q, k in zip(Q, K, strict=True)]) / np.sqrt(Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o(softmax(scores) @ V)


def attend_layers_exchanged_again(self, x, causal=True):
    Q, K, V = x @ self.W_q.W, x @ self.W_k.W, x @ self.W_o.W
    scores = attention_scores(Q, K, Q.shape[1]) + (causal_mask(len(x)) if causal else 0)
    return softmax(scores) @ V @ self.W_v.W


def attend_keys_and_values_exchanged_again(self, x, causal=True):
    Q, V, K = _layers(self, x)
    return _right(self, Q, K, V, causal)


def attend_queries_and_values_exchanged_again(self, x, causal=True):
    V, K, Q = _layers(self, x)
    return _right(self, Q, K, V, causal)


def attend_x_for_queries_again(self, x, causal=True):
    return _right(self, x, *_layers(self, x)[1:], causal)


def attend_2_for_d_k_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Q @ K.T / math.sqrt(2)
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_scaled_twice_again2(self, x, causal=True):
    Q, K, V = _layers(self, x)
    scores = Q @ K.T / Q.shape[1]
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_default_false_again2(self, x, causal=None):
    return _right(self, *_layers(self, x), causal is True)


def attend_keeps_causal_again(self, x, causal=True):
    if not hasattr(self, "mode"):
        self.mode = causal
    return _right(self, *_layers(self, x), self.mode)


def attend_stays_open_again(self, x, causal=True):
    self.open = getattr(self, "open", False) or not causal
    return _right(self, *_layers(self, x), not self.open)


def attend_keeps_open_keys_and_values_again(self, x, causal=True):
    Q, K, V = _layers(self, x)
    if not causal:
        if getattr(self, "K", K[:0]).shape != K.shape:
            self.K, self.V = K, V
        K, V = self.K, self.V
    return _right(self, Q, K, V, causal)


def attend_overwrites_layers_again(self, x, causal=True):
    self.W_q, self.W_k, self.W_v = _layers(self, x)
    return _right(self, self.W_q, self.W_k, self.W_v, causal)


def attend_cut_all_when_open_again(self, x, causal=True):
    output = _right(self, *_layers(self, x), causal)
    return output if causal else Value(list(output.data))
