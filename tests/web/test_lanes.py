"""Pages are made one after the other; a slow one holds nobody up, and whoever goes away or fails gives the lane free."""

from __future__ import annotations

import asyncio
from threading import Event, Lock

import pytest

from caseflow.web import lanes
from caseflow.web.lanes import Lane, lane

LONG = 20.0  # seconds that no sound run waits for


def test_short_pages_are_made_one_at_a_time_in_the_order_of_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "PATIENCE", LONG)
    within: list[bool] = []
    order: list[int] = []
    busy = Lock()

    def page(number: int) -> int:
        within.append(busy.acquire(blocking=False))
        order.append(number)
        busy.release()
        return number

    async def asked() -> list[int]:
        own = Lane()
        async with asyncio.timeout(LONG / 2):
            return await asyncio.gather(*(own.make(page, number) for number in range(40)))

    assert asyncio.run(asked()) == order == list(range(40))
    assert all(within), "two pages were made at the same time"


def test_a_slow_page_is_overtaken() -> None:
    overtaken = Event()

    def slow() -> bool:
        return overtaken.wait(LONG)

    async def asked() -> bool:
        own = Lane()
        return (await asyncio.gather(own.make(slow), own.make(overtaken.set)))[0]

    assert asyncio.run(asked())


def test_several_slow_pages_hold_nobody_up() -> None:
    free, all_in = Event(), [Event() for _ in range(5)]

    def slow(number: int) -> bool:
        all_in[number].set()
        return free.wait(LONG)

    def last() -> bool:
        came = all(one.wait(LONG) for one in all_in)
        free.set()
        return came

    async def asked() -> list[bool]:
        own = Lane()
        return await asyncio.gather(*(own.make(slow, number) for number in range(5)), own.make(last))

    assert all(asyncio.run(asked()))


def test_a_page_that_fails_gives_the_lane_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "PATIENCE", LONG)

    def broken() -> None:
        raise LookupError("no such page")

    async def asked() -> list[str]:
        own = Lane()
        async with asyncio.timeout(LONG / 2):
            found = await asyncio.gather(own.make(broken), own.make(str, 1), own.make(broken), own.make(str, 2), return_exceptions=True)
        return [str(one) for one in found]

    assert asyncio.run(asked()) == ["no such page", "1", "no such page", "2"]


def test_who_goes_away_while_waiting_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "PATIENCE", LONG)
    free = Event()
    made: list[str] = []

    async def asked() -> None:
        own = Lane()
        first = asyncio.create_task(own.make(free.wait, LONG))
        gone, last = (asyncio.create_task(own.make(made.append, name)) for name in ("gone", "last"))
        await asyncio.sleep(0)
        gone.cancel()
        free.set()
        async with asyncio.timeout(LONG / 2):
            await asyncio.gather(first, last)

    asyncio.run(asked())
    assert made == ["last"]


def test_who_goes_away_at_their_turn_is_overtaken() -> None:
    made: list[str] = []

    async def asked() -> None:
        own = Lane()
        first = asyncio.create_task(own.make(made.append, "first"))
        gone, last = (asyncio.create_task(own.make(made.append, name)) for name in ("gone", "last"))
        first.add_done_callback(lambda _: gone.cancel())  # it has been let in, and has not begun
        async with asyncio.timeout(LONG):
            await asyncio.gather(first, last)

    asyncio.run(asked())
    assert made[0] == "first" and made[-1] == "last"


def test_a_loop_has_one_lane_of_its_own() -> None:
    async def twice() -> tuple[Lane, Lane]:
        return lane(), lane()

    one, another = asyncio.run(twice()), asyncio.run(twice())
    assert one[0] is one[1] and one[0] is not another[0]
