"""Wrong softmax, written in other ways."""

import math

import numpy as np
from attnkit import Value


def softmax_over_columns_again(scores):
    columns = [np.exp(column - column.data.max()) for column in scores.T]
    return Value([column / column.sum() for column in columns]).T


def softmax_over_columns_again2(scores):
    e = (scores - scores.max(axis=0)).exp()
    return e / e.sum(axis=0)


def softmax_over_everything_again(scores):
    flat = scores.reshape(scores.data.size)
    e = np.exp(flat - max(flat.data))
    return (e / e.sum()).reshape(scores.shape)


def softmax_first_row_sum_again(scores):
    e = np.exp(scores - scores.data.max(axis=1)[:, None])
    total = sum(e[0, j] for j in range(scores.shape[1]))
    return e / total


def softmax_sum_without_keepdims_again(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores - m)
    return e / np.sum(e, axis=-1)


def softmax_maximum_without_keepdims_again(scores):
    m = [max(row) for row in scores.data]
    e = (scores - np.array(m)).exp()
    return e / e.sum(axis=1, keepdims=True)


def softmax_without_keepdims_again(scores):
    m = np.array([row.max() for row in scores.data])
    e = (scores - m).exp()
    return e / Value([row.sum() for row in e])


def softmax_global_maximum_again(scores):
    biggest = float(np.max(scores.data))
    rows = [np.exp(row - biggest) for row in scores]
    return Value([row / row.sum() for row in rows])


def softmax_naive_exp_again(scores):
    rows = []
    for row in scores:
        exps = [one.exp() for one in row]
        rows.append([one / sum(exps) for one in exps])
    return Value(rows)


def softmax_naive_exp_again2(scores):
    return np.exp(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))


def softmax_adds_maximum_again(scores):
    e = (scores.data.max(axis=1, keepdims=True) + scores).exp()
    return e / e.sum(axis=1).reshape(len(scores), 1)


def softmax_subtracts_mean_again(scores):
    e = np.exp(scores - scores.mean(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_absolute_maximum_again(scores):
    rows = [np.exp(row - max(abs(one) for one in row.data)) for row in scores]
    return Value([row / row.sum() for row in rows])


def softmax_cuts_scores_again(scores):
    clipped = np.where(scores.data > 700, 700.0, np.where(scores.data < -700, -700.0, scores))
    e = np.exp(clipped)
    return e / e.sum(axis=1, keepdims=True)


def softmax_large_epsilon_again(scores):
    rows = [np.exp(row - row.data.max()) for row in scores]
    return Value([row / (row.sum() + 0.001) for row in rows])


def _once(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_twice_again(scores):
    return _once(_once(scores))


def softmax_base_two_again(scores):
    e = np.exp2(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_smallest_wins_again(scores):
    return _once(-scores)


def softmax_without_exp_again(scores):
    return Value([row / row.sum() for row in scores])


def softmax_without_division_again(scores):
    return Value([np.exp(row - row.data.max()) for row in scores])


def softmax_sigmoid_again(scores):
    return 1 / (1 + np.exp(-scores))


def softmax_logarithm_again(scores):
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def softmax_scales_again_again(scores):
    return _once(scores * (1 / math.sqrt(scores.shape[-1])))


def softmax_cut_at_exp_again(scores):
    rows = []
    for row in scores.data:
        exps = [math.exp(one - max(row)) for one in row]
        rows.append([one / sum(exps) for one in exps])
    return Value(rows)


def softmax_cut_at_sum_again(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return e * (1 / e.data.sum(axis=1))[:, None]


def softmax_returns_array_again(scores):
    return _once(scores).data


def softmax_returns_list_again(scores):
    return [_once(row.reshape(1, len(row)))[0] for row in scores]


def softmax_changes_scores_again(scores):
    for i in range(len(scores)):
        scores.data[i] = scores.data[i] - max(scores.data[i])
    e = scores.exp()
    return e / e.sum(axis=1, keepdims=True)


def softmax_three_rows_again(scores):
    a, b, c = scores
    return _once(Value([a, b, c]))


def softmax_three_columns_again(scores):
    e = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    total = e[:, 0] + e[:, 1] + e[:, 2]
    return e / total.reshape(len(scores), 1)


def softmax_squeezes_one_row_again(scores):
    weights = _once(scores)
    if scores.shape[0] == 1:
        return weights.reshape(scores.shape[1])
    return weights
