"""Two measures of rule sets: what an allotment gives for a measure, and which days around a period a season leaves free."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

from caseflow.domain import pack as p

MOST_STEPS = 10_000


def combinations(allotment: p.Allotment, measure: Decimal, unmixed: bool = False) -> list[list[int]]:
    """Every combination that an allotment gives, once, in the order of its base; none where the measure is 0 or less.

    Only full steps count. A swap takes from what was added, so that there are never more swaps than that allows.
    `unmixed` gives what was added with no swap, or every swap and nothing else of what was added.
    """
    if measure <= 0:
        return []
    size = len(allotment.counts)
    adds, swaps = allotment.adds, allotment.swaps
    times = _steps(adds, measure)
    added = [times * number for number in adds.gives] if adds is not None else [0] * size
    found: dict[tuple[int, ...], None] = {}
    most = _steps(swaps, measure)
    for swap in range(most + 1):
        if unmixed and 0 < swap < most:
            continue
        takes = [swap * number for number in swaps.takes] if swaps is not None else [0] * size
        gives = [swap * number for number in swaps.gives] if swaps is not None else [0] * size
        if any(less > more for less, more in zip(takes, added, strict=True)):
            break
        takes = added if unmixed and swap else takes
        for row in allotment.base:
            found[tuple(first + more + give - take for first, more, give, take in zip(row, added, gives, takes, strict=True))] = None
    return [list(row) for row in found]


def _steps(steps: p.Steps | None, measure: Decimal) -> int:
    return int((measure - steps.beyond) // steps.each) if steps is not None and measure > steps.beyond else 0


def believable(allotment: p.Allotment, measure: Decimal) -> bool:
    """Whether a measure is one that can be computed in all its combinations; what is beyond is a slip of the pen."""
    return all(_steps(steps, measure) <= MOST_STEPS for steps in (allotment.adds, allotment.swaps))


def around(season: p.Season, first: date, last: date) -> tuple[date | None, date | None]:
    """Where a period touches a season: the last day before it and the first day after it; nothing where it does not.

    Seasons of the years 2 to 9997 are counted, so that the days beside them are days of the calendar.
    """
    hits = [(begin, end) for begin, end in _seasons(season, first, last) if begin <= last and first <= end]
    return (hits[0][0] - timedelta(1), hits[-1][1] + timedelta(1)) if hits else (None, None)


def _seasons(season: p.Season, first: date, last: date) -> Iterator[tuple[date, date]]:
    """The season of each year that may reach into a period: first and last day."""
    begins, ends = (tuple(int(part) for part in text.split("-")) for text in (season.from_, season.to))
    for year in range(max(first.year - 1, 2), min(last.year, 9997) + 1):
        yield date(year, begins[0], begins[1]), date(year + (ends < begins), ends[0], ends[1])
