"""Walls hold where the probe says so, and the probe sees each one that is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from standing import standing_wall

from grader.grading import proof
from grader.judging import probe
from grader.sandbox import exposed, syscalls, walls
from grader.sandbox.walls import BUBBLEWRAP, INNER, NONE

REPOSITORY = Path(__file__).parents[2]
# Only root can become another user, and bubblewrap shows that user a system to run in. CI is root.
needs_root = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("bwrap") is None,
    reason="plays other users, which takes root and bubblewrap",
)
NO_HOLES: dict[str, list[str]] = {"bubblewrap": [], "inner": []}
PROGRAM = """
import json, os
from grader.judging import probe
from grader.sandbox.walls import BUBBLEWRAP, INNER
holes = {wall.name: probe.holes_in(wall) for wall in (BUBBLEWRAP, INNER)}
print(json.dumps({"holes": holes, "chosen": probe.probe().name, "user": os.getuid()}))
"""

# Kernels before 6.2 know less of Landlock, before 5.13 nothing: each is played by the kit's copy.
OLDER = """
import sys
from grader.sandbox import exposed
confine = exposed.kit() / "inside" / "confine.py"
asked = "abi = _libc.syscall(_CREATE_RULESET, None, 0, 1)"
assert asked in confine.read_text()
confine.write_text(confine.read_text().replace(asked, f"abi = {sys.argv[1]}"))
"""
# A rule that opens all files: as good as none, except where mode bits refuse.
OPEN = """
from grader.sandbox import walls
settings = walls._settings
walls._settings = lambda *given: {**settings(*given), "readable": ["/"]}
"""


def test_probe_finds_a_wall_without_holes() -> None:
    assert probe.holes_in(standing_wall()) == []


def test_probe_sees_that_nothing_stands() -> None:
    holes = probe.holes_in(NONE)
    for what in ("read a file outside", "remove a file outside", "reach the network", "fork"):
        assert f"a learner could {what}" in holes


# The outer wall alone cannot be tried where its program is not; the inner wall has its own tests.
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap, the outer wall")
def test_probe_sees_a_missing_inner_wall() -> None:
    assert "a learner could fork" in probe.holes_in(BUBBLEWRAP._replace(inner=False))


def test_probe_sees_a_filter_that_lets_all_pass(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wall = standing_wall()
    allow_all = bytes.fromhex("0600000000 00ff7f".replace(" ", ""))  # BPF: return ALLOW
    (exposed.kit() / "open.bpf").write_bytes(allow_all)
    monkeypatch.setattr(exposed, "filter_file", lambda: exposed.kit() / "open.bpf")
    assert "a learner could fork" in probe.holes_in(wall)


def test_probe_says_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = standing_wall()
    (exposed.kit() / "none.bpf").write_bytes(b"")
    monkeypatch.setattr(exposed, "filter_file", lambda: exposed.kit() / "none.bpf")
    assert probe.holes_in(wall) == [
        "OSError: the inner wall cannot be built: libseccomp is not installed"
    ]


def test_probe_says_where_an_ordinary_user_may_not_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as folder:  # a folder of pytest's lies in one that is closed
        home, python = Path(folder, "home"), Path(folder, "home", "bin", "python")
        python.parent.mkdir(parents=True)
        home.chmod(0o700)
        Path(folder).chmod(0o755)
        assert exposed.closed_folder(python) == home
        assert exposed.closed_folder(home) == home
        home.chmod(0o711)
        assert exposed.closed_folder(python) is None
        home.chmod(0o700)
        monkeypatch.setattr(exposed, "trees", lambda: (exposed.Tree(python),))
        monkeypatch.setattr(os, "getuid", lambda: 0)
        (hole,) = probe.holes_in(INNER)
    assert f"{python} lies in {home}, which an ordinary user may not enter" in hole


def test_bubblewrap_is_looked_up_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert probe.holes_in(BUBBLEWRAP) == [
        "FileNotFoundError: [Errno 2] bubblewrap is not on PATH: 'bwrap'"
    ]
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho tried >&2\nexit 1\n")
    program.chmod(0o755)
    assert walls._bubblewrap(walls.Limits(), "/lesson")[0] == str(program)


def test_grade_refuses_where_no_wall_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exposed, "python", lambda: Path("/bin/false"))
    with pytest.raises(proof.NoWallError, match="apt install bubblewrap"):
        proof.choose_wall(trusted=False)
    assert proof.choose_wall(trusted=True).name == "none"


def test_what_is_exposed_holds_neither_reference_nor_checks() -> None:
    names = {path.name for tree in exposed.trees() for path in tree.parts()}
    names |= {path.name for path in exposed.kit().rglob("*")}
    assert {"numpy", "IPython", "attnkit", "inside"} <= names
    assert names.isdisjoint({"site-packages", "dist-packages", "solutions", "grader", "judge.py"})


def test_filter_takes_no_call_by_a_wrong_name() -> None:
    library = syscalls._library()
    if library is None:  # without it there is no filter, and the probe finds no wall
        pytest.skip("needs libseccomp, which knows the numbers of system calls")
    unknown = {"_llseek"}  # of 32-bit machines
    numbers = {
        name: library.seccomp_syscall_resolve_name(name.encode()) for name in syscalls.ALLOWED
    }
    assert {name for name, number in numbers.items() if number == -1} <= unknown


def _elsewhere(*options: str, user: int = 0, before: str = "", abi: str = "") -> dict[str, Any]:
    """Return what the probe finds there, after the program `before`."""
    done = _run_elsewhere(["-c", before + PROGRAM, abi], *options, user=user)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _run_elsewhere(
    python: list[str], *options: str, user: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run Python in a system of its own, as a `user` who may read all that is needed."""
    command = ["bwrap", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    for link in map(Path, ("/bin", "/lib", "/lib64", "/sbin")):
        if link.is_symlink():
            command += ["--symlink", str(link.readlink()), str(link)]
    command += ["--dev", "/dev", "--dev-bind", "/proc", "/proc"]
    command += ["--perms", "1777", "--tmpfs", "/tmp"]
    for shown in (Path(sys.base_prefix), Path(sys.prefix), REPOSITORY):
        for parent in reversed(shown.parents[:-1]):
            command += ["--perms", "0755", "--dir", str(parent)]
        command += ["--ro-bind", str(shown), str(shown)]
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    return subprocess.run(
        [*command, *options, "--chdir", str(REPOSITORY), *become, sys.executable, "-B", *python],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{REPOSITORY}:{REPOSITORY}/course"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@needs_root
def test_both_walls_hold_for_root() -> None:
    assert _elsewhere() == {"holes": NO_HOLES, "chosen": "bubblewrap", "user": 0}


@needs_root
def test_both_walls_hold_for_an_ordinary_user() -> None:
    found = _elsewhere(user=4321)
    assert found == {"holes": NO_HOLES, "chosen": "bubblewrap", "user": 4321}


@needs_root
def test_inner_wall_holds_alone_where_namespaces_are_refused() -> None:
    found = _elsewhere("--unshare-user", "--uid", "1000", "--gid", "1000", "--disable-userns")
    assert found["chosen"] == "inner"
    assert found["user"] == 1000


@needs_root
def test_inner_wall_holds_alone_for_root_of_a_container() -> None:
    found = _elsewhere("--cap-drop", "CAP_SYS_ADMIN")
    assert found["chosen"] == "inner"


@needs_root
@pytest.mark.parametrize("user", [0, 4321])
def test_inner_wall_holds_on_older_kernels(user: int) -> None:
    assert _elsewhere(user=user, before=OLDER, abi="1")["holes"] == NO_HOLES


@needs_root
@pytest.mark.parametrize("user", [0, 4321])
def test_inner_wall_is_not_built_without_landlock(user: int) -> None:
    found = _elsewhere(user=user, before=OLDER, abi="_libc.syscall(9999)")
    assert found["holes"] == {
        "bubblewrap": [],
        "inner": ["OSError: [Errno 38] the inner wall cannot be built: Function not implemented"],
    }


@needs_root
@pytest.mark.parametrize("user", [0, 4321])
def test_probe_sees_files_that_only_mode_bits_would_keep(user: int) -> None:
    found = _elsewhere(user=user, before=OPEN)
    assert "a learner could read a file outside" in found["holes"]["inner"]
    assert found["holes"]["bubblewrap"] == []


@needs_root
@pytest.mark.slow
def test_corpus_holds_for_an_ordinary_user_behind_the_inner_wall() -> None:
    hide = ["--ro-bind", "/dev/null", "/usr/bin/bwrap"]
    corpus = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/grader/test_hostile.py"]
    done = _run_elsewhere([*corpus, "-m", "not slow"], *hide, user=4321)
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
