"""What pages about changed rules share: who may put cases under other rules, and how much of the docket one answer looks at or moves.

A large docket is taken a part at a time, so that no answer is waited for longer than a moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from caseflow.services.people import Person
from caseflow.services.sight import EVERYTHING
from caseflow.web.site import Forbidden

A_MOMENT, A_PART = 1.5, 25
"""Seconds of one answer, and cases at a time."""


def sees_all(person: Person) -> bool:
    """Whether the person sees every case of the office."""
    return person.sees == EVERYTHING.of(person.sees.person)


def may_move(person: Person) -> bool:
    """Whether the person may put cases under other rules: a role that oversees and acts, and sees every case that would move."""
    return person.may("work") and sees_all(person)


def refuse(person: Person, what: str) -> None:
    """Raises Forbidden for who may not. `what`: what counts for every case, and who does it, as the beginning of a sentence."""
    if not may_move(person):
        raise Forbidden(f"{what} must act on cases and see all of them.")


def looked(part: Callable[[str, int], tuple[list[Any], int, str]], after: str, most: int) -> tuple[list[Any], int, str]:
    """Parts of the docket until a moment has passed or `most` cases were looked at. A part is asked for by where it begins and how many: what they gave, how many, and where to go on."""
    cases: list[Any] = []
    here, until = 0, time.monotonic() + A_MOMENT
    while True:
        more, count, after = part(after, A_PART)
        cases += more
        here += count
        if not after or here >= most or time.monotonic() > until:
            return cases, here, after


def moved(go_on: Callable[[int], Any]) -> None:
    """Moves parts of the docket until a moment has passed, or the last one is moved."""
    until = time.monotonic() + A_MOMENT
    while go_on(A_PART).ended_at is None and time.monotonic() < until:
        pass


def count_of(text: str) -> int:
    """A number of an address; 0 where it is none."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0
