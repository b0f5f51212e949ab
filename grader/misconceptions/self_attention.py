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
