"""Is what is run of a lesson what a verdict needs, and no more?"""

import pytest

from grader import nbgrader_api, notebook
from grader.authoring.build import ROOT
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook
from grader.grading.run import Task, grade_learner, lesson_of
from grader.intake.work import Work
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


def test_the_course_carries_a_hundred_points():
    assert sum(lesson.points for lesson in LESSONS) == 100
