"""Whose is it? Is nobody's work replaced where the names around a hand-in disagree?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attnkit.handin import MANIFEST, file_name
from packing import (
    ADA,
    EARLIER,
    FIRST,
    LATER,
    OTHER,
    SECOND,
    class_folder,
    kit_zip,
    placed,
    states,
    tree,
    zipped,
)

from grader.collecting.collect import collect, unplaced
from grader.room.classroom import opened

SOFTMAX = "03_softmax.ipynb"
AHEAD = f"{datetime.now(UTC) + timedelta(hours=20):%Y-%m-%d %H:%M:%S} UTC"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A class in which ada and bob have handed in."""
    root = class_folder(tmp_path / "class")
    zipped({f"ada/{SOFTMAX}": FIRST, f"bob/{SOFTMAX}": OTHER}, tmp_path / "first.zip")
    collect(root, tmp_path / "first.zip")
    return root


def submitted(root: Path) -> dict[str, bytes]:
    return {
        path.split("/")[1]: content
        for path, content in tree(root).items()
        if path.startswith("submitted/") and path.endswith(".ipynb")
    }


SAYS_ADA = kit_zip("ada", AHEAD, {SOFTMAX: SECOND})
DISAGREEING = {
    "another's zip": {"self_attention-eve.zip": SAYS_ADA},
    "a second zip of another": {"self_attention-eve-2 (1).zip": SAYS_ADA},
    "a zip named like another learner": {"bob.zip": SAYS_ADA},
    "another's folder": {"eve/self_attention-ada.zip": SAYS_ADA},
    "a zip of another in a folder, without a manifest": {
        "eve/self_attention-ada.zip": zipped({SOFTMAX: SECOND})
    },
    "a manifest beside the notebooks": {
        f"eve/{MANIFEST}": b'{"learner": "ada"}', f"eve/{SOFTMAX}": SECOND,
    },
    "a manifest deeper down": {
        f"eve/mine/{MANIFEST}": b'{"learner": "ada"}', f"eve/mine/{SOFTMAX}": SECOND,
    },
    "two manifests": {
        "a.zip": zipped({
            MANIFEST: b'{"learner": "ada"}', f"x/{MANIFEST}": b'{"learner": "eve"}',
            SOFTMAX: SECOND,
        })
    },
    "a folder named ada in the zip of eve": {
        "self_attention-eve.zip": zipped({f"ada/{SOFTMAX}": SECOND, "eve/x.txt": b""})
    },
    "a folder around it": {"a.zip": zipped({
        f"bob/{MANIFEST}": b'{"learner": "ada"}', f"bob/{SOFTMAX}": SECOND,
    })},
    "an unpacked zip of another": {
        f"self_attention-eve/{MANIFEST}": b'{"learner": "ada"}',
        f"self_attention-eve/{SOFTMAX}": SECOND,
    },
}  # fmt: skip


@pytest.mark.parametrize("files", DISAGREEING.values(), ids=DISAGREEING)
def test_where_names_disagree_nothing_is_replaced_and_a_person_is_asked(
    room: Path, tmp_path: Path, files: dict[str, bytes]
) -> None:
    zipped({**files, f"carol/{SOFTMAX}": FIRST}, tmp_path / "inbox.zip")
    for _ in range(2):
        outcomes = collect(room, tmp_path / "inbox.zip")
        assert submitted(room) == {"ada": FIRST, "bob": OTHER, "carol": FIRST}
        asked = [one for one in outcomes if one.state == "not placed" and "ask who" in one.note]
        assert len(asked) == 1 and len(unplaced(opened(room))) >= 1
        assert SECOND in [path.read_bytes() for path in (room / asked[0].kept).iterdir()]


