"""Is each wrong idea caught, let through by something weaker, and named rightly?"""

import inspect
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
import right_alternatives
import wrong_again
import wrong_unlisted
from attnkit import Linear, Value, known
from attnkit import checks as visible
from attnkit.probes import asker, observe

from grader import misconceptions
from grader.authoring import fingerprints, matrix
from grader.checks.interface import InProcess
from grader.misconceptions import PIECES
from solutions import attention

IDEAS = misconceptions.every()
EACH = pytest.mark.parametrize("name", IDEAS)
SEEDS = ["one", "two", "three"]


def as_target(piece, function):
    return misconceptions.as_class(function) if piece == "SelfAttention" else function


def named(piece, target):
    with np.errstate(all="ignore"), redirect_stdout(StringIO()):
        return known.names(piece, observe(piece, asker(target)))


def printed(piece, target):
    with redirect_stdout(StringIO()) as out:
        getattr(visible, PIECES[piece])(target)
    return out.getvalue()


def test_there_are_50_wrong_ideas_and_no_two_are_one():
    assert len(IDEAS) >= 50
    assert len({one.does for one in IDEAS.values()}) > 0.9 * len(IDEAS)
    assert len({misconceptions.source(one) for one in IDEAS.values()}) == len(IDEAS)


@EACH
def test_wrong_idea_is_caught_whatever_is_drawn(name):
    for seed in ["", *SEEDS]:
        assert matrix.caught(IDEAS[name], seed)


@EACH
def test_wrong_idea_is_let_through_by_something_weaker(name):
    """By one of the hidden checks of its piece alone, or by a check that somebody might write."""
    one = IDEAS[name]
    passed = set(matrix.of(one.piece)) - matrix.caught(one).keys()
    assert passed or any(passes(check, one) for check in WEAK_CHECKS[one.piece])


def passes(check, one):
    try:
        return check(misconceptions.target(one))
    except IndexError:  # the idea itself raises for three tokens
        return False


FUTURE = np.triu(np.ones((3, 3), dtype=bool), k=1)
RIGHT = np.where(FUTURE, -1e9, 0.0)


def overlaps(mask):
    rows, columns = np.minimum(mask.shape, 3)
    return np.array_equal(mask[:3, :3], RIGHT[:rows, :columns])


WEAK_MASK_CHECKS = {
    "right for 3 tokens": lambda f: np.array_equal(f(3), RIGHT),
    "right where it overlaps": lambda f: overlaps(np.atleast_2d(f(3))),
    "true for the future": lambda f: np.array_equal(f(3) != 0, FUTURE),
    "true for the past": lambda f: np.array_equal(f(3) == 0, FUTURE),
    "adds nothing to the last token": lambda f: np.all(f(3) + np.zeros(3) == 0),
    "hides nothing from a single token": lambda f: np.all(f(1) == 0),
}


def first_output(head, T):
    """The numbers for a single object that is called once; the first part of several."""
    result = head(2).forward(Value(np.eye(max(T, 2))[:T, :2]))
    return getattr(result[0] if isinstance(result, tuple | list) else result, "data", result)


WEAK_HEAD_CHECKS = {
    "one row for each token, in what comes first": lambda head: len(first_output(head, 5)) == 5,
    "a single token has one row": lambda head: first_output(head, 1).shape == (1, 2),
}.values()


TABLE = Value(np.diag([1.0, 2.0, 3.0]))
WEAK_CHECKS = {
    "softmax": [lambda f: f(TABLE).shape == (3, 3)],
    "attention_scores": [lambda f: f(TABLE, TABLE, 3).shape == (3, 3)],
    "causal_mask": WEAK_MASK_CHECKS.values(),
    "apply_attention": [lambda f: f(TABLE, TABLE).shape == (3, 3)],
    "SelfAttention": WEAK_HEAD_CHECKS,
}


def test_each_check_catches_something_alone_or_is_argued_for():
    silent = [name for name, ideas in matrix.alone().items() if not (ideas or matrix.reason(name))]
    assert silent == []


def test_matrix_has_no_wrong_cell():
    lines, wrong = matrix.table()
    assert wrong == 0
    assert not any("NOT CAUGHT" in line for line in lines)


