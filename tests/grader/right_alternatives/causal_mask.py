"""Right ways to write causal_mask."""

import numpy as np


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


def float64_ones_halved_and_negated(seq_len):
    return -(1 - np.tri(seq_len)) * 1e9


def rows_stacked(seq_len):
    return np.stack(
        [np.r_[np.zeros(i + 1), np.full(seq_len - i - 1, -1e9)] for i in range(seq_len)]
    )


def part_of_a_large_table_copied(seq_len, table=np.triu(np.full((64, 64), -1e9), k=1)):  # noqa: B008
    return table[:seq_len, :seq_len].copy()


def read_only(seq_len):
    mask = np.triu(np.full((seq_len, seq_len), -1e9), k=1)
    mask.flags.writeable = False
    return mask


def whole_numbers(seq_len):
    return np.array(
        [[0 if j <= i else -1_000_000_000 for j in range(seq_len)] for i in range(seq_len)]
    )


def recursion(seq_len):
    if seq_len == 1:
        return np.zeros((1, 1))
    mask = np.zeros((seq_len, seq_len))
    mask[:-1, :-1] = recursion(seq_len - 1)
    mask[:-1, -1] = -1e9
    return mask


def column_by_column(seq_len):
    columns = [[-1e9] * j + [0.0] * (seq_len - j) for j in range(seq_len)]
    return np.column_stack(columns)


def sign_of_distance(seq_len):
    distance = np.subtract.outer(np.arange(seq_len), np.arange(seq_len))
    return np.minimum(np.sign(distance), 0) * 1e9


def filled_by_putmask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    np.putmask(mask, ~np.tri(seq_len, dtype=bool), -1e9)
    return mask


def flat_and_reshaped(seq_len):
    flat = [-1e9 * (n % seq_len > n // seq_len) for n in range(seq_len * seq_len)]
    return np.array(flat).reshape(seq_len, seq_len)
