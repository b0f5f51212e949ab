"""What an instructor sees of `collect`, in any folder and in any locale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packing import FIRST, class_folder, zipped
from rooms import FULL, graded, new_class, only_lessons
from test_cli import grader

from grader import notebook
from grader.collecting.collect import collect
from grader.reporting import feedback, report
from grader.room import classroom, sample
from grader.room.classroom import ClassError

LESSON = "05_causal_mask"
SOFTMAX = "03_softmax.ipynb"


def test_the_last_line_counts_and_the_exit_code_says_whether_to_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = class_folder(tmp_path / "class")
    whole = {f"ada/{SOFTMAX}": FIRST, f"Zoë/{SOFTMAX}": FIRST, f":smile: [red]/{SOFTMAX}": FIRST}
    zipped(whole, tmp_path / "a.zip")
    assert grader("collect", room, tmp_path / "a.zip") == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == [
        "ada: placed",
        "Zoë: placed; the folder is called Zo~C3~AB",
        ":smile: [red]: placed; the folder is called ~3Asmile~3A~20~5Bred~5D",
    ]
    assert last == "3 collected: 3 placed, 2 with a plain folder name in place of the id."

    zipped({**whole, "bob/work.pdf": b"PDF", f"ada/{SOFTMAX}": b"new"}, tmp_path / "a.zip")
    assert grader("collect", room, tmp_path / "a.zip") == 1
    *_, head, again, last = capsys.readouterr().out.splitlines()
    assert head == "A person is needed for what was not placed:"
    assert again.startswith("  a.zip/bob/work.pdf: not placed; is no notebook")
    assert last == (
        "4 collected: 1 placed, the earlier one set aside, 2 already there, "
        "1 not placed: a person is needed, 2 with a plain folder name in place of the id."
    )

    assert grader("collect", room, tmp_path / "no\x1b.zip") == 2
    told = capsys.readouterr()
    assert told.out == "" and "does not exist" in told.err and "\x1b]" not in told.err
    assert "no\\x1b.zip" in told.err


@pytest.mark.parametrize(
    "name", ["with [A]", "q?x", "star*", "dollar$HOME", "p%20x", "esc\x1b[2J", "line\nend"]
)
def test_a_folder_that_nbgrader_cannot_work_in_is_refused_before_it_is_made(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(ClassError, match="choose a path without") as refused:
        classroom.new(tmp_path / name / "class")
    assert "\n" not in str(refused.value) and "\x1b" not in str(refused.value)
    assert not list(tmp_path.iterdir())
    class_folder(tmp_path / name)
    with pytest.raises(ClassError, match="choose a path without"):
        classroom.opened(tmp_path / name)


@pytest.mark.parametrize("name", ["Zoë 学 #1 'a' \"b\" {x} & ~"])
def test_a_folder_with_other_odd_characters_works(tmp_path: Path, name: str) -> None:
    with only_lessons(LESSON):
        made = new_class(tmp_path / name, {"ada": FULL})
    assert graded(made)["ada"]["score"] == 12
    assert len(report.write(made)) == 3 and len(list(feedback.write(made))) == 1
    assert (tmp_path / name / "gradebook.db").is_file()


def test_every_command_works_in_a_locale_without_letters(tmp_path: Path) -> None:
    with only_lessons(LESSON):
        made = classroom.new(tmp_path / "class")
    text = notebook.text(sample.filled(made.release()[LESSON], FULL)).encode()
    learners = ["Zoë Müller_7", "Константинопольская Владислава Валентиновна Ян_1234567"]
    files = {f"{one}_assignsubmission_file_/{LESSON}.ipynb": text for one in learners}
    zipped(files, tmp_path / "moodle ë.zip")
    here = {key: value for key, value in os.environ.items() if key != "PYTHONIOENCODING"}
    plain = here | {"LC_ALL": "C", "PYTHONUTF8": "0"}
    for command in (["collect", tmp_path / "moodle ë.zip"],
                    ["grade", "--student", "Zoë-Müller_7", "--i-trust-this-code"],
                    ["grade", "--i-trust-this-code"], ["report"], ["feedback"]):  # fmt: skip
        full = [sys.executable, "-m", "grader", command[0], made.root, *command[1:]]
        done = subprocess.run(full, env=plain, capture_output=True, check=False)
        wanted = 1 if "--student" in command else 0  # the other has no verdict yet
        assert done.returncode == wanted, (command, done.stderr.decode())
    found = json.loads((made.root / "grades.json").read_text("utf-8"))["students"]
    real = {one.replace(" ", "-"): 12 for one in learners}
    assert {name: one["score"] for name, one in found.items()} == real
    for name in ("grades.csv", "report.html"):
        shown = (made.root / name).read_text("utf-8")
        assert all(one in shown for one in real) and "~C3" not in shown
    pages = [path.read_text("utf-8") for path in made.root.glob("feedback/*/*/feedback.html")]
    assert sorted(learner[:3] in page for page in pages for learner in learners) == [
        False, False, True, True,
    ]  # fmt: skip


def test_one_learners_real_id_is_in_every_table_beside_another_with_the_folder_of_that_name(
    tmp_path: Path,
) -> None:
    with only_lessons(LESSON):
        made = new_class(tmp_path / "class", {"Zoë": {}})
    text = notebook.text(sample.filled(made.release()[LESSON], FULL)).encode()
    zipped({f"Zoë/{LESSON}.ipynb": text, f"Zoe/{LESSON}.ipynb": text}, tmp_path / "a.zip")
    states = [one.state for one in collect(made.root, tmp_path / "a.zip")]
    assert sorted(states) == ["not placed", "placed"]
    graded(made)
    scores = {name: one["score"] for name, one in report.grades(made)["students"].items()}
    assert scores == {"Zoë": 0, "Zoe": 12}


def test_what_was_not_placed_is_in_the_report_until_somebody_looked(tmp_path: Path) -> None:
    room = new_class(tmp_path / "class", {}).root
    zipped({f"ada/{SOFTMAX}": FIRST, "bob/work.pdf": b"PDF"}, tmp_path / "a.zip")
    collect(room, tmp_path / "a.zip")
    found = report.grades(classroom.opened(room))
    assert report.need_a_person(found) == ["ada", "bob"]  # ada is not graded yet
    (why,) = report.reasons(found)["bob"]
    assert "work.pdf" in why and "is no notebook" in why
    assert "1 not placed" in report.summary(found)
    for kept in (room / ".grader" / "unplaced").iterdir():
        kept.unlink()
    assert report.need_a_person(report.grades(classroom.opened(room))) == ["ada"]
