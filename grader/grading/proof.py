"""What must be shown before a class is graded: a wall holds, and the checks work behind it."""

from __future__ import annotations

import platform
import threading
from functools import cache

from grader.grading import standard
from grader.grading.run import Task, grade_learner
from grader.grading.standard import Standard
from grader.intake.work import Work
from grader.judging.probe import probe
from grader.notebook import Notebook
from grader.sandbox.walls import Wall

# Whose work it is, the field of the standard that holds it, the state of all its cells.
WANTED = {
    "the reference": ("source", "passed"),
    "an untouched release": ("release", "not attempted"),
}


class ProofError(Exception):
    """Something that grading rests on does not hold here: nothing more is graded."""


class SelfTestError(ProofError):
    """The reference or an untouched release did not get what it must."""


class NoWallError(ProofError):
    """No wall holds on this machine, and nobody said that the code is trusted."""


class OtherCodeError(ProofError):
    """A worker has other checks, another kit or another version than this process."""


def choose_wall(trusted: bool) -> Wall:
    """Return the strongest wall that holds; raises `NoWallError` where none does."""
    wall = probe()
    if not wall.inner and not trusted:
        raise NoWallError(
            f"no wall holds on {platform.node()}. {wall.explain} Install bubblewrap and libseccomp "
            "(Debian, Ubuntu: apt install bubblewrap libseccomp2) and run as a user who may use "
            "them, or say --i-trust-this-code"
        )
    return wall


def self_test(who: str, against: Standard, wall: Wall) -> None:
    """Hold one of `WANTED` against the checks, behind the same wall as everybody."""
    field, wanted = WANTED[who]
    notebooks, release = (
        standard.by_name(getattr(against, field)),
        standard.by_name(against.release),
    )
    works = {name: _as_work(name, one) for name, one in notebooks.items()}
    result = grade_learner(Task(who, works, release, against.seed), wall).result
    for lesson in result["lessons"].values():
        for cell, verdict in lesson["cells"].items():
            if verdict["state"] != wanted:
                raise SelfTestError(
                    f"{who} got {verdict['state']!r} in {cell}, wanted {wanted!r} "
                    f"({verdict['message']}); nothing was graded. Wall: {wall.name}"
                )


_ONE_AT_A_TIME = threading.Lock()


def wall_here(against: Standard, trusted: bool) -> Wall:
    """Return the wall of a worker elsewhere, after all of this was shown there once."""
    with _ONE_AT_A_TIME:
        return _wall_here(against, trusted)


@cache
def _wall_here(against: Standard, trusted: bool) -> Wall:
    if standard.of_code() != against.code:
        raise OtherCodeError(
            f"the worker on {platform.node()} has other checks, another kit or another version of "
            "NumPy or grader; install there what is installed here, then start the workers again"
        )
    wall = choose_wall(trusted)
    for who in WANTED:
        self_test(who, against, wall)
    return wall


def _as_work(name: str, notebook: Notebook) -> Work:
    return Work(name, "ok", "", (), notebook, frozenset())
