"""Wrong causal_mask, written in other ways."""

import numpy as np


def _loop(T, allowed, hidden, hides):
    mask = np.full((T, T), allowed)
    for i in range(T):
        for j in range(T):
            if hides(i, j):
                mask[i, j] = hidden
    return mask


def mask_inverted_again(seq_len):
    return _loop(seq_len, 0.0, -1e9, lambda i, j: j <= i)


def mask_hides_past_again(seq_len):
    return _loop(seq_len, 0.0, -1e9, lambda i, j: i > j)


def mask_hides_past_again2(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1).T


def mask_hides_diagonal_again(seq_len):
    return _loop(seq_len, 0.0, -1e9, lambda i, j: j >= i)


def mask_shows_next_again(seq_len):
    return np.where(np.tri(seq_len, k=1) == 1, 0.0, -1e9)


def mask_only_itself_again(seq_len):
    return (1 - np.eye(seq_len)) * -1e9


def mask_true_for_future_again(seq_len):
    return np.arange(seq_len)[None, :] > np.arange(seq_len)[:, None]


def mask_true_for_past_again(seq_len):
    return np.tri(seq_len) == 1


def mask_of_ones_again(seq_len):
    return np.tri(seq_len)


def mask_minus_one_again(seq_len):
    return np.tri(seq_len) - 1


def mask_plus_sign_again(seq_len):
    return _loop(seq_len, 0.0, 1e9, lambda i, j: j > i)


def mask_tiny_again(seq_len):
    return _loop(seq_len, 0.0, -1e-9, lambda i, j: j > i)


def mask_minus_infinity_again(seq_len):
    return _loop(seq_len, 0.0, float("-inf"), lambda i, j: j > i)


def mask_lowest_float_again(seq_len):
    return _loop(seq_len, 0.0, np.finfo(float).min, lambda i, j: j > i)


def mask_one_zero_short_again(seq_len):
    return _loop(seq_len, 0.0, -100_000_000.0, lambda i, j: j > i)


def mask_zero_times_infinity_again(seq_len):
    return (1 - np.tri(seq_len)) * float("-inf")


def mask_one_where_allowed_again(seq_len):
    return _loop(seq_len, 1.0, -1e9, lambda i, j: j > i)


def mask_one_row_again(seq_len):
    return np.array([0.0] * seq_len)


def mask_too_large_again(seq_len):
    return _loop(seq_len + 1, 0.0, -1e9, lambda i, j: j > i)


def mask_too_small_again(seq_len):
    return _loop(seq_len - 1, 0.0, -1e9, lambda i, j: j > i)


def mask_for_three_again(seq_len):
    mask = np.zeros((3, 3))
    mask[0, 1] = mask[0, 2] = mask[1, 2] = -1e9
    return mask


def mask_of_first_length_again(seq_len):
    this = mask_of_first_length_again
    if not hasattr(this, "mask"):
        this.mask = np.where(np.tri(seq_len) == 1, 0.0, -1e9)
    return np.array(this.mask)


def mask_handed_out_again_again(seq_len):
    this = mask_handed_out_again_again
    this.masks = getattr(this, "masks", {})
    return this.masks.setdefault(seq_len, np.where(np.tri(seq_len) == 1, 0.0, -1e9))
