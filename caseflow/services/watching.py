"""Who looked at which case: noted at once, written in batches, so that reading stays quick. At most a second is lost in a fall."""

from __future__ import annotations

import logging
from threading import Lock, Timer

from caseflow.errors import CaseflowError
from caseflow.services.ports import Now
from caseflow.services.ports.people import Accounts, Reading

WITHIN, MOST = 1.0, 10_000
log = logging.getLogger("caseflow.reads")


class ReadLog:
    """Notes and writes. What could not be written is kept and tried again with the next note."""

    def __init__(self, accounts: Accounts, now: Now, within: float = WITHIN) -> None:
        self._accounts, self._now, self._within = accounts, now, within
        self._waiting: list[Reading] = []
        self._lock = Lock()
        self._timer: Timer | None = None

    def note(self, account: str, case: str, what: str) -> None:
        """Somebody looked at a case, or at a part of it."""
        with self._lock:
            if len(self._waiting) < MOST:
                self._waiting.append(Reading(self._now(), account, case, what))
            if self._timer is None:
                self._timer = Timer(self._within, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Writes what waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
        try:
            self._accounts.note_readings(waiting)
        except CaseflowError:
            log.error("%d reads could not be written; they are kept and tried again", len(waiting))
            with self._lock:
                self._waiting = [*waiting, *self._waiting][:MOST]
