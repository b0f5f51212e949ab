"""Does every notebook come in as far as it can, with each repair told and nothing run?"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import damaged_cells  # noqa: F401 (enters its rows)
import damaged_files  # noqa: F401
import damaged_metadata  # noqa: F401
import nbformat
import pytest
from damage import (
    CASES,
    LESSON,
    PLACE,
    RELEASE,
    RIGHT,
    Case,
    cell,
    code,
    handed,
    points,
    save,
    table,
    take,
    take_in,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.intake import definitions, gathered, triage
from grader.intake.plainfiles import Refused
from grader.intake.rebuild import rebuild


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.title)
def test_take_in_gives_state_points_and_a_reason(one: Case, tmp_path: Path) -> None:
    work = take(tmp_path / "ada" / "self_attention", one.damage)
    told = "; ".join(work.repairs) + work.reason
    assert (work.state, points(work)) == (one.state, one.points)
    assert one.says in told
    assert bool(work.repairs) == (work.state == "repaired")
    if work.notebook is not None:
        nbformat.validate(work.notebook)


@pytest.mark.parametrize("student", ["ada", "Zoë Müller", "学生", "a b;c", "-rf", "%00"])
def test_take_in_does_not_care_about_the_learner_id(student: str, tmp_path: Path) -> None:
    work = take(tmp_path / student / "self_attention", lambda folder: save(folder, handed()))
    assert (work.state, points(work)) == ("ok", 5)


def test_rebuilt_notebook_keeps_nothing_but_text_of_the_learner(tmp_path: Path) -> None:
    notebook = handed()
    output = {"output_type": "stream", "name": "stdout", "text": "SPY"}
    for one in notebook["cells"]:
        one["metadata"]["spy"] = "SPY"
        one |= {"attachments": {"SPY": {}}} if one["cell_type"] == "markdown" else {}
        one |= {"outputs": [output]} if one["cell_type"] == "code" else {}
    notebook["metadata"]["spy"] = "SPY"
    notebook["cells"].append(code("x = 1", metadata={"tags": ["SPY"]}, outputs=[output]))
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert "SPY" not in json.dumps(work.notebook)
    assert [one.source for one in work.notebook.cells[-1:]] == ["x = 1"]


def test_rebuilding_what_was_rebuilt_changes_nothing(tmp_path: Path) -> None:
    notebook = handed()
    notebook["cells"].insert(2, code("x = 1"))
    first = take(tmp_path / "1" / "self_attention", lambda folder: save(folder, notebook))
    again = json.loads(nbformat.writes(first.notebook))
    second = take(tmp_path / "2" / "self_attention", lambda folder: save(folder, again))
    assert (second.state, second.notebook) == ("ok", first.notebook)


def test_open_cell_keeps_the_learners_text_in_its_place(tmp_path: Path) -> None:
    notebook = handed()
    cell(notebook, "given")["source"] = "import numpy as np\nx = 3"
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert work.notebook.cells[1].source == "import numpy as np\nx = 3"
    assert work.state == "ok"


def test_extra_cell_stays_between_its_neighbours(tmp_path: Path) -> None:
    notebook = handed()
    notebook["cells"].insert(PLACE["seen"], code("x = 1"))
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert [one.id for one in work.notebook.cells].index("extra-1") == PLACE["seen"]


def test_a_later_copy_that_defines_something_else_is_an_extra_cell(tmp_path: Path) -> None:
    notebook = handed()
    other = copy.deepcopy(cell(notebook, "softmax")) | {"id": "n1", "source": "def twice(): pass"}
    notebook["cells"].append(other)
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert work.notebook.cells[PLACE["softmax"]].source == RIGHT
    assert work.notebook.cells[-1].source == "def twice(): pass"


def test_a_given_cell_is_never_an_answer() -> None:
    release = copy.deepcopy(RELEASE[LESSON])
    release.cells[1].source = "def softmax(scores):\n    return 'shown on purpose'"
    untouched = triage.parse(nbformat.writes(release).encode())
    assert rebuild(release, untouched.cells).notebook == release


def test_missing_names_what_the_file_did_not_have(tmp_path: Path) -> None:
    notebook = handed()
    notebook["cells"] = notebook["cells"][:4]
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert work.missing == {"softmax_sums", "softmax_values"}


def test_release_is_never_changed(tmp_path: Path) -> None:
    before = json.dumps(RELEASE)
    take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, handed(RIGHT + "# x")))
    assert json.dumps(RELEASE) == before


def test_table_has_a_line_for_each_case() -> None:
    assert len(list(table())) == len(CASES)


@pytest.mark.parametrize(
    "text",
    ["\n" * 200_000 + "x", "import" + " " * 200_000, "def" + " " * 200_000, "(" * 200_000,
     "x = " + "-" * 16_000, "x = a" + ".b" * 8_000, "x = 1" + " + 1" * 4_000],
    ids=["blank lines", "import", "def", "brackets", "signs", "dots", "sum"],
)  # fmt: skip
def test_text_made_to_be_slow_or_deep_is_read(text: str, tmp_path: Path) -> None:
    notebook = handed(f"{RIGHT}\n{text}")
    work = take(tmp_path / "ada" / "self_attention", lambda folder: save(folder, notebook))
    assert work.state == "ok"


def test_all_files_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = save(tmp_path, handed())
    monkeypatch.setattr(gathered, "MOST_BYTES", first.stat().st_size + 1)
    save(tmp_path, handed(), "second.ipynb")
    refusals = [one.refusal for one in gathered.gather(tmp_path, [], lambda name: True).files]
    assert refusals[0] == ""
    assert "are read" in refusals[1]


# Whatever bytes arrive, intake answers.


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_reason(raw: bytes) -> None:
    try:
        sheet = triage.parse(raw)
    except Refused as refusal:
        assert str(refusal)
    else:
        assert isinstance(sheet, triage.Sheet)


@settings(max_examples=60)
@given(st.data())
def test_a_notebook_with_bytes_overwritten_gives_a_work(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    raw = bytearray(json.dumps(handed()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(raw)))
        raw[start : start + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=9))
    folder = tmp_path_factory.mktemp("fuzz") / "self_attention"
    save(folder, bytes(raw))
    work = take_in(folder, RELEASE)[LESSON]
    assert work.state in ("ok", "repaired", "rejected")
    assert (work.notebook is None) == (work.state == "rejected") == bool(work.reason)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
NAMES = st.sampled_from(["softmax", "softmax_sums", "given", "seen", "x"])
TEXTS = st.sampled_from([RIGHT, "", "    return 1", "%magic", "def softmax(", "x = 1"]) | st.text()
MARKS = st.fixed_dictionaries({"grade_id": NAMES | JSON}) | JSON
CELLS = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw"]) | JSON,
        "id": NAMES | JSON,
        "source": TEXTS | st.lists(TEXTS | JSON, max_size=3) | JSON,
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": MARKS, "tags": JSON}) | JSON,
    },
)


@settings(max_examples=150)
@given(st.lists(CELLS | JSON, max_size=8))
def test_any_cells_make_a_notebook_with_every_cell_of_the_release(cells: list[object]) -> None:
    raw = json.dumps({"nbformat": 4, "cells": cells}).encode()
    done = rebuild(RELEASE[LESSON], triage.parse(raw).cells)
    nbformat.validate(done.notebook)
    ids = [one.id for one in done.notebook.cells if not one.id.startswith("extra-")]
    assert ids == [one.id for one in RELEASE[LESSON].cells]
    tests = [one for one in done.notebook.cells if one.id in ("softmax_sums", "softmax_values")]
    assert tests == RELEASE[LESSON].cells[-2:]


if __name__ == "__main__":
    print("\n".join(table()))


def test_an_answer_between_markdowns_fences_is_read():
    text = "My answer:\n\n```python\nimport math\ndef f():\n    return 1\n```\nI think."
    assert definitions.names(text) == {"f"}
    assert definitions.only(text) == "import math\ndef f():\n    return 1"


def test_fences_in_a_docstring_are_no_code():
    text = 'def f():\n    """As in\n```\ndef g(): pass\n```\n    """\n    return 1'
    assert definitions.names(text) == {"f"}
    assert definitions.only(text) == text
