"""F6: the machine's clock jumps ahead and back, and every hour of both nights on which clocks are changed, in four zones.

A timer fires at the first sweep at or after its moment, never before; the last day is the one of the rule, whatever the clock said meanwhile.
"""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from caseflow.adapters import scheduler
from caseflow.adapters.scheduler import Clerk
from caseflow.domain.calendar import Calendar
from caseflow.errors import CaseflowError
from caseflow.services.sweeping import sweep
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.unit.pack_texts import CALENDAR, sound

ZONES = ("America/Chicago", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns")
"""One of them moves its clocks by half an hour, one is half an hour off, one lies south of the equator."""
NIGHTS = {
    "America/Chicago": ("2026-03-08", "2026-11-01"),
    "Europe/Berlin": ("2026-03-29", "2026-10-25"),
    "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),
    "America/St_Johns": ("2026-03-08", "2026-11-01"),
}
HOURS = 100
"""From Friday noon to Tuesday afternoon."""
JUMPS = (timedelta(hours=1), timedelta(days=40), timedelta(hours=-1), timedelta(days=-40))


def in_zone(zone: str) -> dict[str, str]:
    """The small pack in another zone."""
    files = sound()
    own = next(row for row in files[CALENDAR].splitlines() if row.startswith("zone:"))
    return {**files, CALENDAR: files[CALENDAR].replace(own, f"zone: {zone}")}


def at(folder: Path, moment: datetime) -> Any:
    """The office at a moment."""
    return office(folder, moment.astimezone(UTC).isoformat())


def nights(folder: Path, trials: int, seed: int) -> Result:
    """A case whose last day ends in the night, swept at every hour from the noon before to the evening after."""
    del seed
    result = Result()
    turns = [(zone, night) for zone in ZONES for night in NIGHTS[zone]]
    for trial in range(trials):
        zone, night = turns[trial % len(turns)]
        own = folder / f"trial{trial}"
        friday = date.fromisoformat(night) - timedelta(days=2)
        last = friday + timedelta(days=3 * (trial // len(turns) % 2))  # the working day before that Sunday, then the one after it
        filed = _filed_for(own, zone, last)
        due = next(iter(picture(own).values()))["case"][0]
        here = ZoneInfo(zone)
        over = datetime.combine(last + timedelta(days=1), datetime.min.time(), here)
        found = [] if due[-1] == last.isoformat() else [f"{zone}: filed on {filed}, the last day is {due[-1]}, not {last}"]
        fired: datetime | None = None
        for hour in range(HOURS):
            moment = datetime.combine(friday, datetime.min.time(), here).astimezone(UTC) + timedelta(hours=12 + hour)
            app = at(own, moment)
            if sweep(app.office, pause=lambda _: None).fired and fired is None:
                fired = moment
        if fired is None or not timedelta(0) <= fired - over < timedelta(hours=1):
            found.append(f"{zone}, {night}: the day ended at {over}, and it was fired at {fired}")
        times = sum(line[1] == "fall-silent" for parts in picture(own).values() for line in parts["entry"])
        result.add(HOURS, [*found, *([] if times == 1 else [f"{zone}, {night}: fired {times} times"])])
    return result


def _filed_for(folder: Path, zone: str, last: date) -> date:
    """Files a case whose last day is that one, ten business days later, wherever holidays lie between."""
    for days in range(14, 21):
        filed = last - timedelta(days=days)
        shutil.rmtree(folder, ignore_errors=True)
        packed_up(prepared(folder, in_zone(zone), 1, filed.isoformat()))
        if next(iter(picture(folder).values()))["case"][0][-1] == last.isoformat():
            break
    return filed


def in_utc() -> None:
    """The planted fault: days begin at midnight of Greenwich."""
    Calendar.start_of = lambda _, day, hour=0: datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=hour)  # type: ignore[method-assign]


def jumped(folder: Path, trials: int, seed: int) -> Result:
    """A process whose clock jumps between two sweeps, and is set right again: nothing is fired before its moment, nothing twice, no date moves."""
    del seed
    result = Result()
    for trial in range(trials):
        own, jump = folder / f"trial{trial}", JUMPS[trial % len(JUMPS)]
        packed_up(prepared(own, sound(), 2))
        before = {number: parts["case"][0][-2:] for number, parts in picture(own).items()}
        right = datetime(2026, 3, 6, 16, 0, tzinfo=UTC) + timedelta(minutes=trial)
        found = [*_ticked(own, right), *_ticked(own, right + jump), *_ticked(own, right + timedelta(minutes=1))]
        now = picture(own)
        early = [number for number, parts in now.items() if any(line[1] == "fall-silent" for line in parts["entry"])]
        found += [f"{jump}: {number} was ended though its last day is March 16" for number in early]
        found += [
            f"{jump}: {number}: {before[number]} became {parts['case'][0][-2:]}"
            for number, parts in now.items()
            if parts["case"][0][-2:] != before[number] and not early
        ]
        found += _ticked(own, datetime(2026, 3, 17, 15, 0, tzinfo=UTC))
        ended = [sum(line[1] == "fall-silent" for line in parts["entry"]) for parts in picture(own).values()]
        result.add(1, [*found, *([] if ended == [1, 1] else [f"{jump}: afterwards ended {ended} times"])])
    return result


def _ticked(folder: Path, moment: datetime) -> list[str]:
    """One waking of the scheduler."""
    app = at(folder, moment)
    try:
        Clerk(app.office, background=True).tick()
    except CaseflowError as fault:
        return [f"the scheduler ended: {fault}"]
    return []


def unlimited() -> None:
    """The planted fault: a scheduler believes its clock, however far it went ahead."""
    scheduler.ahead = lambda *_: None


ROWS = (
    apart("F6-nights", "each hour of 2 nights of changed clocks in 4 zones", "P20 P8", nights, in_utc, "days begin at midnight UTC", 2, 16),
    apart("F6-jumps", "clock 1 h and 40 d ahead and back", "P20", jumped, unlimited, "the clock is believed", 4, 24),
)
