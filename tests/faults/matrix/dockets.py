"""Trials on copies of one docket, several at once, each in a copy of this process: what a trial waits for costs nothing, and nothing is prepared twice."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.faults.matrix.beside import beside
from tests.faults.matrix.points import forked
from tests.faults.matrix.rooms import SHARED, Rooms
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import packed_up, prepared
from tests.unit.pack_texts import sound

Told = tuple[int, list[str]]
"""Of a trial: faults that really happened, and what was broken."""
Trial = Callable[[int, Path], Told]
"""Its number, and the folder with its docket."""


def dockets(folder: Path, on_server: bool, trials: int, cases: int, width: int, trial: Trial, warm: Callable[[Path], None] = lambda _: None) -> Result:
    """So many trials, `width` of them at a time. `warm` does the work once in this process, where there are many, so that its copies have everything at hand."""
    result, rooms = Result(), Rooms(folder, on_server)
    new = rooms.first()
    _ = forked(lambda: packed_up(prepared(new, sound(), cases)))
    try:
        if trials > width:
            warm(rooms.copy("sound"))
        for start in range(0, trials, width):
            places = range(start, min(start + width, trials))
            works = [partial(trial, place, rooms.copy(f"room{place % width}")) for place in places]
            for place, made in zip(places, beside(works, width), strict=True):
                if made is None:
                    raise RuntimeError(f"trial {place} ended without a word")
                result.add(*made)
    finally:
        rooms.close()
        SHARED.end()
    return result
