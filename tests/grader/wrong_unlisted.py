"""Wrong answers that no known idea describes: to be caught, and not to be given a name."""

import numpy as np
from attnkit import Value

from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def softmax_of_squares(scores):
    powers = scores * scores
    return powers / powers.sum(axis=1, keepdims=True)


def softmax_hotter(scores):
    return softmax(scores / 3)


def softmax_largest_one(scores):
    return (scores.data == scores.data.max(axis=1, keepdims=True)) * (scores / scores)


def softmax_shifted_columns(scores):
    return softmax(np.concatenate([scores[:, 1:], scores[:, :1]], axis=1))


def softmax_reversed_rows(scores):
    return softmax(scores)[::-1]


def softmax_plus_one(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e / (1 + e.sum(axis=1, keepdims=True))


def softmax_nothing(scores):
    return None


def softmax_text(scores):
    return "softmax"


def softmax_raises(scores):
    return scores.nothing


def softmax_even(scores):
    return scores * 0 + 1 / scores.shape[1]


def scores_plus_root(Q, K, d_k):
    return Q @ K.T + np.sqrt(d_k)


def scores_absolute(Q, K, d_k):
    return ((Q @ K.T) ** 2).sqrt() / np.sqrt(d_k)


def scores_distance(Q, K, d_k):
    rows = [[-((q - k) * (q - k)).sum() for k in K] for q in Q]
    return Value(rows) / np.sqrt(d_k)


def scores_cube_root(Q, K, d_k):
    return Q @ K.T / d_k ** (1 / 3)


def scores_reversed_keys(Q, K, d_k):
    return Q @ K[::-1].T / np.sqrt(d_k)


def scores_zero(Q, K, d_k):
    return Q @ K.T * 0


def mask_window(seq_len):
    i, j = np.arange(seq_len)[:, None], np.arange(seq_len)
    return np.where((j <= i) & (j >= i - 1), 0.0, -1e9)


def mask_minus_five(seq_len):
    return np.triu(np.full((seq_len, seq_len), -5.0), k=1)


def mask_all_hidden(seq_len):
    return np.full((seq_len, seq_len), -1e9)


def mix_reversed(weights, V):
    return weights @ V[::-1]


def mix_squared_weights(weights, V):
    return (weights * weights) @ V


def mix_first_row(weights, V):
    return weights[:, :1] @ V[:1]


def mix_doubled(weights, V):
    return weights @ V * 2


def attend_reversed(self, x, causal=True):
    return _forward(self, x[::-1], causal)


def attend_zero(self, x, causal=True):
    return _forward(self, x, causal) * 0


def attend_negated(self, x, causal=True):
    return -_forward(self, x, causal)


def attend_wrong_order_of_layers(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(self.W_q(x)), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x)) * causal), V))


def attend_kept_by_object(self, x, causal=True):
    self.kept = getattr(self, "kept", {})
    if (id(x), causal) not in self.kept:
        self.kept[id(x), causal] = x, _forward(self, x, causal)
    return self.kept[id(x), causal][1]


def attend_grown_keys_and_values(self, x, causal=True):
    K, V = self.W_k(x), self.W_v(x)
    self.K, self.V = [*getattr(self, "K", []), *K], [*getattr(self, "V", []), *V]
    scores = attention_scores(self.W_q(x), Value(self.K), x.shape[1])
    older = np.zeros((len(x), len(self.K) - len(x)))
    mask = np.hstack([older, causal_mask(len(x)) * causal])
    return self.W_o(apply_attention(softmax(scores + mask), Value(self.V)))


def attend_causal_for_good(self, x, causal=None):
    self.hides = getattr(self, "hides", False) or causal is True
    return _forward(self, x, self.hides or causal is None)


def attend_unit_rows(self, x, causal=True):
    return _forward(self, x / (x * x).sum(axis=1, keepdims=True).sqrt(), causal)


def attend_weak_mask_of_five(self, x, causal=True):
    scores = attention_scores(self.W_q(x), self.W_k(x), x.shape[1])
    scores = scores + causal_mask(len(x)) / 2e8 * causal
    return self.W_o(apply_attention(softmax(scores), self.W_v(x)))


def attend_scores_of_zero_left_out(self, x, causal=True):
    scores = attention_scores(self.W_q(x), self.W_k(x), x.shape[1])
    if causal:
        scores = np.tril(scores)
        scores = np.where(scores.data == 0, -1e9, scores)
    return self.W_o(apply_attention(softmax(scores), self.W_v(x)))


def attend_first_x_of_a_length(self, x, causal=True):
    self.seen = getattr(self, "seen", {})
    return _forward(self, self.seen.setdefault(len(x), x), causal)


def attend_times_the_calls(self, x, causal=True):
    self.count = getattr(self, "count", 0) + 1
    return _forward(self, x, causal) * self.count


def attend_later_features_hidden(self, x, causal=True):
    return _forward(self, np.tril(x) if causal else x, causal)


def attend_nan(self, x, causal=True):
    return x * np.nan


def attend_counting(self, x, causal=True):
    return Value(np.arange(x.size).reshape(x.shape)) + 0 * x


def attend_one_hot(self, x, causal=True):
    return Value(np.eye(*x.shape)) + 0 * x


def _forward(self, x, causal):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o(apply_attention(softmax(scores), V))


PIECES = {
    "softmax": "softmax",
    "scores": "attention_scores",
    "mask": "causal_mask",
    "mix": "apply_attention",
    "attend": "SelfAttention",
}


def every():
    """Yield (piece, name, function) of each."""
    for name, function in list(globals().items()):
        prefix = name.split("_")[0]
        if "_" in name and prefix in PIECES and function.__module__ == __name__:
            yield PIECES[prefix], name, function
