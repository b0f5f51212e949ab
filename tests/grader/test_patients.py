"""Does each chart come from its fault alone, and do lesson, answers and checks agree on it?"""

import ast
import re

import numpy as np
import pytest
from attnkit import Value, clinic
from attnkit.examples import CAUSAL, SCORES, K, Q, V

from grader import misconceptions, notebook
from grader.authoring import build, patients
from grader.checks import clinic as checks_clinic
from solutions import attention
from solutions import clinic as answers

HEALTHY = clinic.chart("healthy")
TABLES = ("scores", "weights", "attended", "moved")
CELLS = notebook.read(build.ROOT / "course" / "09_clinic.ipynb").cells
IDEAS = misconceptions.every()


def code(name):
    """What the release binds to a name, run beside the reference."""
    scope = {"np": np, "Value": Value, "softmax": attention.softmax}
    scope["causal_mask"] = attention.causal_mask
    (text,) = [
        one.source for one in CELLS if re.search(rf"^def {name}\(|^{name} = ", one.source, re.M)
    ]
    exec(text, scope)
    return scope[name]


def test_charts_in_the_kit_are_up_to_date():
    assert patients.PATH.read_text("utf-8") == patients.text()


def test_healthy_chart_is_the_worked_example():
    np.testing.assert_allclose(HEALTHY.scores, SCORES, atol=1e-10)
    np.testing.assert_allclose(HEALTHY.weights, CAUSAL, atol=1e-10)
    np.testing.assert_allclose(HEALTHY.attended, [[3, 4], [4, 3], [3, 2]], atol=1e-10)
    np.testing.assert_array_equal(HEALTHY.moved, np.tri(3))
    assert HEALTHY.far_above.tolist() == [3, 4]
    assert all(abs(one - 1) < 0.05 for one in HEALTHY.spread.values())
    assert all(said == felt for said, felt in HEALTHY.gradients.values())
    assert all(holds for holds, _ in HEALTHY.checklist)


@pytest.mark.parametrize("patient", "ABCDEFGH")
def test_backward_errs_only_where_the_fault_is_in_the_graph(patient):
    """Else the gradients of one fault would look like those of another."""
    gradients = clinic.chart(patient).gradients
    errs = {name for name, (said, felt) in gradients.items() if (said or 0) != felt}
    assert errs == ({"x", "W_q", "W_k"} if patient == "B" else set())


def test_pictures_of_the_lesson_have_the_neutral_caption_of_their_patient():
    text = "\n".join(cell.source for cell in CELLS if cell.cell_type == "code")
    drawn = re.findall(r"clinic\.chart\(\"(\w+)\"\)|^plot\.show\(.*, (.*)\)$", text, re.M)
    wanted = [((one, ""), ("", f'clinic.caption("{one}")')) for one in ("healthy", *"ABCDEFGH")]
    assert drawn == [one for pair in wanted for one in pair]


def test_scores_of_patient_c_stray_by_the_root_of_the_width():
    for D, spread in clinic.chart("C").spread.items():
        assert spread == pytest.approx(np.sqrt(int(D)), rel=0.05)


def test_each_fault_of_the_list_has_a_chart_of_its_own():
    shown = [str(patients.chart(fault)) for fault in (None, *patients.FAULTS)]
    assert len(set(shown)) == len(shown)


def test_faults_of_the_lesson_are_known_wrong_ideas_in_their_own_words():
    assert code("faults") == [IDEAS[fault].does for fault in patients.FAULTS]


@pytest.mark.parametrize("patient", "BCDE")
def test_fault_is_the_one_that_the_chart_was_made_from(patient):
    number = patients.FAULTS.index(patients.PATIENTS[patient]) + 1
    assert getattr(answers, f"fault_of_{patient.lower()}")() == number
    assert checks_clinic.FAULTS[patient.lower()] == number


def test_other_faults_are_those_of_f_g_and_h():
    assert answers.other_faults() == [
        patients.FAULTS.index(patients.PATIENTS[one]) + 1 for one in "FGH"
    ]


def first_sign(patient):
    chart = clinic.chart(patient)
    for number, table in enumerate(TABLES, start=1):
        if not np.allclose(getattr(chart, table), getattr(HEALTHY, table)):
            return number
    assert any(said != felt for said, felt in chart.gradients.values())
    return 5


