"""Finds the wall that holds here, by trying to break it from inside as a learner would."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from grader.judging.judge import Cell, Lesson, judge_learner
from grader.sandbox import exposed
from grader.sandbox.walls import BUBBLEWRAP, INNER, NONE, Limits, Wall

# What must fail. Names in capitals are filled in: things outside that are there to be reached.
ATTEMPTS = {
    "be root": "assert os.getuid() == 0",
    "read a file outside": "open(SECRET).read()",
    "write a file outside": "open(SECRET, 'a')",
    "list a folder outside": "os.listdir(os.path.dirname(SECRET))",
    "change a file's mode": "os.chmod(SECRET, 0o666)",
    "read the grader's environment": "open(f'/proc/{GRADER}/environ').read()",
    "inherit a variable": "os.environ[VARIABLE]",
    "reach the network": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "signal another process": "os.kill(OTHER, 0)",
    "start a process": "os.waitpid(os.posix_spawn(sys.executable, ['python', '-c', ''], {}), 0)",
    "fork": "os.fork() or os._exit(0)",
    "start a thread": "threading.Thread(target=print).start()",
    "cut a file outside": "os.truncate(SECRET, 0)",
    "remove a file outside": "os.unlink(next(filter(os.path.exists, SPARE)))",
    "import the reference": "import solutions",
    "import the hidden checks": "import grader",
    "take all memory": "taken = bytearray(MEMORY)",
    "fill the disk": "assert open('large', 'wb', buffering=0).write(bytes(FILE + 1)) > FILE",
}

# What must work, or honest learners would suffer.
NEEDED = {
    "NumPy and the kit": "import numpy, attnkit; attnkit.Value(numpy.eye(2)) @ numpy.eye(2)",
    "the standard library": "import decimal, fractions, functools, itertools, statistics, sqlite3",
    "the lesson's own folder": "open('own', 'w').write('1'); assert open('own').read() == '1'",
    "IPython": "display(1); get_ipython()",
}

ASLEEP = "import time; time.sleep(60)"
SETUP = "import os, socket, sys, threading"
LIMITS = Limits(lesson=20.0, call=5.0, memory=1 << 30, replays=len(ATTEMPTS))


def probe() -> Wall:
    """Return the strongest wall that nothing broke; `NONE`, with the reasons, where all fail."""
    reasons = []
    for wall in (BUBBLEWRAP, INNER):
        holes = holes_in(wall)
        if not holes:
            return wall
        reasons.append(f"{wall.name} does not hold: {'; '.join(holes)}")
    return NONE._replace(explain=f"{NONE.explain} {'. '.join(reasons)}.")


def holes_in(wall: Wall) -> list[str]:
    """Return what a learner's code can do behind `wall` and must not, or cannot and must."""
    if closed := _closed_to_learners(wall):
        return [closed]
    with ExitStack() as outside:
        given = _things_to_reach(outside)
        cells = [
            Cell("setup", SETUP),
            Cell("given", "; ".join(f"{k} = {v!r}" for k, v in given.items())),
        ]
        cells += [Cell(name, source) for name, source in {**NEEDED, **ATTEMPTS}.items()]
        result = judge_learner([Lesson("probe", cells, ["probe"])], "", wall, LIMITS)["probe"]
    if result.fault:
        return [result.fault]
    ok = {run.id: run.ok for run in result.runs}
    holes = [f"a learner could {name}" for name in ATTEMPTS if ok.get(name, True)]
    return holes + [f"a learner could not use {name}" for name in NEEDED if not ok.get(name)]


def _closed_to_learners(wall: Wall) -> str:
    """Return why root's process, once it is an ordinary user's, could not even start Python."""
    becomes_another = wall.inner and not wall.outer and os.getuid() == 0
    for tree in exposed.trees() if becomes_another else ():
        if folder := exposed.closed_folder(tree.path):
            return (
                f"{tree.path} lies in {folder}, which an ordinary user may not enter: put "
                "bubblewrap on PATH, or install Python where everybody may read it, such as /opt, "
                "and make the environment anew with that"
            )
    return ""


def _things_to_reach(outside: ExitStack) -> Mapping[str, object]:
    folder = outside.enter_context(tempfile.TemporaryDirectory())
    secret = Path(folder, "secret")
    secret.write_text("secret")
    # One for each time that the cells may run again after one of them died.
    spare = [Path(folder, f"spare-{number}") for number in range(LIMITS.replays + 1)]
    for one in spare:
        one.touch()
    for one in (secret, Path(folder)):  # open to all: the wall is tried, not its owner's mode bits
        one.chmod(0o777)
    server = outside.enter_context(socket.create_server(("127.0.0.1", 0)))
    other = subprocess.Popen([sys.executable, "-S", "-c", ASLEEP], stdin=subprocess.DEVNULL)
    outside.callback(other.wait)
    outside.callback(other.kill)
    os.environ["GRADER_PROBE"] = "secret"
    outside.callback(os.environ.pop, "GRADER_PROBE")
    return {
        "SECRET": str(secret), "SPARE": [str(one) for one in spare],
        "PORT": server.getsockname()[1], "OTHER": other.pid,
        "GRADER": os.getpid(), "VARIABLE": "GRADER_PROBE",
        "MEMORY": LIMITS.memory, "FILE": LIMITS.file,
    }  # fmt: skip
