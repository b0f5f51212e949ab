"""What a learner's process may read: an allow-list, the same for every wall."""

from __future__ import annotations

import compileall
import importlib.util
import multiprocessing.util
import shutil
import stat
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grader.sandbox import syscalls

COPIED = ("attnkit", "grader.sandbox.inside")
# What visible checks compare with: no verdict needs it, and it holds graded answers.
LEFT_OUT = ("answers.json", "examples.py", "fingerprints.json")
LINKED = (
    "numpy", "numpy.libs", "IPython", "traitlets", "pygments", "ipython_pygments_lexers",
    "decorator", "stack_data", "executing", "asttokens", "pure_eval", "matplotlib_inline", "jedi",
    "parso", "prompt_toolkit", "wcwidth", "typing_extensions", "pexpect", "ptyprocess",
)  # fmt: skip


class Tree(NamedTuple):
    """A file or folder that may be read, without the entries named in `hidden`."""

    path: Path
    hidden: tuple[str, ...] = ()

    def parts(self) -> list[Path]:
        """Return the paths that together are this tree."""
        if not self.hidden:
            return [self.path]
        return [one for one in self.path.iterdir() if one.name not in self.hidden]


def python() -> Path:
    """Return the interpreter itself, behind the links of a virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


_kit: list[Path] = []


def kit() -> Path:
    """Return a folder with all that lessons import beyond the standard library.

    Copies of the kit and of what serves the judge inside, links to NumPy and IPython.
    Made once a process; never a whole environment, which could hold the hidden checks.
    """
    if not _kit:
        _kit.append(_made())
    return _kit[0]


def share(folder: Path) -> None:
    """Take the folder that another process of this machine made, and will remove."""
    _kit[:] = [folder]


def _made() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="lesson-kit-"))
    folder.chmod(0o755)
    multiprocessing.util.Finalize(None, shutil.rmtree, (folder, True), exitpriority=1)
    for package in COPIED:
        source = _package(package)
        ignored = shutil.ignore_patterns("*.pyc", *LEFT_OUT)
        shutil.copytree(source, folder / source.name, ignore=ignored)
    for name in LINKED:
        for found in _installed(name):
            (folder / found.name).symlink_to(found)
    compileall.compile_dir(folder, quiet=2)
    filter_file(folder).write_bytes(syscalls.program())
    for one in folder.rglob("*"):
        if not one.is_symlink():
            one.chmod(0o755)
    return folder


def filter_file(folder: Path | None = None) -> Path:
    """Return where the filter of system calls lies, for the process to take."""
    return (folder or kit()) / "syscalls.bpf"


@cache
def trees() -> tuple[Tree, ...]:
    """Return everything that may be read, parents before children."""
    standard = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    linked = [Tree(one.resolve()) for one in kit().iterdir() if one.is_symlink()]
    own = [
        Tree(python()),
        Tree(kit()),
        *linked,
        _without(standard, "site-packages", "dist-packages"),
    ]
    found = [
        _without(one, "python") for one in _libraries() if one.is_dir() and not one.is_symlink()
    ]
    return tuple(sorted({*found, *own}))


def closed_folder(path: Path) -> Path | None:
    """Return the first folder on the way to `path` that an ordinary user may not enter."""
    on_the_way = [*reversed(path.parents), *([path] if path.is_dir() else [])]
    return next((one for one in on_the_way if not one.stat().st_mode & stat.S_IXOTH), None)


def _libraries() -> list[Path]:
    """Return the folders of shared libraries: the system's and the interpreter's own."""
    multiarch = Path("/usr/lib", sysconfig.get_config_var("MULTIARCH") or "none")
    common = multiarch if multiarch.is_dir() else Path("/usr/lib")
    own = [] if sys.base_prefix == "/usr" else [Path(sys.base_prefix, "lib")]
    return [common, Path("/lib"), Path("/lib64"), Path("/usr/lib64"), *own]


def _without(folder: Path, *beginnings: str) -> Tree:
    return Tree(
        folder, tuple(one.name for one in folder.iterdir() if one.name.startswith(beginnings))
    )


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None, f"{name} is not installed"
    return Path(spec.origin).parent


def _installed(name: str) -> list[Path]:
    places = [Path(sysconfig.get_path("platlib")), Path(sysconfig.get_path("purelib"))]
    found = [place / f"{name}{ending}" for place in places for ending in ("", ".py")]
    return [one for one in found if one.exists()][:1]
