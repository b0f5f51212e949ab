"""Does a name of any script, length or bytes leave the rest of the class alone?"""

from __future__ import annotations

import csv
import os
import unicodedata
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from hypothesis import given, settings
from hypothesis import strategies as st
from packing import FIRST, OTHER, SECOND, class_folder, kit_zip, names, placed, states, tree, zipped

from grader.collecting import archives, handins
from grader.collecting.collect import collect, known_learners, told
from grader.reporting import tables
from grader.room.classroom import opened
from grader.room.filenames import fitted, folder_name
from grader.room.learners import folder_of, ids

SOFTMAX = "03_softmax.ipynb"
CYRILLIC, THAI = "Константинопольская Владислава Валентиновна Ян", "กนกวรรณสุวรรณภูม"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return class_folder(tmp_path / "class")


@pytest.mark.parametrize("name", [CYRILLIC, THAI, "學" * 200, "😀" * 60, "x" * 250])
def test_a_long_name_from_moodle_is_placed_and_so_are_the_others(
    room: Path, tmp_path: Path, name: str
) -> None:
    files = {
        f"{one}_1234567_assignsubmission_file_/{SOFTMAX}": FIRST for one in (name, "Ada Lovelace")
    }
    zipped(files, tmp_path / "moodle.zip")
    assert [one.state for one in collect(room, tmp_path / "moodle.zip")] == ["placed", "placed"]
    assert [one.state for one in collect(room, tmp_path / "moodle.zip")] == ["already there"] * 2
    real = f"{name.replace(' ', '-')}_1234567"
    made = opened(room)
    assert set(ids(made, made.students()).values()) == {real, "Ada-Lovelace_1234567"}
    assert folder_of(made, real) == folder_name(real) in names(room / "submitted")
    assert known_learners(made)[folder_name(real)].name == name


@pytest.mark.parametrize(
    "file", ["Ж" * 120, "学" * 84, "学" * 120, "😀" * 80, "é" * 126, "\x1b" * 100]
)
def test_a_long_file_name_inside_is_cut_and_the_others_come_in(
    room: Path, tmp_path: Path, file: str
) -> None:
    inner = zipped({f"{file}1.ipynb": FIRST, f"{file}2.ipynb": SECOND})
    zipped({"ada/hw.zip": inner, f"bob/{SOFTMAX}": OTHER}, tmp_path / "all.zip")
    assert states(collect(room, tmp_path / "all.zip")) == [("ada", "placed"), ("bob", "placed")]
    assert sorted(placed(room, "ada").values()) == [FIRST, SECOND]
    before = tree(room)
    collect(room, tmp_path / "all.zip")
    assert tree(room) == before


@given(st.text(), st.integers(40, 200))
def test_a_fitted_name_fits_and_ends_as_it_did(name: str, most: int) -> None:
    made = fitted(f"{name}.ipynb", most)
    assert len(made.encode("utf-8", "replace")) <= most and made.endswith(".ipynb")


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(st.characters(), min_size=1), min_size=1, max_size=4, unique=True))
def test_any_id_in_a_manifest_is_placed_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, learners: list[str]
) -> None:
    root = tmp_path_factory.mktemp("names")
    room = class_folder(root / "class")
    zips = {
        f"hand-in-{n}.zip": kit_zip(one, "", {SOFTMAX: FIRST}) for n, one in enumerate(learners)
    }
    zipped(zips, root / "all.zip")
    outcomes = collect(room, root / "all.zip")
    wanted = {unicodedata.normalize("NFC", one).strip() for one in learners} - {""}
    assert {one.learner for one in outcomes if one.state == "placed"} == wanted
    made = opened(room)
    shown = ids(made, made.students())
    assert len(set(shown.values())) == len(shown) == len(wanted)
    assert all(unicodedata.category(c) != "Cc" for line in told(outcomes) for c in line)


