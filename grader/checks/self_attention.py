"""Hidden checks of `SelfAttention(D).forward(x, causal=True)`.

What is right is computed without a mask: token i is given the tokens it may see, and no others.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from grader.checks import compare
from grader.checks.interface import CheckFailure, Piece

SOURCES = ("x", "W_q", "W_k", "W_v", "W_o")
Parameters = dict[str, np.ndarray]


def self_attention_shape(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The output has the shape of x."""
    x = rng.normal(size=(5, 3))
    compare.shape(SelfAttention(3, **_draw(rng, 3))(x), (5, 3), "the output for x (5, 3)")


def self_attention_causal(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """With causal=True, and without saying so, row i is right from tokens 0 to i alone."""
    for (T, D), options in [((3, 3), {"causal": True}), ((6, 2), {}), ((2, 5), {"causal": True})]:
        x, parameters = rng.normal(size=(T, D)), _draw(rng, D)
        reply = SelfAttention(D, **parameters)(x, **options)
        of = f"the output for x ({T}, {D}) {'with causal=True' if options else 'by default'}"
        compare.values(reply, _output(x, parameters, causal=True), of)


def self_attention_sees_everything(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """With causal=False every token sees every token."""
    for T, D in [(3, 3), (6, 2), (2, 5)]:
        x, parameters = rng.normal(size=(T, D)), _draw(rng, D)
        reply = SelfAttention(D, **parameters)(x, causal=False)
        of = f"the output for x ({T}, {D}) with causal=False"
        compare.values(reply, _output(x, parameters, causal=False), of)


def self_attention_mask_before_softmax(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """A future score far above the visible ones leaves the earlier rows as they are."""
    x, parameters = rng.normal(size=(4, 3)), _draw(rng, 3)
    # Queries read column 0, keys column 1: the last token's key outweighs all others.
    parameters["W_q"] = np.diag([1.0, 0, 0])
    parameters["W_k"] = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 0]])
    x[:, 0] = rng.uniform(1, 2, size=4)
    x[-1, 1] = rng.uniform(3_000, 6_000)
    reply = SelfAttention(3, **parameters)(x, causal=True)
    of = "the output where a future score is 1000 and more above the visible ones"
    compare.values(reply, _output(x, parameters, causal=True), of)


def self_attention_lengths(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """One object takes 4, 1, 6 and other 4 tokens, then the first again; a width of 1 works."""
    parameters = _draw(rng, 3)
    forward = SelfAttention(3, **parameters)
    first = rng.normal(size=(4, 3))
    others = [rng.normal(size=(T, 3)) for T in (1, 6, 4)]
    for call, x in enumerate((first, *others, first), 1):
        of = f"the output of call {call} on one object, for x {x.shape}"
        compare.values(forward(x, causal=True), _output(x, parameters, causal=True), of)
    x, parameters = rng.normal(size=(3, 1)), _draw(rng, 1)
    wanted = _output(x, parameters, causal=True)
    compare.values(
        SelfAttention(1, **parameters)(x, causal=True), wanted, "the output for x (3, 1)"
    )


def self_attention_gradient(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to x and to all four parameters."""
    x, parameters, upstream = rng.normal(size=(4, 3)), _draw(rng, 3), rng.normal(size=(4, 3))
    reply = SelfAttention(3, **parameters)(x, causal=True, upstream=upstream)

    def output(x: np.ndarray, *matrices: np.ndarray) -> np.ndarray:
        return _output(x, dict(zip(SOURCES[1:], matrices, strict=True)), causal=True)

    slopes = compare.slopes(output, [x, *parameters.values()], upstream)
    compare.gradient(reply, upstream, slopes, SOURCES)


def self_attention_inputs_untouched(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The x handed over is the same after the call."""
    x = rng.normal(size=(3, 3))
    reply = SelfAttention(3, **_draw(rng, 3))(x)
    if np.array_equal(reply.output, x):
        raise CheckFailure("the output is x itself: nothing was computed from it yet")
    compare.untouched(reply, [x], ["x"])


def _draw(rng: np.random.Generator, D: int) -> Parameters:
    return {name: rng.normal(scale=1 / math.sqrt(D), size=(D, D)) for name in SOURCES[1:]}


def _output(x: Any, parameters: Parameters, causal: bool) -> np.ndarray:
    """Return the output, one token at a time."""
    Q, K, V = (x @ parameters[name] for name in ("W_q", "W_k", "W_v"))
    rows = []
    for i, query in enumerate(Q):
        seen = i + 1 if causal else len(x)
        scores = K[:seen] @ query / math.sqrt(x.shape[1])
        shares = np.exp(scores - scores.real.max())
        rows.append(shares @ V[:seen] / shares.sum() @ parameters["W_o"])
    return np.array(rows)
