"""Right ways to write softmax."""

import math

import numpy as np
from attnkit import Value


def stable(scores):
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def last_axis(scores):
    m = scores.data.max(axis=-1, keepdims=True)
    e = (scores - m).exp()
    return e / e.sum(axis=-1, keepdims=True)


def differentiable_maximum(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def numpy_functions_throughout(scores):
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return np.divide(e, np.sum(e, axis=1, keepdims=True))


def maximum_as_column_by_index(scores):
    m = scores.data.max(axis=1)
    e = np.exp(scores - m[:, None])
    return e / e.sum(axis=1)[:, None]


def reshaped_sums(scores):
    T = scores.shape[0]
    e = np.exp(scores - scores.data.max(axis=1).reshape(T, 1))
    return e / e.sum(axis=1).reshape(T, 1)


def transposed_twice(scores):
    e = np.exp(scores.T - scores.data.max(axis=1))
    return (e / e.sum(axis=0)).T


def row_loop_stacked(scores):
    rows = []
    for i in range(scores.shape[0]):
        row = scores[i]
        e = np.exp(row - row.data.max())
        rows.append(e / e.sum())
    return Value(rows)


def row_loop_np_stack(scores):
    rows = []
    for row in scores:
        e = (row - float(row.data.max())).exp()
        rows.append(e / np.sum(e))
    return np.stack(rows)


def row_loop_concatenated(scores):
    parts = []
    for i in range(len(scores)):
        row = scores[i : i + 1]
        e = np.exp(row - row.data.max())
        parts.append(e / e.sum(axis=1, keepdims=True))
    return np.concatenate(parts, axis=0)


def entry_by_entry(scores):
    rows = []
    for i in range(scores.shape[0]):
        biggest = max(scores.data[i])
        exps = [(scores[i, j] - biggest).exp() for j in range(scores.shape[1])]
        total = exps[0]
        for one in exps[1:]:
            total = total + one
        rows.append(Value([one / total for one in exps]))
    return Value(rows)


def log_sum_exp(scores):
    m = scores.data.max(axis=1, keepdims=True)
    lse = m + np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return np.exp(scores - lse)


def log_softmax_then_exp(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return (shifted - shifted.exp().sum(axis=1, keepdims=True).log()).exp()


def logaddexp_reduce(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))


def tiny_epsilon(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e / (e.sum(axis=1, keepdims=True) + 1e-8)


def times_reciprocal(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e * e.sum(axis=1, keepdims=True) ** -1


def row_sum_by_product(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e / (e @ np.ones((scores.shape[1], 1)))


def row_sum_by_einsum(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return np.einsum("ij,i->ij", e, np.einsum("ij->i", e) ** -1)


def base_two(scores):
    powers = np.exp2((scores - scores.data.max(axis=1, keepdims=True)) / math.log(2))
    return powers / powers.sum(axis=1, keepdims=True)


def own_rule(scores):
    e = np.exp(scores.data - scores.data.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return Value.from_rule(p, (scores, lambda g: p * (g - (g * p).sum(axis=1, keepdims=True))))


def _one_row(row):
    e = np.exp(row - row.data.max())
    return e / e.sum()


def helper_in_another_cell(scores):
    return Value([_one_row(scores[i]) for i in range(len(scores))])


def prints_and_warns(scores):
    print("shape", scores.shape, scores)
    np.exp(1e6 * scores.data)
    return stable(scores)


def mean_of_exps(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e / e.mean(axis=1, keepdims=True) / scores.shape[1]


def works_on_a_copy(scores):
    shifted = scores.data.copy()
    shifted -= shifted.max(axis=1, keepdims=True)
    e = np.exp(scores + (shifted - scores.data))
    return e / e.sum(axis=1, keepdims=True)


def stable_above_a_limit_only(scores):
    if np.abs(scores.data).max() <= 500:
        e = np.exp(scores)
    else:
        e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def generator_of_rows(scores):
    def rows():
        for row in scores:
            e = np.exp(row - row.max())
            yield e / e.sum()

    return np.stack(list(rows()))


def recursion_over_rows(scores):
    row = scores[:1]
    e = np.exp(row - row.data.max())
    first = e / e.sum()
    return first if len(scores) == 1 else np.concatenate([first, recursion_over_rows(scores[1:])])


def sigmoid_of_the_difference_for_two(scores):
    if scores.shape[1] != 2:
        return stable(scores)
    right = 0.5 * (1 + np.tanh((scores[:, 1:] - scores[:, :1]) / 2))
    return np.concatenate([1 - right, right], axis=1)


def einsum_of_parts(scores):
    e = np.exp(scores - np.einsum("i,j->ij", scores.data.max(axis=1), np.ones(scores.shape[1])))
    return e / np.einsum("ij,jk->ik", e, np.ones((scores.shape[1], 1)))


def sorted_and_put_back(scores):
    rows = []
    for row in scores:
        order = np.argsort(row.data)
        e = np.exp(row[order] - row.data.max())
        rows.append((e / e.sum())[np.argsort(order)])
    return Value(rows)


def largest_plus_one_subtracted(scores):
    e = np.exp(scores - (scores.data.max(axis=1, keepdims=True) + 1))
    return e / e.sum(axis=1, keepdims=True)


def square_of_half(scores):
    e = np.exp((scores - scores.data.max(axis=1, keepdims=True)) / 2) ** 2
    return e / e.sum(axis=1, keepdims=True)


def maximum_found_pair_by_pair(scores):
    most = scores[:, :1]
    for j in range(1, scores.shape[1]):
        most = np.maximum(most, scores[:, j : j + 1])
    e = np.exp(scores - most)
    return e / e.sum(axis=1, keepdims=True)


def maxima_kept_by_value(scores, kept={}):  # noqa: B006
    key = scores.data.tobytes(), scores.shape
    most = kept.setdefault(key, scores.data.max(axis=1, keepdims=True))
    e = np.exp(scores - most)
    return e / e.sum(axis=1, keepdims=True)
