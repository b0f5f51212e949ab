"""Does the visible line of a graded cell speak up for open exercises, and only for them?"""

import inspect
import sys

import numpy as np
import pytest
from attnkit import checks
from attnkit.requirement import OpenExerciseError

from grader import misconceptions
from solutions import attention, by_hand, clinic, cost, value_rules

PIECES = ("softmax", "attention_scores", "causal_mask", "apply_attention", "SelfAttention")
COLUMNS = misconceptions.target(misconceptions.every()["softmax_over_columns"])


def stub(*_):
    raise NotImplementedError


class Stub:
    """As released: given parameters, and a `forward` that is not written."""

    __init__ = attention.SelfAttention.__init__

    def forward(self, x, causal=True):
        raise NotImplementedError


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_required_to_be_written_and_green(name, capsys):
    checks.require(**{name: getattr(attention, name)})
    unwritten = Stub if name == "SelfAttention" else stub
    with pytest.raises(OpenExerciseError, match=f"^{name} is not written yet: write it"):
        checks.require(**{name: unwritten})
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", misconceptions.every())
def test_each_known_wrong_idea_that_the_check_shows_is_refused(name, capsys):
    wrong = misconceptions.every()[name]
    piece, target = wrong.piece, misconceptions.target(wrong)
    show = getattr(checks, "self_attention" if piece == "SelfAttention" else piece)
    show(target)
    red = "✗" in capsys.readouterr().out
    try:
        checks.require(**{piece: target})
    except OpenExerciseError as error:
        assert red and f"run checks.{show.__name__}({piece}) and mend what is red" in str(error)
    else:
        assert not red
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("shares_of_bob", lambda: [1, 2, 3]),
        ("causal_weights", lambda: None),
        ("drill_shapes", lambda: 1 / 0),
        ("lost_gradients", lambda: ["a"]),
    ],
)
def test_a_paper_answer_is_required_to_be_right(name, wrong):
    right = getattr(by_hand, name, None) or getattr(value_rules, name)
    checks.require(**{name: right})
    with pytest.raises(OpenExerciseError, match=rf"run checks.paper\({name}\)"):
        checks.require(**{name: wrong})
    with pytest.raises(OpenExerciseError, match="not written yet"):
        checks.require(**{name: stub})


@pytest.mark.parametrize("right", [value_rules.centre_rows, cost.table_bytes, clinic.repaired_d])
def test_an_exercise_without_a_check_is_required_to_be_written(right):
    def half(*arguments):
        right(*arguments)
        raise NotImplementedError

    half.__signature__ = inspect.signature(right)
    checks.require(**{right.__name__: right})
    for unwritten in (stub, half):
        with pytest.raises(OpenExerciseError, match="is not written yet"):
            checks.require(**{right.__name__: unwritten})


def test_all_exercises_of_a_cell_are_required():
    checks.require(probe_c=clinic.probe_c, is_ill_c=clinic.is_ill_c)
    with pytest.raises(OpenExerciseError, match=r"^is_ill_c is not written yet"):
        checks.require(probe_c=clinic.probe_c, is_ill_c=stub)


@pytest.mark.parametrize("name", ["causal_mask", "centre_rows", "shares_of_bob"])
def test_a_name_that_another_cell_took_is_told(name):
    with pytest.raises(OpenExerciseError, match=f"^{name} is now of type ndarray: a cell gives"):
        checks.require(**{name: np.zeros((3, 3))})


def test_what_an_exercise_is_called_inside_does_not_matter():
    checks.require(softmax=lambda scores: attention.softmax(scores))
    with pytest.raises(OpenExerciseError, match=r"^softmax is not right yet"):
        checks.require(softmax=lambda scores: COLUMNS(scores))


def test_a_class_that_cannot_be_made_is_red():
    class Broken:
        def __init__(self, D):
            raise RuntimeError(D)

    with pytest.raises(OpenExerciseError, match=r"^SelfAttention is not right yet"):
        checks.require(SelfAttention=Broken)


def test_nothing_that_an_exercise_prints_comes_through(capfd):
    def loud(scores):
        print("here")
        print("there", file=sys.stderr)
        np.log(np.zeros(2))
        return attention.softmax(scores)

    checks.require(softmax=loud)
    assert capfd.readouterr() == ("", "")


def test_hidden_tests_alone_decide_while_nbgrader_grades(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    checks.require(softmax=COLUMNS, causal_mask=3)
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    with pytest.raises(OpenExerciseError):
        checks.require(softmax=COLUMNS)


def test_an_open_exercise_ends_the_cell_with_one_sentence_and_no_frame():
    from IPython.core.interactiveshell import InteractiveShell

    shell, shown = InteractiveShell(), []
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    shell.user_ns.update(checks=checks, softmax=COLUMNS)
    shell.run_cell("checks.require(softmax=softmax)")
    assert shown == [
        "softmax is not right yet: run checks.softmax(softmax) and mend what is red.",
        "Until then, Run All stops here.",
    ]
