"""Whether the clock of the machine can be believed: too long after the last sweep, nothing is fired until a person says that it is right.

A long outage looks the same as a clock that jumped ahead; only somebody who looks can tell them apart. What was fired early can't be taken
back, what waits an hour longer can be fired with its own dates.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from caseflow.services.again import again
from caseflow.services.office import Office

LIMIT_DAYS = 30
"""Days after the last sweep beyond which a scheduler asks (setting `clock_limit`)."""
SIGN, NOTE, BY_HAND = "scheduler", "clock", "scheduler-by-hand"
"""How the names of schedulers' signs of life begin; the name of the note that one of them asks; and the sign that a person gave."""


def ahead(office: Office, now: datetime, days: int = LIMIT_DAYS) -> str | None:
    """Why nothing may be fired; None where the clock stands within so many days after the last sign of life, or where there is none."""
    signs = [at for name, at, _ in office.store.heartbeats() if name.startswith(SIGN)]
    last = max(signs, default=now)
    if now - last <= timedelta(days=days):
        return None
    return (
        f"the clock of this machine says {now:%Y-%m-%d %H:%M} UTC, {(now - last).days} days after the last sweep, so nothing was fired; "
        "if it is right, run 'caseflow sweep' once, if not, set it"
    )


@again
def asks(office: Office, now: datetime, text: str) -> None:
    """Notes that a scheduler waits for a person; it is no sign of life."""
    with office.store.begin() as work:
        work.beat(NOTE, now, text)


@again
def trusted(office: Office, now: datetime) -> None:
    """A person has swept, and by that says that the clock is right."""
    with office.store.begin() as work:
        work.beat(BY_HAND, now, "swept by hand")
