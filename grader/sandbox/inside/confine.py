"""The inner wall: a process takes it upon itself, and nothing can take it off again."""

from __future__ import annotations

import ctypes
import os
import pathlib
import resource
import sys
from typing import Any, NamedTuple

Settings = dict[str, Any]

_FILE = 1 << 2  # LANDLOCK_ACCESS_FS_READ_FILE
_READ = _FILE | 1 << 3  # and READ_DIR
# Write, remove and make files and folders, move them, cut them short.
_CHANGE = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14
_CREATE_RULESET, _ADD_RULE, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVILEGES, _NOT_DUMPABLE, _DIE_WITH_PARENT, _SECCOMP = 38, 4, 1, 22

_libc = ctypes.CDLL(None, use_errno=True)


def become(user: int | None) -> None:
    """Give up root for good, and die with the judge."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if sys.platform == "linux":
        _prctl(_NOT_DUMPABLE, 0, 0, 0, 0)
        _prctl(_DIE_WITH_PARENT, 9, 0, 0, 0)


class Inner(NamedTuple):
    """What the inner wall is made of: Landlock's ruleset, and a filter of system calls."""

    rules: int | None
    filter: bytes


def prepare(settings: Settings) -> Inner:
    """Return what `take` needs; `OSError` where this machine lacks it."""
    code = pathlib.Path(settings["filter"]).read_bytes()
    if not code:
        raise OSError("the inner wall cannot be built: libseccomp is not installed")
    return Inner(_landlock(settings), code)


def _landlock(settings: Settings) -> int | None:
    """Return a ruleset: read what is listed, write in the folder, no TCP.

    Where the kernel has no Landlock it is None if the outer wall stands, else an `OSError`.
    """
    abi = _libc.syscall(_CREATE_RULESET, None, 0, 1)
    if abi < 1 and settings["outer"]:
        return None
    _checked(abi)
    files = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)) - 1  # every right this kernel knows
    network, scopes = (3 if abi >= 4 else 0), (3 if abi >= 6 else 0)  # TCP; signals and sockets
    handled = (ctypes.c_uint64 * 3)(files, network, scopes)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = _checked(_libc.syscall(_CREATE_RULESET, handled, size, 0))
    for path in settings["readable"]:
        _permit(rules, path, _READ)
    _permit(rules, settings["folder"], (_READ | _CHANGE) & files)
    _permit(rules, os.devnull, _FILE | 1 << 1)
    return rules


def take(settings: Settings, inner: Inner | None) -> None:
    """Confine this process for the rest of its life."""
    os.chdir(settings["folder"])
    if settings["forks"]:
        _prctl(_DIE_WITH_PARENT, 9, 0, 0, 0)
    if inner is None:
        return
    _prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _limit(settings)
    if inner.rules is not None:
        _checked(_libc.syscall(_RESTRICT, inner.rules, 0))
        os.close(inner.rules)
    _filter(inner.filter)


def _limit(settings: Settings) -> None:
    seconds = int(settings["seconds"]) + 2
    for what, most in (
        (resource.RLIMIT_AS, settings["memory"]),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, settings["file"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(what, (most, most))


def _filter(code: bytes) -> None:
    """Keep the system calls that the filter allows."""
    lines = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_void_p))

    program = Program(len(code) // 8, ctypes.addressof(lines))
    _prctl(_SECCOMP, 2, ctypes.byref(program), 0, 0)


def _permit(rules: int, path: str, access: int) -> None:
    class Beneath(ctypes.Structure):
        _pack_ = 1
        _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))

    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    access = access if pathlib.Path(path).is_dir() else access & (_FILE | 1 << 1)
    _checked(_libc.syscall(_ADD_RULE, rules, 1, ctypes.byref(Beneath(access, parent)), 0))
    os.close(parent)


def _prctl(option: int, *arguments: Any) -> None:
    words = (ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments)
    _checked(_libc.prctl(option, *words))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"the inner wall cannot be built: {os.strerror(code)}")
    return result
