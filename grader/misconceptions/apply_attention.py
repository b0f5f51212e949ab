"""Wrong ideas about apply_attention."""

from __future__ import annotations

from typing import Any

import numpy as np
from attnkit import Value

from grader.misconceptions import misconception

LESSON = "06_apply_attention"
SUM = "Row i is a sum of rows of V, each times its weight: work out row 1 on paper."
ORDER = "weights is (T_q, T_k) and V is (T_k, D_v): the two T_k meet in the middle."
AS_GIVEN = "The weights come from softmax and are used as they are."
GRAPH = "Multiply the Values themselves; .data and plain numbers have no gradient."


@misconception("weights is transposed", ORDER + " Column i is not row i.", LESSON)
def mix_transposed_weights(weights: Any, V: Any) -> Any:
    return weights.T @ V


@misconception("V is transposed", ORDER, LESSON)
def mix_transposed_values(weights: Any, V: Any) -> Any:
    return weights @ V.T


@misconception("weights and V have changed places", ORDER, LESSON)
def mix_swapped(weights: Any, V: Any) -> Any:
    return V @ weights


@misconception("weights and V are multiplied entry by entry", SUM, LESSON)
def mix_elementwise(weights: Any, V: Any) -> Any:
    return weights * V


@misconception(
    "the mean of the weighted rows is taken, not their sum",
    "The weights of a row add up to 1 already: dividing once more makes the result too small.",
    LESSON,
)
def mix_mean(weights: Any, V: Any) -> Any:
    return weights @ V / len(V)


@misconception(
    "every row of V counts the same, whatever the weights",
    "The weights decide: a row of V with weight 0 must leave no trace.",
    LESSON,
)
def mix_uniform(weights: Any, V: Any) -> Any:
    return Value([V.mean(axis=0) for _ in range(len(weights))])


@misconception(
    "only the row of V with the largest weight is taken",
    "Attention mixes: every row of V counts by its weight.",
    LESSON,
)
def mix_largest_only(weights: Any, V: Any) -> Any:
    return V[weights.data.argmax(axis=1)]


@misconception("softmax is taken of the weights once more", AS_GIVEN, LESSON)
def mix_after_second_softmax(weights: Any, V: Any) -> Any:
    exps = np.exp(weights)
    return exps / exps.sum(axis=1, keepdims=True) @ V


@misconception(
    "the weights are divided by their sum once more",
    AS_GIVEN + " Dividing changes the result where a row does not add up to 1, and every gradient.",
    LESSON,
)
def mix_normalises_again(weights: Any, V: Any) -> Any:
    return weights / weights.sum(axis=1, keepdims=True) @ V


@misconception(
    "the weights of later tokens are set to 0 here",
    AS_GIVEN + " What is hidden was settled by the mask, before softmax.",
    LESSON,
)
def mix_masks_again(weights: Any, V: Any) -> Any:
    return np.tril(weights) @ V


@misconception(
    "each row of V is multiplied by the sum of its row of weights",
    "That sum is 1, so V comes back unchanged: weights[i, j] belongs to V[j], not to V[i].",
    LESSON,
)
def mix_row_sums(weights: Any, V: Any) -> Any:
    return weights.sum(axis=1, keepdims=True) * V


@misconception(
    "the running sum is not set back to 0 for the next query",
    "Each query begins with nothing: look at where the sum is set to 0.",
    LESSON,
)
def mix_never_resets(weights: Any, V: Any) -> Any:
    rows, total = [], V[0] * 0
    for i in range(len(weights)):
        for j in range(len(V)):
            total = total + weights[i, j] * V[j]
        rows.append(total)
    return Value(rows)


@misconception(
    "each term takes the place of the one before, and the last remains",
    "The terms are added: look at the line inside the inner loop.",
    LESSON,
)
def mix_last_term_only(weights: Any, V: Any) -> Any:
    return Value([weights[i, len(V) - 1] * V[len(V) - 1] for i in range(len(weights))])


@misconception("the row of V is taken by the query's number, not by the key's", SUM, LESSON)
def mix_own_row_only(weights: Any, V: Any) -> Any:
    return Value([weights[i, i] * V[i] for i in range(len(weights))])


@misconception("weights leave the graph", GRAPH, LESSON)
def mix_cut_at_weights(weights: Any, V: Any) -> Any:
    return weights.data @ V


@misconception("V leaves the graph", GRAPH, LESSON)
def mix_cut_at_values(weights: Any, V: Any) -> Any:
    return weights @ V.data


@misconception("the result is made anew from plain numbers", GRAPH, LESSON)
def mix_rewrapped(weights: Any, V: Any) -> Any:
    return Value((weights @ V).data)


@misconception("a plain array is returned, not a Value", GRAPH, LESSON)
def mix_returns_array(weights: Any, V: Any) -> Any:
    return weights.data @ V.data


@misconception(
    "the sum is written into V",
    "V belongs to the caller: build the result in a new Value.",
    LESSON,
)
def mix_changes_values(weights: Any, V: Any) -> Any:
    result = weights @ V
    if result.shape == V.shape:
        V.data[:] = result.data
    return result


