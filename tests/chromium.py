"""A real browser and a real Jupyter server, for tests of what a person sees."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

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
# Not a package of pip: `.ci/run` installs it and sets NO_SKIPS; elsewhere the rest still runs.
needs_chromium = pytest.mark.skipif(
    not CHROMIUM.exists(), reason="needs Debian's chromium: apt install chromium"
)


@contextmanager
def opened(playwright, profile: Path):
    """Yield a browser with a profile of its own."""
    browser = playwright.chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM, headless=True, args=FLAGS
    )
    try:
        yield browser
    finally:
        browser.close()


@contextmanager
def served(module: str, root: Path, beside: Path):
    """Yield the address of a server of `module` in folder `root`; its files lie in `beside`.

    The token is `test`.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--port={port}", "--IdentityProvider.token=test", f"--ServerApp.root_dir={root}"]
    command = [sys.executable, "-m", module, "--no-browser", "--allow-root", *options]
    homes = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = os.environ | {name: str(beside / name) for name in homes}
    address = f"http://127.0.0.1:{port}"
    with (beside / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"{address}/api?token=test")
            yield address
        finally:
            _stop(server)


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 90
    while True:
        try:
            return urlopen(address, timeout=5).close()
        except (URLError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def _stop(server) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:  # a server that is just starting a kernel may not listen
        server.kill()
        server.wait()
