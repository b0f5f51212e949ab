"""Is nothing taken in that leads out, links, bursts or breaks?"""

from __future__ import annotations

import json
import random
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packing import (
    ADA,
    FIRST,
    LATER,
    class_folder,
    kit_zip,
    names,
    placed,
    states,
    tree,
    zipped,
)

from grader.collecting import handins
from grader.collecting.collect import CollectError, collect


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return class_folder(tmp_path / "class")


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


def test_an_entry_without_a_name_is_listed(room: Path, tmp_path: Path) -> None:
    raw = zipped({"ada/03_softmax.ipynb": FIRST, "bob/03_softmax.ipynb": FIRST})
    (tmp_path / "a.zip").write_bytes(raw.replace(b"bob/", b"\0ob/"))
    outcomes = collect(room, tmp_path / "a.zip")
    assert [one.state for one in outcomes if "leads out" in one.note] == ["not placed"]
    assert placed(room, "ada") == {"03_softmax.ipynb": FIRST}


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
    numbers = random.Random(0).choices(range(1000), k=10**6)
    zipped({"ada/03_softmax.ipynb": json.dumps(numbers).encode()}, tmp_path / "a.zip")
    assert states(collect(room, tmp_path / "a.zip")) == [("ada", "placed")]


def test_zips_of_one_learner_are_bounded_together(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handins, "MOST_BYTES", 3 * len(FIRST) // 2)
    packed = zipped({"03_softmax.ipynb": FIRST})
    zipped({"ada/1.zip": packed, "ada/2.zip": packed, "bob/1.zip": packed}, tmp_path / "a.zip")
    assert states(collect(room, tmp_path / "a.zip")) == [
        ("a.zip/ada/2.zip", "not placed"), ("ada", "placed"), ("bob", "placed"),
    ]  # fmt: skip


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
    assert "is locked with a password; ask for a zip without one" in outcome.note


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
        outcomes = collect(class_folder(scratch / "class"), scratch / "a.zip")
    except CollectError as error:
        assert "a.zip" in str(error)
    else:
        assert all(one.who and one.state for one in outcomes)
    assert names(scratch) == ["a.zip", "class"]
