"""Wrong ideas about softmax."""

from __future__ import annotations

from typing import Any

import numpy as np
from attnkit import Value

from grader.misconceptions import misconception

LESSON = "03_softmax"
ROWS = "One row is one query: take maximum and sum along the row, and print the shape of each."
OVERFLOW = "exp overflows near 710: subtract the maximum of the row before it."
ALWAYS = "Subtract the maximum of the row always: it changes no weight and costs nothing."
ROW_BY_ROW = "Each row has a maximum of its own: a row far below the largest entry dies otherwise."
GRAPH = "Keep exp, sum and division on Values; only the maximum may be read from .data."


@misconception("softmax runs down the columns", ROWS, LESSON)
def softmax_over_columns(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=0, keepdims=True))
    return exps / exps.sum(axis=0, keepdims=True)


@misconception("one softmax runs over the whole matrix", ROWS, LESSON)
def softmax_over_everything(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max())
    return exps / exps.sum()


@misconception(
    "one softmax runs over the whole matrix, and exp is taken of the scores as they are",
    ROWS,
    LESSON,
)
def softmax_naive_exp_over_everything(scores: Any) -> Any:
    exps = np.exp(scores)
    return exps / exps.sum()


@misconception("the sum of the first row divides every row", ROWS, LESSON)
def softmax_first_row_sum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps[0].sum()


@misconception(
    "the row sums lie along the wrong axis because keepdims=True is missing",
    "A sum of shape (T,) is taken for one row: entry [i, j] was divided by the sum of row j.",
    LESSON,
)
def softmax_sum_without_keepdims(scores: Any) -> Any:
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))  # no constant: the rest hangs on it
    return exps / exps.sum(axis=1)


@misconception(
    "exp is taken of the scores as they are and the row sums lie along the wrong axis",
    "A sum of shape (T,) is taken for one row: without keepdims, column j is divided by the sum "
    "of row j.",
    LESSON,
)
def softmax_naive_exp_without_keepdims(scores: Any) -> Any:
    exps = np.exp(scores)
    return exps / exps.sum(axis=1)


@misconception(
    "the row maxima lie along the wrong axis because keepdims=True is missing",
    "A maximum of shape (T,) is taken for one row: entry [i, j] lost the maximum of row j.",
    LESSON,
)
def softmax_maximum_without_keepdims(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "row maxima and row sums both lie along the wrong axis because keepdims=True is missing",
    "Both have shape (T,), which is taken for one row: in column j stand those of row j.",
    LESSON,
)
def softmax_without_keepdims(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1))
    return exps / exps.sum(axis=1)


