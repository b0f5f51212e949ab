"""Hidden checks of `SelfAttention(D).forward(x, causal=True)`.

What is right is computed without a mask: token i is given the tokens it may see, and no others.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np

from grader.checks import compare
from grader.checks.interface import Piece

SOURCES = ("x", "W_q", "W_k", "W_v", "W_o")
Parameters = dict[str, np.ndarray]


def self_attention_shape(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The output has the shape of x."""
    x = rng.normal(size=(5, 3))
    compare.shape(SelfAttention(3, **_draw(rng, 3))(x), (5, 3), "the output for x (5, 3)")


def self_attention_causal(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """With causal=True, and without saying so, row i is right from tokens 0 to i alone."""
    explicit = {"causal": True}
    cases = [((3, 3), explicit), ((6, 2), {}), ((2, 5), explicit), ((9, 4), explicit)]
    for (T, D), options in cases:
        x, parameters = rng.normal(size=(T, D)), _draw(rng, D)
        if T > 3:
            x[2], x[4] = 0, x[3]  # scores that are 0, and equal ones
        reply = SelfAttention(D, **parameters)(x, **options)
        of = f"the output for x ({T}, {D}) {'with causal=True' if options else 'by default'}"
        compare.values(reply, _output(x, parameters, causal=True), of)


def self_attention_sees_everything(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """With causal=False every token sees every token, whatever an earlier call asked for."""
    for T, D in [(3, 3), (6, 2), (2, 5)]:
        parameters = _draw(rng, D)
        forward = SelfAttention(D, **parameters)
        for when in ("", ", the second time"):
            _call_between(forward, rng.normal(size=(T, D)), causal=True)
            x = rng.normal(size=(T, D))
            of = f"the output for x ({T}, {D}) with causal=False{when}"
            wanted = _output(x, parameters, causal=False)
            compare.values(forward(x, causal=False), wanted, of)


def self_attention_mask_before_softmax(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """A future score far above the visible ones leaves the earlier rows as they are."""
    x, parameters = rng.normal(size=(4, 3)), _draw(rng, 3)
    # A query is 1 to 1.1 in column 0, a key about -8e4, and 8e4 for the last token.
    parameters["W_q"] = np.diag([math.sqrt(3), 0, 0])
    parameters["W_k"] = np.array([[0.0, 0, 0], [8e4, 0, 0], [1, 0, 0]])
    x[:, 0] = rng.uniform(1, 1.1, size=4)
    x[:, 1] = [-1, -1, -1, 1]
    reply = SelfAttention(3, **parameters)(x, causal=True)
    of = "the output where a future score is 160000 above the visible ones"
    compare.values(reply, _output(x, parameters, causal=True), of)


def self_attention_lengths(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """One object takes one length after the other and then a step of training; width 1 works."""
    parameters = _draw(rng, 3)
    forward = SelfAttention(3, **parameters)
    first = rng.normal(size=(4, 3))
    others = [rng.normal(size=(T, 3)) for T in (1, 6, 4)]
    for call, x in enumerate((first, *others, first), 1):
        of = f"the output of call {call} on one object, for x {x.shape}"
        wanted = _output(x, parameters, causal=True)
        compare.values(forward(x, causal=True), wanted, of)
        _call_between(forward, x, causal=False)
        compare.values(forward(x), wanted, f"{of}, by default after causal=False")
    after = _draw(rng, 3)
    of = "the output for the same x after a step of training, which changed the four tables"
    compare.values(forward(first, causal=True, **after), _output(first, after, causal=True), of)
    x, parameters = rng.normal(size=(3, 1)), _draw(rng, 1)
    wanted = _output(x, parameters, causal=True)
    compare.values(
        SelfAttention(1, **parameters)(x, causal=True), wanted, "the output for x (3, 1)"
    )


def self_attention_gradient(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The gradient flows back to x and to all four parameters."""
    for causal in (True, False):
        x, parameters, upstream = rng.normal(size=(4, 3)), _draw(rng, 3), rng.normal(size=(4, 3))
        reply = SelfAttention(3, **parameters)(x, causal=causal, upstream=upstream)
        if not causal and not compare.right(reply, _output(x, parameters, causal)):
            return  # another check says so

        def output(x: np.ndarray, *tables: np.ndarray, causal: bool = causal) -> np.ndarray:
            return _output(x, dict(zip(SOURCES[1:], tables, strict=True)), causal)

        slopes = compare.slopes(output, [x, *parameters.values()], upstream)
        compare.gradient(reply, upstream, slopes, SOURCES)
    for T, D in [(3, 1), (1, 3)]:
        _small_gradient(SelfAttention, rng, T, D)


def self_attention_inputs_untouched(SelfAttention: Piece, rng: np.random.Generator) -> None:
    """The x handed over is the same after the call, where something was computed from it."""
    x, parameters = rng.normal(size=(1, 3)).repeat(3, axis=0), _draw(rng, 3)
    reply = SelfAttention(3, **parameters)(x)
    # Tokens that are all alike have one output, whatever mask, scale and softmax do.
    wanted = x @ parameters["W_v"] @ parameters["W_o"]
    compare.values(reply, wanted, "the output for three tokens that are all alike")
    compare.untouched(reply, [x], ["x"])
    try:
        reply = SelfAttention(3, **parameters)(x, causal=False)
    except Exception:
        return  # another check says so
    if compare.right(reply, wanted):
        compare.untouched(reply, [x], ["x"])


def _small_gradient(SelfAttention: Piece, rng: np.random.Generator, T: int, D: int) -> None:
    """Compare gradients for one token or for one number a token, where the output is right."""
    x, parameters, upstream = rng.normal(size=(T, D)), _draw(rng, D), rng.normal(size=(T, D))
    reply = SelfAttention(D, **parameters)(x, causal=True, upstream=upstream)
    if not compare.right(reply, _output(x, parameters, causal=True)):
        return  # another check says so

    def output(x: np.ndarray, *tables: np.ndarray) -> np.ndarray:
        return _output(x, dict(zip(SOURCES[1:], tables, strict=True)), causal=True)

    slopes = compare.slopes(output, [x, *parameters.values()], upstream)
    # A single token has the weight 1 whatever its score: W_q and W_k have no say, and no gradient.
    places = [0, 3, 4] if T == 1 else range(len(SOURCES))
    seen = reply._replace(grads=tuple(reply.grads[i] for i in places))
    sources = [SOURCES[i] for i in places]
    compare.gradient(seen, upstream, [slopes[i] for i in places], sources)


def _call_between(forward: Piece, x: np.ndarray, causal: bool) -> None:
    """Call once more, so that what is kept shows later; the result is another check's matter."""
    with suppress(Exception):
        forward(x, causal=causal)


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