@misconception(
    "the loop over keys runs as often as there are queries",
    "Queries and keys are counted apart: len(weights) rows, len(V) terms in each.",
    LESSON,
)
def mix_counts_queries(weights: Any, V: Any) -> Any:
    T = len(weights)
    return Value([sum(weights[i, j] * V[j] for j in range(T)) for i in range(T)])


@misconception(
    "the number of rows of V was typed in as 3",
    "Ask V for its length, or let the product run over all rows.",
    LESSON,
)
def mix_three_rows(weights: Any, V: Any) -> Any:
    return weights[:, 0:1] * V[0] + weights[:, 1:2] * V[1] + weights[:, 2:3] * V[2]


@misconception(
    "only the first two columns of V are mixed",
    "Whole rows of V are added up, however wide they are.",
    LESSON,
)
def mix_two_columns(weights: Any, V: Any) -> Any:
    return Value([[(weights[i] * V[:, n]).sum() for n in range(2)] for i in range(len(weights))])


@misconception(
    "the result loses its first axis where there is one query",
    "One query gives one row, of shape (1, D_v): do not squeeze it.",
    LESSON,
)
def mix_squeezes_one_query(weights: Any, V: Any) -> Any:
    attended = weights @ V
    return attended[0] if len(attended) == 1 else attended


@misconception("the rows of one query leave the graph", GRAPH, LESSON)
def mix_cut_for_one_query(weights: Any, V: Any) -> Any:
    attended = weights @ V
    return Value(attended.data) if len(weights) == 1 else attended


@misconception(
    "the result of the first tables of each size is kept",
    "Tables of one size hold different numbers: mix the rows at each call.",
    LESSON,
)
def mix_kept_by_size(weights: Any, V: Any, kept: Any = {}) -> Any:  # noqa: B006
    size = (*weights.shape, *V.shape)
    if size not in kept:
        kept[size] = weights @ V
    return kept[size]


@misconception("small weights are left out", AS_GIVEN + " Small ones count too.", LESSON)
def mix_skips_small_weights(weights: Any, V: Any) -> Any:
    return np.where(weights.data < 0.01, 0.0, weights) @ V


@misconception(
    "only the rows of V with the three largest weights are mixed",
    "Attention mixes: every row of V counts by its weight.",
    LESSON,
)
def mix_largest_three(weights: Any, V: Any) -> Any:
    ranks = (-weights.data).argsort(axis=1, kind="stable").argsort(axis=1)
    return np.where(ranks < 3, weights, 0.0) @ V


@misconception(
    "rows of V with equal weights are counted once",
    "Each key has a weight and a row of V of its own, also where two weights are equal.",
    LESSON,
)
def mix_counts_equal_once(weights: Any, V: Any) -> Any:
    rows = []
    for row in weights:
        by_weight = {float(row.data[j]): row[j] * V[j] for j in range(len(V))}
        rows.append(sum(by_weight.values()))
    return Value(rows)


@misconception(
    "several results are returned together",
    "Return the mixed rows alone: whoever calls apply_attention computes with what comes back.",
    LESSON,
)
def mix_returns_several(weights: Any, V: Any) -> Any:
    return weights @ V, weights


@misconception(
    "a list of rows is returned, not one Value",
    "Put the rows together: Value([row_0, row_1]) stacks them and keeps the graph.",
    LESSON,
)
def mix_returns_list(weights: Any, V: Any) -> Any:
    return [row @ V for row in weights]


@misconception(
    "an array of single Values is returned, not one Value",
    "An array of objects has no gradient of its own: Value(rows) stacks rows of Values.",
    LESSON,
)
def mix_returns_objects(weights: Any, V: Any) -> Any:
    attended = np.empty((len(weights), V.shape[1]), dtype=object)
    for i in range(len(weights)):
        for n in range(V.shape[1]):
            attended[i, n] = (weights[i] * V[:, n]).sum()
    return attended


@misconception(
    "the running sum begins with the first row of V, which then counts too often", SUM, LESSON
)
def mix_starts_with_first_row(weights: Any, V: Any) -> Any:
    rows = []
    for row in weights:
        total = V[0]
        for j in range(len(V)):
            total = total + row[j] * V[j]
        rows.append(total)
    return Value(rows)


@misconception(
    "the last key is left out",
    "range(n) already ends before n: all keys count.",
    LESSON,
)
def mix_without_last_key(weights: Any, V: Any) -> Any:
    return weights[:, :-1] @ V[:-1] if len(V) > 1 else weights @ V * 0


@misconception(
    "the first key is left out",
    "Counting begins at 0: the first key counts too.",
    LESSON,
)
def mix_without_first_key(weights: Any, V: Any) -> Any:
    return weights[:, 1:] @ V[1:] if len(V) > 1 else weights @ V * 0


@misconception(
    "weights of 0 are left out, and their gradient with them",
    "A weight of 0 may be nudged too: leave every term in the graph.",
    LESSON,
)
def mix_leaves_out_zeros(weights: Any, V: Any) -> Any:
    rows = []
    for row in weights:
        total = Value(np.zeros(V.shape[1]))
        for j in range(len(V)):
            if row.data[j] != 0:
                total = total + row[j] * V[j]
        rows.append(total)
    return Value(rows)
