"""Are generated files exactly what the lessons say, and nothing that a learner must not see?"""

import copy
import re
from pathlib import Path

import pytest

from grader import nbgrader_api, notebook
from grader.authoring import build, exercises
from grader.authoring.build import BuildError, House
from grader.authoring.lesson import read_lessons
from grader.authoring.source import source_notebook

LESSONS = read_lessons()
RELEASED = {path.stem: notebook.read(path) for path in (build.ROOT / "course").glob("*.ipynb")}


@pytest.fixture
def house(tmp_path) -> House:
    """A house of its own with lesson 03 only, as committed."""
    made = House(tmp_path / "lessons", tmp_path / "course", tmp_path / "solutions")
    for folder in made:
        folder.mkdir()
    copy_text(build.LESSONS / "03_softmax.md", made.lessons)
    for kit in (build.ROOT / "course" / "attnkit").rglob("*.*"):
        if kit.suffix in (".py", ".json"):
            copy_text(kit, made.course / kit.parent.relative_to(build.ROOT / "course"))
    for module in (build.ROOT / "solutions").glob("*.py"):
        copy_text(module, made.solutions)
    copy_text(build.ROOT / "course" / "03_softmax.ipynb", made.course)
    copy_text(build.ROOT / "solutions" / "03_softmax.ipynb", made.solutions)
    return made


def copy_text(path: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / path.name).write_bytes(path.read_bytes())


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def test_committed_files_are_current():
    assert build.stale() == []


def test_build_changes_nothing_when_nothing_changed(house):
    assert list(build.build(house)) == []


def test_build_from_nothing_writes_the_committed_bytes(house):
    path = house.course / "03_softmax.ipynb"
    committed = path.read_bytes()
    path.unlink()
    assert list(build.build(house)) == ["03_softmax.ipynb"]
    assert path.read_bytes() == committed


@pytest.mark.parametrize("folder", ["course", "solutions"])
def test_edited_notebook_is_named(house, folder):
    path = getattr(house, folder) / "03_softmax.ipynb"
    edit(path, "Something must turn these numbers", "Something turns these numbers")
    assert len(build.stale(house)) == 1
    assert (
        f"{'solutions/' if folder == 'solutions' else ''}03_softmax.ipynb" in build.stale(house)[0]
    )


def test_changed_lesson_reference_or_kit_makes_the_solved_notebook_stale(house):
    for path in (
        house.lessons / "03_softmax.md",
        house.solutions / "attention.py",
        house.course / "attnkit" / "nn.py",
    ):
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        assert [
            line for line in build.stale(house) if line.startswith("solutions/03_softmax.ipynb")
        ]
        path.write_bytes(text)
    assert build.stale(house) == []


def test_changed_points_show_in_the_release_and_nowhere_else(house):
    edit(
        house.lessons / "03_softmax.md",
        ":check: softmax_stability\n:points: 2",
        ":check: softmax_stability\n:points: 3",
    )
    edit(
        house.lessons / "03_softmax.md",
        ":check: softmax_odd_shapes\n:points: 3",
        ":check: softmax_odd_shapes\n:points: 2",
    )
    before = notebook.read(house.course / "03_softmax.ipynb")
    list(build.build(house))
    after = notebook.read(house.course / "03_softmax.ipynb")
    changed = [new.id for old, new in zip(before.cells, after.cells, strict=True) if old != new]
    assert changed == ["softmax_odd_shapes", "softmax_stability"]


def test_filled_in_notebook_of_course_is_never_overwritten(house):
    path = house.course / "03_softmax.ipynb"
    work = notebook.read(path)
    cell = next(cell for cell in work.cells if cell.id == "softmax")
    cell.source = cell.source.replace("raise NotImplementedError()", "return scores")
    path.write_text(notebook.text(work), "utf-8")
    mine = path.read_bytes()
    edit(
        house.lessons / "03_softmax.md",
        "Something must turn these numbers",
        "Something turns these numbers",
    )
    with pytest.raises(BuildError, match=r"softmax was filled in; work in my-course"):
        list(build.build(house))
    assert path.read_bytes() == mine


