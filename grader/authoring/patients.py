"""Computes `course/attnkit/patients.json`: the charts of the clinic, from the known wrong ideas."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import attnkit
import numpy as np
from attnkit import Value
from attnkit.checklist import entries
from attnkit.examples import NARROW, Probe, X
from attnkit.judges import SOURCES
from attnkit.plot.attention import moves
from attnkit.probes import asker, slope

from grader import misconceptions
from grader.authoring.fingerprints import lay_out, plain
from grader.misconceptions import PIECES
from grader.misconceptions.self_attention import FORWARD
from solutions import attention

PATH = Path(str(attnkit.__file__)).with_name("patients.json")

# The faults that lesson 09 offers, in the order of its table.
FAULTS = (
    "softmax_over_everything",
    "softmax_over_columns",
    "softmax_sum_without_keepdims",
    "scores_without_scale",
    "scores_scaled_by_d_k",
    "attend_never_causal",
    "attend_masked_late",
    "attend_masked_late_and_divided",
    "mix_transposed_weights",
    "attend_cut_at_weights",
    "attend_cut_at_V",
    "attend_key_from_query_layer",
)
PATIENTS = {
    "A": "softmax_over_everything",
    "B": "attend_cut_at_weights",
    "C": "scores_without_scale",
    "D": "attend_masked_late",
    "E": "mix_transposed_weights",
    "F": "attend_masked_late_and_divided",
    "G": "softmax_sum_without_keepdims",
    "H": "attend_key_from_query_layer",
}


@cache
def text() -> str:
    """Return the text of the file: one reading a line, the same bytes for the same sources."""
    faults: dict[str, str | None] = {"healthy": None, **PATIENTS}
    charts = {patient: chart(fault) for patient, fault in faults.items()}
    return lay_out(charts, depth=2) + "\n"


def chart(fault: str | None) -> dict[str, Any]:
    """Return what `attnkit.clinic.Chart` holds of a head with this fault, ready for JSON."""
    seen: dict[str, Any] = {}
    pieces = with_fault(fault, seen)
    head = pieces["SelfAttention"]
    ask, example = asker(head), Probe((X,), None, NARROW)
    with np.errstate(all="ignore"):
        grads, tables = ask(example).grads, dict(seen)
        moved = moves(lambda x: ask(Probe((x,), None)).output, X)
        ask(Probe((40 * X,), None))
        far_above = seen["attended"][0] / 40
    return {name: plain(table) for name, table in tables.items()} | {
        "moved": plain(moved),
        "far_above": plain(far_above),
        "spread": {str(D): round(_spread(head, D, seen), 2) for D in (4, 16, 64)},
        "gradients": {
            name: [_entry(grads[i]), round(slope(head, example, i, (0, 1)), 4) + 0.0]
            for i, name in enumerate(SOURCES["SelfAttention"])
        },
        "checklist": [[one.holds, f"{one.claim}: {one.seen}"] for one in entries(pieces, 5, 4)],
    }


def with_fault(fault: str | None, seen: dict[str, Any]) -> dict[str, Any]:
    """Return the five pieces with one fault; `forward` notes in `seen` what passes through it."""
    pieces = {piece: getattr(attention, piece) for piece in PIECES}
    written = FORWARD
    if fault is not None:
        one = misconceptions.every()[fault]
        if one.piece == "SelfAttention":
            written = misconceptions.source(one)
        else:
            pieces[one.piece] = misconceptions.target(one)
    scope = {"np": np, "Value": Value, **pieces, **_noting(pieces, seen)}
    exec(written, scope)
    return pieces | {"SelfAttention": misconceptions.as_class(scope["forward"])}


def _noting(pieces: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    def attention_scores(Q: Value, K: Value, d_k: float) -> Value:
        scores: Value = pieces["attention_scores"](Q, K, d_k)
        seen["scores"] = scores.data.copy()
        return scores

    def apply_attention(weights: Value, V: Value) -> Value:
        attended: Value = pieces["apply_attention"](weights, V)
        seen.update(weights=weights.data.copy(), attended=attended.data.copy())
        return attended

    return {"attention_scores": attention_scores, "apply_attention": apply_attention}


def _spread(head: type, D: int, seen: dict[str, Any]) -> float:
    """Return how far the scores of random tokens of width D stray, over many random heads."""
    rng, scores = np.random.default_rng(0), []
    for _ in range(30):
        model = head(D)
        for name in SOURCES["SelfAttention"][1:]:
            getattr(model, name).W = Value(rng.normal(scale=D**-0.5, size=(D, D)))
        model.forward(Value(rng.normal(size=(20, D))))
        scores.append(seen["scores"])
    return float(np.std(scores))


def _entry(grad: np.ndarray | None) -> float | None:
    return None if grad is None else round(float(grad[0, 1]), 4) + 0.0
