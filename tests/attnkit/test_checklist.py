"""Does each of the five lines turn red for a wrong piece, and only that line?"""

import re

import numpy as np
import pytest
from attnkit import Linear, Value, checks

from solutions import attention

PIECES = ["softmax", "attention_scores", "causal_mask", "apply_attention", "SelfAttention"]


def lines(capsys, T=5, D=4, **replaced):
    """The printed lines with these pieces in place of the right ones."""
    right = {name: getattr(attention, name) for name in PIECES}
    checks.checklist(**(right | replaced), T=T, D=D)
    return re.sub(r"\x1b\[\d+m", "", capsys.readouterr().out).splitlines()


@pytest.mark.parametrize(("T", "D"), [(5, 4), (4, 4), (1, 1), (1, 3), (3, 1)])
def test_right_pieces_give_five_ticks(capsys, T, D):
    found = lines(capsys, T, D)
    assert len(found) == 5
    assert all(line.startswith("✓ ") for line in found)


def test_a_tick_says_what_was_seen(capsys):
    assert lines(capsys) == [
        "✓ each softmax row sums to 1: all 5 rows do",
        "✓ the causal mask has large negatives above the diagonal: "
        "all 10 entries there are -1e8 or less",
        "✓ attention_scores returns (T, T): (5, 5)",
        "✓ apply_attention returns (T, D): (5, 4)",
        "✓ forward returns the shape of x, (T, D): (5, 4)",
    ]


def over_all(scores):
    exps = np.exp(scores)
    return exps / exps.sum()


def over_columns(scores):
    exps = np.exp(scores)
    return exps / exps.sum(axis=0, keepdims=True)


class NoHead:
    def __init__(self, D):
        self.W = Linear(D, D + 1)

    def forward(self, x, causal=True):
        return self.W(x)


def unwritten(*_):
    raise NotImplementedError


WRONG = {
    "softmax over all entries": (0, {"softmax": over_all}, r"row 0 sums to 0\.\d{3}"),
    "softmax down the columns": (0, {"softmax": over_columns}, r"row 0 sums to"),
    "softmax gives nan": (0, {"softmax": lambda s: s * np.nan}, "row 0 sums to nan"),
    "softmax of one row": (0, {"softmax": lambda s: over_all(s)[0]}, r"\(5,\), wanted \(5, 5\)"),
    "softmax not written": (0, {"softmax": unwritten}, "not written yet"),
    "mask of zeros": (1, {"causal_mask": lambda T: np.zeros((T, T))}, r"entry \[0, 1\] is 0"),
    "mask transposed": (
        1,
        {"causal_mask": lambda T: attention.causal_mask(T).T},
        r"entry \[0, 1\] is 0",
    ),
    "mask too small": (
        1,
        {"causal_mask": lambda T: np.triu(np.full((T, T), -3.0), 1)},
        r"entry \[0, 1\] is -3",
    ),
    "mask of bools": (1, {"causal_mask": lambda T: np.tri(T) == 0}, r"entry \[0, 1\] is"),
    "scores transposed": (
        2,
        {"attention_scores": lambda Q, K, d_k: Q.T @ K},
        r"\(4, 4\), wanted \(5, 5\)",
    ),
    "scores without transpose": (
        2,
        {"attention_scores": lambda Q, K, d_k: Q @ K},
        "it raised ValueError: ",
    ),
    "mixing the wrong way": (
        3,
        {"apply_attention": lambda weights, V: V.T @ weights},
        r"\(4, 5\), wanted \(5, 4\)",
    ),
    "head of another width": (4, {"SelfAttention": NoHead}, r"\(5, 5\), wanted \(5, 4\)"),
}


@pytest.mark.parametrize(("place", "replaced", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_piece_turns_its_own_line_red(capsys, place, replaced, says):

    found = lines(capsys, **replaced)
    red = [i for i, line in enumerate(found) if line.startswith("✗ ")]
    assert red == [place]
    assert re.search(f": {says}", found[place])


def test_t_equal_to_d_hides_a_transposed_product(capsys):
    """The lesson shows this: lengths that differ are what makes a shape line worth reading."""
    found = lines(capsys, T=4, D=4, attention_scores=lambda Q, K, d_k: Q @ K)
    assert all(line.startswith("✓ ") for line in found)


class NeverMasks(attention.SelfAttention):
    def forward(self, x, causal=True):
        return super().forward(x, causal=False)


HIDING = {
    "no scaling": {"attention_scores": lambda Q, K, d_k: attention.attention_scores(Q, K, 1)},
    "graph cut": {"softmax": lambda scores: Value(attention.softmax(scores).data)},
    "mask never used": {"SelfAttention": NeverMasks},
}


@pytest.mark.parametrize("replaced", HIDING.values(), ids=HIDING)
def test_bugs_that_hide_behind_five_ticks(capsys, replaced):
    """The lesson says that these do: keep it true."""
    assert all(line.startswith("✓ ") for line in lines(capsys, **replaced))


def test_what_a_piece_prints_or_warns_is_held_back(capsys):
    def loud(scores):
        print("loud")
        return attention.softmax(scores) * np.exp(np.float64(0))

    assert len(lines(capsys, softmax=loud)) == 5
