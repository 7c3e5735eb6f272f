"""Worker processes that make pages (presswork.py): started when first needed, limited, replaced when they end badly.

One letter that crashes its worker, never ends or grows too large gives one LetterFault; the worker is replaced and the
other letters flow. Asked: 4 bytes of length, then JSON. Answered: the same with a head in JSON, then the files it counts.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import finalize

from caseflow.errors import LetterFault

MAX_FILE = 64 * 1024 * 1024
START_SECONDS = 60.0
KEPT = f"{32 * 1024 * 1024}"
"""Bytes that a worker's allocator keeps at hand, far below its limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may use: bytes of address space, seconds of a letter (of the processor, and by the clock), letters of its life."""

    memory: int = 1536 * 1024 * 1024
    processor_seconds: int = 20
    seconds: float = 30.0
    letters: int = 400


class Press:
    """Up to `workers` processes. Threads may share it; each letter has a worker of its own while it is made."""

    def __init__(self, workers: int = 2, limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        self.workers = max(1, workers)
        self.limits = limits
        self._free = threading.BoundedSemaphore(self.workers)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._started: set[_Worker] = set()
        finalize(self, _end_all, self._started)

    def make(self, asked: Mapping[str, Any]) -> list[bytes]:
        """The files asked for. Raises LetterFault with one sentence."""
        with self._free:
            worker = self._take()
            try:
                files = worker.make(asked)
            except LetterFault:
                self._give_back(worker)
                raise
            except BaseException:
                self._end(worker)
                raise
            self._give_back(worker)
        return files

    def close(self) -> None:
        """Ends the workers; they start again when they are needed."""
        with self._lock:
            self._idle.clear()
        _end_all(self._started)

    def _take(self) -> _Worker:
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                worker = _Worker(self.limits)
                self._started.add(worker)
                return worker
            if worker.lives():
                return worker
            self._end(worker)  # something else ended it while it had nothing to do

    def _give_back(self, worker: _Worker) -> None:
        if worker.made >= self.limits.letters or not worker.lives():
            self._end(worker)
            return
        with self._lock:
            self._idle.append(worker)

    def _end(self, worker: _Worker) -> None:
        worker.end()
        self._started.discard(worker)


class _Worker:
    """One process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.made = 0
        self._late = False
        command = [sys.executable, "-B", "-m", "caseflow.adapters.letters.presswork", str(limits.memory), str(limits.processor_seconds)]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment())  # noqa: S603
        except OSError as error:
            raise LetterFault(f"The program that makes PDF files can't be started ({error.strerror}); try again.") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout

    def lives(self) -> bool:
        """Whether the process runs and listens."""
        return not self._late and self._process.poll() is None

    def make(self, asked: Mapping[str, Any]) -> list[bytes]:
        """The files of one letter. Raises LetterFault."""
        try:
            if not self.made:
                with self._within(START_SECONDS):
                    self._begin()
            with self._within(self._limits.seconds):
                return self._ask(json.dumps(asked, ensure_ascii=False).encode(errors="replace"))
        except (OSError, ValueError, struct.error, _Ended):
            self.end()
            raise LetterFault(self._why()) from None

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Ends the process when it takes longer; who waits for it reads the end of its output."""
        timer = threading.Timer(seconds, self._stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _begin(self) -> None:
        if self._from.readline() != b"ready\n":
            raise _Ended

    def _ask(self, data: bytes) -> list[bytes]:
        self.made += 1
        self._to.write(struct.pack(">I", len(data)) + data)
        self._to.flush()
        head = json.loads(self._part())
        if "fault" in head:
            raise LetterFault(head["fault"])
        if "error" in head:
            raise LetterFault(f"The letter can't be made as PDF: {' '.join(str(head['error']).split())[:300]}.")
        return [self._part() for _ in range(head["files"])]

    def _part(self) -> bytes:
        size = self._read(4)
        (length,) = struct.unpack(">I", size)
        if length > MAX_FILE:
            raise _Ended
        return self._read(length)

    def _read(self, length: int) -> bytes:
        data = self._from.read(length)
        if len(data) != length:
            raise _Ended
        return data

    def _stop(self) -> None:
        self._late = True
        self._process.kill()

    def _why(self) -> str:
        if self._late:
            return f"The letter can't be made as PDF: making it took longer than {self._limits.seconds:g} seconds and was stopped."
        memory = self._limits.memory // (1024 * 1024)
        return f"The letter can't be made as PDF: the process that made it ended early (its limits are {memory} MiB and {self._limits.processor_seconds} s)."

    def end(self) -> None:
        """Ends the process, whatever it does."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._to, self._from):
            try:
                pipe.close()
            except OSError:  # what was never written has nowhere to go
                continue


class _Ended(Exception):
    """The process said less than it should."""


def _end_all(workers: set[_Worker]) -> None:
    while workers:
        workers.pop().end()


def _environment() -> dict[str, str]:
    """What a worker is told of the world: where its code lies. Threads of its own would only stand in the way of other workers."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    nowhere = "http://127.0.0.1:9"
    paths = [str(Path(__file__).resolve().parents[3]), *(path for path in sys.path if path)]
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
        "RAYON_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        # The memory of one letter serves the next: given back to the system and asked for again it costs a tenth of a letter's time.
        "MALLOC_TRIM_THRESHOLD_": KEPT,
        "MALLOC_TOP_PAD_": KEPT,
        "MALLOC_MMAP_THRESHOLD_": KEPT,
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "ALL_PROXY": nowhere,
    }
