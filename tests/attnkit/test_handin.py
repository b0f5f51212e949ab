"""Does the zip hold what the learner saved, and is the learner told the truth about it?"""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import attnkit
import nbformat
import pytest
from attnkit.handin import MANIFEST, HandInError, file_name, hand_in, learner_of, open_cells, pack
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from grader import nbgrader_api
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook


def released(*names: str) -> nbformat.NotebookNode:
    text = "def {}(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"
    mark = {"schema_version": 3, "grade": False, "locked": False, "solution": True, "task": False}
    cells = [
        new_code_cell(text.format(name), metadata={"nbgrader": {"grade_id": name, **mark}})
        for name in names
    ]
    return nbgrader_api.release(new_notebook(cells=cells))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notebook = released("softmax", "softmax_row")
    notebook.cells[1].source = "def softmax_row(x):\n    return x"
    nbformat.write(notebook, tmp_path / "03_softmax.ipynb")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "08_cost.ipynb").write_text("{")
    return tmp_path


def test_zip_holds_the_notebooks_as_saved_and_says_whose(folder: Path) -> None:
    with zipfile.ZipFile(pack("student-001", folder)) as archive:
        assert set(archive.namelist()) == {MANIFEST, "03_softmax.ipynb", "08_cost.ipynb"}
        assert archive.read("03_softmax.ipynb") == (folder / "03_softmax.ipynb").read_bytes()
        manifest = json.loads(archive.read(MANIFEST))
    assert (manifest["learner"], manifest["assignment"]) == ("student-001", "self_attention")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", manifest["time"])


def test_learner_is_told_what_is_open_and_what_cannot_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in("student-001", folder)
    first, _, softmax, cost, whole, last = capsys.readouterr().out.splitlines()
    assert first == "self_attention-student-001.zip holds 2 notebooks of student-001:"
    assert softmax.split()[-4:] == ["0", "of", "0", "softmax"]
    assert whole == "1 of 1 lessons, 0 of 0 points attempted."
    assert "08_cost.ipynb" in cost and "cannot be read" in cost
    assert "pack again" in last


def test_open_cells_agrees_with_nbgrader_on_what_was_written() -> None:
    notebook = json.loads(nbformat.writes(released("a", "b", "c")))
    assert open_cells(notebook) == ["a", "b", "c"]
    notebook["cells"][1]["source"] += " "
    assert open_cells(notebook) == ["a", "c"]


def test_an_older_zip_is_left_as_it_is(folder: Path) -> None:
    first = pack("student-001", folder)
    before = first.read_bytes()
    assert pack("student-001", folder).name == "self_attention-student-001-2.zip"
    assert pack("student-001", folder).name == "self_attention-student-001-3.zip"
    assert first.read_bytes() == before


@pytest.mark.parametrize("learner", ["", "x" * 151, "学" * 20])
def test_an_id_that_cannot_be_a_file_name_is_refused(learner: str, folder: Path) -> None:
    with pytest.raises(HandInError, match="give the id you were given"):
        pack(learner, folder)


def test_an_empty_folder_and_a_huge_notebook_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HandInError, match="no notebook; run this in the folder"):
        pack("student-001", tmp_path)
    (tmp_path / "03_softmax.ipynb").write_bytes(b"x" * (64 * 2**20 + 1))
    with pytest.raises(HandInError, match=r"03_softmax.ipynb has 64.0 MB .* Clear Outputs"):
        pack("student-001", tmp_path)
    assert not list(tmp_path.glob("*.zip"))


@given(st.text(min_size=1, max_size=12))
def test_every_id_becomes_a_plain_file_name_and_comes_back(learner: str) -> None:
    name = file_name(learner)
    assert re.fullmatch(r"[A-Za-z0-9_~][A-Za-z0-9._@~-]*", name)
    assert file_name(learner_of(name)) == name
    assert learner_of(name) == learner or not learner.isascii()


@pytest.mark.parametrize("learner", ["Zoë Müller", "学生", "a/../b", "~41", "-rf", ".", "a+b@c.d"])
def test_odd_ids_come_back_as_they_were(learner: str) -> None:
    assert learner_of(file_name(learner)) == learner


@pytest.mark.parametrize("name", ["~FF", "~41", "a~4"])
def test_a_name_that_was_made_of_no_id_is_its_own_id(name: str) -> None:
    assert learner_of(name) == name


def test_command_line_packs_this_folder_or_says_why_not(folder: Path) -> None:
    command = [sys.executable, "-m", "attnkit.handin"]
    done = subprocess.run([*command, "ada"], cwd=folder, capture_output=True, text=True, check=True)
    assert "self_attention-ada.zip holds 2 notebooks" in done.stdout
    failed = subprocess.run([*command, ""], cwd=folder, capture_output=True, text=True, check=False)
    assert failed.returncode == 1 and failed.stderr.startswith("hand_in: got ''")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The lessons as released, in a folder of the learner's."""
    for lesson in read_lessons():
        done = nbgrader_api.release(source_notebook(lesson))
        nbformat.write(done, tmp_path / f"{lesson.name}.ipynb")
    return tmp_path


def test_the_untouched_course_is_named_as_such_and_not_packed(course: Path) -> None:
    with pytest.raises(HandInError, match="holds the untouched course"):
        hand_in("ada", course)
    assert not list(course.glob("*.zip"))


def test_points_and_open_exercises_stand_in_a_table(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = course / "03_softmax.ipynb"
    lesson = nbformat.read(path, as_version=4)
    (cell,) = [cell for cell in lesson.cells if cell.id == "softmax"]
    cell.source = "def softmax(scores):\n    return scores"
    nbformat.write(lesson, path)
    hand_in("ada", course)
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split()[3:] for line in lines[2:-2]}
    assert rows["03_softmax.ipynb"] == ["14", "of", "14", "softmax_row"]
    assert (
        rows["09_clinic.ipynb"][:3] == ["0", "of", "14"] and rows["09_clinic.ipynb"][-1] == "more"
    )
    assert lines[-2] == "1 of 11 lessons, 14 of 100 points attempted."
    assert max(map(len, lines)) <= 140


@pytest.mark.parametrize("learner", ["YOUR-ID", "your_id", "<YOUR ID>", "Your-Name"])
def test_a_placeholder_is_asked_for_the_real_id(learner: str, folder: Path) -> None:
    with pytest.raises(HandInError, match="give the id that your teacher knows you by"):
        hand_in(learner, folder)
    assert not list(folder.glob("*.zip"))


def test_a_terminal_without_the_letters_of_a_name_is_no_reason_to_stop(folder: Path) -> None:
    command = [sys.executable, "-m", "attnkit.handin", "Łukasz"]
    narrow = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=narrow)
    assert done.returncode == 0 and rb"notebooks of \u0141ukasz" in done.stdout


def test_packing_needs_no_package_that_must_be_installed(folder: Path) -> None:
    kit = Path(str(attnkit.__file__)).parents[1]
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(kit)!r}); "
        "sys.argv = ['handin', 'ada']; import runpy; "
        "runpy.run_module('attnkit.handin', run_name='__main__')"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "self_attention-ada.zip").exists()


def test_the_last_line_names_the_file_to_hand_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in("student-001", folder)
    assert "Hand in self_attention-student-001.zip. To change" in capsys.readouterr().out
    hand_in("student-001", folder)
    told = capsys.readouterr().out
    assert "Hand in self_attention-student-001-2.zip. It takes the place of the older zip" in told
