"""Does everything that is collected come to its learner, once, and is the rest listed and kept?"""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import zipfile
from pathlib import Path

import pytest
from attnkit.handin import MANIFEST, pack
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.attempts import Outcome
from grader.classroom import opened
from grader.collect import CollectError, collect, known_learners

FIRST, SECOND, OTHER = b'{"cells": [1]}', b'{"cells": [2]}', b'{"cells": [3]}'
LATER, EARLIER = "2026-02-01 10:00:00 UTC", "2026-01-01 10:00:00 UTC"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Return a class folder with two lessons."""
    return _room(tmp_path / "class")


def _room(root: Path) -> Path:
    released = root / "release" / "self_attention"
    for folder in (released, root / ".grader", root / "submitted"):
        folder.mkdir(parents=True)
    (root / ".grader" / "class.json").write_text('{"seed": "0"}')
    (root / "class.toml").write_text('name = "class"')
    for name in ("03_softmax", "04_attention_scores"):
        text = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (released / f"{name}.ipynb").write_text(json.dumps(text))
    return root


def zipped(files: dict[str, bytes], path: Path | None = None) -> bytes:
    """Return a zip of `files`; written to `path` where one is given."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    if path:
        path.write_bytes(buffer.getvalue())
    return buffer.getvalue()


def kit_zip(learner: str, when: str, files: dict[str, bytes]) -> bytes:
    """Return a zip as `attnkit.handin` makes it."""
    stated = {"schema": 1, "assignment": "self_attention", "learner": learner, "time": when}
    return zipped({MANIFEST: json.dumps(stated).encode(), **files})


def states(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    return [(one.who, one.state) for one in outcomes]


def tree(root: Path) -> dict[str, bytes]:
    """Return every file of what was collected, by path."""
    folders = [root / "submitted", root / ".grader"]
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def placed(root: Path, who: str) -> dict[str, bytes]:
    folder = root / "submitted" / who / "self_attention"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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


def test_zip_that_was_unpacked_by_a_browser_is_known_by_its_manifest(
    room: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "inbox" / "self_attention-ada"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(io.BytesIO(kit_zip("ada", LATER, {"03_softmax.ipynb": FIRST}))) as archive:
        archive.extractall(folder)
    assert states(collect(room, folder.parent)) == [("ada", "placed")]


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

ADA = "Ada Lovelace_1234567_assignsubmission_file_"
ZOE = "Zoë Müller_89_assignsubmission_file_"


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


# Again, and never over anything.


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
    assert list(tree(room).values()).count(FIRST) == 2


# What must not be taken in.


def test_paths_that_lead_out_are_refused_and_listed(room: Path, tmp_path: Path) -> None:
    files = {
        "ada/../../03_softmax.ipynb": b"1",
        "/etc/03_softmax.ipynb": b"2",
        "C:/x/03_softmax.ipynb": b"3",
        "ada\\..\\..\\03_softmax.ipynb": b"4",
        "ada/04_attention_scores.ipynb": FIRST,
    }
    zipped(files, tmp_path / "a.zip")
    outcomes = collect(room, tmp_path / "a.zip")
    refused = [one for one in outcomes if one.state == "not placed"]
    assert len(refused) == 4
    assert all("leads out of its folder" in one.note for one in refused)
    assert placed(room, "ada") == {"04_attention_scores.ipynb": FIRST}
    assert not set(tree(room).values()) & {b"1", b"2", b"3", b"4"}
    assert names(tmp_path) == ["a.zip", "class"]


def test_links_in_a_zip_are_refused(room: Path, tmp_path: Path) -> None:
    link = zipfile.ZipInfo("ada/03_softmax.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    (outcome,) = collect(room, tmp_path / "a.zip")
    assert (outcome.state, "is a link" in outcome.note) == ("not placed", True)


def test_a_bomb_is_refused_and_the_rest_comes_in(room: Path, tmp_path: Path) -> None:
    files = {"ada/03_softmax.ipynb": b"\0" * 20 * 2**20, "ada/04_attention_scores.ipynb": FIRST}
    zipped(files, tmp_path / "a.zip")
    refused, ada = collect(room, tmp_path / "a.zip")
    assert "would unpack to 20 MB" in refused.note
    assert (ada.state, placed(room, "ada")) == ("placed", {"04_attention_scores.ipynb": FIRST})


def test_a_notebook_with_large_outputs_is_no_bomb(room: Path, tmp_path: Path) -> None:
    large = json.dumps({"cells": [{"outputs": ["0.125, " * 700_000]}]}).encode()
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        archive.writestr("ada/03_softmax.ipynb", large)
    (tmp_path / "a.zip").write_bytes(stored.getvalue())
    assert states(collect(room, tmp_path / "a.zip")) == [("ada", "placed")]


def test_too_many_files_of_one_learner_are_refused(room: Path, tmp_path: Path) -> None:
    zipped({f"ada/{n}.ipynb": b"" for n in range(501)}, tmp_path / "a.zip")
    (outcome,) = collect(room, tmp_path / "a.zip")
    assert "at most 500" in outcome.note


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"not a zip", "is no zip"), (zipped({"b.zip": zipped({"03.ipynb": b""})}), "a zip in a zip")],
)
def test_a_zip_that_cannot_be_read_is_kept(
    room: Path, tmp_path: Path, content: bytes, says: str
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "a.zip").write_bytes(content)
    (outcome,) = collect(room, inbox)
    assert outcome.state == "not placed" and says in outcome.note
    assert (room / outcome.note.split("kept as ")[1]).is_file()


def test_a_zip_with_a_password_is_refused(room: Path, tmp_path: Path) -> None:
    raw = bytearray(zipped({"ada/03_softmax.ipynb": FIRST}))
    raw[raw.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(raw)
    (outcome,) = collect(room, tmp_path / "a.zip")
    assert "password" in outcome.note


@pytest.mark.parametrize("name", ["missing.zip", "text.zip", "empty"])
def test_an_archive_that_is_none_is_an_error(room: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "text.zip").write_text("text")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CollectError, match=f"collect: .*{name}"):
        collect(room, tmp_path / name)


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_zip_is_collected_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    scratch = tmp_path_factory.mktemp("fuzz")
    raw = bytearray(
        zipped({f"{ADA}/03_softmax.ipynb": FIRST, "a.zip": kit_zip("a", LATER, {"3.ipynb": b""})})
    )
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (scratch / "a.zip").write_bytes(raw)
    try:
        outcomes = collect(_room(scratch / "class"), scratch / "a.zip")
    except CollectError as error:
        assert "a.zip" in str(error)
    else:
        assert all(one.who and one.state for one in outcomes)
    assert names(scratch) == ["a.zip", "class"]
