"""A scheduler process that is frozen in the middle of a sweep, as by SIGSTOP or a machine that sleeps, and may be resumed past its time.

`python -m tests.faults.freezing DATABASE MOMENT FLAG PLACE LEASE`. It stops itself once, at PLACE, and when resumed goes on; at its end it
prints how many timers it fired, and how many batches were refused since they ended too late.
"""

from __future__ import annotations

import os
import signal
import sys

from caseflow.bootstrap import App
from caseflow.services.sweeping import sweep
from tests.faults.sweeper import Watch, watched


class Freezer(Watch):
    """Stops the process at its place, once."""

    def reach(self, place: str) -> None:
        """Stops here, if this is the place."""
        if place == self._place:
            self._place = ""
            os.kill(os.getpid(), signal.SIGSTOP)


def main(database: str, moment: str, flag: str, place: str, lease: str) -> None:
    """Sweeps until nothing is due."""
    watched(Freezer(flag, place, 0))
    office = App(database, at=moment).office
    done = sweep(office, lease=float(lease))
    print(done.fired, done.lapsed, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
