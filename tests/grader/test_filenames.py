"""Has every learner's id a file name of its own that every file system takes?"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from attnkit.handin import file_name
from hypothesis import given
from hypothesis import strategies as st

from grader.room.filenames import folder_name, student_of

ODD_IDS = [
    "", ".", "..", "a/b", "a" + "@" * 149, "Ж" * 45 + "_1234567", "เ" * 15, "学" * 80, "x" * 5000,
    "x" * 150, "x" * 151, "con", "NUL.txt", "ada.", "-rf", "a\rb", "\x1b[2J", "\u202egpj", "\udcff",
    "😀" * 60, "Zoe\u0308", "Zo\u00eb", "~h0123456789abcdef", "Ada", "ada", "a b", "[A]", "a?", "$HOME",
]  # fmt: skip


@pytest.mark.parametrize("student", ODD_IDS, ids=ascii)
def test_a_name_fits_with_room_for_an_ending_and_comes_back(student: str, tmp_path: Path) -> None:
    name = folder_name(student)
    path = tmp_path / f".{name}-2.json.new"
    path.write_bytes(b"")
    assert re.fullmatch(r"[A-Za-z0-9_~][A-Za-z0-9._@~-]{0,149}", name) and name[-1] != "."
    assert student_of(name, {name: student}) == (student or name)


def test_no_two_ids_share_a_name_not_even_where_they_look_alike() -> None:
    names = [folder_name(student) for student in ODD_IDS]
    assert len(set(names)) == len(ODD_IDS)
    first, second = "學" * 60 + "a", "學" * 60 + "b"
    assert folder_name(first) != folder_name(second)


@given(st.text(min_size=1, max_size=12))
def test_it_is_the_name_that_the_kit_gives(student: str) -> None:
    student = unicodedata.normalize("NFC", student)
    wanted = file_name(student)
    is_windows = wanted[-1] == "." or folder_name(student).startswith(("~4", "~5", "~6", "~7"))
    assert is_windows or folder_name(student) == wanted


def test_a_name_of_no_id_is_its_own_id() -> None:
    assert student_of("~FF", {}) == "~FF"
    assert student_of("Zo~C3~AB", {}) == "Zoë"
    assert student_of("ada", {"ada": "Ada Lovelace"}) == "Ada Lovelace"
