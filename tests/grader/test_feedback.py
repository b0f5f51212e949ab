"""Does a learner's page say what it should, and nothing that it must not?"""

import nbformat
import pytest
from attnkit.handin import ASSIGNMENT
from bs4 import BeautifulSoup
from nbgrader.utils import notebook_hash
from rooms import FULL, book, graded, hand_in, new_class, only_lessons
from typer.testing import CliRunner

from grader import checks, misconceptions, nbgrader_api, notebook
from grader.cli import app
from grader.reporting import feedback, report
from grader.room.classroom import Classroom

WRONG = misconceptions.every()["mask_inverted"]
TYPED = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>"
PRINTED = "printed-by-the-learner"
MARKUP = "<i>Zoë"  # also a name of a folder


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Classroom:
    with only_lessons("05_causal_mask", "06_apply_attention"):
        made = new_class(tmp_path_factory.mktemp("feedback") / "room", {MARKUP: FULL})
    folder = hand_in(made, "ada", {"causal_mask": misconceptions.source(WRONG) + f"\n# {TYPED}"})
    (folder / "timestamp.txt").write_text("2027-01-01 00:00:00 UTC")
    (folder / "submission_secret.txt").write_text("secret")
    bob = hand_in(made, "bob", {})
    (bob / "submission_secret.txt").write_bytes(b"\xff")
    (folder / "06_apply_attention.ipynb").write_bytes(b"{")
    one = notebook.read(folder / "05_causal_mask.ipynb")
    one.cells.append(nbformat.v4.new_code_cell(f"print('{PRINTED}')"))
    (folder / "05_causal_mask.ipynb").write_text(notebook.text(one), "utf-8")
    graded(made)
    with book(made) as found:
        mark = found.find_grade("causal_mask_shape", "05_causal_mask", ASSIGNMENT, "ada")
        mark.manual_score, mark.extra_credit = 0.5, 1.0
        remark = found.find_comment("causal_mask", "05_causal_mask", ASSIGNMENT, "ada")
        remark.manual_comment = "Look at <the> diagonal."
        found.db.commit()
    assert {path.name for path in feedback.write(made)} == {"feedback.html"}
    return made


def text(made: Classroom, student: str) -> str:
    return (made.root / "feedback" / student / ASSIGNMENT / "feedback.html").read_text("utf-8")


def shown(made: Classroom, student: str) -> str:
    """Return what a browser shows of the page, on one line."""
    return " ".join(BeautifulSoup(text(made, student), "html.parser").get_text().split())


def test_page_has_property_message_advice_code_and_marks(room):
    page, cells = shown(room, "ada"), report.grades(room)["students"]["ada"]["lessons"]
    mask = cells["05_causal_mask"]["cells"]
    for name, cell in mask.items():
        assert checks.find(name).property in page and cell["message"] in page
    assert sum(cell["state"] == "failed" for cell in mask.values()) > 1
    assert page.count(WRONG.tell) == 1 and WRONG.does in page
    assert TYPED in page and "Look at <the> diagonal." in page
    assert "1.5 / 1" in page and "These points were given by hand." in page
    assert "06_apply_attention.ipynb" in page and "– / 10" in page and "– / 22 points" in page


def test_marks_of_a_person_count_everywhere(room):
    lesson = report.grades(room)["students"]["ada"]["lessons"]["05_causal_mask"]
    shape = lesson["cells"]["causal_mask_shape"]
    assert (shape["points"], shape["by_hand"]) == (1.5, True)
    assert lesson["score"] == sum(cell["points"] for cell in lesson["cells"].values())
    row = next(one for one in report.as_csv(report.grades(room)).splitlines() if "ada" in one)
    assert row == f"ada,rejected,,22,{lesson['score']},"


def test_command_says_how_many_pages_there_are(room):
    done = CliRunner().invoke(app, ["feedback", str(room.root)])
    assert (done.exit_code, done.output) == (0, f"3 pages in {room.root}/feedback\n")


def test_class_that_does_not_come_from_moodle_has_no_files_for_it(room):
    report.write(room)
    assert not list(room.root.glob("*moodle*"))


def test_page_runs_and_fetches_nothing(room):
    for student in ("ada", MARKUP):
        page = BeautifulSoup(text(room, student), "html.parser")
        tags = {tag.name for tag in page.find_all(True)}
        assert not tags & {"script", "img", "iframe", "svg", "link", "a", "form", "base", "i"}
        attributes = {name for tag in page.find_all(True) for name in tag.attrs}
        allowed = {"lang", "charset", "http-equiv", "content", "name", "class"}
        assert attributes <= allowed
        policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
        assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert MARKUP in shown(room, MARKUP)


def test_report_runs_and_fetches_nothing(room):
    report.write(room)
    page = BeautifulSoup((room.root / "report.html").read_text("utf-8"), "html.parser")
    tags = {tag.name for tag in page.find_all(True)}
    assert not tags & {"script", "img", "iframe", "svg", "link", "a", "form", "base", "i"}
    assert MARKUP in page.get_text() and "1.5 / 1 (by hand)" in page.get_text()


def test_page_has_no_hidden_check_and_nothing_that_was_printed(room):
    graded_notebook = room.root / "autograded" / "ada" / ASSIGNMENT / "05_causal_mask.ipynb"
    secrets = (room.seed, "grader.checks", "HIDDEN TESTS")
    assert all(one in graded_notebook.read_text("utf-8") for one in (PRINTED, *secrets[1:]))
    page = text(room, "ada")
    assert not [one for one in secrets if one in page]
    assert f"print('{PRINTED}')" not in page and PRINTED not in page


def test_what_came_through_nbgraders_exchange_goes_back_there(room, tmp_path, monkeypatch):
    for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    with (room.root / "nbgrader_config.py").open("a") as config:
        config.write(f"c.Exchange.root = {str(tmp_path)!r}\n")
    done = nbgrader_api._api(room.root).release_feedback(ASSIGNMENT, "ada")
    assert done["success"], done
    released = tmp_path / "self-attention" / "feedback"
    name = f"{notebook_hash(secret='secret', notebook_id='05_causal_mask')}.html"
    assert (released / name).read_text("utf-8") == text(room, "ada")
    others = (room.root / "feedback" / MARKUP / ASSIGNMENT).iterdir()
    assert [path.name for path in others] == ["feedback.html"]
