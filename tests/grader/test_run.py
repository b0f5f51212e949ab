"""Is what is run of a lesson what a verdict needs, and no more?"""

import pytest

from grader import nbgrader_api, notebook
from grader.authoring.build import ROOT
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook
from grader.grading.run import Task, grade_learner, lesson_of
from grader.intake.work import Work
from grader.judging import known_good
from grader.judging.judge import Cell, Lesson, judge_learner
from grader.sandbox.walls import NONE

RELEASE = notebook.read(ROOT / "course" / "08_cost.ipynb")
LESSONS = read_lessons()


def tagged(*tags):
    return {one.id for one in RELEASE.cells if set(tags) & set(one.metadata.get("tags", []))}


def test_pictures_and_the_clock_are_not_run():
    code = {one.id for one in RELEASE.cells if one.cell_type == "code"}
    run = {cell.id for cell in lesson_of("08_cost", RELEASE).cells}
    assert len(tagged("picture")) > 1
    assert len(tagged("timing")) == 1
    assert run == code - tagged("picture", "timing")


def test_a_hidden_test_is_called_by_the_judge_and_not_run():
    lesson = lesson_of("08_cost", RELEASE)
    assert {cell.source for cell in lesson.cells if cell.id in lesson.checks} == {""}
    assert len(lesson.checks) == 6


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.name)
def test_each_lesson_is_graded_alone(lesson):
    source = source_notebook(lesson)
    release = {lesson.name: nbgrader_api.release(source)}
    scores = []
    for text in (source, release[lesson.name]):
        work = Work(lesson.name, "ok", "", (), text, frozenset())
        task = Task("student-001", {lesson.name: work}, release, "seed")
        scores.append(grade_learner(task, NONE).result["score"])
    assert scores == [lesson.points, 0]


def graded(name, change):
    """Return the entry of a learner with the solved lesson after `change` to its notebook."""
    lesson = next(one for one in LESSONS if one.name == name)
    source = source_notebook(lesson)
    release = {name: nbgrader_api.release(source)}
    change(source)
    works = {name: Work(name, "ok", "", (), source, frozenset())}
    return grade_learner(Task("student-001", works, release, "seed"), NONE).result


def insert(text):
    def change(source):
        source.cells.insert(1, notebook.code_cell(text, "own"))

    return change


def test_what_was_cut_short_is_said_and_counted():
    result = graded("06_apply_attention", insert("import ctypes\nctypes.string_at(0)"))
    line = "06_apply_attention: code cell 1 ended its process"
    assert result["score"] == 10
    assert line in result["repairs"] and result["asks"] == []  # nothing was lost by it
    assert result["lessons"]["06_apply_attention"]["remarks"] == ["code cell 1 ended its process"]


def test_a_person_is_asked_where_points_may_have_been_lost_by_it():
    def change(source):
        cell = next(one for one in source.cells if one.id == "apply_attention")
        cell.source = (
            "import ctypes\nctypes.string_at(0)\n\ndef apply_attention(weights, V):\n    return V"
        )

    (ask,) = graded("06_apply_attention", change)["asks"]
    assert "apply_attention" in ask and "points are missing there: look at it" in ask


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("06_apply_attention", "from attnkit.mine import softmax, causal_mask"),
        ("09_clinic", "import attnkit.mine\nattnkit.mine.attention_scores"),
        ("10_watch_it_learn", "from attnkit.mine import SelfAttention, softmax"),
    ],
)
def test_pieces_of_earlier_lessons_are_mine_when_graded_as_at_home(name, text):
    lesson = Lesson(name, [Cell("own", text)], ["softmax_values"], known_good.sources(name))
    assert judge_learner([lesson], "seed", NONE)[name].runs[0].ok


def test_the_lessons_own_piece_is_not_mine_when_graded():
    def change(source):
        for cell in source.cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source = "from attnkit.mine import apply_attention"

    assert graded("06_apply_attention", change)["score"] == 0


def test_the_course_carries_a_hundred_points():
    assert sum(lesson.points for lesson in LESSONS) == 100
