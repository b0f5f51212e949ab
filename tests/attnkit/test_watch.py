"""Does watching show what the pieces took and gave, and leave everything as it was?"""

import numpy as np
import pytest
from attnkit import Value
from attnkit.examples import CAUSAL, MASK, OUTPUT, PARAMETERS, SCORES, WEIGHTS, K, Q, V, X
from attnkit.watch import watch, watch_once

from solutions import attention
from solutions.attention import apply_attention, attention_scores, causal_mask, softmax


def worked_head():
    head = attention.SelfAttention(2)
    for name, table in PARAMETERS.items():
        getattr(head, name).W = Value(table)
    return head


def test_watch_gives_the_arrays_of_the_worked_example():
    kept = watch(worked_head().forward, Value(X))
    attended = [[3, 4], [4, 3], [3, 2]]
    wanted = {
        "Q": Q, "K": K, "V": V, "scores": SCORES, "mask": MASK, "masked_scores": SCORES + MASK,
        "weights": CAUSAL, "attended": attended, "output": OUTPUT,
    }  # fmt: skip
    assert kept.keys() == wanted.keys()
    for name, [array] in kept.items():
        np.testing.assert_allclose(array, wanted[name], rtol=1e-12, atol=1e-12, err_msg=name)


def test_watch_without_a_mask_keeps_none():
    kept = watch(worked_head().forward, Value(X), causal=False)
    assert kept["mask"] == []
    np.testing.assert_allclose(kept["weights"][0], WEIGHTS)


def row_by_row(x):
    return np.concatenate([softmax(x[:1]), softmax(x[1:])])


def test_watch_keeps_one_array_for_each_call():
    kept = watch(row_by_row, Value(SCORES))
    assert [one.shape for one in kept["weights"]] == [(1, 3), (2, 3)]
    assert kept["Q"] == []


@pytest.mark.parametrize("fails", [False, True])
def test_watch_puts_the_pieces_back(fails):
    before = {name: getattr(attention, name) for name in ("softmax", "causal_mask")}
    x = Value(np.ones((2, 3))) if fails else Value(X)
    if fails:
        with pytest.raises(ValueError, match="shape"):
            watch(worked_head().forward, x)
    else:
        watch(worked_head().forward, x)
    assert {name: getattr(attention, name) for name in before} == before


def test_watch_keeps_copies():
    kept = watch(worked_head().forward, Value(X))
    kept["mask"][0][:] = 7
    assert attention.causal_mask(3)[0, 0] == 0


def test_watch_once_gives_one_array_for_each_name():
    kept, once = watch(worked_head().forward, Value(X)), watch_once(worked_head().forward, Value(X))
    assert once.keys() == kept.keys()
    assert all(np.array_equal(once[name], array) for name, [array] in kept.items())


def mixes_without_the_piece(x):
    return softmax(attention_scores(x, x, 2) + causal_mask(len(x))) @ x


def never_masks(x):
    return apply_attention(softmax(attention_scores(x, x, 2)), x)


def takes_softmax_twice(x):
    return apply_attention(softmax(softmax(attention_scores(x, x, 2) + causal_mask(len(x)))), x)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (mixes_without_the_piece, "did not call apply_attention"),
        (never_masks, "did not call causal_mask"),
        (takes_softmax_twice, "called softmax 2 times"),
    ],
)
def test_watch_once_names_the_piece_that_was_not_called_once(function, says):
    with pytest.raises(LookupError, match=f"{function.__name__} {says}, wanted once"):
        watch_once(function, Value(X))
