"""Does each right answer get full points, and does the comparison forgive nothing?"""

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import right_alternatives
import wrong_again
import wrong_unlisted
from attnkit import Value, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import checks, misconceptions
from grader.authoring import matrix
from grader.authoring.lesson import read_lessons
from grader.checks import compare
from grader.checks.interface import CheckFailure, Reply
from grader.misconceptions import PIECES
from grader.sandbox.inside import pieces
from solutions import attention

LESSONS = Path(checks.__file__).parent.parent / "lessons"
RIGHT = list(right_alternatives.every())
SEEDS = ["", "one", "two"]
POINTS = {cell.name: cell.points for one in read_lessons() for cell in one.cells}


def as_target(piece, function):
    return misconceptions.as_class(function) if piece == "SelfAttention" else function


def failed(piece, target, seed=""):
    return {name: said for name in matrix.of(piece) if (said := matrix.verdict(name, target, seed))}


def test_there_are_60_right_alternatives():
    assert len(RIGHT) >= 60
    assert {piece for piece, _, _ in RIGHT} == set(PIECES)


@pytest.mark.parametrize(
    ("piece", "function"), [pytest.param(p, f, id=f"{p}-{name}") for p, name, f in RIGHT]
)
def test_right_alternative_passes_all(piece, function):
    assert failed(piece, as_target(piece, function)) == {}


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("seed", SEEDS)
def test_reference_passes_whatever_is_drawn(piece, seed):
    assert failed(piece, getattr(attention, piece), seed) == {}


@pytest.mark.parametrize("piece", PIECES)
def test_untouched_piece_fails_all(piece):
    def untouched(*arguments, **options):
        raise NotImplementedError

    assert list(failed(piece, as_target(piece, untouched))) == matrix.of(piece)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_wrong_writings_are_caught_whatever_is_drawn(seed):
    passed = [
        name
        for module in (wrong_again, wrong_unlisted)
        for piece, name, function in module.every()
        if not failed(piece, as_target(piece, function), seed)
    ]
    assert passed == []


GUESSES = {
    "softmax": [
        lambda scores: scores,
        lambda scores: scores * 0,
        lambda scores: scores * 0 + 1 / scores.shape[1],
    ],
    "attention_scores": [lambda Q, K, d_k: Q @ K.T * 0],
    "causal_mask": [
        lambda seq_len: np.ones((seq_len, seq_len)),
        lambda seq_len: np.zeros((seq_len, seq_len)),
        lambda seq_len: np.full((seq_len, seq_len), -1e9),
    ],
    "apply_attention": [lambda weights, V: weights @ V * 0, lambda weights, V: V],
    "SelfAttention": [lambda self, x, causal=True: x * 0, lambda self, x, causal=True: x],
}


@pytest.mark.parametrize(
    ("piece", "guess"), [(piece, one) for piece, guesses in GUESSES.items() for one in guesses]
)
def test_guesses_of_the_right_shape_earn_a_tenth_at_most(piece, guess):
    passed = set(matrix.of(piece)) - failed(piece, as_target(piece, guess)).keys()
    assert 10 * sum(POINTS[name] for name in passed) <= sum(POINTS[one] for one in matrix.of(piece))


def test_what_a_piece_prints_and_warns_is_dropped(capsys, recwarn):
    def softmax(scores):
        print("out")
        print("err", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(2))
        return attention.softmax(scores)

    checks.run("softmax_values", softmax)
    assert capsys.readouterr() == ("", "")
    assert not recwarn.list


def test_every_check_says_what_it_tests_in_one_sentence():
    for name in checks.names():
        sentence = checks.find(name).property
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 100


@pytest.mark.parametrize(("piece", "total"), list(zip(PIECES, [14, 14, 12, 10, 18], strict=True)))
def test_points_lie_where_they_should(piece, total):
    """A tenth at most for shape and row sums, about half for values, a fifth for gradients."""
    points = lesson_points(piece)
    assert list(points) == matrix.of(piece)
    assert sum(points.values()) == total
    assert set(points.values()) <= {1, 2, 3, 4}

    def share(*endings):
        return sum(n for name, n in points.items() if name.endswith(endings)) / total

    values = ("_values", "_odd_shapes", "_uses_d_k", "_allowed", "_future")
    assert share("_shape", "_rows_sum") <= 0.1
    assert 0.38 <= share(*values, "_causal", "_sees_everything") <= 0.65
    assert piece == "causal_mask" or 0.2 <= share("_gradient") <= 0.23


def lesson_points(piece):
    """The points of each hidden check, from the one lesson that asks for the piece."""
    texts = [path.read_text("utf-8") for path in LESSONS.glob("*.md")]
    text = next(one for one in texts if f":exercise: {piece}\n" in one)
    pairs = re.findall(r":check: (\w+)\n:points: (\d)", text)
    return {name: int(n) for name, n in pairs if name in matrix.of(piece)}


def test_no_hidden_check_draws_the_same_for_two_classes():
    assert checks.random_stream("x", "a").random() != checks.random_stream("x", "b").random()
    assert checks.random_stream("x", "a").random() == checks.random_stream("x", "a").random()


def reply(output, grads=(), arguments=(), type_name="Value"):
    return Reply(output, grads, arguments, type_name)


WANTED = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    "output",
    [
        WANTED[:1],  # would broadcast
        WANTED[None],
        np.float64(1.0),
        np.where(WANTED == 4, np.nan, WANTED),
        np.full((2, 2), np.inf),
        WANTED * (1 + 2e-7),
        WANTED == 1,
        WANTED.astype(complex),
        "text",
        (WANTED, WANTED),
        np.array(np.nan),
    ],
    ids=repr,
)
def test_comparison_refuses(output):
    with pytest.raises(CheckFailure):
        compare.values(reply(output), WANTED, "it")


