"""A process that has a program loaded and starts copies of itself to do its work, each as new as a process of its own and ready at once.

`python -m tests.faults.nursery MODULE` listens at the socket that it inherits as its input: each connection sends one line, the arguments of
the module's `main` as JSON; the copy's output goes back over it, its number in the first line, its end in the last. It has one thread, so that
a copy lacks nothing; it ends with whoever started it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from tests.conftest import ROOT


class Child:
    """A copy at work: `ready` waits for its first words, `wait` for its end, as of a process that was started."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._heard = line, line.makefile("r")
        self.pid = int(self._heard.readline())

    def ready(self) -> str:
        """What it says first."""
        return self._heard.readline()

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, as subprocess says it. Raises TimeoutError."""
        if not select.select([self._line], (), (), timeout)[0]:
            raise TimeoutError
        *_, last = self._heard.read().split("\n")
        self._line.close()
        return int(last)

    def end(self, timeout: float | None) -> int:
        """Waits for its end, or kills it after so long."""
        try:
            return self.wait(timeout)
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            return self.wait()


class Nursery:
    """Where copies of a program come from."""

    def __init__(self, path: str) -> None:
        self._path = path

    def begin(self, arguments: list[str]) -> Child:
        """A copy that works with these arguments."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(self._path)
        line.sendall(json.dumps(arguments).encode() + b"\n")
        return Child(line)


@contextmanager
def nursery(module: str) -> Iterator[Nursery]:
    """One for a module, while it is wanted."""
    with tempfile.TemporaryDirectory(prefix="caseflow-nursery-") as folder, socket.socket(socket.AF_UNIX) as door:
        path = str(Path(folder, "door"))
        door.bind(path)
        door.listen(16)
        with subprocess.Popen([sys.executable, "-m", "tests.faults.nursery", module], cwd=ROOT, stdin=door) as process:
            try:
                yield Nursery(path)
            finally:
                process.terminate()


def main(module: str) -> None:
    """Starts copies until it is ended."""
    work = import_module(module).main
    gc.collect()
    gc.freeze()
    door, living = socket.socket(fileno=0), dict[int, socket.socket]()
    wake, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        if wake in select.select([door, wake], (), ())[0]:
            os.read(wake, 64)
            _buried(living)
            continue
        line, _ = door.accept()
        arguments = json.loads(line.makefile("r").readline())
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            line.sendall(f"{os.getpid()}\n".encode())
            os.dup2(line.fileno(), 1)
            for other in (door, line, *living.values()):
                other.close()
            _works(work, arguments)
        living[child] = line


def _works(work: object, arguments: list[str]) -> None:
    try:
        work(*arguments)  # type: ignore[operator]
        sys.stdout.flush()
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def _buried(living: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            line = living.pop(child)
            with suppress(OSError):
                line.sendall(f"\n{os.waitstatus_to_exitcode(status)}".encode())
            line.close()


if __name__ == "__main__":
    main(sys.argv[1])