def test_matrix_tells_a_wrong_cell(monkeypatch):
    harmless = IDEAS["softmax_twice"]._replace(name="harmless", wrong=attention.softmax)
    monkeypatch.setattr(misconceptions, "target", lambda one: one.wrong)
    monkeypatch.setattr(
        misconceptions, "of", lambda piece: [harmless] if piece == "softmax" else []
    )
    lines, wrong = matrix.table()
    assert wrong == 1
    assert any("harmless" in line and "NOT CAUGHT" in line for line in lines)


def test_wrong_ideas_are_named_in_the_visible_check():
    """At least 95 in 100, and at most 1 in 100 by a name that is not theirs."""
    ideas = [(one.piece, one.name, misconceptions.target(one)) for one in IDEAS.values()]
    assert_rates(ideas)


def test_wrong_ideas_written_again_are_named_too():
    """The fingerprints were not made from these."""
    again = [(piece, name, as_target(piece, f)) for piece, name, f in wrong_again.every()]
    assert len(again) >= 100
    assert {name for _, name, _ in again} <= set(IDEAS)
    assert_rates(again)


def assert_rates(cases):
    right = wrong = 0
    for piece, name, target in cases:
        names = named(piece, target)
        shown = names and IDEAS[names[0]].does.split()[0] in printed(piece, target)
        right += bool(shown and name in names and len(names) <= 3)
        wrong += bool(names and name not in names)
    assert right >= 0.95 * len(cases)
    assert wrong <= 0.01 * len(cases)


@EACH
def test_visible_check_is_red(name):
    assert "✗" in printed(IDEAS[name].piece, misconceptions.target(IDEAS[name]))


@pytest.mark.parametrize(
    ("piece", "function"),
    [pytest.param(p, f, id=f"{p}-{name}") for p, name, f in right_alternatives.every()],
)
def test_right_alternative_is_green_and_has_no_name(piece, function):
    target = as_target(piece, function)
    assert "✗" not in printed(piece, target)
    assert named(piece, target) == []
    assert misconceptions.names_of(piece, InProcess(target)) == []


def test_unknown_wrong_answers_get_no_name():
    cases = [(piece, name, as_target(piece, f)) for piece, name, f in wrong_unlisted.every()]
    assert len(cases) >= 25
    assert {
        name: named(piece, target) for piece, name, target in cases if named(piece, target)
    } == {}
    assert all("✗" in printed(piece, target) for piece, _, target in cases)


@EACH
def test_names_are_the_same_through_the_interface_of_hidden_checks(name):
    one = IDEAS[name]
    with np.errstate(all="ignore"):
        across = misconceptions.names_of(one.piece, InProcess(misconceptions.target(one)))
    assert across == named(one.piece, misconceptions.target(one))
    assert name in across


@EACH
def test_source_behaves_as_the_wrong_idea(name):
    one = IDEAS[name]
    scope = {"np": np, "math": __import__("math"), "Value": Value, "Linear": Linear}
    scope |= {piece: getattr(attention, piece) for piece in PIECES}
    exec(misconceptions.source(one), scope)
    written = scope["forward" if one.piece == "SelfAttention" else one.piece]
    assert name in named(one.piece, as_target(one.piece, written))


@EACH
def test_wrong_idea_tells_the_learner_something(name):
    one = IDEAS[name]
    assert not one.does.endswith(".")
    assert one.tell.endswith(".")
    assert "  " not in one.tell + one.does
    assert len(one.tell) <= 200
    assert one.lesson[:2] == f"{list(PIECES).index(one.piece) + 3:02}"


@EACH
def test_telling_is_not_giving_the_answer(name):
    """No line of the reference stands in what a learner is told."""
    answer = inspect.getsource(getattr(attention, IDEAS[name].piece)).splitlines()
    code = [line.strip() for line in answer if "=" in line or line.strip().startswith("return")]
    assert not any(line in IDEAS[name].tell for line in code)


def test_fingerprints_in_the_kit_are_up_to_date():
    assert fingerprints.PATH.read_text("utf-8") == fingerprints.text()


def test_fingerprints_are_the_same_twice():
    assert fingerprints.text() == fingerprints.text()
