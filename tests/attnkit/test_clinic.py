"""Does a patient's chart read and tell what its file holds, and refuse a patient nobody knows?"""

import numpy as np
import pytest
from attnkit import clinic


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


def test_red_lines_of_the_checklist_are_told(capsys):
    clinic.tell(clinic.chart("A"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("4/59, 48/59, 7/59")
    assert [line[0] for line in lines[-5:]] == ["✗", "✓", "✓", "✓", "✓"]