@misconception("one maximum of the whole matrix is subtracted", ROW_BY_ROW, LESSON)
def softmax_global_maximum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max())
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("the maximum of each column is subtracted", ROW_BY_ROW, LESSON)
def softmax_column_maximum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=0, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("exp is taken of the scores as they are", OVERFLOW, LESSON)
def softmax_naive_exp(scores: Any) -> Any:
    exps = np.exp(scores)
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("the maximum is added, not subtracted", OVERFLOW, LESSON)
def softmax_adds_maximum(scores: Any) -> Any:
    exps = np.exp(scores + scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("the mean of the row is subtracted, not its maximum", OVERFLOW, LESSON)
def softmax_subtracts_mean(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.mean(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the largest absolute value of the row is subtracted",
    "In a row of negative scores the maximum is negative too; its size alone is not it.",
    LESSON,
)
def softmax_absolute_maximum(scores: Any) -> Any:
    exps = np.exp(scores - np.abs(scores.data).max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "scores beyond a limit are cut down so that exp does not overflow",
    "Cutting makes different scores equal; subtracting the row maximum keeps their differences.",
    LESSON,
)
def softmax_cuts_scores(scores: Any) -> Any:
    exps = np.exp(np.maximum(np.minimum(scores, 700.0), -700.0))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "0.001 is added to the sum",
    "After the maximum is subtracted the sum is at least 1, so nothing need be added to it.",
    LESSON,
)
def softmax_large_epsilon(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / (exps.sum(axis=1, keepdims=True) + 1e-3)


@misconception(
    "softmax is applied twice",
    "The second one takes weights for scores and flattens them: once is enough.",
    LESSON,
)
def softmax_twice(scores: Any) -> Any:
    once = scores
    for _ in range(2):
        exps = np.exp(once - once.data.max(axis=1, keepdims=True))
        once = exps / exps.sum(axis=1, keepdims=True)
    return once


@misconception(
    "2 is the base, not e",
    "The rule of one point doubling the share held for scores in units of ln 2; softmax uses e.",
    LESSON,
)
def softmax_base_two(scores: Any) -> Any:
    powers = 2.0 ** (scores - scores.data.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@misconception(
    "the signs are turned round, so that the smallest score wins",
    "Look at the order in the subtraction: the largest score of a row gets the largest weight.",
    LESSON,
)
def softmax_smallest_wins(scores: Any) -> Any:
    exps = np.exp(scores.data.min(axis=1, keepdims=True) - scores)
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the scores themselves are divided by their sum, without exp",
    "Scores can be negative and add up to 0; exp makes each of them positive first.",
    LESSON,
)
def softmax_without_exp(scores: Any) -> Any:
    return scores / scores.sum(axis=1, keepdims=True)


@misconception(
    "exp is taken but nothing is divided by the row sum",
    "The row does not add up to 1 yet: one step is missing.",
    LESSON,
)
def softmax_without_division(scores: Any) -> Any:
    return np.exp(scores - scores.data.max(axis=1, keepdims=True))


@misconception(
    "each score is squashed by itself, as in a sigmoid",
    "The weights of a row compete: raising one score must lower the other weights.",
    LESSON,
)
def softmax_sigmoid(scores: Any) -> Any:
    return 0.5 * (1 + np.tanh(scores / 2))


@misconception(
    "the logarithm of the weights is returned",
    "Log-weights are negative and do not add up to 1; return the weights.",
    LESSON,
)
def softmax_logarithm(scores: Any) -> Any:
    shifted = scores - scores.data.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


@misconception(
    "the scores are scaled by the root of the row's length first",
    "The scale belongs to attention_scores; softmax takes the scores as they come.",
    LESSON,
)
def softmax_scales_again(scores: Any) -> Any:
    scaled = scores / np.sqrt(scores.shape[1])
    exps = np.exp(scaled - scaled.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("exp is taken of bare numbers and the result made a Value again", GRAPH, LESSON)
def softmax_cut_at_exp(scores: Any) -> Any:
    exps = Value(np.exp(scores.data - scores.data.max(axis=1, keepdims=True)))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the sum is read from .data, so that its gradient is missing",
    "Every weight of a row depends on every score through the sum: keep the sum in the graph.",
    LESSON,
)
def softmax_cut_at_sum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.data.sum(axis=1, keepdims=True)


@misconception(
    "the numerator is read from .data, so that its gradient is missing",
    "A weight depends on its own score through the numerator: keep it in the graph.",
    LESSON,
)
def softmax_cut_at_numerator(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps.data / exps.sum(axis=1, keepdims=True)


@misconception("a plain array is returned, not a Value", GRAPH, LESSON)
def softmax_returns_array(scores: Any) -> Any:
    exps = np.exp(scores.data - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "a list of rows is returned, not one Value",
    "Put the rows together: Value([row_0, row_1]) stacks them and keeps the graph.",
    LESSON,
)
def softmax_returns_list(scores: Any) -> Any:
    exps = [np.exp(row - row.data.max()) for row in scores]
    return [row / row.sum() for row in exps]


@misconception(
    "the maximum is subtracted from the scores in place",
    "scores belongs to the caller: make a new Value instead of writing into scores.data.",
    LESSON,
)
def softmax_changes_scores(scores: Any) -> Any:
    scores.data -= scores.data.max(axis=1, keepdims=True)
    exps = np.exp(scores)
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the number of rows was typed in as 3",
    "Ask the table for its size: len(scores) rows, scores.shape[1] columns.",
    LESSON,
)
def softmax_three_rows(scores: Any) -> Any:
    exps = [np.exp(scores[i] - scores.data[i].max()) for i in range(3)]
    return Value([row / row.sum() for row in exps])


@misconception(
    "the sum was typed in for three columns",
    "Ask the table for its size, or sum along the axis: a row may have any length.",
    LESSON,
)
def softmax_three_columns(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / (exps[:, 0:1] + exps[:, 1:2] + exps[:, 2:3])


@misconception(
    "a table of one row loses its first axis",
    "One row goes in as (1, T) and comes out as (1, T): do not squeeze it.",
    LESSON,
)
def softmax_squeezes_one_row(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    weights = exps / exps.sum(axis=1, keepdims=True)
    return weights[0] if len(weights) == 1 else weights


@misconception(
    "the maximum runs along the rows and the sum down the columns",
    "Both belong to the row: the same axis for the maximum and for the sum.",
    LESSON,
)
def softmax_row_maximum_column_sum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=0, keepdims=True)


@misconception(
    "the maximum is subtracted in the numerator only",
    "The sum is made of the same exps as the numerator: subtract the maximum once, before exp.",
    LESSON,
)
def softmax_maximum_in_numerator_only(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / np.exp(scores).sum(axis=1, keepdims=True)


@misconception("the maximum is subtracted only if exp overflows", ALWAYS, LESSON)
def softmax_maximum_on_overflow(scores: Any) -> Any:
    exps = np.exp(scores)
    if np.isinf(exps.data).any():
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception("the maximum is subtracted only where it is above 0", ALWAYS, LESSON)
def softmax_maximum_above_zero(scores: Any) -> Any:
    exps = np.exp(scores - np.maximum(scores.data.max(axis=1, keepdims=True), 0))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the maximum is sought in as many columns as there are rows",
    "The largest score of a row may stand in any column: let the maximum run over the whole row.",
    LESSON,
)
def softmax_maximum_of_square(scores: Any) -> Any:
    exps = np.exp(scores - scores.data[:, : len(scores)].max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the first score of each row is subtracted, not its maximum",
    "Only the maximum makes sure that no exp overflows.",
    LESSON,
)
def softmax_subtracts_first_score(scores: Any) -> Any:
    exps = np.exp(scores - scores.data[:, :1])
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "the smallest score of each row is subtracted, not the largest",
    "Only the maximum makes sure that no exp overflows.",
    LESSON,
)
def softmax_subtracts_minimum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.min(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "0.000001 is added to the sum",
    "After the maximum is subtracted the sum is at least 1, so nothing need be added to it.",
    LESSON,
)
def softmax_epsilon(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / (exps.sum(axis=1, keepdims=True) + 1e-6)


@misconception("a table of one row leaves the graph", GRAPH, LESSON)
def softmax_cut_for_one_row(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    weights = exps / exps.sum(axis=1, keepdims=True)
    return Value(weights.data) if len(weights) == 1 else weights


@misconception(
    "the result of the first table of each size is kept",
    "Two tables of one size hold different scores: compute the weights at each call.",
    LESSON,
)
def softmax_kept_by_size(scores: Any, kept: Any = {}) -> Any:  # noqa: B006
    if scores.shape not in kept:
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
        kept[scores.shape] = exps / exps.sum(axis=1, keepdims=True)
    return kept[scores.shape]


@misconception(
    "equal scores of a row are counted once in the sum",
    "Every score of the row adds its exp to the sum, also where two are equal.",
    LESSON,
)
def softmax_counts_equal_once(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    firsts = [[list(row).index(one) == j for j, one in enumerate(row)] for row in scores.data]
    return exps / (exps * np.array(firsts)).sum(axis=1, keepdims=True)


@misconception(
    "a score of 0 gets no weight",
    "0 is a score like any other: exp makes it 1.",
    LESSON,
)
def softmax_leaves_out_zeros(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True)) * (scores.data != 0)
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "several results are returned together",
    "Return the weights alone: whoever calls softmax computes with what comes back.",
    LESSON,
)
def softmax_returns_several(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True), exps


@misconception(
    "an array of single Values is returned, not one Value",
    "An array of objects has no gradient of its own: Value(rows) stacks rows of Values.",
    LESSON,
)
def softmax_returns_objects(scores: Any) -> Any:
    weights = np.empty(scores.shape, dtype=object)
    for i, row in enumerate(scores):
        exps = np.exp(row - row.data.max())
        for j in range(len(row)):
            weights[i, j] = exps[j] / exps.sum()
    return weights


@misconception("the sum of the whole table divides every row", ROWS, LESSON)
def softmax_total_sum(scores: Any) -> Any:
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum()
