"""Is what is run of a lesson what a verdict needs, and no more?"""

from grader import notebook
from grader.authoring.build import ROOT
from grader.grading.run import lesson_of

RELEASE = notebook.read(ROOT / "course" / "08_cost.ipynb")


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