def test_first_signs_are_read_off_the_charts():
    assert answers.first_signs() == [first_sign(one) for one in "BCDE"]
    assert list(checks_clinic.SIGNS) == answers.first_signs()
    assert first_sign("A") == 2


# The patients' code in the lesson against the wrong ideas: what each takes, and the idea on it.
SAME = {
    "A": ((SCORES,), lambda scores: misconceptions.target(IDEAS["softmax_over_everything"])(scores)),
    "B": ((SCORES, V), lambda scores, V: attention.softmax(scores) @ V),
    "C": ((Q, K), lambda Q, K: misconceptions.target(IDEAS["scores_without_scale"])(Q, K, 2)),
    "D": ((SCORES,), lambda scores: np.tril(attention.softmax(scores))),
    "E": ((CAUSAL, V), misconceptions.target(IDEAS["mix_transposed_weights"])),
}  # fmt: skip


@pytest.mark.parametrize("patient", SAME)
def test_code_in_the_lesson_has_the_fault_of_the_chart(patient):
    arrays, wrong = SAME[patient]
    given, again = [[Value(one) for one in arrays] for _ in range(2)]
    result, wanted = code(f"patient_{patient.lower()}")(*given), wrong(*again)
    np.testing.assert_allclose(result.data, wanted.data, rtol=1e-12)
    result.backward(np.ones(result.shape))
    assert [one.grad is None for one in given] == [
        patient == "B" and one is given[0] for one in given
    ]


def test_patients_in_the_lesson_give_their_charts():
    given = {
        "A": (SCORES + attention.causal_mask(3),), "C": (Q, K), "D": (SCORES,), "E": (CAUSAL, V),
    }  # fmt: skip
    shows = {"A": "weights", "C": "scores", "D": "weights", "E": "attended"}
    for patient, arrays in given.items():
        result = code(f"patient_{patient.lower()}")(*map(Value, arrays))
        np.testing.assert_allclose(
            result.data, getattr(clinic.chart(patient), shows[patient]), atol=1e-10
        )


def test_given_check_tells_patient_b_from_its_repair():
    scope = {"np": np, "Value": Value, "healthy": HEALTHY, "softmax": attention.softmax}
    for name in ("patient_b", "is_cut"):
        (text,) = [one.source for one in CELLS if f"def {name}(" in one.source]
        exec(ast.unparse(ast.Module(ast.parse(text).body[:4], [])), scope)
    assert scope["is_cut"](scope["patient_b"])
    assert not scope["is_cut"](answers.repaired_b)
    assert scope["is_cut"](lambda scores, V: Value(attention.softmax(scores).data) @ V)


def run_last_cell_of_d(repaired_d, capsys):
    scope = {"np": np, "Value": Value, "clinic": clinic, "healthy": HEALTHY}
    scope |= {"probe_d": answers.probe_d, "is_ill_d": answers.is_ill_d, "repaired_d": repaired_d}
    scope["patient_d"] = code("patient_d")
    (text,) = [one.source for one in CELLS if "far_above = " in one.source]
    exec(text, scope)
    return capsys.readouterr().out.splitlines()


def test_last_cell_of_patient_d_shows_a_mask_that_comes_late(capsys):
    """What looks right on the probe and on the chart shows at a score of 1000."""

    def late_and_divided(scores):
        kept = code("patient_d")(scores)
        return kept / kept.sum(axis=1, keepdims=True)

    right, late = (
        run_last_cell_of_d(one, capsys) for one in (answers.repaired_d, late_and_divided)
    )
    assert [line.split()[-1] for line in right[:3]] == ["ill", "ill", "healthy"]
    assert right[3:] == [
        "as on the healthy chart: True", "a gradient arrives: True",
        "ada, a hidden score of 1000: 1.00 0.00 0.00",
    ]  # fmt: skip
    assert late[3:5] == right[3:5] and late[5].split()[-3:] == ["nan"] * 3


def test_charts_do_not_name_their_fault():
    text = patients.PATH.read_text("utf-8")
    assert not any(fault in text for fault in patients.FAULTS)
