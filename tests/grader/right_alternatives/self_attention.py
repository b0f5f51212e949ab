"""Right ways to write forward; each function stands for the method."""

import math

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


def one_number_at_a_time(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    T, D = x.shape
    out = []
    for i in range(T):
        n = i + 1 if causal else T
        scores = [sum(Q[i, d] * K[j, d] for d in range(D)) / D**0.5 for j in range(n)]
        highest = max(float(one.data) for one in scores)
        exps = [np.exp(one - highest) for one in scores]
        out.append([sum(exps[j] / sum(exps) * V[j, d] for j in range(n)) for d in range(D)])
    return self.W_o(Value(out))


def einsum_all_the_way(self, x, causal=True):
    Q, K, V = (np.einsum("td,de->te", x, layer.W) for layer in (self.W_q, self.W_k, self.W_v))
    scores = np.einsum("id,jd->ij", Q, K) / math.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.triu(np.ones(scores.shape), 1) > 0, -1e9, scores)
    exps = (scores - scores.max(axis=1, keepdims=True)).exp()
    mixed = np.einsum("ij,jd->id", exps / exps.sum(axis=1, keepdims=True), V)
    return np.einsum("te,ef->tf", mixed, self.W_o.W)


def tables_multiplied_first(self, x, causal=True):
    scores = x @ (self.W_q.W @ self.W_k.W.T) @ x.T / x.shape[1] ** 0.5
    if causal:
        scores = scores + causal_mask(len(x))
    return softmax(scores) @ (x @ (self.W_v.W @ self.W_o.W))


def one_wide_table(self, x, causal=True):
    D = x.shape[1]
    made = x @ np.concatenate([self.W_q.W, self.W_k.W, self.W_v.W], axis=1)
    scores = attention_scores(made[:, :D], made[:, D : 2 * D], D)
    weights = softmax(scores + causal_mask(len(x)) if causal else scores)
    return self.W_o(apply_attention(weights, made[:, 2 * D :]))


def with_a_batch_axis(self, x, causal=True):
    X = x[None]
    Q, K, V = X @ self.W_q.W, X @ self.W_k.W, X @ self.W_v.W
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if causal:
        scores = scores + causal_mask(len(x))[None]
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (exps / exps.sum(axis=-1, keepdims=True) @ V @ self.W_o.W)[0]


def masked_by_infinity(self, x, causal=True):
    scores = attention_scores(self.W_q(x), self.W_k(x), x.shape[1])
    if causal:
        scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
    return self.W_o(apply_attention(softmax(scores), self.W_v(x)))


def last_row_of_each_beginning(self, x, causal=True):
    if causal and len(x) > 1:
        before = last_row_of_each_beginning(self, x[:-1])
        return np.vstack([before, last_row_of_each_beginning(self, x, causal=False)[-1:]])
    weights = softmax(attention_scores(self.W_q(x), self.W_k(x), x.shape[1]))
    return self.W_o(apply_attention(weights, self.W_v(x)))


def single_token_apart(self, x, causal=True):
    if len(x) == 1:
        return self.W_o(self.W_v(x))
    return step_by_step(self, x, causal)


def more_arguments(self, x, causal=True, debug=False, **others):
    if debug:
        print(x, others)
    return early_return(self, x.copy(), causal)


def tokens_in_columns(self, x, causal=True):
    Q, K, V = self.W_q(x).T, self.W_k(x).T, self.W_v(x).T
    scores = K.T @ Q / np.sqrt(len(Q))
    if causal:
        scores = scores + causal_mask(len(x)).T
    exps = np.exp(scores - scores.max(axis=0, keepdims=True))
    return (self.W_o.W.T @ (V @ (exps / exps.sum(axis=0, keepdims=True)))).T


def mask_kept_by_length(self, x, causal=True):
    self.masks = getattr(self, "masks", {})
    mask = self.masks.setdefault(len(x), causal_mask(len(x)))
    scores = attention_scores(self.W_q(x), self.W_k(x), x.shape[1])
    weights = softmax(scores + mask if causal else scores)
    return self.W_o(apply_attention(weights, self.W_v(x)))
