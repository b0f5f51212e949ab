"""Does collecting again change nothing, and is no submission ever lost?"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from packing import (
    ADA,
    EARLIER,
    FIRST,
    LATER,
    OTHER,
    SECOND,
    ZOE,
    class_folder,
    kit_zip,
    names,
    placed,
    states,
    tree,
    zipped,
)

from grader.collecting.collect import collect


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return class_folder(tmp_path / "class")


def test_collecting_twice_changes_nothing(room: Path, tmp_path: Path) -> None:
    files = {
        f"{ADA}/03_softmax.ipynb": FIRST,
        f"{ADA}/a.zip": zipped({"03_softmax.ipynb": SECOND}),
        f"{ZOE}/b.zip": kit_zip("zoe", LATER, {"03_softmax.ipynb": OTHER}),
        f"{ZOE}/a.zip": kit_zip("zoe", EARLIER, {"03_softmax.ipynb": FIRST}),
        "loose.ipynb": b"loose",
    }
    zipped(files, tmp_path / "moodle.zip")
    collect(room, tmp_path / "moodle.zip")
    before = tree(room)
    again = collect(room, tmp_path / "moodle.zip")
    assert tree(room) == before
    assert {one.state for one in again} == {"already there", "not placed"}
    contents = list(before.values())
    wanted = {FIRST: 2, SECOND: 1, OTHER: 1, b"loose": 1}
    assert {content: contents.count(content) for content in wanted} == wanted


def test_a_different_submission_is_kept_whole(room: Path, tmp_path: Path) -> None:
    there = room / "submitted" / "ada" / "self_attention"
    (there / "attnkit").mkdir(parents=True)
    (there / "03_softmax.ipynb").write_bytes(FIRST)
    (there / "04_attention_scores.ipynb").write_bytes(FIRST)
    (there / "attnkit" / "mine.txt").write_bytes(b"mine")
    zipped({"ada/03_softmax.ipynb": SECOND}, tmp_path / "a.zip")
    (outcome,) = collect(room, tmp_path / "a.zip")
    assert outcome.state == "replaced"
    assert "only the earlier one has 04_attention_scores.ipynb" in outcome.note
    assert placed(room, "ada") == {"03_softmax.ipynb": SECOND}
    kept = room / next(part for part in outcome.note.split() if part.startswith(".grader")).strip(
        ";"
    )
    assert (kept / "attnkit" / "mine.txt").read_bytes() == b"mine"
    assert (kept / "03_softmax.ipynb").read_bytes() == FIRST


def test_earlier_archive_collected_again_does_not_come_back(room: Path, tmp_path: Path) -> None:
    zipped({"ada/03_softmax.ipynb": FIRST}, tmp_path / "1.zip")
    zipped({"ada/03_softmax.ipynb": SECOND}, tmp_path / "2.zip")
    outcomes = [collect(room, tmp_path / f"{one}.zip")[0].state for one in (1, 2, 1, 2)]
    assert outcomes == ["placed", "replaced", "already there", "already there"]
    assert placed(room, "ada") == {"03_softmax.ipynb": SECOND}


def test_going_back_to_an_earlier_answer_later_counts(room: Path, tmp_path: Path) -> None:
    for when, content in ((EARLIER, FIRST), (LATER, SECOND), ("2026-03-01 00:00:00 UTC", FIRST)):
        (tmp_path / "a.zip").write_bytes(kit_zip("ada", when, {"03_softmax.ipynb": content}))
        collect(room, tmp_path / "a.zip")
    assert placed(room, "ada")["03_softmax.ipynb"] == FIRST


def test_a_run_that_was_killed_between_two_moves_loses_nothing(room: Path, tmp_path: Path) -> None:
    zipped({"ada/03_softmax.ipynb": FIRST}, tmp_path / "1.zip")
    zipped({"ada/03_softmax.ipynb": SECOND}, tmp_path / "2.zip")
    collect(room, tmp_path / "1.zip")
    collect(room, tmp_path / "2.zip")
    shutil.rmtree(room / "submitted" / "ada" / "self_attention")
    assert states(collect(room, tmp_path / "1.zip")) == [("ada", "placed")]
    assert states(collect(room, tmp_path / "2.zip")) == [("ada", "replaced")]
    assert len(names(room / ".grader" / "attempts" / "ada")) == 2
