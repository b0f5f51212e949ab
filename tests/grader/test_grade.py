"""Does a class come out with exactly the scores it deserves, and does one file stop nobody?"""

import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from small_class import small_class

from grader import checks, misconceptions, notebook
from grader.authoring import build, exercises
from grader.authoring.lesson import read_lessons
from grader.grading import grade, order, proof, run, standard
from grader.grading.crew import Crew, Local
from grader.judging import known_good
from grader.reporting import report
from grader.room import classroom, sample
from grader.room.classroom import ClassError, Classroom
from grader.sandbox import walls

POINTS = {lesson.name: lesson.points for lesson in read_lessons()}
FULL = {name: exercises.solved_text(exercises.find(name)) for name in exercises.names()}


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Classroom:
    """A class with one learner of each kind, graded once."""
    made = classroom.new(tmp_path_factory.mktemp("class") / "room")
    hand_in(made, "solution", FULL)
    hand_in(made, "untouched", {})
    wrong = misconceptions.every()["softmax_over_columns"]
    hand_in(made, "columns", FULL | {"softmax": misconceptions.source(wrong)})
    wrong = misconceptions.every()["attend_without_scale"]
    hand_in(made, "unscaled", FULL | {"SelfAttention": misconceptions.source(wrong)})
    wrong = misconceptions.every()["softmax_naive_exp"]  # its visible check is red: some points
    hand_in(made, "naive", FULL | {"softmax": misconceptions.source(wrong)})
    hand_in(made, "broken", FULL)
    (made.submitted / "broken" / ASSIGNMENT / "03_softmax.ipynb").write_bytes(b"{")
    hand_in(made, "missing", FULL)
    (made.submitted / "missing" / ASSIGNMENT / "03_softmax.ipynb").unlink()
    hand_in(made, "cut", FULL)
    delete(made.submitted / "cut" / ASSIGNMENT / "03_softmax.ipynb", "softmax", "softmax_values")
    delete(made.submitted / "cut" / ASSIGNMENT / "05_causal_mask.ipynb", "causal_mask_future")
    with Local(2) as crew:
        done = dict(grade.grade(made, grade.plan(made), crew, walls.NONE))
    assert sorted(done) == made.students()
    report.write(made)
    return made


def hand_in(made: Classroom, student: str, answers: dict[str, str]) -> None:
    folder = made.submitted / student / ASSIGNMENT
    folder.mkdir(parents=True)
    for name, lesson in made.release().items():
        text = notebook.text(sample.filled(lesson, answers))
        (folder / f"{name}.ipynb").write_text(text, "utf-8")


def delete(path: Path, *names: str) -> None:
    """Take the cells called `names` out of a notebook."""
    one = notebook.read(path)
    one.cells = [cell for cell in one.cells if cell.id not in names]
    path.write_text(notebook.text(one), "utf-8")


def graded(made: Classroom, student: str) -> dict:
    return json.loads((made.root / "grades.json").read_text("utf-8"))["students"][student]


def test_solution_gets_every_point_and_untouched_none(room):
    for student, share in (("solution", 1), ("untouched", 0)):
        lessons = graded(room, student)["lessons"]
        assert {name: one["score"] for name, one in lessons.items()} == {
            name: share * points for name, points in POINTS.items()
        }
    states = [
        cell["state"]
        for lesson in graded(room, "untouched")["lessons"].values()
        for cell in lesson["cells"].values()
    ]
    assert set(states) == {"not attempted"}


def test_wrong_idea_loses_points_in_its_own_lesson_and_is_named(room):
    lessons = graded(room, "columns")["lessons"]
    lost = {name for name, one in lessons.items() if one["score"] < one["max"]}
    assert lost == {"03_softmax"}
    failed = [one for one in lessons["03_softmax"]["cells"].values() if one["state"] == "failed"]
    assert failed and any("softmax_over_columns" in (one["misconception"] or "") for one in failed)


