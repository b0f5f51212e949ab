"""Does each lesson come to its own assignment where a class has several?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packing import (
    EARLIER,
    FIRST,
    LATER,
    OTHER,
    SECOND,
    class_folder,
    kit_zip,
    states,
    tree,
    zipped,
)

from grader.collecting.collect import CollectError, collect

SOFTMAX, SCORES = "03_softmax.ipynb", "04_attention_scores.ipynb"
BOTH = {SOFTMAX: FIRST, SCORES: SECOND}


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A class with lesson 03 in week_1 and lesson 04 in week_2."""
    root = class_folder(tmp_path / "class")
    released = root / "release" / "self_attention"
    for week, lesson in (("week_1", SOFTMAX), ("week_2", SCORES)):
        (root / "release" / week).mkdir()
        (released / lesson).rename(root / "release" / week / lesson)
    secret = {"seed": "0", "assignments": ["week_1", "week_2"]}
    (root / ".grader" / "class.json").write_text(json.dumps(secret))
    return root


def submitted(root: Path) -> dict[str, bytes]:
    return {
        path.removeprefix("submitted/"): content
        for path, content in tree(root).items()
        if path.startswith("submitted/") and path.endswith(".ipynb")
    }


def test_one_zip_is_divided_over_the_assignments(room: Path, tmp_path: Path) -> None:
    kit_zip_of(tmp_path, LATER, BOTH)
    outcomes = collect(room, tmp_path / "ada.zip")
    assert states(outcomes) == [("ada/week_1", "placed"), ("ada/week_2", "placed")]
    assert submitted(room) == {f"ada/week_1/{SOFTMAX}": FIRST, f"ada/week_2/{SCORES}": SECOND}
    assert tree(room)["submitted/ada/week_2/timestamp.txt"] == LATER.encode()


def kit_zip_of(folder: Path, when: str, files: dict[str, bytes]) -> None:
    (folder / "ada.zip").write_bytes(kit_zip("ada", when, files))


def test_only_one_assignment_is_taken_where_it_is_named(room: Path, tmp_path: Path) -> None:
    kit_zip_of(tmp_path, EARLIER, {SOFTMAX: FIRST})
    collect(room, tmp_path / "ada.zip")
    kit_zip_of(tmp_path, LATER, {SOFTMAX: OTHER, SCORES: SECOND})
    assert states(collect(room, tmp_path / "ada.zip", "week_2")) == [("ada/week_2", "placed")]
    assert submitted(room) == {f"ada/week_1/{SOFTMAX}": FIRST, f"ada/week_2/{SCORES}": SECOND}


def test_unknown_assignment_is_named(room: Path, tmp_path: Path) -> None:
    kit_zip_of(tmp_path, LATER, BOTH)
    with pytest.raises(CollectError, match="no assignment 'week_3'; there are: week_1, week_2"):
        collect(room, tmp_path / "ada.zip", "week_3")


@pytest.mark.parametrize("learners", [("ada",), ("ada", "bob")])
def test_folders_of_assignments_are_no_learners(room: Path, tmp_path: Path, learners) -> None:
    files = {
        f"{learner}/{week}/{lesson}": content
        for learner in learners
        for week, (lesson, content) in zip(("week_1", "week_2"), BOTH.items(), strict=True)
    }
    zipped(files, tmp_path / "all.zip")
    collect(room, tmp_path / "all.zip")
    assert submitted(room) == files


def test_file_of_no_known_lesson_goes_to_the_first(room: Path, tmp_path: Path) -> None:
    zipped({f"ada/{SCORES}": SECOND, "ada/Untitled.ipynb": OTHER}, tmp_path / "all.zip")
    collect(room, tmp_path / "all.zip")
    assert submitted(room) == {"ada/week_1/Untitled.ipynb": OTHER, f"ada/week_2/{SCORES}": SECOND}
