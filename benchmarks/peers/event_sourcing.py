"""eventsourcing: a case is an aggregate that is made anew from its events; a step adds one. It keeps no table of cases to list."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.common import AFTER, STATES, Steps, chained


def steps(folder: str, cases: int, body: str) -> Steps:
    """Aggregates kept in SQLite, a snapshot of each every ten events."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Case(Aggregate):
        @event("Filed")
        def __init__(self, state: str, body: str) -> None:
            self.state, self.body, self.head, self.seq = state, body, "", 1

        @event("Advanced")
        def advance(self, state: str, head: str, note: str) -> None:  # noqa: ARG002 - kept with the event
            self.state, self.head, self.seq = state, head, self.seq + 1

    class Cases(Application):
        snapshotting_intervals = {Case: 10}

    made = Cases(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(Path(folder, "events.db"))})
    names = []
    for place in range(cases):
        case = Case(STATES[place % len(STATES)], body)
        made.save(case)
        names.append(case.id)

    def step(place: int) -> None:
        case = made.repository.get(names[place])
        after = AFTER[case.state]
        case.advance(after, chained(case.head, place, case.seq + 1, case.state, after), "A word.")
        made.save(case)

    return step
