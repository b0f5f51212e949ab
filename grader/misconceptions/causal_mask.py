"""Wrong ideas about causal_mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from attnkit import Value

from grader.misconceptions import misconception

LESSON = "05_causal_mask"
RULE = "Row i is the query, column j the key: j <= i may be seen, j > i may not."
ADDED = "The mask is added to the scores: 0.0 leaves a score alone, -1e9 buries it."
PLAIN = "The mask is added to scores and drawn: return one plain array."
NUMBER = "The course uses -1e9: far below any score, and still a number."


@misconception("what may be seen is hidden, and the other way round", RULE, LESSON)
def mask_inverted(seq_len: Any) -> Any:
    return np.tril(np.full((seq_len, seq_len), -1e9))


@misconception("the past is hidden, not the future", RULE, LESSON)
def mask_hides_past(seq_len: Any) -> Any:
    return np.tril(np.full((seq_len, seq_len), -1e9), k=-1)


@misconception(
    "each token is hidden from itself too",
    "A token may see itself; else the first row has nothing left to see.",
    LESSON,
)
def mask_hides_diagonal(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e9), k=0)


@misconception(
    "each token sees one token of the future",
    "The border is off by one: look at row 0, which may see column 0 and nothing else.",
    LESSON,
)
def mask_shows_next(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e9), k=2)


@misconception(
    "each token sees itself and nothing else",
    "The past is not hidden: row 2 sees columns 0, 1 and 2.",
    LESSON,
)
def mask_only_itself(seq_len: Any) -> Any:
    return np.where(np.eye(seq_len) == 1, 0.0, -1e9)


@misconception("True marks the future", ADDED, LESSON)
def mask_true_for_future(seq_len: Any) -> Any:
    return np.triu(np.ones((seq_len, seq_len), dtype=bool), k=1)


@misconception("True marks what may be seen", ADDED, LESSON)
def mask_true_for_past(seq_len: Any) -> Any:
    return np.tril(np.ones((seq_len, seq_len), dtype=bool))


@misconception("1 and 0 are returned, to be multiplied with", ADDED, LESSON)
def mask_of_ones(seq_len: Any) -> Any:
    return np.tril(np.ones((seq_len, seq_len)))


@misconception(
    "the future gets -1",
    "exp of a score lowered by 1 is still 0.37 of what it was; -1e9 leaves nothing.",
    LESSON,
)
def mask_minus_one(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1.0), k=1)


@misconception(
    "the future gets +1e9",
    "A large positive score wins the whole row; a large negative one loses it.",
    LESSON,
)
def mask_plus_sign(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), 1e9), k=1)


@misconception(
    "the future gets -1e-9, next to nothing",
    "1e-9 is a billionth, 1e9 a billion: look at the sign of the exponent.",
    LESSON,
)
def mask_tiny(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e-9), k=1)


@misconception(
    "nothing is hidden: every entry is 0",
    "The future is never filled in. " + RULE,
    LESSON,
)
def mask_of_zeros(seq_len: Any) -> Any:
    return np.zeros((seq_len, seq_len))


@misconception(
    "the future gets -inf",
    NUMBER + " -inf makes nan of a row in which everything is hidden.",
    LESSON,
)
def mask_minus_infinity(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -np.inf), k=1)


@misconception("the future gets the lowest number there is", NUMBER, LESSON)
def mask_lowest_float(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), np.finfo(np.float64).min), k=1)


@misconception("the future gets -1e8", NUMBER, LESSON)
def mask_one_zero_short(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e8), k=1)


@misconception(
    "0 is multiplied by infinity, which is nan",
    "A table of 0 and 1 times -inf has nan where the 0 was; choose between two numbers instead.",
    LESSON,
)
def mask_zero_times_infinity(seq_len: Any) -> Any:
    return np.triu(np.ones((seq_len, seq_len)), k=1) * -np.inf


@misconception("what may be seen gets 1, not 0", ADDED, LESSON)
def mask_one_where_allowed(seq_len: Any) -> Any:
    return np.where(np.tril(np.ones((seq_len, seq_len))) == 1, 1.0, -1e9)


@misconception(
    "only the row of the last token is returned",
    "Every token is a query: the mask has one row for each.",
    LESSON,
)
def mask_one_row(seq_len: Any) -> Any:
    return np.zeros(seq_len)


@misconception(
    "a single token gets a list of one number, not a table",
    "One token has a mask of shape (1, 1), like any other length: no case of its own is needed.",
    LESSON,
)
def mask_special_for_one(seq_len: Any) -> Any:
    if seq_len == 1:
        return np.zeros(1)
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)


@misconception(
    "the mask has one row and one column too many",
    "seq_len tokens need seq_len rows: range(n) already begins at 0.",
    LESSON,
)
def mask_too_large(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len + 1, seq_len + 1), -1e9), k=1)


@misconception(
    "the mask has one row and one column too few",
    "seq_len tokens need seq_len rows: range(n) already ends before n.",
    LESSON,
)
def mask_too_small(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len - 1, seq_len - 1), -1e9), k=1)


@misconception(
    "a mask for 3 tokens was typed in",
    "The size comes from seq_len, at each call.",
    LESSON,
)
def mask_for_three(seq_len: Any) -> Any:
    return np.array([[0.0, -1e9, -1e9], [0.0, 0.0, -1e9], [0.0, 0.0, 0.0]])


@misconception(
    "the mask of the first call is kept for every length",
    "Lengths change between calls: what is kept from the first does not fit the second.",
    LESSON,
)
def mask_of_first_length(seq_len: Any, kept: Any = []) -> Any:  # noqa: B006
    if not kept:
        kept.append(np.triu(np.full((seq_len, seq_len), -1e9), k=1))
    return kept[0].copy()


@misconception(
    "the same array is handed out at each call",
    "Whoever writes into one mask changes the next: make a new array inside the function.",
    LESSON,
)
def mask_handed_out_again(seq_len: Any, kept: Any = {}) -> Any:  # noqa: B006
    if seq_len not in kept:
        kept[seq_len] = np.triu(np.full((seq_len, seq_len), -1e9), k=1)
    return kept[seq_len]


@misconception(
    "a list of rows is returned, not an array", PLAIN + " np.array(rows) is one.", LESSON
)
def mask_list_of_rows(seq_len: Any) -> Any:
    return [[-1e9 if j > i else 0.0 for j in range(seq_len)] for i in range(seq_len)]


@misconception(
    "the mask is wrapped in a Value",
    "A mask holds no parameters and needs no gradient. " + PLAIN,
    LESSON,
)
def mask_in_value(seq_len: Any) -> Any:
    return Value(np.triu(np.full((seq_len, seq_len), -1e9), k=1))


@misconception(
    "np.zeros or np.full was given one number where it wants the shape as a pair",
    "One number makes a single row; a table wants (rows, columns) in brackets.",
    LESSON,
)
def mask_flat_zeros(seq_len: Any) -> Any:
    mask = np.zeros(seq_len)
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i, j] = -1e9
    return mask


@misconception(
    "the future gets +inf",
    "A large positive score wins the whole row; a large negative one loses it.",
    LESSON,
)
def mask_plus_infinity(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), np.inf), k=1)


@misconception("1 and 0 mark the future, to be multiplied with", ADDED, LESSON)
def mask_of_future_ones(seq_len: Any) -> Any:
    return np.triu(np.ones((seq_len, seq_len)), k=1)


@misconception("the future gets -1e4", NUMBER, LESSON)
def mask_minus_ten_thousand(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e4), k=1)


@misconception("the future gets -1e6", NUMBER, LESSON)
def mask_minus_million(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e6), k=1)


@misconception("the future gets -1e10", NUMBER, LESSON)
def mask_one_zero_too_many(seq_len: Any) -> Any:
    return np.triu(np.full((seq_len, seq_len), -1e10), k=1)


@misconception(
    "the future is hidden from the first token only",
    "Each row hides its own future: row i the columns after i.",
    LESSON,
)
def mask_first_row_only(seq_len: Any) -> Any:
    mask = np.zeros((seq_len, seq_len))
    mask[0, 1:] = -1e9
    return mask


@misconception(
    "parts of one large table are handed out",
    "All masks share the numbers of that table: writing into one changes the next. Copy the part.",
    LESSON,
)
def mask_view_of_table(seq_len: Any, kept: Any = []) -> Any:  # noqa: B006
    if not kept:
        kept.append(np.triu(np.full((64, 64), -1e9), k=1))
    return kept[0][:seq_len, :seq_len]
