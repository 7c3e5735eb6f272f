"""What every peer shares: a ring of states that never ends, the chained journal row, and the talk with the process that asks."""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256

STATES = ("submitted", "incomplete", "asked", "held", "reviewed")
AFTER = dict(zip(STATES, STATES[1:] + STATES[:1], strict=True))
AT = "2026-12-02T16:00:00+00:00"
Steps = Callable[[int], object]


def chained(previous: str, case: int, seq: int, before: str, after: str) -> str:
    """The hash of a journal row, over all that it says and the hash before it."""
    said = {"case": case, "seq": seq, "at": AT, "actor": "bo", "from": before, "to": after, "facts": {"note": "A word."}, "prev": previous}
    return sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def serve(name: str, cases: int, size: int) -> None:
    """Makes the peer ready, says so, and answers each number on standard input with the seconds that so many steps took."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    with tempfile.TemporaryDirectory(prefix=f"peer-{name}-", dir=os.environ.get("PEER_SCRATCH")) as folder:
        try:
            steps: Steps = importlib.import_module(f"benchmarks.peers.{name}").steps(folder, cases, "x" * size)
            steps(0)
        except ImportError as fault:
            print(f"absent {fault.name}", file=out)
            return
        print("ready", file=out)
        place = 0
        for line in sys.stdin:
            begin = time.perf_counter()
            for _ in range(int(line)):
                steps(place % cases)
                place += 1
            print(time.perf_counter() - begin, file=out)
    out.flush()
    os._exit(0)  # some peers keep threads that would not end


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