@pytest.mark.parametrize(
    "output",
    [WANTED, WANTED * (1 + 0.9e-7), WANTED + 0.9e-9, WANTED.astype(int), WANTED.astype("f4")],
    ids=repr,
)
def test_comparison_forgives_rounding(output):
    compare.values(reply(output), WANTED, "it")


@pytest.mark.parametrize(
    ("grad", "says"),
    [
        (None, "no gradient reaches x"),
        (WANTED * np.nan, "not right"),
        (WANTED * (1 + 1e-5), "not right"),
        (WANTED.T[:1], "shape"),
    ],
)
def test_gradient_comparison_refuses(grad, says):
    with pytest.raises(CheckFailure, match=says):
        compare.gradient(reply(WANTED, (grad,)), WANTED, [WANTED], ["x"])


def test_changed_argument_is_refused_to_the_last_bit():
    compare.untouched(reply(None, arguments=(WANTED.copy(),)), [WANTED], ["x"])
    with pytest.raises(CheckFailure, match="x was changed"):
        compare.untouched(reply(None, arguments=(np.nextafter(WANTED, 9),)), [WANTED], ["x"])


@pytest.mark.parametrize("mask", [-np.inf, -1e9 - 1e-6, -999_999_999, 1e9, -1e8, np.nan])
def test_mask_is_compared_exactly(mask):
    def causal_mask(seq_len):
        return np.where(np.tri(seq_len) == 1, 0.0, mask)

    assert "causal_mask_future" in failed("causal_mask", causal_mask)
    assert (
        not {"causal_mask_allowed", "causal_mask_fresh"} & failed("causal_mask", causal_mask).keys()
    )


def test_minus_infinity_costs_one_check_and_names_the_constant():
    def causal_mask(seq_len):
        return np.triu(np.full((seq_len, seq_len), -np.inf), k=1)

    said = failed("causal_mask", causal_mask)
    assert list(said) == ["causal_mask_future"]
    assert "the course uses -1e9" in said["causal_mask_future"]


@pytest.mark.parametrize("dress", [np.asarray, np.int64, np.float32])
def test_mask_of_other_numbers_counts(dress):
    def causal_mask(seq_len):
        return dress(np.where(np.tri(seq_len) == 1, -0.0, -1e9))

    assert failed("causal_mask", causal_mask) == {}


@pytest.mark.parametrize(
    ("dress", "kind"),
    [
        (Value, "a Value"),
        (np.ndarray.tolist, "a list"),
        (list, "a list"),
        (tuple, "a tuple"),
        (np.matrix, "a matrix"),
        (np.ma.array, "a MaskedArray"),
    ],
)
def test_mask_of_another_type_costs_its_first_check_and_is_told(dress, kind):
    def causal_mask(seq_len):
        return dress(np.where(np.tri(seq_len) == 1, 0.0, -1e9))

    said = failed("causal_mask", causal_mask)
    assert list(said) == ["causal_mask_shape"]
    assert said["causal_mask_shape"].startswith(f"{kind} came back, wanted ")


def test_shared_memory_costs_the_check_about_it_alone():
    table = np.triu(np.full((64, 64), -1e9), k=1)
    before = table.copy()
    said = failed("causal_mask", lambda seq_len: table[:seq_len, :seq_len])
    assert list(said) == ["causal_mask_fresh"]
    assert "make the array inside the function" in said["causal_mask_fresh"]
    assert np.array_equal(table, before)


@settings(max_examples=40, deadline=None)
@given(seed=st.text(), idea=st.sampled_from(list(misconceptions.every().values())))
def test_reference_passes_and_wrong_idea_fails_for_any_seed(seed, idea):
    """A seed draws shapes, magnitudes and numbers."""
    assert failed(idea.piece, getattr(attention, idea.piece), seed) == {}
    assert matrix.caught(idea, seed)


def test_loops_of_hidden_checks_give_the_worked_example():
    np.testing.assert_allclose(checks.softmax.row_by_row(examples.SCORES), examples.WEIGHTS)
    for causal, name in [(True, "example"), (False, "all visible")]:
        output = checks.self_attention._output(examples.X, examples.PARAMETERS, causal)
        np.testing.assert_allclose(output, examples.PROBES["SelfAttention"][name].wanted)


@settings(max_examples=40, deadline=None)
@given(
    T=st.integers(1, 6),
    D=st.integers(1, 4),
    size=st.sampled_from([1e-3, 1, 30]),
    seed=st.integers(0, 2**32 - 1),
)
def test_complex_steps_agree_with_finite_differences(T, D, size, seed):
    rng = np.random.default_rng(seed)
    x, parameters = rng.normal(scale=size, size=(T, D)), checks.self_attention._draw(rng, D)
    upstream, direction = rng.normal(size=(2, T, D))

    def output(x):
        return checks.self_attention._output(x, parameters, True)

    slope = compare.slopes(output, [x], upstream)[0]
    step = 1e-6 / size

    def along(sign):
        return (upstream * output(x + sign * step * direction)).sum()

    felt = (along(1) - along(-1)) / (2 * step)
    assert abs((slope * direction).sum() - felt) <= 1e-4 * (1 + abs(slope).sum())


def test_answer_on_paper_that_a_cell_keeps_stays_as_it_is():
    """A Value made once and used by the next exercise too; without arguments nothing is cached."""
    kept = Value([[0.25, 0.75]])
    assert pieces.call(lambda: kept, [], {}).output.tolist() == [[0.25, 0.75]]
    assert kept.data.tolist() == [[0.25, 0.75]]
