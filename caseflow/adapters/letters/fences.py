"""What a worker may not do, set by itself before it reads a letter. Where a system lacks a fence the others still stand.

Memory, time of the processor and files to write are limits of the system (`resource`). On Linux a filter of system calls
(seccomp) refuses sockets and programs, for good.
"""

from __future__ import annotations

import ctypes
import platform
import sys

_NO_NEW_RIGHTS, _SET_FILTER, _FILTER = 38, 22, 2
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001  # the latter: "operation not permitted"
_LOAD, _EQUAL, _AT_LEAST, _GIVE = 0x20, 0x15, 0x35, 0x06
# Machine: its number in a filter, then socket, connect, socketpair, execve, execveat, ptrace, io_uring_setup.
_CALLS = {
    "x86_64": (0xC000003E, (41, 42, 53, 59, 322, 101, 425)),
    "aarch64": (0xC00000B7, (198, 203, 199, 221, 281, 117, 425)),
}
_OTHER_CALLS = 0x40000000  # numbers from here on are the same calls under another convention


class _Rule(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("rules", ctypes.POINTER(_Rule)))


def fence(memory: int) -> None:
    """Limits the memory (bytes of address space) of this process, and keeps it from files to write, sockets and programs."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    for what, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(what, (limit, limit))
        except (ValueError, OSError):  # a lower limit stands already
            continue
    no_network()


def fresh_time(seconds: int) -> None:
    """Gives this process so many seconds of the processor from now on."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))


def no_network() -> bool:
    """Refuses sockets and programs to this process and its threads to come; whether the system can."""
    known = _CALLS.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return False
    machine, calls = known
    refuse = len(calls) + 2
    rules = [_Rule(_LOAD, 0, 0, 4), _Rule(_EQUAL, 0, refuse, machine), _Rule(_LOAD, 0, 0, 0), _Rule(_AT_LEAST, refuse - 1, 0, _OTHER_CALLS)]
    rules += [_Rule(_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    rules += [_Rule(_GIVE, 0, 0, _ALLOW), _Rule(_GIVE, 0, 0, _REFUSE)]
    program = _Program(len(rules), (_Rule * len(rules))(*rules))
    library = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    if library.prctl(_NO_NEW_RIGHTS, ctypes.c_ulong(1), zero, zero, zero) != 0:
        return False
    return bool(library.prctl(_SET_FILTER, ctypes.c_ulong(_FILTER), ctypes.byref(program), zero, zero) == 0)
