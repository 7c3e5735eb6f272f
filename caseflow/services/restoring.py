"""After a restore: nothing leaves the database until a person has seen what would, and said that it may."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from caseflow.services.again import again
from caseflow.services.office import Office


@again
def rest(office: Office, moment: datetime | None = None) -> None:
    """Lets nothing leave from now on."""
    with office.store.begin() as work:
        work.rest((moment or office.now()).isoformat(timespec="seconds"))


@again
def resume(office: Office, try_only: bool = False, moment: datetime | None = None) -> dict[str, Any]:
    """Lets mail leave again, or with `try_only` says what would: {resting, copies: [{letter, copy, recipient, channel}]}."""
    with office.store.begin() as work:
        since = work.resting()
        waiting = work.waiting_copies(moment or office.now(), office.mail.channels, True)
        if not try_only:
            work.rest(None)
    copies = [{"letter": copy.letter, "copy": copy.id, "role": copy.role, "channel": copy.channel} for copy in waiting]
    return {"resting": since, "resumed": since is not None and not try_only, "copies": copies}
