"""Does nbgrader's Validate tell a learner which exercises are open, and find nothing else?"""

import subprocess
import sys
from pathlib import Path

import pytest
from attnkit.requirement import OpenExerciseError

from grader import misconceptions, nbgrader_api, notebook
from grader.authoring import exercises
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook
from grader.room import sample

RIGHT = {name: exercises.solved_text(exercises.find(name)) for name in exercises.names()}
COLUMNS = misconceptions.source(misconceptions.every()["softmax_over_columns"])
RELEASED = {one.name: nbgrader_api.release(source_notebook(one)) for one in read_lessons()}
GRADED = {
    cell.id: cell.source
    for lesson in RELEASED.values()
    for cell in lesson.cells
    if cell.metadata.get("nbgrader", {}).get("grade")
}


def validated(folder: Path, answers: dict[str, str], lesson: str = "03_softmax") -> str:
    """What `nbgrader validate` prints about a lesson with these answers."""
    path = folder / f"{lesson}.ipynb"
    path.write_text(notebook.text(sample.filled(RELEASED[lesson], answers)), "utf-8")
    command = [sys.executable, "-m", "nbgrader", "validate", path.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split())


def test_untouched_lesson_fails_and_says_what_is_not_written(tmp_path):
    told = validated(tmp_path, {})
    assert "VALIDATION FAILED ON 6 CELL(S)" in told
    assert told.count("softmax is not written yet: write it in its cell above. Until then,") == 6
    assert "Traceback" not in told and "requirement" not in told


def test_red_exercise_fails_and_says_which_check_to_run(tmp_path):
    told = validated(tmp_path, {**RIGHT, "softmax": COLUMNS})
    assert "VALIDATION FAILED ON 6 CELL(S)" in told
    assert "run checks.softmax(softmax) and mend what is red" in told


def test_solved_lesson_passes(tmp_path):
    assert validated(tmp_path, RIGHT) == "Success! Your notebook passes all the tests."


@pytest.mark.parametrize("graded", GRADED)
def test_each_graded_cell_fails_for_a_stub_and_is_silent_for_the_answer(graded, capsys):
    from grader import checks

    scope: dict = {}
    exec("import numpy as np, math\nfrom fractions import Fraction\n", scope)
    exec("from attnkit import Linear, Value\nfrom solutions.attention import *", scope)
    for name in checks.find(graded).exercises():
        stub = exercises.find(name).head
        indent = " " * (4 if not stub.startswith("class") else 8)
        exec(f"{stub}\n{indent}raise NotImplementedError()", scope)
    with pytest.raises(OpenExerciseError, match="is not written yet"):
        exec(GRADED[graded], scope)
    for name in checks.find(graded).exercises():
        exec(RIGHT[name], scope)
    exec(GRADED[graded], scope)
    assert capsys.readouterr() == ("", "")


def test_a_graded_cell_finds_the_checks_though_a_learner_used_the_name():
    scope: dict = {"checks": [True, False]}
    exec(f"from attnkit import Value\nimport numpy as np\n{RIGHT['softmax']}", scope)
    exec(GRADED["softmax_values"], scope)


def test_release_shows_no_more_of_a_hidden_test_than_what_it_requires():
    for name, source in GRADED.items():
        first, *rest = source.split("\n")
        assert first.startswith("# ") and rest[:2] == ["from attnkit import checks", ""], name
        assert len(rest) == 3 and rest[2].startswith("checks.require("), name
