"""Does the Validate button of nbgrader's extension say what the command says?"""

import pytest
from chromium import needs_chromium, opened, served
from test_validate import COLUMNS, RELEASED, RIGHT

from grader import notebook
from grader.room import sample

pytestmark = needs_chromium
LESSON = "03_softmax"


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab whose folder holds the lesson with softmax down the columns."""
    root = tmp_path / "root"
    root.mkdir()
    filled = sample.filled(RELEASED[LESSON], {**RIGHT, "softmax": COLUMNS})
    (root / f"{LESSON}.ipynb").write_text(notebook.text(filled), "utf-8")
    with served("jupyterlab", root, tmp_path) as address:
        yield f"{address}/lab/tree/{LESSON}.ipynb?token=test"


def test_button_names_the_exercise_that_is_red(lab, tmp_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, opened(playwright, tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(lab)
        page.get_by_text("Validate", exact=True).click(timeout=60_000)
        dialog = page.wait_for_selector(".jp-Dialog-content", timeout=120_000)
        told = " ".join(dialog.inner_text().split())
    assert "failed" in told.lower() and "Success" not in told
    assert "run checks.softmax(softmax) and mend what is red" in told
