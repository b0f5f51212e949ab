"""Right answers as learners write them, beside the reference's: for a make-believe class."""

WAYS = {
    "softmax": [
        """\
def softmax(scores):
    rows = []
    for row in scores:
        exps = (row - row.data.max()).exp()
        rows.append(exps / exps.sum())
    return Value(rows)""",
        """\
def softmax(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return np.exp(shifted - log_sum)""",
    ],
    "attention_scores": [
        """\
def attention_scores(Q, K, d_k):
    return np.einsum("id,jd->ij", Q, K) / d_k**0.5""",
        """\
def attention_scores(Q, K, d_k):
    scaled = Q * (1 / np.sqrt(d_k))
    return scaled @ K.transpose()""",
    ],
    "causal_mask": [
        """\
def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i, j] = -1e9
    return mask""",
        """\
def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)""",
    ],
    "apply_attention": [
        """\
def apply_attention(weights, V):
    return Value([(row.reshape(-1, 1) * V).sum(axis=0) for row in weights])""",
        """\
def apply_attention(weights, V):
    return np.einsum("ij,jd->id", weights, V)""",
    ],
    "SelfAttention": [
        """\
def forward(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    T, D = x.shape
    mask = causal_mask(T) if causal else 0.0
    weights = softmax(attention_scores(Q, K, D) + mask)
    return self.W_o(apply_attention(weights, V))""",
    ],
}