def test_notebook_without_a_lesson_is_named(house):
    (house.course / "04_old.ipynb").write_text("{}")
    assert build.stale(house) == ["course/04_old.ipynb has no lesson; delete it"]


@pytest.mark.parametrize("name", RELEASED)
def test_release_holds_no_solution_and_no_hidden_check(name):
    text = "\n".join(cell.source for cell in RELEASED[name].cells)
    for forbidden in ("BEGIN", "END SOLUTION", "grader", "solutions", "HIDDEN"):
        assert forbidden not in text
    for cell in RELEASED[name].cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            answer = exercises.answer(exercises.find(cell.id))
            assert "raise NotImplementedError()" in cell.source
            assert answer.strip() not in cell.source
        if cell.metadata.get("nbgrader", {}).get("grade"):
            pattern = r"# \d points?: .+\nfrom attnkit import checks\n\nchecks\.require\((\w+=\w+(, )?)+\)"
            assert re.fullmatch(pattern, cell.source)


@pytest.mark.parametrize("name", RELEASED)
def test_release_holds_no_line_of_an_answer_before_its_exercise(name):
    """A hint may show names and where a loop begins; no other line of an answer stands there."""
    text = "\n".join(cell.source for cell in RELEASED[name].cells)
    for cell in RELEASED[name].cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            lines = exercises.answer(exercises.find(cell.id)).splitlines()
            telling = [one for line in lines if len(one := line.strip()) > 25 and one[-1] != ":"]
            assert not [line for line in telling if line in text]


def test_changing_the_release_afterwards_shows():
    """The check above can fail: a release with the answer in it is caught."""
    work = copy.deepcopy(RELEASED["03_softmax"])
    assert nbgrader_api.written_by_learner(work) == []
    cell = next(cell for cell in work.cells if cell.id == "softmax")
    cell.source += "\n"
    assert nbgrader_api.written_by_learner(work) == ["softmax"]


def test_cell_ids_are_unique_and_stable():
    for lesson in LESSONS:
        ids = [cell.id for cell in source_notebook(lesson).cells]
        assert len(ids) == len(set(ids))
        assert ids == [cell.id for cell in RELEASED[lesson.name].cells]


PICTURE = '<img alt="words" src="data:image/png;base64,">'


@pytest.mark.parametrize(
    ("source", "tags", "says"),
    [
        ("1 / 0", [], "ZeroDivisionError"),
        ("import sys\nprint('careful', file=sys.stderr)", [], "writes to stderr"),
        ("print('no picture')", ["picture"], "is tagged picture and shows none"),
        ("from IPython.display import HTML, display\ndisplay(HTML('<img alt=\"\" src=\"\">'))", ["picture"], "shows none"),
    ],
)  # fmt: skip
def test_bad_output_stops_the_build(tmp_path, source, tags, says):
    work = source_notebook(LESSONS[3])
    work.cells = [notebook.code_cell(source, "cell")]
    work.cells[0].metadata["tags"] = tags
    with pytest.raises(BuildError, match=says):
        build.execute(work, tmp_path)


def test_nbval_is_told_what_reads_the_clock():
    (cost,) = [lesson for lesson in LESSONS if lesson.name == "08_cost"]
    told = [cell.metadata.get("tags") for cell in build.solved(cost).cells]
    released = [cell.metadata.get("tags") for cell in RELEASED["08_cost"].cells]
    assert ["timing", "nbval-ignore-output"] in told
    assert ["timing"] in released
    assert [
        tags for tags in told if tags and "nbval-ignore-output" in tags and "timing" not in tags
    ] == []


def test_good_output_passes(tmp_path):
    work = source_notebook(LESSONS[3])
    show = f"from IPython.display import HTML, display\ndisplay(HTML('{PICTURE}'))"
    work.cells = [notebook.code_cell(show, "cell")]
    work.cells[0].metadata["tags"] = ["picture"]
    assert build.bad_outputs(build.execute(work, tmp_path)) == []
