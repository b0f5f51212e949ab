"""The system calls that a learner's process keeps: an allow-list, made into a kernel filter.

All else is refused with EPERM: new processes and threads, other programs, sockets, signals,
tracing, mounts, keyrings, memory files, changes of owner, mode and times.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import tempfile
from collections.abc import Sequence
from functools import cache

ALLOWED = """
    read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek _llseek
    close close_range dup dup2 dup3 pipe pipe2 fadvise64 fallocate
    ftruncate fsync fdatasync sendfile copy_file_range
    stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat
    statfs fstatfs getcwd chdir fchdir getdents getdents64 umask
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 eventfd eventfd2 socketpair recvfrom getsockopt getsockname shutdown
    brk mmap munmap mremap mprotect madvise
    futex futex_waitv set_robust_list set_tid_address rseq arch_prctl
    sched_yield sched_getaffinity getcpu
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall
    alarm setitimer getitimer pause
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
    getpgid getsid uname sysinfo getrlimit getrusage times
    time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep getrandom
    exit exit_group
""".split()  # noqa: SIM905 (a list of 120 strings is harder to check by eye)

# Calls that are harmless with some values of one argument: (call, number of the argument, bits
# that are looked at, values that are allowed).
ALL_BITS = 2**64 - 1
NARROWED: list[tuple[str, int, int, Sequence[int]]] = [
    ("fcntl", 1, ALL_BITS, (0, 1, 2, 3, 4, 1030)),  # F_DUPFD F_GETFD … F_SETFL F_DUPFD_CLOEXEC
    ("ioctl", 1, ALL_BITS, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),  # TCGETS … FIOCLEX
    ("prlimit64", 0, ALL_BITS, (0,)),  # this process
    ("sendto", 4, ALL_BITS, (0,)),  # no address: the other end of a socketpair
    # To cut a file short it must be open for writing: before kernel 6.2 Landlock does not look.
    ("open", 1, os.O_TRUNC, (0,)),
    ("open", 1, os.O_ACCMODE, (os.O_WRONLY, os.O_RDWR)),
    ("openat", 2, os.O_TRUNC, (0,)),
    ("openat", 2, os.O_ACCMODE, (os.O_WRONLY, os.O_RDWR)),
]

_ALLOW, _ERRNO, _MASKED_EQUAL, _OPTIMIZE, _TREE = 0x7FFF0000, 0x00050000, 7, 8, 2
_EPERM = 1


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


@cache
def program() -> bytes:
    """Return the filter as the kernel takes it; nothing where libseccomp is not installed."""
    library = _library()
    if library is None:
        return b""
    context = library.seccomp_init(_ERRNO | _EPERM)
    library.seccomp_attr_set(context, _OPTIMIZE, _TREE)
    for name in ALLOWED:
        _allow(library, context, name)
    for name, argument, mask, values in NARROWED:
        for value in values:
            _allow(library, context, name, _Comparison(argument, _MASKED_EQUAL, mask, value))
    with tempfile.TemporaryFile() as file:
        if library.seccomp_export_bpf(context, file.fileno()) != 0:
            raise OSError("libseccomp could not write the filter")
        library.seccomp_release(context)
        return os.pread(file.fileno(), 1 << 20, 0)


def _allow(library: ctypes.CDLL, context: int, name: str, *comparisons: _Comparison) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:  # unknown to this machine or this libseccomp: stays refused
        return
    array = (_Comparison * len(comparisons))(*comparisons)
    if library.seccomp_rule_add_array(context, _ALLOW, number, len(comparisons), array) != 0:
        raise OSError(f"libseccomp does not take the rule for {name}")


def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p,
    ]  # fmt: skip
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    return library
