"""Right ways to write forward; each function stands for the method."""

import numpy as np
from attnkit import Value

from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def step_by_step(self, x, causal=True):
    Q = self.W_q(x)
    K = self.W_k(x)
    V = self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        mask = causal_mask(x.shape[0])
        scores = scores + mask
    weights = softmax(scores)
    attended = apply_attention(weights, V)
    return self.W_o(attended)


def mask_first_in_the_sum(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, K.shape[1])
    scores = causal_mask(len(x)) + scores if causal else scores
    return self.W_o(apply_attention(softmax(scores), V))


def mask_or_zero(self, x, causal=True):
    mask = causal_mask(x.shape[0]) if causal else 0.0
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    return self.W_o(apply_attention(softmax(attention_scores(Q, K, x.shape[1]) + mask), V))


def wrapped_mask(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores += Value(causal_mask(len(x)))
    return self.W_o(apply_attention(softmax(scores), V))


def mask_before_scaling(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = Q @ K.T
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o(apply_attention(softmax(scores / np.sqrt(x.shape[1])), V))


def mixes_after_output_layer(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_o(self.W_v(x))
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return apply_attention(softmax(scores), V)


def everything_written_out(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = Q @ K.T / Q.shape[1] ** 0.5
    if causal:
        scores = np.where(np.tri(len(x)) == 1, scores, -1e9)
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return self.W_o(exps / exps.sum(axis=1, keepdims=True) @ V)


def parameters_used_directly(self, x, causal=True):
    Q, K, V = x @ self.W_q.W, x @ self.W_k.W, x @ self.W_v.W
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return apply_attention(softmax(scores), V) @ self.W_o.W


def token_by_token(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    rows = []
    for i in range(len(x)):
        seen = i + 1 if causal else len(x)
        scores = attention_scores(Q[i : i + 1], K[:seen], Q.shape[1])
        rows.append(apply_attention(softmax(scores), V[:seen])[0])
    return self.W_o(Value(rows))


def output_layer_row_by_row(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    attended = apply_attention(softmax(scores), V)
    return np.stack([self.W_o(row) for row in attended])


def keeps_weights_for_a_picture(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    self.weights = softmax(scores)
    self.calls = getattr(self, "calls", 0) + 1
    return self.W_o(apply_attention(self.weights, V))


def early_return(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, d_k=Q.shape[1])
    if not causal:
        return self.W_o(apply_attention(softmax(scores), V))
    return self.W_o(apply_attention(softmax(scores + causal_mask(len(x))), V))


def _mask(T, causal):
    return np.triu(np.full((T, T), -1e9 if causal else 0.0), k=1)


def own_mask_helper(self, x, causal=True):
    Q, K, V = (layer(x) for layer in (self.W_q, self.W_k, self.W_v))
    scores = attention_scores(Q, K, Q.shape[-1]) + _mask(len(x), causal)
    return self.W_o(apply_attention(softmax(scores), V))


def prints_shapes(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    print("Q", Q.shape, "K", K.shape, "V", V.shape)
    return step_by_step(self, x, causal)


def transposed_products(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = (K @ Q.T).T / np.sqrt(Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    return self.W_o((V.T @ softmax(scores).T).T)
