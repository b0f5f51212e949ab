"""How a learner's process is started, and which wall stands around it on this machine.

The outer wall is bubblewrap: namespaces without network, other processes or other files.
The inner wall is taken by each lesson's process itself: limits, Landlock, a filter of system
calls. Where namespaces are refused, the inner wall stands alone.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from grader.sandbox import exposed
from grader.sandbox.inside.folder import empty

NOBODY = 65_534
PARTING = 0.1  # seconds that a process has to end of itself


class Limits(NamedTuple):
    """What one lesson of one learner may use."""

    lesson: float = 30.0  # seconds for all checks of a lesson, replays included
    cells: float = 40.0  # seconds for all its cells; twice that with replays and last chances
    call: float = 10.0  # seconds of one cell or one call
    start: float = 30.0  # seconds until the process has imported NumPy and IPython
    memory: int = 2 << 30  # bytes of address space
    folder: int = 32 << 20  # bytes in the working folder
    file: int = 16 << 20  # bytes of one file
    output: int = 20_000  # characters that a cell prints
    replays: int = 8


class Wall(NamedTuple):
    """What stands between a learner's code and everything else."""

    name: str
    explain: str
    outer: bool
    inner: bool


BUBBLEWRAP = Wall(
    "bubblewrap",
    "No network, no other process, no file but the system's and the kit's, read-only.",
    outer=True,
    inner=True,
)
INNER = Wall(
    "inner",
    "Landlock, a filter of system calls and limits; the process table is shared.",
    outer=False,
    inner=True,
)
NONE = Wall(
    "none",
    "A learner's code runs with your rights: it can read and change your files.",
    outer=False,
    inner=False,
)


class Started:
    """A process that was started, its three pipes and its folder."""

    def __init__(self, process: subprocess.Popen[bytes], folder: str | None) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process, self._folder = process, folder
        self._files = process.stdin, process.stdout, process.stderr
        self.pipes = tuple(one.fileno() for one in self._files)

    def close(self) -> None:
        """End the process and all that it started, wait for that, remove its folder.

        An idle one ends of itself, so that its processor time is counted; any other is killed.
        """
        self._files[0].close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain()
        for one in self._files:
            one.close()
        if self._folder:
            with contextlib.suppress(OSError):  # a folder left behind is worth no verdict
                empty(self._folder)
                Path(self._folder).rmdir()

    def _drain(self) -> None:
        """Wait until nobody holds the status pipe: the namespace ends a moment after bubblewrap."""
        while select.select([self.pipes[2]], [], [], 2)[0] and os.read(self.pipes[2], 65_536):
            pass


def start(wall: Wall, limits: Limits) -> Started:
    """Return a new learner's process with `wall` around it, speaking on its three pipes."""
    user = NOBODY if wall.inner and os.getuid() == 0 else None
    outside = None if wall.outer else _own_folder(user)
    folder = outside or "/lesson"
    command = [*_python(user), json.dumps(_settings(wall, limits, folder))]
    try:
        process = subprocess.Popen(
            [*_bubblewrap(limits, folder), *command] if wall.outer else command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0, start_new_session=True, cwd="/", env=_environment(),
        )  # fmt: skip
    except OSError:
        if outside:
            Path(outside).rmdir()
        raise
    return Started(process, outside)


def _own_folder(user: int | None) -> str:
    """Return a new folder for the learner's process, where bubblewrap does not give it one."""
    folder = tempfile.mkdtemp(prefix="lesson-")
    if user is not None:
        os.chown(folder, user, user)
    return folder


def _python(user: int | None) -> list[str]:
    """Return the command of a process that gives up root first, then serves lessons."""
    program = (
        f"import gc, sys; gc.disable(); sys.path.append({str(exposed.kit())!r})\n"
        f"from inside import confine; confine.become({user})\n"
        "from inside import child; child.main()"
    )
    return [str(exposed.python()), "-S", "-s", "-P", "-B", "-c", program]


def _settings(wall: Wall, limits: Limits, folder: str) -> dict[str, object]:
    readable = [str(part) for tree in exposed.trees() for part in tree.parts()]
    return {
        "folder": folder, "forks": sys.platform == "linux",
        "outer": wall.outer, "inner": wall.inner,
        "readable": readable if wall.inner else [], "filter": str(exposed.filter_file()),
        "seconds": limits.lesson + 2 * limits.cells, "memory": limits.memory, "size": limits.folder,
        "file": limits.file, "output": limits.output,
    }  # fmt: skip


def _environment() -> dict[str, str]:
    """Return the environment of a learner's process: built, not inherited."""
    names = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    plain = {"USER": "learner", "LANG": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
    return {**kept, **threads, **plain}


def _bubblewrap(limits: Limits, folder: str) -> list[str]:
    """Return the command that walls in what follows it.

    Root keeps the right to become nobody, which is the first thing that the process does;
    an ordinary user stays who they are, in a user namespace of their own.
    """
    apart = [f"--unshare-{what}" for what in ("ipc", "pid", "net", "uts", "cgroup-try")]
    to_nobody = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    user = to_nobody if os.getuid() == 0 else ["--unshare-user"]
    return [
        _program(), *apart, "--cap-drop", "ALL", *user, "--die-with-parent", "--new-session",
        *_mounts(), "--perms", "0777", "--size", str(limits.folder), "--tmpfs", folder,
        "--remount-ro", "/", "--chdir", "/", "--",
    ]  # fmt: skip


def _program() -> str:
    """Return where bubblewrap is: the process that it starts has no PATH of ours."""
    found = shutil.which("bwrap")
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "bubblewrap is not on PATH", "bwrap")
    return found


def _mounts() -> list[str]:
    """Return the options that show what may be read, in folders that anyone may enter."""
    options: list[str] = []
    for link in (Path("/lib"), Path("/lib64")):
        if link.is_symlink():
            options += ["--symlink", str(link.readlink()), str(link)]
    made: set[Path] = {Path("/")}
    for tree in exposed.trees():
        between = [one for one in reversed(tree.path.parents) if one not in made]
        options += [word for one in between for word in ("--perms", "0755", "--dir", str(one))]
        options += ["--ro-bind", str(tree.path), str(tree.path)]
        options += [word for one in tree.hidden for word in ("--tmpfs", str(tree.path / one))]
        made |= {*between, tree.path}
    options += ["--perms", "0755", "--dir", "/dev"]
    for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
        options += ["--dev-bind", device, device]
    hidden = [str(tree.path / one) for tree in exposed.trees() for one in tree.hidden]
    return options + [word for one in hidden for word in ("--remount-ro", one)]
