"""Does `grade` tell a program what it needs: one line a learner, and an exit code?"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from small_class import LESSON, small_class

from grader import cli


def grader(*arguments: object) -> int:
    """Run the command line in this process; return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["grader", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return int(ended.value.code or 0)


def test_lines_and_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = small_class(tmp_path / "room", ["right-0", "untouched-0", "right-1"])
    broken = room.handed_in("right-1", ASSIGNMENT) / f"{LESSON}.ipynb"
    whole = broken.read_text("utf-8")
    broken.write_text("{")

    assert grader("grade", "--i-trust-this-code", room.root) == 1
    told = capsys.readouterr()
    *learners, last = [json.loads(line) for line in told.out.splitlines()]
    assert {one["student"]: (one["state"], one["score"]) for one in learners} == {
        "right-0": ("ok", 12),
        "untouched-0": ("ok", 0),
        "right-1": ("rejected", None),
    }
    assert [LESSON in "".join(one.get("repairs", [])) for one in learners].count(True) == 1
    assert last == {"verdicts": 3, "need_a_person": ["right-1"]}
    assert "3 to grade, 0 current" in told.err
    counts = "3 learners: 2 graded, 1 needs a person: 1 rejected"
    assert told.err.splitlines()[-1] == counts
    assert grader("report", room.root) == 0
    assert capsys.readouterr().err.splitlines()[-1] == counts

    broken.write_text(whole, "utf-8")
    assert grader("grade", "--i-trust-this-code", room.root) == 0
    *learners, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["student"] for one in learners] == ["right-1"]
    assert last == {"verdicts": 3, "need_a_person": []}

    assert grader("grade", room.root) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == last
    assert "0 to grade, 3 current" in told.err and "Wall" not in told.err


def test_what_could_not_work_is_one_line_and_exit_code_2(tmp_path, capsys) -> None:
    assert grader("grade", tmp_path) == 2
    told = capsys.readouterr()
    assert told.out == "" and len(told.err.splitlines()) == 1
    assert f"{tmp_path} is no class folder" in told.err
    (tmp_path / "class.toml").write_text("nam = 1")
    assert grader("new", tmp_path / "room", "--settings", tmp_path / "class.toml") == 2
    assert "nam: is no key that is known here" in capsys.readouterr().err
    assert not (tmp_path / "room").exists()