def test_bytes_that_are_no_utf_8_and_a_closed_folder_stop_nobody(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = tmp_path / "inbox"
    for folder in ("\udcff😀", "ada", "bob/inner", "closed", "eve"):
        (inbox / folder).mkdir(parents=True)
        (inbox / folder / SOFTMAX).write_bytes(FIRST)
    (inbox / "bob" / SOFTMAX).write_bytes(FIRST)
    real = os.scandir

    def refusing(path):
        if isinstance(path, Path) and path.name in ("closed", "inner"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(archives.os, "scandir", refusing)
    outcomes = collect(room, inbox)
    assert {one.learner for one in outcomes if one.state == "placed"} == {
        "ada", "bob", "eve", "\udcff😀",
    }  # fmt: skip
    refused = {one.who: one.note for one in outcomes if one.state == "not placed"}
    assert refused.keys() == {"inbox/closed", "inbox/bob/inner"}
    assert all("Permission denied" in note for note in refused.values())


def test_an_error_nobody_foresaw_is_one_learners(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = handins.attempt

    def failing(owner, *rest):
        if owner.id == "bob":
            raise ZeroDivisionError("bob")
        return real(owner, *rest)

    monkeypatch.setattr(handins, "attempt", failing)
    zipped({f"{one}/{SOFTMAX}": FIRST for one in ("ada", "bob", "eve")}, tmp_path / "all.zip")
    outcomes = collect(room, tmp_path / "all.zip")
    assert [(one.learner, one.state) for one in outcomes] == [
        ("ada", "placed"), ("bob", "not placed"), ("eve", "placed"),
    ]  # fmt: skip


def test_two_folders_with_one_id_keep_their_own_names(room: Path, tmp_path: Path) -> None:
    zipped({f"Zoë/{SOFTMAX}": FIRST}, tmp_path / "all.zip")
    collect(room, tmp_path / "all.zip")
    (room / "submitted" / "Zoë" / ASSIGNMENT).mkdir(parents=True)
    made = opened(room)
    assert ids(made, made.students()) == {"Zo~C3~AB": "Zo~C3~AB", "Zoë": "Zoë"}


@pytest.mark.parametrize(
    "layout", ["", "Self_Attention/", "self attention/", "a/self_attention/", "self_attention/"]
)
@pytest.mark.parametrize("is_zipped", [False, True])
def test_work_is_found_wherever_it_lies_in_a_learners_folder(
    room: Path, tmp_path: Path, layout: str, is_zipped: bool
) -> None:
    work = zipped({SOFTMAX: FIRST}) if is_zipped else FIRST
    name = "work.zip" if is_zipped else SOFTMAX
    zipped({f"ada/{layout}{name}": work, f"bob/{SOFTMAX}": OTHER}, tmp_path / "all.zip")
    assert states(collect(room, tmp_path / "all.zip")) == [("ada", "placed"), ("bob", "placed")]
    assert placed(room, "ada") == {SOFTMAX: FIRST}


def test_a_zip_within_a_learners_zip_waits_for_a_person(room: Path, tmp_path: Path) -> None:
    inner = zipped({"work.zip": zipped({SOFTMAX: FIRST})})
    zipped({"ada/hw.zip": inner}, tmp_path / "all.zip")
    (outcome,) = collect(room, tmp_path / "all.zip")
    assert (outcome.learner, outcome.state) == ("ada", "not placed") and (
        room / outcome.kept
    ).is_file()


# What is hidden.


@pytest.mark.parametrize("hidden", [".ipynb_checkpoints", "work/.ipynb_checkpoints", "__MACOSX"])
def test_a_checkpoint_is_nobodys_work(room: Path, tmp_path: Path, hidden: str) -> None:
    inner = zipped({f"{hidden}/03_softmax-checkpoint.ipynb": SECOND, SOFTMAX: FIRST})
    zipped({"ada/hw.zip": inner, f"bob/{hidden}/{SOFTMAX}": OTHER, f"bob/{SOFTMAX}": FIRST},
           tmp_path / "all.zip")  # fmt: skip
    collect(room, tmp_path / "all.zip")
    assert placed(room, "ada") == placed(room, "bob") == {SOFTMAX: FIRST}


def test_a_learner_with_hidden_files_only_is_listed(room: Path, tmp_path: Path) -> None:
    zipped({f"eve/.git/{SOFTMAX}": FIRST, f"bob/{SOFTMAX}": FIRST}, tmp_path / "all.zip")
    outcomes = collect(room, tmp_path / "all.zip")
    assert {one.who for one in outcomes if one.state == "not placed"} == {"all.zip/eve"}


# What a spreadsheet or a terminal would run.


@pytest.mark.parametrize(
    "text",
    ["=1+1", "a;=1+1", "a\r=1+1", "a\t=1+1", "+1", "-1", "@x", "a,=1", " =1", "＝1", 'a";=1'],
)
def test_no_cell_begins_a_formula_whatever_the_separator(text: str) -> None:
    written = tables.as_csv([["first", text, 1.5, None]])
    for separator in ",;\t|":
        for row in csv.reader(written.splitlines(), delimiter=separator):
            assert not any(cell.strip()[:1] in tuple("=+-@＝") and cell for cell in row)
    ((first, cell, number, empty),) = csv.reader([written], strict=True)
    assert (first, number, empty) == ("first", "1.5", "") and cell.replace("'", "") == text


def test_a_terminal_gets_no_control_character(room: Path, tmp_path: Path) -> None:
    odd = ["\x1b[2Jada", "bob\u202egpj", "c\r=1+1", "d\n", "e\u2028", "\udcff", "f\x9b31m"]
    zips = {f"{n}.zip": kit_zip(one, "", {SOFTMAX: FIRST}) for n, one in enumerate(odd)}
    zipped({**zips, "g\x1b]0;x\x07.pdf": b""}, tmp_path / "all\x1b.zip")
    lines = list(told(collect(room, tmp_path / "all\x1b.zip")))
    steering = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert [c for line in lines for c in line if unicodedata.category(c) in steering] == []
    assert lines[-1].startswith("8 collected: 7 placed, 1 not placed")


def test_a_learners_own_course_folder_is_one_line(tmp_path):
    room = class_folder(tmp_path / "class")
    mine = tmp_path / "my-course"
    (mine / "attnkit").mkdir(parents=True)
    for name in ("03_softmax.ipynb", "04_attention_scores.ipynb"):
        (mine / name).write_bytes(FIRST)
    for name in ("README.md", "LICENSE", "attnkit/value.py", "attnkit/__init__.py"):
        (mine / name).write_text("text")
    (told,) = collect(room, mine)
    assert told.state == "not placed"
    assert "2 notebooks lie in no learner's folder; use one named by" in str(told)


def test_a_folder_that_holds_nothing_is_told(tmp_path):
    room = class_folder(tmp_path / "class")
    inbox = tmp_path / "inbox"
    (inbox / "ada").mkdir(parents=True)
    (inbox / "ada" / "03_softmax.ipynb").write_bytes(FIRST)
    (inbox / "bob").mkdir()
    (inbox / "eva" / "03_softmax.ipynb").mkdir(parents=True)
    found = {one.who: one.state for one in collect(room, inbox)}
    assert found == {"ada": "placed", "inbox/bob": "not placed", "inbox/eva": "not placed"}


def test_a_hand_in_packed_for_another_assignment_says_so(tmp_path):
    room = class_folder(tmp_path / "class")
    said = b'{"learner": "ada", "assignment": "other"}'
    zipped({"hand-in.json": said, "03_softmax.ipynb": FIRST}, tmp_path / "self_attention-ada.zip")
    (one,) = collect(room, tmp_path / "self_attention-ada.zip")
    assert (one.state, one.note) == ("placed", "it was packed for 'other'")
