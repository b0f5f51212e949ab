"""Do learners' checks get the same verdict across two pipes and behind the wall?"""

import pytest
from learners_checks import RIGHT, USELESS
from standing import standing_wall

from grader import checks, notebook
from grader.authoring.build import ROOT
from grader.grading.run import lesson_of
from grader.judging import known_good
from grader.judging.judge import Cell, Lesson, judge_learner
from grader.sandbox.walls import NONE, Limits

FIRST = Cell("first", "import numpy as np\nfrom attnkit import Value")
LIMITS = Limits(lesson=20.0, call=2.0)
OFFERED = known_good.sources("09_clinic")


@pytest.fixture(params=["bare", "walled"], scope="module")
def wall(request):
    return NONE if request.param == "bare" else standing_wall()


def judged(texts, wall):
    """The verdict on each learner's check, by patient and title."""
    lessons = [
        Lesson(f"{patient} {title}", [FIRST, Cell("c", text)], [f"check_{patient}_tells"], OFFERED)
        for (patient, title), text in texts.items()
    ]
    results = judge_learner(lessons, "seed", wall, LIMITS)
    return {name: next(iter(one.verdicts.values())) for name, one in results.items()}


def test_right_checks_pass(wall):
    texts = {(p, title): text for p, all_ in RIGHT.items() for title, text in all_.items()}
    verdicts = judged(texts, wall)
    assert {name: one for name, one in verdicts.items() if one.state != "passed"} == {}


def test_useless_checks_fail_and_say_why(wall):
    texts = {(p, title): pair[0] for p, all_ in USELESS.items() for title, pair in all_.items()}
    verdicts = judged(texts, wall)
    assert {name: one for name, one in verdicts.items() if one.state != "failed"} == {}
    for (patient, title), _ in texts.items():
        assert USELESS[patient][title][1] in verdicts[f"{patient} {title}"].message


HOSTILE = {
    "leaves": "import os\ndef is_ill_c(Q, K, scores): os._exit(0)",
    "never answers": "def is_ill_c(Q, K, scores):\n    while True: pass",
    "looks for the versions": (
        "import gc, sys\n"
        "def is_ill_c(Q, K, scores):\n"
        "    import grader.checks.telling as telling\n"
        "    return np.allclose(scores, telling.SCALED.ill[0](Q, K))"
    ),
    "looks down the stack": (
        "import sys\n"
        "def is_ill_c(Q, K, scores):\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n"
        "        if 'truth' in frame.f_locals: return frame.f_locals['truth']\n"
        "        frame = frame.f_back\n"
        "    return False"
    ),
    "a truth of its own": (
        "class Yes:\n"
        "    dtype, shape = np.dtype(bool), ()\n"
        "    def __bool__(self): return True\n"
        "    def __eq__(self, other): return True\n"
        "    def __array__(self, *_, **__): return np.array(True)\n"
        "def is_ill_c(Q, K, scores): return Yes()"
    ),
    "a large answer": "def is_ill_c(Q, K, scores): return np.ones((2000, 2000), bool)",
}
PROBE = "def probe_c(): return np.ones((1, 4)), np.ones((1, 4))\n"


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_check_earns_nothing(title, wall):
    limits = LIMITS._replace(call=0.5)
    cells = [FIRST, Cell("c", PROBE + HOSTILE[title])]
    lesson = Lesson("l", cells, ["check_c_tells"], OFFERED)
    verdict = judge_learner([lesson], "seed", wall, limits)["l"].verdicts["check_c_tells"]
    assert verdict.state in ("failed", "died", "timed out")


def graded(folder, change=lambda source: source):
    book = notebook.read(ROOT / folder / "09_clinic.ipynb")
    release = notebook.read(ROOT / "course" / "09_clinic.ipynb")
    for cell, released in zip(book.cells, release.cells, strict=True):
        cell.metadata = released.metadata
        cell.source = change(cell.source)
    lesson = lesson_of("09_clinic", book)
    verdicts = judge_learner([lesson], "seed", NONE, LIMITS)["09_clinic"].verdicts
    return {name: one.state for name, one in verdicts.items()}


def test_solved_lesson_passes_all_and_the_release_none():
    assert set(graded("solutions").values()) == {"passed"}
    assert set(graded("course").values()) == {"not attempted"}


def test_lesson_is_graded_alone_and_a_wrong_name_loses_its_own_point():
    states = graded("solutions", lambda source: source.replace("return 10", "return 11"))
    assert {name for name, state in states.items() if state != "passed"} == {"fault_of_b_named"}


def test_every_check_of_the_lesson_is_judged():
    mine = [
        name for name in checks.names()
        if checks.find(name).function.__module__ == "grader.checks.clinic"
    ]  # fmt: skip
    assert set(graded("course")) == set(mine)