def test_unreadable_file_has_a_state_a_reason_and_no_score(room):
    one = graded(room, "broken")
    assert (one["state"], one["score"]) == ("rejected", None)
    assert one["lessons"]["03_softmax"]["score"] is None
    assert any("03_softmax" in line for line in one["repairs"])
    others = [lesson for name, lesson in one["lessons"].items() if name != "03_softmax"]
    assert all(lesson["score"] == lesson["max"] for lesson in others)


def test_missing_lesson_is_not_handed_in_and_scores_nothing(room):
    lesson = graded(room, "missing")["lessons"]["03_softmax"]
    assert (lesson["state"], lesson["score"]) == ("not handed in", 0)


def test_deleted_answer_is_missing_and_a_deleted_test_is_put_back(room):
    lessons = graded(room, "cut")["lessons"]
    for cell in lessons["03_softmax"]["cells"].values():
        assert (cell["state"], cell["points"]) == ("missing", 0)
        assert "`softmax` was not in the file" in cell["message"]
    mask = lessons["05_causal_mask"]
    assert (mask["state"], mask["score"]) == ("repaired", mask["max"])
    assert lessons["04_attention_scores"]["state"] == "ok"


def test_csv_leaves_a_field_empty_where_nobody_knows(room):
    with (room.root / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["broken"]["score"] == rows["broken"]["03_softmax"] == ""
    assert float(rows["solution"]["03_softmax"]) == POINTS["03_softmax"]


def test_nothing_changed_means_nothing_to_do(room):
    assert grade.plan(room)[:2] == ([], 7)
    assert grade.plan(room, "columns", regrade=True).due == ["columns"]


def test_fault_of_the_grader_costs_one_learner_a_verdict_and_is_tried_again(tmp_path, monkeypatch):
    made = small_class(tmp_path / "room")
    for student in ("first", "second"):
        hand_in(made, student, {})
    real = order.grade_learner

    def fails_for_one(work, wall):
        if work.student == "first":
            raise OSError("no space left on device")
        return real(work, wall)

    monkeypatch.setattr(order, "grade_learner", fails_for_one)
    done = graded_here(made)
    assert (done["first"]["state"], done["first"]["score"]) == ("infrastructure", None)
    assert "no space left on device" in done["first"]["repairs"][-1]
    assert done["second"]["score"] == 0
    assert report.need_a_person(report.grades(made)) == ["first"]
    assert grade.plan(made).due == ["first"]
    monkeypatch.undo()
    assert graded_here(made)["first"]["score"] == 0
    assert grade.plan(made).due == []


def graded_here(made: Classroom) -> dict:
    """Grade in a thread of this process, so that what was patched here counts."""
    with Crew(lambda: ThreadPoolExecutor(1), 2) as crew:
        return dict(grade.grade(made, grade.plan(made), crew, walls.NONE))


def test_learner_who_is_not_there_is_named(room):
    with pytest.raises(ClassError, match="nobody has handed in nothing here; there are: broken"):
        grade.plan(room, "nobody")


def test_changed_work_is_graded_again_and_only_that(room):
    path = room.submitted / "untouched" / ASSIGNMENT / "05_causal_mask.ipynb"
    before = path.read_text("utf-8")
    path.write_text(notebook.text(sample.filled(notebook.read(path), FULL)), "utf-8")
    assert grade.plan(room).due == ["untouched"]
    path.write_text(before, "utf-8")


def test_self_test_passes_and_stops_a_class_whose_reference_is_wrong(tmp_path):
    made = small_class(tmp_path / "room")
    for who in proof.WANTED:
        proof.self_test(who, standard.of(made), walls.NONE)
    path = made.root / "source" / ASSIGNMENT / "05_causal_mask.ipynb"
    path.write_text(path.read_text("utf-8").replace("k=1", "k=0"), "utf-8")
    with pytest.raises(proof.SelfTestError, match=r"the reference got 'failed' in causal_mask"):
        proof.self_test("the reference", standard.of(made), walls.NONE)


def test_class_folder_that_exists_is_never_touched(room):
    before = sorted(room.root.rglob("*"))
    with pytest.raises(ClassError, match="exists; name a folder that does not"):
        classroom.new(room.root)
    with pytest.raises(ClassError, match="holds learners; a sample goes into a new class"):
        sample.enrol(room, 3)
    assert sorted(room.root.rglob("*")) == before


def test_folder_that_is_no_class_is_named(tmp_path):
    with pytest.raises(ClassError, match=r"is no class folder, .*class\.json is missing; make one"):
        classroom.opened(tmp_path)


def test_release_of_nbgrader_is_what_stands_in_course(room):
    course = build.ROOT / "course"
    for name, released in room.release().items():
        assert released.cells == notebook.read(course / f"{name}.ipynb").cells
    kit = room.root / "release" / ASSIGNMENT / "attnkit"
    for path in (course / "attnkit").rglob("*.py"):
        assert (kit / path.relative_to(course / "attnkit")).read_bytes() == path.read_bytes()


def test_no_wall_and_no_trust_is_a_refusal(monkeypatch):
    monkeypatch.setattr(proof, "probe", lambda: walls.NONE)
    with pytest.raises(proof.NoWallError, match="apt install bubblewrap"):
        proof.choose_wall(trusted=False)
    assert proof.choose_wall(trusted=True) == walls.NONE


def untimed(result: dict) -> dict:
    lessons = result["lessons"].items()
    return {**result, "lessons": {name: {**one, "seconds": 0} for name, one in lessons}}


@pytest.mark.parametrize("student", ["solution", "columns", "unscaled", "untouched"])
def test_same_text_gets_the_same_verdict_behind_a_wall_and_on_a_rerun(room, student):
    one = order.order(room, student, standard.of(room))
    wall = proof.choose_wall(trusted=True)
    assert untimed(order.carry_out(one, wall).graded.result) == untimed(graded(room, student))


@pytest.mark.parametrize("student", ["solution", "columns", "unscaled"])
def test_same_checks_in_one_process_give_the_same_points(room, student, monkeypatch):
    monkeypatch.setattr(os, "environ", {**os.environ, "ATTNKIT_MINE": known_good.__name__})
    work = order.task(order.order(room, student, standard.of(room)))
    for name, one in work.works.items():
        cells = graded(room, student)["lessons"][name]["cells"]
        if cells:
            passed = in_process(run.lesson_of(name, one.notebook), room.seed)
            assert passed == {cell: one["state"] == "passed" for cell, one in cells.items()}


def in_process(lesson, seed: str) -> dict[str, bool]:
    """Run cells and checks one after the other, as a kernel would."""
    names, passed = {}, {}
    for cell in lesson.cells:
        if cell.id in lesson.checks:
            targets = [names[one] for one in checks.find(cell.id).exercises()]
            try:
                checks.run(cell.id, *targets, seed=seed)
            except Exception:
                passed[cell.id] = False
            else:
                passed[cell.id] = True
        else:
            exec(cell.source, names)
    return passed


@pytest.mark.parametrize(
    "lesson", ["03_softmax", pytest.param("07_self_attention", marks=pytest.mark.slow)]
)
def test_nbgrader_itself_gives_the_same_scores(room, lesson):
    """`nbgrader autograde`, run by hand in the class folder, on one lesson of some learners."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT, "--notebook", lesson]
    students = ("solution", "untouched", "columns", "naive", "unscaled")
    for student in students:
        subprocess.run(
            [*command, "--student", student],
            cwd=room.root,
            env={**os.environ, "PATH": path},
            check=True,
        )
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{room.root}/gradebook.db") as gradebook:
        for student in students:
            plain = gradebook.find_submission_notebook(lesson, ASSIGNMENT, student)
            ours = graded(room, student)["lessons"][lesson]
            assert {one.name: one.auto_score for one in plain.grades} == {
                name: cell["points"] for name, cell in ours["cells"].items()
            }
