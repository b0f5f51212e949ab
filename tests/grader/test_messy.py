"""An honest notebook keeps its points, whatever stands around a right answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.authoring.build import ROOT
from grader.judging.judge import Cell, Lesson, LessonResult, judge_learner
from grader.sandbox.walls import NONE, Limits
from tests.grader.hostile.arena import CHECKS, FIRST, cells
from tests.grader.messy import LEFT_BEHIND, MEASURES, MISSING, PICTURES, RIGHT, STOPS

LIMITS = Limits(lesson=20.0, cells=10.0, call=1.0, memory=1 << 30)
PLT = "import matplotlib.pyplot as plt\nfrom matplotlib.axes import Axes\n"
PLT += "fig, a = plt.subplots(); hi, lo = a.get_ylim()"

Judge = Callable[[str], LessonResult]


def _lesson(name: str, text: str) -> Lesson:
    own = [Cell(f"c{i}", source, i) for i, source in enumerate(cells(text), start=2)]
    return Lesson(name, [Cell("first", FIRST, 1), *own], CHECKS)


@pytest.fixture(scope="module")
def judged() -> dict[str, LessonResult]:
    """Judge all texts, each as a lesson, by one process that forks."""
    texts = {**MEASURES, **STOPS, **LEFT_BEHIND, **MISSING}
    lessons = [_lesson(name, text) for name, text in texts.items()]
    return judge_learner(lessons, "seed", NONE, LIMITS)


@pytest.mark.parametrize("name", [*MEASURES, *STOPS, *LEFT_BEHIND, *MISSING])
def test_right_answer_keeps_every_point(name: str, judged: dict[str, LessonResult]) -> None:
    verdicts = judged[name].verdicts.items()
    assert {check: one for check, one in verdicts if one.state != "passed"} == {}


def test_every_ordinary_use_of_a_picture_does_nothing() -> None:
    text = "\n# %%\n".join([PLT, *"\n".join(PICTURES).replace("\n    ", "\t").split("\n")])
    result = judge_learner([_lesson("l", text.replace("\t", "\n    "))], "seed", NONE, LIMITS)["l"]
    assert {run.id: run.output for run in result.runs if not run.ok} == {}


def test_what_was_cut_short_is_remarked() -> None:
    text = f"while True: pass\n# %%\nimport ctypes; ctypes.string_at(0)\n# %%\n{RIGHT}"
    result = judge_learner([_lesson("l", text)], "seed", NONE, LIMITS)["l"]
    said = ("was stopped after 1 seconds", "ended its process")
    assert result.remarks == (f"code cell 2 {said[0]}", f"code cell 3 {said[1]}")
    assert [run.output for run in result.runs[1:3]] == [f"This cell {one}.\n" for one in said]


def test_lesson_whose_cells_use_up_their_time_keeps_that_of_its_checks() -> None:
    limits = LIMITS._replace(cells=2.0)
    text = "# %%\n".join(["import time; time.sleep(9)\n"] * 9) + f"# %%\n{RIGHT}"
    result = judge_learner([_lesson("l", f"{RIGHT}\n# %%\n{text}")], "seed", NONE, limits)["l"]
    assert {one.state for one in result.verdicts.values()} == {"passed"}
    assert result.remarks[-1].endswith("was not run: the cells before it had used up the time")


GONE = "`softmax` is not defined: code cell 2"
NO_TORCH = "torch is not available where this is graded; the course needs NumPy and attnkit only."
MESSAGES = {
    "def Softmax(scores): return scores": "No cell defines `softmax`; code cell 2 defines `Softmax`, "
    "and the name must agree in every letter.",
    "def soft_max(scores): return scores": "No cell defines `softmax`; code cell 2 defines `soft_max`, "
    "and the name must agree in every letter.",
    "x = 1": "No cell defines `softmax`.",
    "x = 1\ndef softmax(scores)\n    return 1": f"{GONE} stopped with SyntaxError in line 2.",
    'def softmax(scores):\n    print(f"{\'a\' + "b"}")': f"{GONE} stopped with SyntaxError in line 2.",
    "def softmax(scores):\nreturn scores": f"{GONE} stopped with IndentationError in line 1.",
    "def softmax(s):\n    e = 1\n\treturn s": f"{GONE} stopped with TabError in line 3.",
    "@undefined\ndef softmax(s): return s": f"{GONE} stopped with NameError in line 1.",
    "import ctypes; ctypes.string_at(0)\nif 1:\n    def softmax(s): pass": f"{GONE} ended its process.",
    "while True: pass\nif 1:\n    def softmax(s): pass": f"{GONE} was stopped after 1 seconds.",
    "class Said7(Exception): pass\nif 1:\n    raise Said7\n    def softmax(s): pass": f"{GONE} stopped "
    "with an exception of its own in line 3.",
    "import torch\nclass softmax(torch.nn.Module): pass": f"{GONE} stopped with ModuleNotFoundError "
    f"in line 2; {NO_TORCH}",
    "import torch\ndef softmax(s): return torch.softmax(s, 1)": "`softmax` stopped with "
    f"ModuleNotFoundError: {NO_TORCH}",
    "def softmax(s): return jnp.exp(s) / math.e": "`softmax` stopped with NameError: no cell defines "
    "or imports jnp, math.",
    "softmax = np.eye(2)": "`softmax` is no function: code cell 2 gives this name to something else.",
}


@pytest.mark.parametrize("text", MESSAGES)
def test_message_names_the_cell_and_what_is_wrong_in_it(text: str) -> None:
    result = judge_learner([_lesson("l", text)], "seed", NONE, LIMITS)["l"]
    assert result.verdicts["softmax_values"].message == MESSAGES[text]


def test_a_cell_cannot_say_more_than_a_kind_and_a_line_of_its_own() -> None:
    text = "import sys\nframe = sys._getframe()\n"
    text += "while 'slips' not in frame.f_locals: frame = frame.f_back\n"
    text += "frame.f_locals['slips'] += [('said', 3), ('KeyError', 10 ** 9), 5]\nsoftmax"
    result = judge_learner([_lesson("l", text)], "seed", NONE, LIMITS)["l"]
    assert result.fault == ""
    assert result.verdicts["softmax_values"].message == "No cell defines `softmax`."


def test_nothing_is_told_of_cells_after_a_check() -> None:
    own = [Cell("c", RIGHT, 2), Cell(CHECKS[0], "", 3), Cell("late", "while True: pass", 4)]
    lesson = Lesson("l", [Cell("first", FIRST, 1), *own], CHECKS)
    result = judge_learner([lesson], "seed", NONE, LIMITS)["l"]
    assert {one.state for one in result.verdicts.values()} == {"passed"}
    assert not result.runs[-1].ok
    assert result.remarks == ()


MASK = """
TABLE = np.where(np.tri(16) == 1, 0.0, -1e9)
def causal_mask(seq_len): return {}
"""
CLAIMS = {
    "kept": ("TABLE[:seq_len, :seq_len]", ""),
    "kept and read-only": ("TABLE[:seq_len, :seq_len]", "TABLE.flags.writeable = False"),
    "kept in an array that is not filled": (
        "TABLE[:seq_len, :seq_len].view(Own)",
        "class Own(np.ndarray):\n    def fill(self, *_): pass",
    ),
    "kept, with the grader's helper exchanged": (
        "TABLE[:seq_len, :seq_len]",
        "import sys\nfor name, module in [*sys.modules.items()]:\n"
        "    if name.endswith('inside.pieces'): module._spoil = lambda result: None",
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_mask_that_is_kept_is_no_new_one_whatever_it_claims(claim: str) -> None:
    kept, more = CLAIMS[claim]
    check = "causal_mask_fresh"
    own = [Cell("c", MASK.format(kept) + more), Cell(check, "")]
    lesson = Lesson("l", [Cell("first", FIRST), *own], [check])
    result = judge_learner([lesson], "seed", NONE, LIMITS)["l"]
    assert result.verdicts[check].state == "failed"


def test_learner_reads_the_limits_that_hold() -> None:
    text = (ROOT / "course" / "README.md").read_text("utf-8")
    limits = Limits()
    assert f"stopped after {limits.call:g} seconds" in text
    assert f"have {limits.cells:g} seconds together" in text
