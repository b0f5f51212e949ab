"""What a browser makes of a picture: JupyterLab gives image/png outputs no alternative text."""

import nbformat
import pytest
from chromium import needs_chromium, opened, served
from nbclient import NotebookClient

SOURCE = """
from attnkit import plot
plot.show(plot.heatmap([[0.25, 0.75]]), 'Weights < 1 in "she".')
"""

pytestmark = needs_chromium


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab that serves one executed, untrusted notebook."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SOURCE)])
    NotebookClient(notebook).execute()
    root = tmp_path / "root"
    root.mkdir()
    nbformat.write(notebook, root / "picture.ipynb")
    with served("jupyterlab", root, tmp_path) as address:
        yield f"{address}/lab/tree/picture.ipynb?token=test"


def test_jupyterlab_shows_the_picture_with_its_alternative_text(lab, tmp_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, opened(playwright, tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(lab)
        image = page.wait_for_selector(".jp-OutputArea-output img", timeout=60_000)
        assert image.get_attribute("alt") == 'Weights < 1 in "she".'
        page.wait_for_function("document.querySelector('.jp-OutputArea-output img').complete")
        size = image.evaluate("image => [image.width, image.naturalWidth]")
    assert 0 < size[0] <= size[1] / 2
