"""The lines of the visible checks: what each looks at, and what a red one usually means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from attnkit.judges import (
    Trial,
    has_gradient,
    has_shape,
    has_values,
    is_exact,
    is_numbers,
    is_untouched,
    is_value,
    raised,
)


class Line(NamedTuple):
    """One property: its label, the probes it needs, its judge, and help for when it is red.

    The judge returns what it saw, or None where the property holds.
    """

    label: str
    probes: Sequence[str]
    judge: Callable[[Trial, str], str | None]
    holds: str
    hint: str


def complaint(line: Line, trial: Trial) -> tuple[str, str] | None:
    """Return the first probe that is wrong and what was seen there, or None."""
    for name in line.probes:
        seen = trial.observation[name]
        saw = raised(seen) if isinstance(seen, Exception) else line.judge(trial, name)
        if saw:
            return name, saw
    return None


CUT = (
    "Somewhere between argument and result the numbers left the graph: through .data, through "
    "a loop over plain numbers, or because the result was made anew with Value(…)."
)
TYPE = Line(
    "type",
    ["example"],
    is_value,
    "a Value comes back",
    "The result must still know how it was made. Build it from operations on Values.",
)
GRADIENT = Line("gradient", ["example"], has_gradient, "backward agrees with nudges", CUT)


def _shape(holds: str, hint: str) -> Line:
    return Line("shape", ["example"], has_shape, holds, hint)


def _values(label: str, probes: str, holds: str, hint: str) -> Line:
    return Line(label, probes.split(", "), has_values, holds, hint)


def _mask(label: str, probes: str, holds: str, hint: str) -> Line:
    return Line(label, probes.split(", "), is_exact, holds, hint)


def _inputs(names: str) -> Line:
    hint = "A line such as scores.data -= … writes into the array it was given. Make a new Value."
    return Line("inputs", ["example"], is_untouched, f"{names} as before the call", hint)


LINES: dict[str, list[Line]] = {
    "softmax": [
        TYPE,
        _shape(
            "(3, 3) in, (3, 3) out",
            "Each score gets one weight in the same place. Print the shape after each step.",
        ),
        _values(
            "values",
            "example",
            "each row doubles its share where the score is ln 2 higher",
            "Work out row 0 on paper and print your row 0 after each step: after exp, after the "
            "sum, after the division.",
        ),
        _values(
            "other sizes",
            "rectangle, one row",
            "2 rows of 4, 1 row of 3",
            "Something is fixed to a square table or to 3 rows. Look at axis= and keepdims=, and "
            "at each number that you typed.",
        ),
        _values(
            "large scores",
            "large",
            "1e5 and -1e5 in one table, no overflow",
            "exp of a large number is inf, exp of a very negative one is 0. Look at what is "
            "subtracted before exp, and for which row it was found.",
        ),
        GRADIENT._replace(probes=["example", "large"]),
        _inputs("scores"),
    ],
    "attention_scores": [
        TYPE,
        _shape(
            "(3, 2) and (3, 2) in, (3, 3) out",
            "One row for each query, one column for each key. Look at which side is transposed.",
        ),
        _values(
            "values",
            "example",
            "query 1 scores 2 ln 2 with key 0",
            "Work out one entry on paper: the dot product first, then the division.",
        ),
        _values(
            "other sizes",
            "rectangle, square, one query",
            "2 queries with 4 keys, d_k of its own",
            "The number of keys, the width and d_k are three different numbers here. Look at where "
            "each of them enters.",
        ),
        GRADIENT,
        _inputs("Q and K"),
    ],
    "causal_mask": [
        Line(
            "type",
            ["3 tokens"],
            is_numbers,
            "an array of numbers comes back",
            "The mask is added to scores, so it holds numbers: 0.0 and -1e9.",
        ),
        Line(
            "shape",
            ["3 tokens"],
            has_shape,
            "3 in, (3, 3) out",
            "One row for each query, one column for each key.",
        ),
        _mask(
            "values",
            "3 tokens",
            "0.0 where j <= i, -1e9 where j > i",
            "Row i is the query. Read row 0 aloud: which columns may token 0 see?",
        ),
        _mask(
            "again",
            "3 tokens again",
            "a second call is right too",
            "The first mask was overwritten and came back. Make the array inside the function.",
        ),
        _mask(
            "other lengths",
            "1 token, 4 tokens",
            "1 token, 4 tokens",
            "The size comes from seq_len, each time. Look for a 3 that you typed or a mask kept "
            "from an earlier call.",
        ),
    ],
    "apply_attention": [
        TYPE,
        _shape(
            "(3, 3) and (3, 2) in, (3, 2) out",
            "One row for each query, as wide as a row of V.",
        ),
        _values(
            "values",
            "example",
            "row 1 is 2/3 of V[0] and 1/3 of V[1]",
            "Work out row 1 on paper: each weight times its row of V, then add the rows.",
        ),
        _values(
            "other sizes",
            "rectangle, square, one query",
            "2 queries, 3 keys, 4 columns",
            "Queries, keys and the width of V are three different numbers here. Look at each range "
            "and each .T.",
        ),
        GRADIENT,
        _inputs("weights and V"),
    ],
    "SelfAttention": [
        TYPE,
        _shape(
            "(3, 2) in, (3, 2) out",
            "The output has the shape of x. Print the shapes of Q, scores, weights, attended.",
        ),
        _values(
            "values",
            "example",
            "the causal output of the worked example",
            "Row 0 sees itself alone: where it is wrong, look at V, W_o and the mask; where only "
            "later rows are wrong, at Q, K, the scale, softmax and the diagonal of the mask. Print "
            "each and hold it beside the worked example.",
        ),
        _values(
            "other widths",
            "width 3, width 1",
            "3 numbers a token, and 1",
            "A number that you typed fits width 2 alone: d_k, the mask and the tables have the "
            "sizes of this x.",
        ),
        _values(
            "causal=False",
            "all visible",
            "every token sees every token",
            "Only the mask depends on causal: look at the if. The last row sees all in both modes: "
            "where it is wrong too, something stayed from the call before.",
        ),
        _inputs("x"),
        _values(
            "one object",
            "example again, 3 others, after a step",
            "the same head again, in both modes, and after a step of training",
            "Nothing may stay from an earlier call: no flag, no mask, no Q, K, V or weights.",
        ),
        _values(
            "large scores",
            "large, rows far apart",
            "a future score 170000 above the visible one changes nothing",
            "After softmax it is too late, and a number such as -50 or -1000 is too small: the "
            "future has taken the row. nan comes from exp of a large score, as in lesson 03.",
        ),
        _values(
            "other lengths",
            "2 tokens, 5 tokens, 1 token",
            "2 tokens, 5 tokens, 1 token",
            "The mask has the length of this x, and nothing stays from an earlier call.",
        ),
        GRADIENT._replace(probes=["example", "all visible"]),
    ],
}
