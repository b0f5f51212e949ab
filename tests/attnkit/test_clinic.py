"""Does a patient's chart read and tell what its file holds, and refuse a patient nobody knows?"""

import re

import numpy as np
import pytest
from attnkit import Value, clinic


def test_chart_holds_arrays_of_the_worked_example():
    chart = clinic.chart("D")
    assert [getattr(chart, name).shape for name in ("scores", "weights", "attended")] == [
        (3, 3), (3, 3), (3, 2),
    ]  # fmt: skip
    assert chart.far_above.dtype == np.float64


def test_numbers_that_overflowed_are_nan_again():
    assert np.isnan(clinic.chart("F").far_above).all()


def test_patient_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="chart got 'Z', wanted one of healthy, A, B, C"):
        clinic.chart("Z")


def test_tell_prints_what_stands_beside_the_tables(capsys):
    clinic.tell(clinic.chart("B"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "row sums of weights    1, 1, 1"
    assert lines[1].endswith("40 · 3, 40 · 4")
    assert lines[4] == "gradient of W_q        no gradient, nudge 0.404"
    assert [line[0] for line in lines[-5:]] == ["✓"] * 5


def test_caption_tells_the_numbers_of_one_row_and_nothing_else():
    assert clinic.caption("D") == (
        "Patient D, row saw: scores 1.39 0.69 0.69, weights 1/2 1/4 0, attended 3 9/4; "
        "moved by ada, saw, bob."
    )
    said = {
        re.sub(r"^\w+( [A-Z])?,|-?[−\d./]+", "", clinic.caption(one)).split(";")[0]
        for one in "ABCDEFGH"
    }
    assert len(said) == 1
    assert clinic.caption("healthy").startswith("Healthy, row saw: ")


def probe():
    return np.array([[1.0, 2.0]]), [[3.0, 4.0], [5.0, 6.0]]


def product(Q, K):
    return Q @ K.T


def test_examine_hands_over_values_and_then_arrays():
    def is_ill(Q, K, scores):
        assert [type(one) for one in (Q, K, scores)] == [np.ndarray] * 3
        assert scores.tolist() == [[11, 17]]
        return scores.max() > 12

    assert clinic.examine(probe, is_ill, product) == "ill"
    assert clinic.examine(probe, lambda *_: False, product) == "healthy"


@pytest.mark.parametrize(
    "given", [np.eye(2), [[1, 0], [0, 1]], (np.eye(2),), Value(np.eye(2)), np.eye(2, dtype=int)]
)
def test_examine_takes_a_single_table_in_any_style(given):
    one = clinic.examine(
        lambda: given, lambda table, same: bool((table == same).all()), lambda x: x
    )
    assert one == "ill"


def test_examine_keeps_the_probe_from_a_check_that_changes_it():
    def greedy(Q, K, scores):
        Q *= 0
        return bool(scores.any())

    kept = probe()
    assert clinic.examine(lambda: kept, greedy, product) == "ill"
    assert kept[0].tolist() == [[1, 2]]


@pytest.mark.parametrize("answer", [None, 1, 0.0, "ill", np.array([True]), np.array([True, False])])
def test_examine_refuses_an_answer_that_is_no_truth(answer):
    def is_ill_c(Q, K, scores):
        return answer

    with pytest.raises(TypeError, match=r"got \w+ from is_ill_c, wanted True or False"):
        clinic.examine(probe, is_ill_c, product)


@pytest.mark.parametrize(
    "given",
    [
        np.eye(2)[0],
        np.eye(2),
        (np.eye(2), np.ones((33, 2))),
        2 * [np.full((2, 2), np.inf)],
        (np.eye(2), np.eye(2), np.eye(2)),
        (1, 2),
        [np.eye(2)],
    ],
)
def test_examine_refuses_a_probe_that_does_not_fit(given):
    def probe_c():
        return given

    with pytest.raises(ValueError, match=r"from probe_c, wanted 2 tables"):
        clinic.examine(probe_c, lambda *_: True, product)


def test_examine_says_that_a_probe_returned_nothing():
    with pytest.raises(ValueError, match="got nothing from <lambda>"):
        clinic.examine(lambda: None, lambda *_: True, product)


def test_red_lines_of_the_checklist_are_told(capsys):
    clinic.tell(clinic.chart("A"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("4/59, 48/59, 7/59")
    assert [line[0] for line in lines[-5:]] == ["✗", "✓", "✓", "✓", "✓"]
