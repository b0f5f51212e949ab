"""Do the visible check and the hidden checks of a piece agree, on every answer that is listed?"""

import copy
from contextlib import redirect_stdout
from io import StringIO
from types import FunctionType

import numpy as np
import pytest
import right_alternatives
import wrong_again
import wrong_at_the_edges
import wrong_unlisted
from attnkit import Value
from attnkit import checks as visible

from grader import misconceptions
from grader.authoring import matrix
from grader.authoring.lesson import read_lessons
from grader.misconceptions import PIECES

# Answers that may be green in one voice and red in the other, each with its reason.
EXCEPTIONS: dict[str, str] = {}
POINTS = {cell.name: cell.points for one in read_lessons() for cell in one.cells}
EACH = pytest.mark.parametrize("piece", PIECES)


def answers(piece):
    """Yield (name, function, whether it is right) of each listed answer about a piece."""
    for one in misconceptions.of(piece):
        yield one.name, one.wrong, False
    for module in (right_alternatives, wrong_again, wrong_unlisted, wrong_at_the_edges):
        for about, name, function in module.every():
            if about == piece:
                yield name, function, module is right_alternatives


def fresh(piece, function):
    """The answer as a learner runs it: it remembers nothing of an earlier check."""
    code, scope = function.__code__, function.__globals__
    again = FunctionType(code, scope, function.__name__, copy.deepcopy(function.__defaults__))
    again.__dict__.update(vars(function))
    return misconceptions.as_class(again) if piece == "SelfAttention" else again


def green(piece, target):
    """Whether the visible check has no red line."""
    with redirect_stdout(StringIO()) as out:
        getattr(visible, PIECES[piece])(target)
    return "✗" not in out.getvalue()


def failed(piece, target, seed=""):
    return [name for name in matrix.of(piece) if matrix.verdict(name, target, seed)]


@EACH
def test_green_is_worth_all_points_and_red_is_not(piece):
    told = {
        name: (green(piece, fresh(piece, function)), not failed(piece, fresh(piece, function)))
        for name, function, _ in answers(piece)
        if name not in EXCEPTIONS
    }
    assert {name: voices for name, voices in told.items() if voices[0] != voices[1]} == {}


@EACH
def test_right_answers_are_green_and_wrong_ones_are_red(piece):
    told = {name: (green(piece, fresh(piece, f)), right) for name, f, right in answers(piece)}
    assert {name: voices for name, voices in told.items() if voices[0] != voices[1]} == {}


@pytest.mark.slow
@EACH
def test_no_verdict_depends_on_the_seed(piece):
    """Not of the whole answer, and not of one check."""
    torn = {}
    for name, function, _ in answers(piece):
        told = {tuple(failed(piece, fresh(piece, function), str(seed))) for seed in range(50)}
        if len(told) > 1:
            torn[name] = told
    assert torn == {}


NOTHING = {
    "nan": lambda shape: np.full(shape, np.nan),
    "zeros": np.zeros,
    "ones": np.ones,
    "even": lambda shape: np.full(shape, 1 / shape[-1]),
    "arange": lambda shape: np.arange(np.prod(shape)).reshape(shape),
    "one-hot": lambda shape: np.eye(shape[-1])[np.zeros(shape[0], dtype=int)],
    "one entry": lambda shape: np.eye(np.prod(shape))[-1].reshape(shape),
    "identity": lambda shape: np.eye(*shape),
    "random": lambda shape: np.random.default_rng().normal(size=shape),
    "random shares": lambda shape: np.random.default_rng().dirichlet(np.ones(shape[1]), shape[0]),
}
SHAPES = {
    "softmax": lambda scores: scores.shape,
    "attention_scores": lambda Q, K, d_k: (len(Q), len(K)),
    "causal_mask": lambda seq_len: (seq_len, seq_len),
    "apply_attention": lambda weights, V: (len(weights), V.shape[1]),
}


@pytest.mark.parametrize("made", NOTHING)
@pytest.mark.parametrize("piece", SHAPES)
@pytest.mark.parametrize("dress", [np.array, Value])
def test_what_computes_nothing_earns_the_point_of_its_shape_at_most(piece, made, dress):
    earned = earns(piece, lambda *given: dress(NOTHING[made](SHAPES[piece](*given))))
    assert earned <= {matrix.of(piece)[0]}


@pytest.mark.parametrize("piece", SHAPES)
@pytest.mark.parametrize("place", [0, -1])
def test_an_argument_that_comes_back_earns_the_point_of_its_shape_at_most(piece, place):
    assert earns(piece, lambda *given: given[place]) <= {matrix.of(piece)[0]}


def earns(piece, function):
    passed = set(matrix.of(piece)) - set(failed(piece, function))
    assert all(POINTS[name] == 1 for name in passed)
    return passed
