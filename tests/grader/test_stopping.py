"""Does a run that is stopped, however, lose no verdict, leave nothing behind, and go on?"""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from small_class import gradebook, small_class, standing

from grader import cli
from grader.grading import grade, store
from grader.grading.crew import TRIES, Crew, Local
from grader.room.classroom import Classroom, opened
from grader.sandbox import walls

LEARNERS = [f"{kind}-{number}" for number in range(4) for kind in ("right", "wrong", "untouched")]
GRADE = [sys.executable, "-m", "grader", "grade", "--i-trust-this-code", "--jobs", "2"]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_class(tmp_path_factory.mktemp("class") / "room", LEARNERS).root


@pytest.fixture
def room(untouched: Path, tmp_path: Path) -> Classroom:
    return opened(shutil.copytree(untouched, tmp_path / "room"))


def start(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*GRADE, str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def descendants(process: int) -> Iterator[int]:
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = [int(one) for one in children.read_text().split()]
        except OSError:
            continue
        for one in found:
            yield one
            yield from descendants(one)


def is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def stopped_after(root: Path, seconds: float) -> None:
    """Begin to grade, and kill it without a warning."""
    run = start(root)
    with pytest.raises(subprocess.TimeoutExpired):
        run.communicate(timeout=seconds)
    family = list(descendants(run.pid))
    run.kill()
    run.communicate()
    assert_gone(family)


def assert_gone(family: list[int]) -> None:
    """All that was started must end of itself, soon."""
    deadline = time.monotonic() + 10
    while left := [one for one in family if is_alive(one)]:
        assert time.monotonic() < deadline, f"{left} live on"
        time.sleep(0.05)


def until_a_verdict(root: Path, run: subprocess.Popen[str]) -> None:
    while not list((root / ".grader" / "results").glob("*.json")):
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)


def kept(root: Path) -> set[str]:
    return {path.name for path in (root / ".grader" / "results").glob("*.json")}


def test_killed_run_goes_on_where_it_was(room, tmp_path):
    undisturbed = shutil.copytree(room.root, tmp_path / "undisturbed")
    subprocess.run([*GRADE, str(undisturbed)], check=True, capture_output=True)
    run = start(room.root)
    until_a_verdict(room.root, run)
    family = list(descendants(run.pid))
    run.kill()
    run.communicate()
    before = kept(room.root)
    assert family and 0 < len(before) < len(LEARNERS)
    again = subprocess.run([*GRADE, str(room.root)], check=True, capture_output=True, text=True)
    graded = [json.loads(line).get("student") for line in again.stdout.splitlines()]
    assert not {f"{one}.json" for one in graded} & before
    assert_gone(family)
    assert_alike(room.root, undisturbed)


def assert_alike(root: Path, undisturbed: Path) -> None:
    assert standing(root)["students"] == standing(undisturbed)["students"]
    assert len(standing(root)["students"]) == len(LEARNERS)
    assert gradebook(root) == gradebook(undisturbed) != []


@pytest.mark.slow
def test_run_killed_twenty_times_ends_like_one_that_was_not(room, tmp_path):
    undisturbed = shutil.copytree(room.root, tmp_path / "undisturbed")
    began = time.monotonic()
    subprocess.run([*GRADE, str(undisturbed)], check=True, capture_output=True)
    whole = time.monotonic() - began
    rng, seen = random.Random(20), set[str]()
    for _ in range(20):
        try:
            stopped_after(room.root, rng.uniform(0.1, whole))
        except pytest.fail.Exception:  # it was done before it could be stopped: begin anew
            shutil.rmtree(room.root / ".grader" / "results")
            seen = set()
        assert seen <= kept(room.root)
        seen = kept(room.root)
        for path in (room.root / ".grader" / "results").glob("*.json"):
            json.loads(path.read_text("utf-8"))
    subprocess.run([*GRADE, str(room.root)], check=True, capture_output=True)
    assert_alike(room.root, undisturbed)


def test_ctrl_c_ends_all_at_once_and_says_how_to_go_on(room):
    run = start(room.root)
    until_a_verdict(room.root, run)
    family = list(descendants(run.pid))
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=30)
    assert run.returncode == 2
    assert "stopped; no verdict is lost: `grader grade" in told and "Traceback" not in told
    assert_gone(family)


def test_full_disk_is_a_message_and_the_next_run_goes_on(room, monkeypatch, capsys):
    real, written = store.write_whole, []

    def full_after_three(path, text):
        if len(written) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        written.append(path)
        real(path, text)

    monkeypatch.setattr(store, "write_whole", full_after_three)
    monkeypatch.setattr(sys, "argv", ["grader", "grade", "--i-trust-this-code", str(room.root)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "No space left on device" in told and "no verdict is lost" in told
    assert len(kept(room.root)) == 3
    monkeypatch.undo()
    assert len(grade.plan(room).due) == len(LEARNERS) - 3


def test_half_a_verdict_is_none(room):
    with Local(2) as crew:
        list(grade.grade(room, grade.plan(room), crew, walls.NONE))
    assert grade.plan(room).due == []
    results = room.private / "results"
    whole = (results / "right-0.json").read_text()
    broken = {
        "right-0": whole[:100],
        "right-1": "[]",
        "right-2": '{"digest": "", "wall": ""}',
        "right-3": "",
    }
    for name, text in broken.items():
        (results / f"{name}.json").write_text(text)
    assert grade.plan(room).due == list(broken)


def kill_once(path: str) -> str:
    """End this worker as the system does when memory is short, the first time only."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def kill_always(path: str) -> str:
    if path.endswith("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def test_worker_that_dies_costs_nothing_but_time(tmp_path):
    paths = [str(tmp_path / str(number)) for number in range(6)]
    with Crew(lambda: ProcessPoolExecutor(2), 4) as crew:
        done = {path: over.result() for path, over in crew.done(kill_once, paths)}
    assert done == {path: path for path in paths}


def test_only_who_kills_workers_again_and_again_is_given_up():
    items = ["a", "b", "deadly", "c", "d"]
    hired = []

    def hire():
        hired.append(ProcessPoolExecutor(2))
        return hired[-1]

    with Crew(hire, 4) as crew:
        done = {item: over.exception() for item, over in crew.done(kill_always, items)}
    assert [item for item, error in done.items() if error] == ["deadly"]
    assert len(hired) <= 1 + TRIES + 1


def test_work_is_handed_out_when_there_is_room_for_it():
    taken = []

    def items():
        for number in range(20):
            taken.append(number)
            yield number

    with Crew(lambda: ProcessPoolExecutor(1), 3) as crew:
        for count, _ in enumerate(crew.done(abs, items()), start=1):
            assert len(taken) <= count + 3
    assert count == 20
