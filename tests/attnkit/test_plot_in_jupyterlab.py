"""What a browser makes of a picture: JupyterLab gives image/png outputs no alternative text."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest
from nbclient import NotebookClient

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SOURCE = """
from attnkit import plot
plot.show(plot.heatmap([[0.25, 0.75]]), 'Weights < 1 in "she".')
"""

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's chromium")


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab that serves one executed, untrusted notebook."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SOURCE)])
    NotebookClient(notebook).execute()
    root = tmp_path / "root"
    root.mkdir()
    nbformat.write(notebook, root / "picture.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--port={port}", "--IdentityProvider.token=test", f"--ServerApp.root_dir={root}"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *options]
    homes = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = os.environ | {name: str(tmp_path / name) for name in homes}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token=test")
            yield f"http://127.0.0.1:{port}/lab/tree/picture.ipynb?token=test"
        finally:
            _stop(server)


def _stop(server):
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:  # a server that is just starting a kernel may not listen
        server.kill()
        server.wait()


def _wait_for(address):
    deadline = time.monotonic() + 60
    while True:
        try:
            return urlopen(address, timeout=5).close()
        except (URLError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def test_jupyterlab_shows_the_picture_with_its_alternative_text(lab, tmp_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=CHROMIUM, headless=True, args=FLAGS
        )
        page = browser.new_page()
        page.goto(lab)
        image = page.wait_for_selector(".jp-OutputArea-output img", timeout=60_000)
        assert image.get_attribute("alt") == 'Weights < 1 in "she".'
        page.wait_for_function("document.querySelector('.jp-OutputArea-output img').complete")
        size = image.evaluate("image => [image.width, image.naturalWidth]")
        browser.close()
    assert 0 < size[0] <= size[1] / 2