@pytest.mark.parametrize(
    "name",
    ["self_attention-ada.zip", "self_attention-ada-3.zip", "self_attention-ada (1).zip", "hw.zip",
     "Self_Attention-ADA - Copy.zip", "self_attention-ada - Kopie (2).zip"],
)  # fmt: skip
def test_what_a_browser_makes_of_the_name_is_no_disagreement(
    room: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(kit_zip("ada", LATER, {SOFTMAX: SECOND}))
    assert states(collect(room, tmp_path / name)) == [("ada", "replaced")]


@pytest.mark.parametrize("learner", ["И", "Zoë", "a b", "~41", "con"])
def test_the_kits_own_name_for_an_odd_id_is_no_disagreement(
    room: Path, tmp_path: Path, learner: str
) -> None:
    path = tmp_path / f"self_attention-{file_name(learner)}-2.zip"
    path.write_bytes(kit_zip(learner, LATER, {SOFTMAX: SECOND}))
    (outcome,) = collect(room, path)
    assert (outcome.state, outcome.learner) == ("placed", learner)


def test_moodle_knows_who_handed_in_whatever_was_typed(room: Path, tmp_path: Path) -> None:
    zipped({f"{ADA}/self_attention-bob.zip": kit_zip("bob", LATER, {SOFTMAX: SECOND})},
           tmp_path / "moodle.zip")  # fmt: skip
    assert states(collect(room, tmp_path / "moodle.zip")) == [("Ada-Lovelace_1234567", "placed")]
    assert submitted(room)["bob"] == OTHER


def test_a_time_to_come_wins_over_nothing(room: Path, tmp_path: Path) -> None:
    path = tmp_path / "self_attention-ada.zip"
    path.write_bytes(kit_zip("ada", AHEAD, {SOFTMAX: SECOND}))
    for _ in range(2):
        (outcome,) = collect(room, path)
        assert outcome.state == "not placed" and "still to come" in outcome.note
        assert submitted(room)["ada"] == FIRST and SECOND in tree(room).values()


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_a_time_to_come_does_not_win_within_one_archive(
    room: Path, tmp_path: Path, names: str
) -> None:
    honest, ahead = (f"{ADA}/{name}.zip" for name in names)
    files = {
        honest: kit_zip("x", EARLIER, {SOFTMAX: OTHER}),
        ahead: kit_zip("x", AHEAD, {SOFTMAX: SECOND}),
    }
    zipped(files, tmp_path / "moodle.zip")
    outcomes = collect(room, tmp_path / "moodle.zip")
    assert [one.state for one in outcomes] == ["placed", "not placed"]
    assert submitted(room)["Ada-Lovelace_1234567"] == OTHER


def test_work_of_two_zips_with_a_folder_of_one_name_is_not_merged(
    room: Path, tmp_path: Path
) -> None:
    inner = {name: zipped({f"work/{SOFTMAX}": content})
             for name, content in (("a.zip", FIRST), ("b.zip", SECOND))}  # fmt: skip
    zipped(inner, tmp_path / "all.zip")
    outcomes = collect(room, tmp_path / "all.zip")
    assert [one.state for one in outcomes] == ["not placed", "not placed"]
    assert submitted(room).keys() == {"ada", "bob"}


@pytest.mark.parametrize("folder", ["self_attention", "self-attention", "Self Attention"])
def test_a_folder_named_like_the_assignment_is_no_learner(
    room: Path, tmp_path: Path, folder: str
) -> None:
    zipped({"hw.zip": zipped({f"{folder}/{SOFTMAX}": FIRST})}, tmp_path / "all.zip")
    (outcome,) = collect(room, tmp_path / "all.zip")
    assert outcome.state == "not placed" and "no learner's folder" in outcome.note
    assert submitted(room).keys() == {"ada", "bob"}


def test_a_manifest_in_the_inbox_does_not_speak_for_all_folders(room: Path, tmp_path: Path) -> None:
    files = {MANIFEST: b'{"learner": "ada"}', f"carol/{SOFTMAX}": SECOND, f"dan/{SOFTMAX}": OTHER}
    zipped(files, tmp_path / "all.zip")
    collect(room, tmp_path / "all.zip")
    assert submitted(room) == {"ada": FIRST, "bob": OTHER, "carol": SECOND, "dan": OTHER}


@pytest.mark.parametrize("outer", ["self_attention-ada.zip", "all.zip"])
def test_folders_in_one_learners_own_zip_are_no_learners(
    room: Path, tmp_path: Path, outer: str
) -> None:
    own = zipped(
        {MANIFEST: b'{"learner": "ada"}', f"old/{SOFTMAX}": FIRST, f"new/{SOFTMAX}": SECOND}
    )
    zipped({"hw.zip": own}, tmp_path / outer)
    if outer.startswith("self"):
        (tmp_path / outer).write_bytes(own)
    (outcome,) = collect(room, tmp_path / outer)
    assert (outcome.who, outcome.state) == ("ada", "replaced")
    assert sorted(placed(room, "ada").values()) == [FIRST, SECOND]


def test_a_folder_that_somebody_made_by_hand_is_not_a_second_learner(
    room: Path, tmp_path: Path
) -> None:
    (room / "submitted" / "Zoë").mkdir()
    zipped({f"Zoe\u0308/{SOFTMAX}": FIRST, f"dan/{SOFTMAX}": OTHER}, tmp_path / "all.zip")
    outcomes = collect(room, tmp_path / "all.zip")
    assert [one.state for one in outcomes] == ["not placed", "placed"]
    assert "rename it to Zo~C3~AB" in outcomes[0].note


def test_what_waits_is_remembered_until_it_is_dealt_with(room: Path, tmp_path: Path) -> None:
    zipped({"eve/work.pdf": b"1", "fay/work.pdf": b"2", f"dan/{SOFTMAX}": OTHER},
           tmp_path / "all.zip")  # fmt: skip
    collect(room, tmp_path / "all.zip")
    assert [(one.learner, one.what) for one in unplaced(opened(room))] == [
        ("eve", "all.zip/eve/work.pdf"), ("fay", "all.zip/fay/work.pdf"),
    ]  # fmt: skip
    zipped({f"eve/{SOFTMAX}": FIRST}, tmp_path / "more.zip")
    collect(room, tmp_path / "more.zip")
    (left,) = unplaced(opened(room))
    assert left.learner == "fay" and "is no notebook" in left.why
    (room / left.kept).unlink()
    assert unplaced(opened(room)) == []
