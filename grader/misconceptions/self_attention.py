"""Wrong ideas about SelfAttention: each is `forward` with one place changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from attnkit import Value

from grader.misconceptions import misconception
from solutions.attention import apply_attention, attention_scores, causal_mask, softmax

LESSON = "07_self_attention"
FORWARD = """\
def forward(self, x, causal=True):
    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
    scores = attention_scores(Q, K, Q.shape[1])
    if causal:
        scores = scores + causal_mask(len(x))
    weights = softmax(scores)
    attended = apply_attention(weights, V)
    return self.W_o(attended)
"""
FLAG = "causal decides about the mask and nothing else: True adds it, False leaves it out."
BEFORE = "The mask belongs to the scores: it is added before softmax."
ROLES = "Q, K and V have one layer each, and all three layers read x."
GRAPH = "Call the layers and the four pieces on Values; .data and plain numbers have no gradient."
NO_STATE = "Nothing is kept between calls: forward depends on x and the parameters alone."
LENGTH = "The mask is (T, T), and T is the number of rows of x at this call."
WIDTH = "d_k is the width of a query, Q.shape[1], and the scores are scaled by its root once."

ADD_MASK = "    if causal:\n        scores = scores + causal_mask(len(x))\n"
SOFTMAX = "    weights = softmax(scores)\n"
MIDDLE = FORWARD.partition("self.W_v(x)\n")[2].partition("self.W_o")[0]


def idea(name: str, does: str, tell: str, old: str, new: str) -> None:
    """Nothing; adds the wrong idea that has `new` in the place of `old` to this module."""
    assert FORWARD.count(old) == 1, f"{name}: {old!r} must occur once in FORWARD"
    text = FORWARD.replace(old, new)
    scope: dict[str, Any] = {"np": np, "Value": Value}
    scope |= {one.__name__: one for one in (softmax, attention_scores, causal_mask)}
    scope["apply_attention"] = apply_attention
    exec(text, scope)
    scope["forward"].text = text
    globals()[name] = misconception(does, tell, LESSON)(scope["forward"])


idea(
    "attend_always_causal",
    "the future is hidden even with causal=False",
    FLAG,
    "if causal:",
    "if causal or not causal:",
)
idea("attend_never_causal", "the mask is never added", FLAG, ADD_MASK, "")
idea(
    "attend_inverted_flag",
    "causal=True shows the future and causal=False hides it",
    FLAG,
    "if causal:",
    "if not causal:",
)
idea(
    "attend_default_false",
    "causal is False unless said otherwise",
    "The signature says causal=True: a call without it hides the future.",
    "causal=True",
    "causal=False",
)
idea(
    "attend_mask_added_late",
    "the mask is added to the weights, after softmax",
    BEFORE,
    ADD_MASK + SOFTMAX,
    SOFTMAX + "    if causal:\n        weights = weights + causal_mask(len(x))\n",
)
idea(
    "attend_masked_late",
    "later tokens are set to 0 after softmax",
    BEFORE + " Set to 0 afterwards, the rows no longer add up to 1.",
    ADD_MASK + SOFTMAX,
    SOFTMAX + "    if causal:\n        weights = np.tril(weights)\n",
)
idea(
    "attend_masked_late_and_divided",
    "later tokens are set to 0 after softmax and the rows divided by their sums",
    BEFORE + " Afterwards a large future score has left nothing to divide.",
    ADD_MASK + SOFTMAX,
    SOFTMAX + "    if causal:\n        weights = np.tril(weights)\n"
    "        weights = weights / weights.sum(axis=1, keepdims=True)\n",
)
idea(
    "attend_mask_multiplied",
    "the scores are multiplied by the mask",
    "The mask is added: times 0.0 forgets every score that may be seen.",
    "scores + causal_mask",
    "scores * causal_mask",
)
idea(
    "attend_mask_subtracted",
    "the mask is subtracted",
    "The mask holds -1e9 already: minus minus 1e9 makes the future win.",
    "scores + causal_mask",
    "scores - causal_mask",
)
idea(
    "attend_mask_transposed",
    "the mask is transposed before it is added",
    "Rows are queries in scores and mask alike: add it as it is.",
    "causal_mask(len(x))",
    "causal_mask(len(x)).T",
)
idea(
    "attend_mask_of_width",
    "the mask has the width of x, not its length",
    LENGTH,
    "causal_mask(len(x))",
    "causal_mask(x.shape[1])",
)
idea("attend_three_tokens", "the length 3 was typed in for the mask", LENGTH, "len(x)", "3")
idea(
    "attend_later_scores_zero",
    "the scores of later tokens are set to 0 before softmax",
    "A score of 0 still gets a share, exp(0) = 1: what is hidden needs a very negative score.",
    "scores + causal_mask(len(x))",
    "np.tril(scores)",
)
idea(
    "attend_mask_too_weak",
    "a number such as -50, -100 or -1000 hides the future",
    "A score may be far below that: the mask of the course holds -1e9.",
    "causal_mask(len(x))",
    "np.triu(np.full((len(x), len(x)), -1000.0), k=1)",
)
idea(
    "attend_mask_set_too_weak",
    "the scores of later tokens are set to a number such as -50, -100 or -1000",
    "A score that may be seen can be far below that: the mask of the course holds -1e9.",
    "scores + causal_mask(len(x))",
    "np.where(np.tri(len(x)) == 1, scores, -1000.0)",
)
idea(
    "attend_maximum_of_all",
    "one maximum of the whole table is taken away before exp",
    "Each row has a maximum of its own: a row far below the largest score has only zeros left.",
    "    weights = softmax(scores)\n",
    "    exps = np.exp(scores - scores.data.max())\n"
    "    weights = exps / exps.sum(axis=1, keepdims=True)\n",
)
idea(
    "attend_sums_of_columns",
    "exp of the scores is divided by the sums of its columns",
    "One row is one query: each row is divided by its own sum, axis=1.",
    "    weights = softmax(scores)\n",
    "    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))\n"
    "    weights = exps / exps.sum(axis=0, keepdims=True)\n",
)
idea(
    "attend_masked_late_and_nearly_divided",
    "later tokens are set to 0 after softmax and the rows divided by their sums and a bit",
    BEFORE + " Afterwards a large future score has left nothing to divide.",
    ADD_MASK + SOFTMAX,
    SOFTMAX + "    if causal:\n        weights = np.tril(weights)\n"
    "        weights = weights / (weights.sum(axis=1, keepdims=True) + 1e-30)\n",
)
idea(
    "attend_without_maximum",
    "exp is taken of the scores as they are",
    "exp of a large score is inf: use softmax of lesson 03, or take away the maximum of each row.",
    "    weights = softmax(scores)\n",
    "    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)\n",
)
idea(
    "attend_one_future_leaks",
    "each token also sees the one after it",
    "Token i sees tokens 0 to i: the first hidden column of row i is i + 1.",
    "causal_mask(len(x))",
    "np.triu(causal_mask(len(x)), k=2)",
)
idea(
    "attend_diagonal_hidden",
    "each token is hidden from itself",
    "Token i sees itself too: the diagonal of the mask is 0.",
    "causal_mask(len(x))",
    "np.triu(np.full((len(x), len(x)), -1e9))",
)
idea(
    "attend_diagonal_set_hidden",
    "each token is hidden from itself, and token 0 sees all alike",
    "Token i sees itself too: the diagonal of the mask is 0.",
    "scores + causal_mask(len(x))",
    "np.where(np.tri(len(x), k=-1) == 1, scores, -1e9)",
)
idea(
    "attend_softmax_over_columns",
    "softmax runs down the columns of the scores",
    "One row is one query: the shares of a row add up to 1.",
    "softmax(scores)",
    "softmax(scores.T).T",
)
idea(
    "attend_scaled_late",
    "the weights are divided by sqrt(D), after softmax",
    "The scores are scaled, before softmax; divided afterwards, a row no longer adds up to 1.",
    "Q.shape[1])\n    if causal:\n        scores = scores + causal_mask(len(x))\n"
    "    weights = softmax(scores)\n",
    "1)\n    if causal:\n        scores = scores + causal_mask(len(x))\n"
    "    weights = softmax(scores) / np.sqrt(Q.shape[1])\n",
)
idea(
    "attend_products_of_one_row",
    "each query is multiplied with its own key alone, as in (Q * K).sum(axis=1)",
    "Every query meets every key: the scores are (T, T), one column for each key.",
    "attention_scores(Q, K, Q.shape[1])",
    "(Q * K).sum(axis=1) / np.sqrt(Q.shape[1])",
)
idea(
    "attend_products_of_one_row_kept",
    "all tokens that may be seen get equal weights, as after (Q * K).sum(axis=1, keepdims=True)",
    "Every query meets every key: the scores are (T, T), one column for each key.",
    "attention_scores(Q, K, Q.shape[1])",
    "(Q * K).sum(axis=1, keepdims=True) / np.sqrt(Q.shape[1])",
)
idea(
    "attend_without_output_layer",
    "W_o is left out",
    "The last step is W_o(attended).",
    "return self.W_o(attended)",
    "return attended",
)
idea(
    "attend_output_layer_twice",
    "W_o is applied to V and then once more at the end",
    "One W_o is enough: before the mixing or after it, not both.",
    "self.W_v(x)",
    "self.W_o(self.W_v(x))",
)
idea("attend_key_from_query_layer", "K is made with W_q", ROLES, "self.W_k(x)", "self.W_q(x)")
idea("attend_query_from_key_layer", "Q is made with W_k", ROLES, "self.W_q(x)", "self.W_k(x)")
idea("attend_value_from_key_layer", "V is made with W_k", ROLES, "self.W_v(x)", "self.W_k(x)")
idea("attend_key_from_value_layer", "K is made with W_v", ROLES, "self.W_k(x)", "self.W_v(x)")
idea("attend_query_from_value_layer", "Q is made with W_v", ROLES, "self.W_q(x)", "self.W_v(x)")
idea(
    "attend_keys_and_values_exchanged",
    "W_k makes V and W_v makes K",
    ROLES,
    "self.W_k(x), self.W_v(x)",
    "self.W_v(x), self.W_k(x)",
)
idea(
    "attend_queries_and_values_exchanged",
    "W_q makes V and W_v makes Q",
    ROLES,
    "self.W_q(x), self.W_k(x), self.W_v(x)",
    "self.W_v(x), self.W_k(x), self.W_q(x)",
)
idea(
    "attend_chained_layers",
    "K is made from Q and V from K",
    ROLES,
    "    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)\n",
    "    Q = self.W_q(x)\n    K = self.W_k(Q)\n    V = self.W_v(K)\n",
)
idea(
    "attend_layers_exchanged",
    "W_o makes V and W_v makes the output",
    "V = W_v(x) is mixed, and W_o comes last.",
    "self.W_v(x)\n" + MIDDLE + "self.W_o(attended)",
    "self.W_o(x)\n" + MIDDLE + "self.W_v(attended)",
)
idea(
    "attend_one_layer_for_three",
    "W_q makes Q, K and V",
    ROLES,
    "self.W_k(x), self.W_v(x)",
    "self.W_q(x), self.W_q(x)",
)
idea(
    "attend_x_for_three",
    "x takes the place of Q, K and V",
    ROLES,
    "self.W_q(x), self.W_k(x), self.W_v(x)",
    "x, x, x",
)
idea("attend_x_for_queries", "x takes the place of Q", ROLES, "self.W_q(x)", "x")
idea("attend_x_for_keys", "x takes the place of K", ROLES, "self.W_k(x)", "x")
idea(
    "attend_queries_for_values",
    "Q takes the place of V",
    "The weights come from Q and K; what they mix is V. " + ROLES,
    "apply_attention(weights, V)",
    "apply_attention(weights, Q)",
)
idea(
    "attend_x_for_values",
    "x takes the place of V",
    "The weights mix the rows of V = W_v(x), not those of x. " + ROLES,
    "apply_attention(weights, V)",
    "apply_attention(weights, x)",
)
idea(
    "attend_x_for_queries_and_keys",
    "x takes the place of Q and K",
    ROLES,
    "attention_scores(Q, K, Q.shape[1])",
    "attention_scores(x, x, Q.shape[1])",
)
idea(
    "attend_swapped",
    "Q and K have changed places",
    "Row i asks with Q[i]: the scores are Q times K transposed.",
    "attention_scores(Q, K,",
    "attention_scores(K, Q,",
)
idea(
    "attend_without_softmax",
    "the scores are mixed with V, without softmax",
    "Scores are not shares: softmax makes each row add up to 1.",
    "softmax(scores)",
    "scores",
)
idea(
    "attend_softmax_twice",
    "softmax is taken of the weights once more",
    "The second softmax flattens the weights and lets the future back in.",
    "softmax(scores)",
    "softmax(softmax(scores))",
)
idea(
    "attend_transposed_weights",
    "the weights are transposed before they mix",
    "Row i of the weights belongs to token i: hand them over as they are.",
    "apply_attention(weights, V)",
    "apply_attention(weights.T, V)",
)
idea(
    "attend_length_for_d_k",
    "the length of the sequence is handed over as d_k",
    WIDTH,
    "Q.shape[1]",
    "len(x)",
)
idea(
    "attend_root_for_d_k",
    "the root of the width is handed over as d_k",
    WIDTH + " attention_scores takes the root itself.",
    "Q.shape[1]",
    "np.sqrt(Q.shape[1])",
)
idea(
    "attend_scaled_twice",
    "the scores are divided by sqrt(D) once more",
    WIDTH,
    "Q.shape[1])",
    "Q.shape[1]) / np.sqrt(Q.shape[1])",
)
idea(
    "attend_multiplied_by_root",
    "the scores are multiplied by sqrt(D)",
    WIDTH,
    "attention_scores(Q, K, Q.shape[1])",
    "attention_scores(Q, K, 1) * np.sqrt(Q.shape[1])",
)
for number in (2, 3, 4, 64):
    idea(
        f"attend_{number}_for_d_k",
        f"d_k is {number}, whatever the width of x",
        WIDTH,
        "Q.shape[1]",
        str(number),
    )
idea("attend_without_scale", "1 is handed over as d_k", WIDTH, "Q.shape[1]", "1")
idea(
    "attend_with_residual",
    "x is added to the output",
    "That sum belongs to the transformer block around attention, not to attention.",
    "return self.W_o(attended)",
    "return x + self.W_o(attended)",
)
idea(
    "attend_last_token_only",
    "only the row of the last token is returned",
    "Every token has an output: the result has the shape of x.",
    "return self.W_o(attended)",
    "return self.W_o(attended)[-1:]",
)
idea(
    "attend_returns_pair",
    "output and weights are returned together",
    "forward returns one Value, the output. To look at the weights, keep them in self.weights.",
    "return self.W_o(attended)",
    "return self.W_o(attended), weights",
)
idea(
    "attend_returns_list",
    "output and weights are returned together, in a list",
    "forward returns one Value, the output. To look at the weights, keep them in self.weights.",
    "return self.W_o(attended)",
    "return [self.W_o(attended), weights]",
)
idea(
    "attend_keeps_mask",
    "the mask of the first call is kept",
    NO_STATE,
    "        scores = scores + causal_mask(len(x))\n",
    '        self.mask = getattr(self, "mask", causal_mask(len(x)))\n'
    "        scores = scores + self.mask\n",
)
idea(
    "attend_keeps_values",
    "V is made once for each length and kept",
    NO_STATE,
    "    weights = softmax",
    '    self.seen = getattr(self, "seen", {})\n'
    "    V = self.seen.setdefault(len(x), V)\n"
    "    weights = softmax",
)
idea(
    "attend_keeps_causal",
    "the first causal is kept for later calls",
    NO_STATE,
    "    if causal:",
    '    self.causal = getattr(self, "causal", causal)\n    if self.causal:',
)
idea(
    "attend_stays_open",
    "after one call with causal=False nothing is hidden any more",
    NO_STATE,
    "    if causal:",
    '    self.causal = getattr(self, "causal", True) and causal\n    if self.causal:',
)
idea(
    "attend_keeps_open_keys_and_values",
    "with causal=False the K and V of an earlier call with as many tokens are used again",
    NO_STATE,
    "    weights = softmax",
    "    if not causal:\n"
    '        self.seen = getattr(self, "seen", {})\n'
    "        K, V = self.seen.setdefault(len(x), (K, V))\n"
    "        scores = attention_scores(Q, K, Q.shape[1])\n"
    "    weights = softmax",
)
idea(
    "attend_keeps_weights",
    "the weights are made once for each length and mode and kept",
    NO_STATE,
    "    attended =",
    '    self.seen = getattr(self, "seen", {})\n'
    "    weights = self.seen.setdefault((len(x), causal), weights)\n"
    "    attended =",
)
idea(
    "attend_keeps_output",
    "the output for an x is kept and returned again",
    NO_STATE + " Training changes the parameters.",
    "    return self.W_o(attended)",
    '    self.seen = getattr(self, "seen", {})\n'
    "    known = (x.data.tobytes(), causal)\n"
    "    return Value(self.seen.setdefault(known, self.W_o(attended)))",
)
idea(
    "attend_overwrites_layers",
    "a layer is overwritten by its result, as in self.W_q = self.W_q(x)",
    "Give the results names of their own, Q, K and V: the next call needs the layers.",
    "    Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)\n",
    "    self.W_q = Q = self.W_q(x)\n    K, V = self.W_k(x), self.W_v(x)\n",
)
idea(
    "attend_cut_when_open",
    "the weights leave the graph with causal=False",
    GRAPH,
    "    weights = softmax(scores)\n",
    "    weights = softmax(scores) if causal else Value(softmax(scores).data)\n",
)
idea(
    "attend_cut_all_when_open",
    "the output with causal=False is made anew from plain numbers",
    GRAPH,
    "return self.W_o(attended)",
    "return self.W_o(attended) if causal else Value(self.W_o(attended).data)",
)
idea(
    "attend_cut_at_x",
    "x leaves the graph before the layers",
    GRAPH,
    "    Q, K, V =",
    "    x = Value(x.data)\n    Q, K, V =",
)
for layer, made in (("q", "Q"), ("k", "K"), ("v", "V")):
    idea(
        f"attend_cut_at_{made}",
        f"{made} leaves the graph",
        GRAPH,
        f"self.W_{layer}(x)",
        f"Value(self.W_{layer}(x).data)",
    )
idea(
    "attend_cut_at_weights",
    "the weights leave the graph",
    GRAPH,
    "softmax(scores)",
    "Value(softmax(scores).data)",
)
idea(
    "attend_cut_at_attended",
    "attended leaves the graph before W_o",
    GRAPH,
    "self.W_o(attended)",
    "self.W_o(Value(attended.data))",
)
idea(
    "attend_rewrapped",
    "the output is made anew from plain numbers",
    GRAPH,
    "return self.W_o(attended)",
    "return Value(self.W_o(attended).data)",
)
idea(
    "attend_returns_array",
    "a plain array is returned, not a Value",
    GRAPH,
    "return self.W_o(attended)",
    "return self.W_o(attended).data",
)
idea(
    "attend_changes_x",
    "the output is added to x in place",
    "x belongs to the caller: return the output and leave x alone.",
    "    return self.W_o(attended)",
    "    output = self.W_o(attended)\n    x.data += output.data\n    return output",
)
HALVES = """\
    D = Q.shape[1]
    halves = (slice(0, D // 2), slice(D // 2, D)) if D > 2 and D % 2 == 0 else (slice(0, D),)
    parts = []
    for half in halves:
        scores = attention_scores(Q[:, half], K[:, half], Q[:, half].shape[1])
        if causal:
            scores = scores + causal_mask(len(x))
        parts.append(apply_attention(softmax(scores), V[:, half]))
    attended = np.concatenate(parts, axis=1)
    return """
idea(
    "attend_in_halves",
    "a head of even width is split into two heads",
    "One head takes all D columns of Q, K and V at once; two heads are the optional part.",
    MIDDLE,
    HALVES,
)
