"""Wrong ideas about attention_scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from attnkit import Value

from grader.misconceptions import misconception

LESSON = "04_attention_scores"
SCALE = "The scale is one over sqrt(d_k): the spread of a dot product grows with sqrt(d_k)."
GIVEN = "d_k is handed over as a number: use it, whatever the shapes of Q and K are."
SIDES = "Rows of the result are queries, columns are keys: write (T_q, D) times (D, T_k)."
GRAPH = "Multiply the Values themselves; .data and plain numbers have no gradient."


@misconception("the division by sqrt(d_k) is missing", SCALE, LESSON)
def scores_without_scale(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T


@misconception("the product is divided by d_k, not by its root", SCALE, LESSON)
def scores_scaled_by_d_k(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / d_k


@misconception("the product is multiplied by sqrt(d_k), not divided", SCALE, LESSON)
def scores_multiplied_by_root(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T * np.sqrt(d_k)


@misconception(
    "the number of keys divides the product",
    "The length of the sequence has no part in the scale; only d_k has.",
    LESSON,
)
def scores_scaled_by_length(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / len(K)


@misconception(
    "the root of the number of keys divides the product",
    "The length of the sequence has no part in the scale; only d_k has.",
    LESSON,
)
def scores_scaled_by_root_of_length(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(len(K))


@misconception(
    "the root of d_k is cut down to a whole number",
    "sqrt(d_k) is seldom whole: keep its fraction.",
    LESSON,
)
def scores_integer_root(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / math.isqrt(d_k)


@misconception("sqrt(2) was typed in as the scale", GIVEN, LESSON)
def scores_typed_scale(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(2)


@misconception("the width of Q is used in the place of d_k", GIVEN, LESSON)
def scores_ignore_d_k(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(Q.shape[1])


@misconception("Q and K have changed places", SIDES, LESSON)
def scores_swapped(Q: Any, K: Any, d_k: Any) -> Any:
    return K @ Q.T / np.sqrt(d_k)


@misconception(
    "K is not transposed",
    "Q @ K fits only where T = D, and then multiplies the wrong numbers. " + SIDES,
    LESSON,
)
def scores_without_transpose(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K / np.sqrt(d_k)


@misconception("Q is transposed, not K", SIDES, LESSON)
def scores_transposed_query(Q: Any, K: Any, d_k: Any) -> Any:
    return Q.T @ K / np.sqrt(d_k)


@misconception(
    "K is reshaped where it should be transposed",
    "Reshape keeps the order of the numbers and mixes keys; a transpose exchanges the axes.",
    LESSON,
)
def scores_reshaped_keys(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.reshape(K.shape[1], K.shape[0]) / np.sqrt(d_k)


@misconception(
    "Q and K are multiplied entry by entry",
    "A score is a dot product: multiply two rows and add up, for every pair of rows.",
    LESSON,
)
def scores_elementwise(Q: Any, K: Any, d_k: Any) -> Any:
    return Q * K / np.sqrt(d_k)


@misconception(
    "each query meets only the key of its own position",
    "Every query is compared with every key: the result is a table, not one number a token.",
    LESSON,
)
def scores_own_key_only(Q: Any, K: Any, d_k: Any) -> Any:
    return (Q * K).sum(axis=1, keepdims=True) / np.sqrt(d_k)


@misconception(
    "the mean of the products is taken, not their sum",
    "A dot product adds up; dividing by the width as well scales twice.",
    LESSON,
)
def scores_mean_product(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / Q.shape[1] / np.sqrt(d_k)


@misconception(
    "Q and K are brought to length 1 first",
    "That is the cosine; attention keeps the lengths of queries and keys.",
    LESSON,
)
def scores_cosine(Q: Any, K: Any, d_k: Any) -> Any:
    unit_q = Q / np.sqrt((Q * Q).sum(axis=1, keepdims=True))
    unit_k = K / np.sqrt((K * K).sum(axis=1, keepdims=True))
    return unit_q @ unit_k.T / np.sqrt(d_k)


@misconception(
    "softmax is already taken",
    "This piece returns scores; the mask has to be added before softmax turns them into weights.",
    LESSON,
)
def scores_after_softmax(Q: Any, K: Any, d_k: Any) -> Any:
    scores = Q @ K.T / np.sqrt(d_k)
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


@misconception(
    "softmax comes first and the scale after it",
    "The scale keeps scores small before softmax; after softmax it only shrinks the weights.",
    LESSON,
)
def scores_scaled_after_softmax(Q: Any, K: Any, d_k: Any) -> Any:
    scores = Q @ K.T
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True) / np.sqrt(d_k)


@misconception(
    "the causal mask is already added",
    "Scores are the same with and without the mask; it is added later, where causal is known.",
    LESSON,
)
def scores_with_mask(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(d_k) + np.triu(np.full((len(Q), len(K)), -1e9), k=1)


@misconception("Q leaves the graph", GRAPH, LESSON)
def scores_cut_at_query(Q: Any, K: Any, d_k: Any) -> Any:
    return Q.data @ K.T / np.sqrt(d_k)


@misconception("K leaves the graph", GRAPH, LESSON)
def scores_cut_at_key(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.data.T / np.sqrt(d_k)


@misconception("the result is made anew from plain numbers", GRAPH, LESSON)
def scores_rewrapped(Q: Any, K: Any, d_k: Any) -> Any:
    rows = [[float(q @ k) / math.sqrt(d_k) for k in K.data] for q in Q.data]
    return Value(rows)


@misconception("a plain array is returned, not a Value", GRAPH, LESSON)
def scores_return_array(Q: Any, K: Any, d_k: Any) -> Any:
    return Q.data @ K.data.T / np.sqrt(d_k)


@misconception(
    "Q is scaled in place",
    "Q belongs to the caller: scale the product, or make a new Value.",
    LESSON,
)
def scores_change_query(Q: Any, K: Any, d_k: Any) -> Any:
    Q.data /= np.sqrt(d_k)
    return Q @ K.T


@misconception(
    "the loop over keys runs as often as there are queries",
    "Queries and keys are counted apart: len(Q) rows, len(K) columns.",
    LESSON,
)
def scores_count_queries_twice(Q: Any, K: Any, d_k: Any) -> Any:
    rows = [[(Q[i] * K[j]).sum() for j in range(len(Q))] for i in range(len(Q))]
    return Value(rows) / np.sqrt(d_k)


@misconception(
    "the dot product was typed in for a width of 2",
    "Let the product run over all columns, however many there are.",
    LESSON,
)
def scores_two_columns(Q: Any, K: Any, d_k: Any) -> Any:
    return (Q[:, :1] @ K[:, :1].T + Q[:, 1:2] @ K[:, 1:2].T) / np.sqrt(d_k)


@misconception(
    "the result loses its first axis where there is one query",
    "One query gives one row, of shape (1, T_k): do not squeeze it.",
    LESSON,
)
def scores_squeeze_one_query(Q: Any, K: Any, d_k: Any) -> Any:
    scores = Q @ K.T / np.sqrt(d_k)
    return scores[0] if len(scores) == 1 else scores


@misconception(
    "each query meets only the key of its own position, one number a token",
    "Every query is compared with every key: the result is a table, not one number a token.",
    LESSON,
)
def scores_own_key_flat(Q: Any, K: Any, d_k: Any) -> Any:
    return (Q * K).sum(axis=1) / np.sqrt(d_k)


@misconception(
    "the root of the number of queries divides the product",
    "The length of the sequence has no part in the scale; only d_k has.",
    LESSON,
)
def scores_scaled_by_root_of_queries(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(len(Q))


@misconception(
    "the number of queries divides the product",
    "The length of the sequence has no part in the scale; only d_k has.",
    LESSON,
)
def scores_scaled_by_queries(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / len(Q)


@misconception("the width of Q divides the product, not the root of d_k", GIVEN, LESSON)
def scores_scaled_by_width(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / Q.shape[1]


@misconception("the product is divided by the square of d_k, not by its root", SCALE, LESSON)
def scores_scaled_by_square(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / d_k**2


@misconception("the product is multiplied by d_k, not divided by its root", SCALE, LESSON)
def scores_multiplied_by_d_k(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T * d_k


@misconception("the product is divided by sqrt(d_k) twice", SCALE + " Once is enough.", LESSON)
def scores_scaled_on_both_sides(Q: Any, K: Any, d_k: Any) -> Any:
    return (Q / np.sqrt(d_k)) @ (K / d_k).T


@misconception("the root is taken twice", SCALE + " Take the root once.", LESSON)
def scores_fourth_root(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(np.sqrt(d_k))


@misconception("2 was typed in as the scale", GIVEN, LESSON)
def scores_typed_two(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / 2.0


@misconception("4 was typed in as the scale", GIVEN, LESSON)
def scores_typed_four(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / 4.0


@misconception("8 was typed in as the scale", GIVEN, LESSON)
def scores_typed_eight(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / 8.0


@misconception(
    "only the first d_k columns of Q and K are used",
    "d_k is the number to scale by; the dot product runs over all columns.",
    LESSON,
)
def scores_first_columns(Q: Any, K: Any, d_k: Any) -> Any:
    return Q[:, :d_k] @ K[:, :d_k].T / np.sqrt(d_k)


@misconception("the scores of one query leave the graph", GRAPH, LESSON)
def scores_cut_for_one_query(Q: Any, K: Any, d_k: Any) -> Any:
    scores = Q @ K.T / np.sqrt(d_k)
    return Value(scores.data) if len(Q) == 1 else scores


@misconception(
    "the result of the first tables of each size is kept",
    "Tables of one size hold different numbers: compute the scores at each call.",
    LESSON,
)
def scores_kept_by_size(Q: Any, K: Any, d_k: Any, kept: Any = {}) -> Any:  # noqa: B006
    size = (*Q.shape, *K.shape, d_k)
    if size not in kept:
        kept[size] = Q @ K.T / np.sqrt(d_k)
    return kept[size]


@misconception(
    "several results are returned together",
    "Return the scores alone: whoever calls attention_scores computes with what comes back.",
    LESSON,
)
def scores_return_several(Q: Any, K: Any, d_k: Any) -> Any:
    return Q @ K.T / np.sqrt(d_k), Q @ K.T


@misconception(
    "a list of rows is returned, not one Value",
    "Put the rows together: Value([row_0, row_1]) stacks them and keeps the graph.",
    LESSON,
)
def scores_return_list(Q: Any, K: Any, d_k: Any) -> Any:
    return [K @ query / np.sqrt(d_k) for query in Q]


@misconception(
    "an array of single Values is returned, not one Value",
    "An array of objects has no gradient of its own: Value(rows) stacks rows of Values.",
    LESSON,
)
def scores_return_objects(Q: Any, K: Any, d_k: Any) -> Any:
    scores = np.empty((len(Q), len(K)), dtype=object)
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = (Q[i] * K[j]).sum() / np.sqrt(d_k)
    return scores


@misconception(
    "products with a 0 in them are left out, and their gradient with them",
    "A 0 may be nudged too: leave every product in the graph.",
    LESSON,
)
def scores_leave_out_zeros(Q: Any, K: Any, d_k: Any) -> Any:
    rows = []
    for q in Q:
        row = []
        for k in K:
            total = Value(0.0)
            for n in range(len(q)):
                if q.data[n] != 0 and k.data[n] != 0:
                    total = total + q[n] * k[n]
            row.append(total)
        rows.append(row)
    return Value(rows) / np.sqrt(d_k)
