"""A dispatcher process to be killed: hands over what waits, one run after another, and may kill itself at a chosen place.

`python -m tests.faults.dispatcher DATABASE MOMENT PORT PLACE AFTER [DEFECT]`. PLACE is where it dies, once AFTER copies
are done. DEFECT `unnoted`: the attempt is not noted before the call; `unnamed`: each attempt has a name of its own.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from typing import Any

from caseflow.adapters.mail import smtp
from caseflow.bootstrap import App
from caseflow.services import dispatching

PLACES = ("claimed", "noted", "half-sent", "answered", "settled")
"""After the claim, after the attempt was noted, with the message sent and no answer read, with the answer read, and after that was kept."""
FREE = "nowhere"


class Watch:
    """Ends the process at its place."""

    def __init__(self, place: str, after: int) -> None:
        self._place, self._left = place, after

    def reach(self, place: str) -> None:
        """Dies here, if this is the place and its time has come."""
        if self._left <= 0 and place == self._place:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= place == PLACES[-1]


def watched(watch: Watch) -> None:
    """Puts the watch around what a dispatch does."""
    prepared, noted, handed, settle = dispatching._prepared, dispatching._noted, dispatching._handed_over, dispatching._settle
    dotted, send = smtp._dotted, dispatching._send

    def watched_prepared(*given: Any) -> Any:
        watch.reach("claimed")
        return prepared(*given)

    def watched_noted(*given: Any) -> Any:
        made = noted(*given)
        watch.reach("noted")
        return made

    def watched_handed(*given: Any) -> Any:
        made = handed(*given)
        watch.reach("answered")
        return made

    def watched_send(*given: Any) -> Any:
        send(*given)
        watch.reach("settled")

    del dotted, settle
    dispatching._prepared, dispatching._noted, dispatching._handed_over = watched_prepared, watched_noted, watched_handed
    dispatching._send = watched_send
    reply = smtp._Plain.getreply

    def watched_reply(self: Any) -> Any:
        if getattr(self, "sent_whole", False):
            watch.reach("half-sent")
        return reply(self)

    def watched_bytes(self: Any, data: Any) -> None:
        super(smtp._Plain, self).send(data)
        self.sent_whole = isinstance(data, bytes) and data.endswith(b"\r\n.\r\n")

    smtp._Plain.getreply, smtp._Plain.send = watched_reply, watched_bytes  # type: ignore[method-assign]


def unnoted() -> None:
    """The planted fault: nothing is noted before the call."""
    dispatching._noted = lambda run, begun: True  # noqa: ARG005


def unnamed() -> None:
    """The planted fault: each attempt has a Message-ID of its own."""
    prepared = dispatching._prepared

    def renamed(run: Any, book: Any, letter: Any, copy: Any) -> Any:
        begun, parcel, fault = prepared(run, book, letter, replace(copy, message_id="", content="", status="owed"))
        again = replace(begun, message_id=begun.message_id.replace("<", f"<{begun.attempts}."))
        return again, replace(parcel, copy=again) if parcel is not None else None, fault

    dispatching._prepared = renamed


def main(database: str, moment: str, port: str, place: str, after: str, defect: str = "") -> None:
    """Dispatches once, whole."""
    if defect:
        {"unnoted": unnoted, "unnamed": unnamed}[defect]()
    watched(Watch(place, int(after)))
    app = App(database, at=moment, smtp_host="127.0.0.1", smtp_port=port, smtp_tls="none", smtp_from="letters@example.gov", smtp_timeout="10")
    office = replace(app.office, with_pdf=False)
    print("ready", flush=True)
    dispatching.dispatch(office, app.now())


if __name__ == "__main__":
    main(*sys.argv[1:])
