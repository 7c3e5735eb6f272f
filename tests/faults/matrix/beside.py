"""Pieces of work done side by side, each in a copy of this process that does nothing else, and told in the order in which they were given."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable, Iterator, Sequence
from typing import Any


def beside(works: Sequence[Callable[[], Any]], at_once: int) -> Iterator[Any]:
    """What each made (plain data), or None where it ended otherwise; at most so many at a time."""
    waiting = list(enumerate(works))
    running: dict[int, tuple[int, int]] = {}
    heard: dict[int, bytes] = {}
    made: dict[int, Any] = {}
    told = 0
    while told < len(works):
        while waiting and len(running) < at_once:
            place, work = waiting.pop(0)
            pipe, child = _begun(work)
            running[pipe], heard[pipe] = (place, child), b""
        for pipe in select.select(list(running), (), ())[0]:
            said = os.read(pipe, 1 << 16)
            heard[pipe] += said
            if not said:
                place, child = running.pop(pipe)
                os.close(pipe)
                os.waitpid(child, 0)
                made[place] = json.loads(heard.pop(pipe) or b"null")
        while told in made:
            yield made[told]
            told += 1


def _begun(work: Callable[[], Any]) -> tuple[int, int]:
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(near)
        try:
            data = json.dumps(work()).encode()
            while data:
                data = data[os.write(far, data) :]
        finally:
            os._exit(0)
    os.close(far)
    return near, child
