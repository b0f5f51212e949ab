"""Does everything that is collected come to its learner, and is the rest listed and kept?"""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from attnkit.handin import MANIFEST, pack
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

from grader.collecting.collect import collect, known_learners
from grader.room.classroom import opened


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return class_folder(tmp_path / "class")


# What the kit packs.


def test_kits_zip_comes_to_its_learner_with_its_time(room: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "03_softmax.ipynb").write_bytes(FIRST)
    archive = pack("student-001", work)
    assert states(collect(room, archive)) == [("student-001", "placed")]
    with zipfile.ZipFile(archive) as opened_zip:
        when = json.loads(opened_zip.read(MANIFEST))["time"]
    wanted = {"03_softmax.ipynb": FIRST, "timestamp.txt": when.encode()}
    assert placed(room, "student-001") == wanted


@pytest.mark.parametrize("order", [(EARLIER, LATER), (LATER, EARLIER)])
def test_later_attempt_counts_in_whatever_order_they_come(
    room: Path, tmp_path: Path, order: tuple[str, str]
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for number, when in enumerate(order):
        content = FIRST if when == EARLIER else SECOND
        packed = kit_zip("ada", when, {"03_softmax.ipynb": content})
        (inbox / f"self_attention-ada-{number}.zip").write_bytes(packed)
    collect(room, inbox)
    assert placed(room, "ada") == {"03_softmax.ipynb": SECOND, "timestamp.txt": LATER.encode()}
    kept = [name for name, content in tree(room).items() if content == FIRST]
    assert len(kept) == 1 and kept[0].startswith(".grader/attempts/ada/20260101T100000Z-")


@pytest.mark.parametrize("learners", [["ada"], ["ada", "bob"]])
def test_zip_that_was_unpacked_by_a_browser_is_known_by_its_manifest(
    room: Path, tmp_path: Path, learners: list[str]
) -> None:
    for learner in learners:
        folder = tmp_path / "inbox" / f"self_attention-{learner}"
        packed = kit_zip(learner, LATER, {"03_softmax.ipynb": FIRST})
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
    wanted = [(learner, "placed") for learner in learners]
    assert states(collect(room, tmp_path / "inbox")) == wanted


@pytest.mark.parametrize(
    ("learner", "folder"),
    [("Zoë", "Zo~C3~AB"), ("../../x", "~2E.~2F..~2Fx"), ("学生", "~E5~AD~A6~E7~94~9F")],
)
def test_odd_ids_become_plain_folders(
    room: Path, tmp_path: Path, learner: str, folder: str
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(kit_zip(learner, LATER, {"03_softmax.ipynb": FIRST}))
    assert states(collect(room, path)) == [(folder, "placed")]
    assert names(room / "submitted") == [folder]
    assert known_learners(opened(room))[folder].id == learner


def test_time_to_come_is_no_time(room: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(kit_zip("ada", "2999-01-01 00:00:00 UTC", {"03_softmax.ipynb": FIRST}))
    collect(room, path)
    assert placed(room, "ada") == {"03_softmax.ipynb": FIRST}


# Plain folders.


def test_each_folder_is_a_learner(room: Path, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    for learner in ("ada", "bob"):
        (inbox / learner / "self_attention" / "attnkit").mkdir(parents=True)
        (inbox / learner / "self_attention" / "03_softmax.ipynb").write_bytes(learner.encode())
        (inbox / learner / "self_attention" / "attnkit" / "value.py").write_text("")
    (inbox / "bob" / "helper.py").write_text("")
    (inbox / "bob" / "self_attention" / "timestamp.txt").write_text(LATER)
    outcomes = collect(room, inbox)
    assert [str(one) for one in outcomes] == ["ada: placed", "bob: placed; left out: helper.py"]
    assert placed(room, "ada") == {"03_softmax.ipynb": b"ada"}
    assert placed(room, "bob") == {"03_softmax.ipynb": b"bob", "timestamp.txt": LATER.encode()}


def test_a_zip_of_folders_may_have_a_folder_around_it(room: Path, tmp_path: Path) -> None:
    files = {"inbox/ada/03_softmax.ipynb": FIRST, "inbox/bob/x/03_softmax.ipynb": SECOND}
    zipped(files, tmp_path / "inbox.zip")
    assert states(collect(room, tmp_path / "inbox.zip")) == [("ada", "placed"), ("bob", "placed")]


def test_one_learners_folder_with_folders_in_it_is_one_learner(room: Path, tmp_path: Path) -> None:
    files = {"ada/self_attention/03_softmax.ipynb": FIRST, "ada/old/03_softmax.ipynb": SECOND}
    zipped(files, tmp_path / "ada.zip")
    assert states(collect(room, tmp_path / "ada.zip")) == [("ada", "placed")]
    wanted = {"03_softmax.ipynb": FIRST, "03_softmax (2).ipynb": SECOND}
    assert placed(room, "ada") == wanted


def test_links_and_pipes_in_a_folder_are_listed_and_not_followed(
    room: Path, tmp_path: Path
) -> None:
    inbox = tmp_path / "inbox" / "ada"
    inbox.mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (inbox / "03_softmax.ipynb").symlink_to(tmp_path / "secret")
    os.mkfifo(inbox / "04_attention_scores.ipynb")
    (inbox / "deep").symlink_to(tmp_path)
    (inbox / "05.ipynb").write_bytes(FIRST)
    outcomes = collect(room, inbox.parent)
    refused = [one.note for one in outcomes if one.state == "not placed"]
    assert [note.split(";")[0] for note in refused] == ["is a link", "is a pipe or a device"]
    assert placed(room, "ada") == {"05.ipynb": FIRST}
    assert b"secret" not in tree(room).values()


def test_a_link_in_the_class_folder_is_not_written_through(room: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (room / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    zipped({"ada/03_softmax.ipynb": FIRST, "bob/03_softmax.ipynb": FIRST}, tmp_path / "a.zip")
    assert states(collect(room, tmp_path / "a.zip")) == [("ada", "not placed"), ("bob", "placed")]
    assert not list((tmp_path / "elsewhere").iterdir())


# Moodle.


@pytest.mark.parametrize("around", ["", "course-hand in-42/"])
@pytest.mark.parametrize("between", ["", "/"])
def test_moodle_download_with_and_without_folders(
    room: Path, tmp_path: Path, around: str, between: str
) -> None:
    files = {
        f"{around}{ADA}{between}03_softmax.ipynb": FIRST,
        f"{around}{ADA}{between}04_attention_scores.ipynb": SECOND,
        f"{around}{ZOE}{between}03_softmax.ipynb": OTHER,
    }
    zipped(files, tmp_path / "moodle.zip")
    wanted = [("Ada-Lovelace_1234567", "placed"), ("Zo~C3~AB-M~C3~BCller_89", "placed")]
    assert states(collect(room, tmp_path / "moodle.zip")) == wanted
    ada = {"03_softmax.ipynb": FIRST, "04_attention_scores.ipynb": SECOND}
    assert placed(room, "Ada-Lovelace_1234567") == ada
    known = known_learners(opened(room))["Zo~C3~AB-M~C3~BCller_89"]
    assert (known.name, known.participant) == ("Zoë Müller", "89")


@pytest.mark.parametrize("flagged", [True, False])
@pytest.mark.parametrize("form", ["Zoë", "Zoe\u0308"])
def test_names_are_read_in_either_encoding(
    room: Path, tmp_path: Path, flagged: bool, form: str
) -> None:
    name = f"{form}_89_assignsubmission_file_/03_softmax.ipynb"
    packed = zipped({name: FIRST})
    if not flagged:
        packed = _without_utf_8_flag(packed, name)
    (tmp_path / "moodle.zip").write_bytes(packed)
    assert states(collect(room, tmp_path / "moodle.zip")) == [("Zo~C3~AB_89", "placed")]
    assert known_learners(opened(room))["Zo~C3~AB_89"].name == "Zoë"


def test_a_name_that_looks_like_the_other_encoding_is_left(room: Path, tmp_path: Path) -> None:
    boxes = "\u251c\u00bd"  # the bytes of "ë", read as code page 437
    zipped({f"{boxes}_89_assignsubmission_file_/03_softmax.ipynb": FIRST}, tmp_path / "a.zip")
    collect(room, tmp_path / "a.zip")
    assert [one.name for one in known_learners(opened(room)).values()] == [boxes]


def _without_utf_8_flag(packed: bytes, name: str) -> bytes:
    raw = bytearray(packed)
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[packed.index(signature) + offset + 1] &= ~0x08
    assert name.encode() in raw
    return bytes(raw)


def test_name_in_the_old_encoding_is_read(room: Path, tmp_path: Path) -> None:
    name = "Zo\x81_89_assignsubmission_file_/03_softmax.ipynb"
    packed = zipped({name.replace("\x81", "X"): FIRST}).replace(b"ZoX_89", b"Zo\x89_89")
    (tmp_path / "moodle.zip").write_bytes(packed)
    assert states(collect(room, tmp_path / "moodle.zip")) == [("Zo~C3~AB_89", "placed")]


def test_several_attempts_in_one_moodle_folder(room: Path, tmp_path: Path) -> None:
    files = {
        f"{ADA}/b.zip": kit_zip("student-001", EARLIER, {"03_softmax.ipynb": FIRST}),
        f"{ADA}/a.zip": kit_zip("student-001", LATER, {"03_softmax.ipynb": SECOND}),
    }
    zipped(files, tmp_path / "moodle.zip")
    outcomes = collect(room, tmp_path / "moodle.zip")
    assert [one.state for one in outcomes] == ["placed", "replaced"]
    assert {one.who for one in outcomes} == {"Ada-Lovelace_1234567"}
    assert placed(room, "Ada-Lovelace_1234567")["03_softmax.ipynb"] == SECOND
    assert FIRST in tree(room).values()


@pytest.mark.parametrize("years", [{"a": 2024, "b": 2025}, {"a": 2025, "b": 2024}])
def test_attempts_without_a_stated_time_go_by_the_time_in_the_zip(
    room: Path, tmp_path: Path, years: dict[str, int]
) -> None:
    files = {}
    for name, year in years.items():
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            info = zipfile.ZipInfo("03_softmax.ipynb", (year, 1, 1, 0, 0, 0))
            archive.writestr(info, str(year))
        files[f"{ADA}/{name}.zip"] = inner.getvalue()
    zipped(files, tmp_path / "moodle.zip")
    collect(room, tmp_path / "moodle.zip")
    assert placed(room, "Ada-Lovelace_1234567") == {"03_softmax.ipynb": b"2025"}


def test_moodle_folder_without_a_notebook_is_listed_and_kept(room: Path, tmp_path: Path) -> None:
    files = {
        f"{ADA}/work.pdf": b"PDF",
        "Bob_5_assignsubmission_onlinetext_/onlinetext.html": b"<p>here</p>",
    }
    zipped(files, tmp_path / "moodle.zip")
    outcomes = collect(room, tmp_path / "moodle.zip")
    assert [one.state for one in outcomes] == ["not placed", "not placed"]
    assert "Ada Lovelace/work.pdf: not placed; is no notebook" in str(outcomes[0])
    assert {b"PDF", b"<p>here</p>"} <= set(tree(room).values())
