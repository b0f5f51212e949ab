"""How a learner's process is started, and which wall stands around it on this machine."""

from __future__ import annotations

import atexit
import compileall
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

MODULES_OF_IPYTHON = (
    "IPython", "traitlets", "pygments", "ipython_pygments_lexers", "decorator", "stack_data",
    "executing", "asttokens", "pure_eval", "matplotlib_inline", "jedi", "parso", "prompt_toolkit",
    "wcwidth", "typing_extensions", "pexpect", "ptyprocess", "exceptiongroup",
)  # fmt: skip
NUMPY = ("numpy", "numpy.libs")


class Limits(NamedTuple):
    """What one lesson of one learner may use."""

    lesson: float = 30.0  # seconds, replays included
    call: float = 10.0  # seconds of one cell or one call
    start: float = 30.0  # seconds until the process has imported NumPy and IPython
    memory: int = 2 << 30  # bytes of address space
    folder: int = 32 << 20  # bytes in the working folder
    output: int = 50_000  # characters that a cell prints
    replays: int = 3


class Wall(NamedTuple):
    """What stands between a learner's code and everything else."""

    name: str
    explain: str


NONE = Wall("none", "A learner's code runs with your rights: it can read and change your files.")


@cache
def exposed() -> Path:
    """Return a folder with all that a learner's process may import, made once a process.

    Copies of the kit and of our own few files, links to NumPy and to what IPython needs.
    """
    folder = Path(tempfile.mkdtemp(prefix="lesson-kit-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for package in ("attnkit", "grader.inside"):
        source = _package(package)
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("*.pyc"))
    for name in (*NUMPY, *MODULES_OF_IPYTHON):
        for found in _installed(name):
            (folder / found.name).symlink_to(found)
    compileall.compile_dir(folder, quiet=2)
    return folder


class Started:
    """A process that was started, its three pipes and its folder."""

    def __init__(self, process: subprocess.Popen[bytes], folder: str) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process, self._folder = process, folder
        self._files = process.stdin, process.stdout, process.stderr
        self.pipes = tuple(one.fileno() for one in self._files)

    def close(self) -> None:
        """Kill the process and its group, wait for its end, remove its folder."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for one in self._files:
            one.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def start(wall: Wall, limits: Limits) -> Started:
    """Return a new learner's process that answers on its standard output, with `wall` around it."""
    folder = tempfile.mkdtemp(prefix="lesson-")
    settings = {
        "folder": f"{folder}/work", "forks": sys.platform == "linux", "user": None,
        "output": limits.output, "memory": limits.memory,
    }  # fmt: skip
    program = (
        f"import sys; sys.path.append({str(exposed())!r}); from inside import child; child.main()"
    )
    process = subprocess.Popen(
        [_python(), "-S", "-s", "-P", "-B", "-c", program, json.dumps(settings)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        bufsize=0, start_new_session=True, cwd="/", env=_environment(),
    )  # fmt: skip
    return Started(process, folder)


def _environment() -> dict[str, str]:
    """Return the environment of a learner's process: built, not inherited."""
    kept = {
        name: os.environ[name]
        for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
        if name in os.environ
    }
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **threads, "LANG": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}


def _python() -> str:
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None, f"{name} is not installed"
    return Path(spec.origin).parent


def _installed(name: str) -> list[Path]:
    places = {Path(sysconfig.get_path(key)) for key in ("purelib", "platlib")}
    places.add(_package("numpy").parent)
    found = [place / f"{name}{ending}" for place in places for ending in ("", ".py")]
    return [one for one in found if one.exists()][:1]
