"""Pages are made one after the other, as cars take a road of one lane; a slow one is overtaken.

Threads that make pages at the same time take the interpreter from each other at every question to the database: sixteen readers
at once cost twice the processor time of sixteen one after the other. A page that takes long, because it searches or waits for a
server, keeps the next one waiting for `PATIENCE` and no longer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from anyio import to_thread
from anyio.lowlevel import RunVar

PATIENCE = 0.002
"""Seconds that a page has the lane for itself: some four pages of the docket long."""
Given = ParamSpec("Given")
Made = TypeVar("Made")


class Lane:
    """Those who wait go in by the order of coming. `_ahead`: when whoever went in last is overtaken; None while the lane is free."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[asyncio.Future[asyncio.TimerHandle]] = deque()
        self._ahead: asyncio.TimerHandle | None = None

    async def make(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """What `work` makes in a thread, once it is its turn."""
        mine = await self._turn()
        try:
            return await to_thread.run_sync(lambda: work(*given, **named))
        finally:
            if self._ahead is mine:
                self._next()

    async def _turn(self) -> asyncio.TimerHandle:
        if self._ahead is None:
            return self._enter()
        place: asyncio.Future[asyncio.TimerHandle] = self._loop.create_future()
        self._waiting.append(place)
        return await place

    def _enter(self) -> asyncio.TimerHandle:
        self._ahead = self._loop.call_later(PATIENCE, self._next)
        return self._ahead

    def _next(self) -> None:
        """Lets in who waits longest. Whoever went away meanwhile is passed over; whoever goes away now is overtaken."""
        if self._ahead is not None:
            self._ahead.cancel()
            self._ahead = None
        while self._waiting and self._ahead is None:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(self._enter())


_LANE: RunVar[Lane] = RunVar("lane")


def lane() -> Lane:
    """The lane of this event loop."""
    try:
        return _LANE.get()
    except LookupError:
        made = Lane()
        _LANE.set(made)
        return made
