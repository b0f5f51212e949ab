"""Right ways to write causal_mask."""

import numpy as np
from attnkit import Value


def triu(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)


def triu_of_ones_negated(seq_len):
    return -1e9 * np.triu(np.ones((seq_len, seq_len)), 1)


def where_tril(seq_len):
    return np.where(np.tril(np.ones((seq_len, seq_len))) == 1, 0.0, -1e9)


def one_minus_tril(seq_len):
    return (1 - np.tril(np.ones((seq_len, seq_len)))) * -1e9


def double_loop(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(seq_len):
            if j > i:
                mask[i, j] = -1e9
    return mask


def slices(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        mask[i, i + 1 :] = -1e9
    return mask


def comprehension(seq_len):
    return np.array([[0.0 if j <= i else -1e9 for j in range(seq_len)] for i in range(seq_len)])


def compared_positions(seq_len):
    i, j = np.arange(seq_len)[:, None], np.arange(seq_len)[None, :]
    return np.where(j > i, -1e9, 0.0)


def indices(seq_len):
    mask = np.zeros((seq_len, seq_len))
    mask[np.triu_indices(seq_len, k=1)] = -1e9
    return mask


def boolean_index(seq_len):
    mask = np.zeros((seq_len, seq_len))
    mask[np.triu(np.ones((seq_len, seq_len), dtype=bool), k=1)] = -1e9
    return mask


def integers(seq_len):
    return np.triu(np.full((seq_len, seq_len), -(10**9)), k=1)


def float32(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9, dtype=np.float32), k=1)


def wrapped_in_value(seq_len):
    return Value(np.triu(np.full((seq_len, seq_len), -1e9), k=1))


def fromfunction(seq_len):
    return np.fromfunction(lambda i, j: (j > i) * -1e9, (seq_len, seq_len))


def full_then_tril_zeroed(seq_len):
    mask = np.full((seq_len, seq_len), -1e9)
    mask[np.tril_indices(seq_len)] = 0
    return mask


def copies_a_kept_mask(seq_len, kept={}):  # noqa: B006
    if seq_len not in kept:
        kept[seq_len] = np.triu(np.full((seq_len, seq_len), -1e9), k=1)
    return kept[seq_len].copy()


def nested_list(seq_len):
    return [[-1e9 if j > i else 0.0 for j in range(seq_len)] for i in range(seq_len)]
