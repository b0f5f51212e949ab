"""Is a learner's work safe from `python -m attnkit.lab`, however often it runs?"""

from pathlib import Path

import pytest
from attnkit import lab


@pytest.fixture
def course(tmp_path) -> Path:
    """A course of one notebook and a kit of one module."""
    made = tmp_path / "course"
    (made / "attnkit").mkdir(parents=True)
    (made / "README.md").write_text("read me")
    (made / "03_softmax.ipynb").write_text("stub")
    (made / "attnkit" / "value.py").write_text("new kit")
    return made


def test_lab_copies_notebooks_kit_and_readme(course, tmp_path):
    mine = tmp_path / "my-course"
    assert lab.copy_course(mine, course) == ["03_softmax.ipynb"]
    assert (mine / "03_softmax.ipynb").read_text() == "stub"
    assert (mine / "README.md").read_text() == "read me"


def test_lab_never_overwrites_a_notebook_and_refreshes_the_kit(course, tmp_path):
    mine = tmp_path / "my-course"
    lab.copy_course(mine, course)
    (mine / "03_softmax.ipynb").write_text("my work")
    (mine / "notes.ipynb").write_text("my notes")
    (mine / "attnkit" / "value.py").write_text("old kit")
    (course / "04_attention_scores.ipynb").write_text("stub")
    assert lab.copy_course(mine, course) == ["04_attention_scores.ipynb"]
    assert (mine / "03_softmax.ipynb").read_text() == "my work"
    assert (mine / "notes.ipynb").read_text() == "my notes"
    assert (mine / "attnkit" / "value.py").read_text() == "new kit"


@pytest.mark.parametrize("inside", ["", "attnkit/mine"])
def test_lab_refuses_a_folder_in_the_course(course, inside):
    with pytest.raises(ValueError, match="lies in the course itself; name a folder outside it"):
        lab.copy_course(course / inside, course)
    assert (course / "03_softmax.ipynb").read_text() == "stub"
