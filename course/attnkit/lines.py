"""The lines of the visible checks: what each looks at, and what a red one usually means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from attnkit.judges import (
    Trial,
    has_gradient,
    has_places,
    has_shape,
    has_values,
    is_array,
    is_exact,
    is_untouched,
    is_value,
    raised,
)

Judge = Callable[[Trial, str], str | None]
FEATURES: dict[Judge, str] = {
    is_value: ": type",
    is_array: ": type",
    has_gradient: ": gradient",
    is_untouched: ": changed",
}


class Line(NamedTuple):
    """One property: its label, the probes it needs, its judge, and help for when it is red.

    The judge returns what it saw, or None where the property holds.
    """

    label: str
    probes: Sequence[str]
    judge: Judge
    holds: str
    hint: str


def feature(line: Line, trial: Trial, probe: str) -> str:
    """Return how the features of a probe begin that a red line looks at; see `known.features`."""
    raises = isinstance(trial.observation[probe], Exception)
    return probe if raises else probe + FEATURES.get(line.judge, "")


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
KEPT = (
    "The first call was right. Look for what is kept from one call to the next: a dictionary, a "
    "default argument, a global."
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
    "centre_rows": [
        TYPE,
        _shape("(3, 3) in, (3, 3) out", "Each entry stays in its place, less the mean of its row."),
        _values(
            "values",
            "example",
            "each row has lost its mean",
            "Work out row 0 on paper: its mean first, then what is left of each entry. axis=1 "
            "gives one mean for each row, and keepdims=True keeps it beside its row.",
        ),
        _values(
            "other sizes",
            "2 rows of 4, 3 rows of 2, 1 row of 3",
            "2 rows of 4, 3 rows of 2, 1 row of 3",
            "One mean for each row, as a column: look at axis= and keepdims=, and at each number "
            "that you typed.",
        ),
        GRADIENT,
        _inputs("x"),
    ],
    "softmax": [
        TYPE,
        _shape(
            "(3, 3) in, (3, 3) out",
            "Each score gets one weight in the same place. Print the shape after each step.",
        ),
        _values(
            "values",
            "example",
            "a score higher by ln 2 gives twice the share",
            "Work out the row of that entry on paper and print it after each step: after exp,"
            " after the sum, after the division.",
        ),
        _values(
            "other sizes",
            "2 rows of 4, 3 rows of 2, 1 row of 4, 1 column, 1 score",
            "2 rows of 4, 3 rows of 2, one row, one column",
            "Something is fixed to a square table or to 3 rows. Look at axis= and keepdims=, and "
            "at each number that you typed.",
        ),
        _values(
            "other scores",
            "equal scores, small weights",
            "equal scores, a score of 0, weights down to 1e-8",
            "Each score of a row counts, also one of 0, one that occurs twice, and one far below "
            "the largest. Look for a set, an if, or rounding.",
        ),
        _values(
            "large scores",
            "large, 3 large rows, all far below 0, scores near -745, scores near 710, 7 columns",
            "1e5 and -1e5 in one table, no overflow",
            "exp of a large number is inf, exp of a very negative one is 0. Look at what is "
            "subtracted before exp, for which row it was found and over which columns, and whether "
            "it is subtracted always.",
        ),
        _values(
            "again",
            "another of this size, example again",
            "no call depends on an earlier one",
            KEPT,
        ),
        GRADIENT._replace(
            probes=[
                *("example", "2 rows of 4", "3 rows of 2", "1 row of 4", "equal scores"),
                *("large", "all far below 0", "scores near 710", "example again"),
            ]
        ),
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
            "Work out that entry on paper: the dot product first, then the division.",
        ),
        Line(
            "other sizes",
            [
                "2 queries, 4 keys of width 3, d_k 7",
                "4 queries, 2 keys of width 3, d_k 1",
                "2 queries, 2 keys of width 2, d_k 4",
                *("1 query", "1 key", "width 1", "1 query, 1 key of width 1"),
            ],
            has_values,
            "2 queries with 4 keys, 4 with 2, d_k of its own",
            "The number of queries, of keys, the width and d_k are four different numbers here. "
            "Look at where each of them enters.",
        ),
        _values(
            "other numbers",
            "equal and large numbers",
            "equal numbers, numbers of 1000",
            "Every product counts, as it is. Look for a set, an if, a limit, or rounding.",
        ),
        _values(
            "again",
            "another of this size, example again",
            "no call depends on an earlier one",
            KEPT,
        ),
        GRADIENT._replace(
            probes=[
                "example",
                "2 queries, 4 keys of width 3, d_k 7",
                "2 queries, 2 keys of width 2, d_k 4",
                *("1 query", "1 key", "example again"),
            ]
        ),
        _inputs("Q and K"),
    ],
    "causal_mask": [
        Line(
            "type",
            ["3 tokens"],
            is_array,
            "an array comes back",
            "The mask is added to scores and drawn: return an array of 0.0 and -1e9.",
        ),
        Line(
            "shape",
            ["3 tokens"],
            has_shape,
            "3 in, (3, 3) out",
            "One row for each query, one column for each key.",
        ),
        Line(
            "places",
            ["3 tokens"],
            has_places,
            "0.0 where j <= i, something else where j > i",
            "Row i is the query. Read row 0 aloud: which columns may token 0 see?",
        ),
        _mask(
            "values",
            "3 tokens",
            "0.0 where j <= i, -1e9 where j > i",
            "The places are right, the number is not: the course uses -1e9 for what is hidden, and "
            "the mask is compared exactly.",
        ),
        _mask(
            "again",
            "3 tokens again, 12 tokens again",
            "a second call is right too",
            "We wrote into the first mask, and the second call returned it: make the array inside "
            "the function.",
        ),
        _mask(
            "other lengths",
            "1 token, 2 tokens, 4 tokens, 12 tokens",
            "1, 2, 4 and 12 tokens",
            "The size comes from seq_len, each time. Look for a number that you typed, for a mask "
            "kept from an earlier call, and at which columns each row hides.",
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
            "Work out that row on paper: each weight times its row of V, then add the rows.",
        ),
        Line(
            "other sizes",
            [
                "2 queries, 3 keys, 4 columns",
                "4 queries, 2 keys, 3 columns",
                "2 queries, 2 keys, 2 columns",
                *("1 query", "1 key", "1 column", "1 query, 1 key, 1 column"),
            ],
            has_values,
            "2 queries, 3 keys, 4 columns; 4 queries, 2 keys",
            "Queries, keys and the width of V are three different numbers here. Look at each range "
            "and each .T.",
        ),
        _values(
            "other weights",
            "12 keys",
            "12 keys, equal weights, weights down to 1e-10",
            "Every row of V counts by its weight, however small. Look for a set, an if, a limit, a "
            "choice of the largest.",
        ),
        _values(
            "again",
            "another of this size, example again",
            "no call depends on an earlier one",
            KEPT,
        ),
        GRADIENT._replace(
            probes=[
                "example",
                "2 queries, 3 keys, 4 columns",
                "2 queries, 2 keys, 2 columns",
                *("1 query", "1 key", "example again"),
            ]
        ),
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
            "width 3, width 1, 9 tokens of width 4",
            "3 numbers a token, 1, and 4 with 9 tokens",
            "A number that you typed fits width 2 alone: d_k, the mask and the tables have the "
            "sizes of this x.",
        ),
        _values(
            "causal=False",
            "all visible, by default again",
            "every token sees every token, and the next call hides the future again",
            "Only the mask depends on causal: look at the if, and at what stays from a call. The "
            "last row sees all in both modes: where it is wrong too, something stayed from the "
            "call before.",
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
