"""Letters through a mail server that is down, slow, asks to wait, refuses, loses its answer or repeats it, and a dispatcher
that is killed: how many were lost, and how many went twice other than under the same name with the same bytes.

`python -m tests.faults.dispatching [LETTERS] [KILLS]` prints the figures (default 500 letters and 100 kills).
"""

from __future__ import annotations

import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event

from caseflow.adapters.mail.drop import NoMail
from caseflow.adapters.mail.routes import Routes
from caseflow.adapters.mail.smtp import Smtp, SmtpSettings
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.services import dispatching, filing
from caseflow.services.office import Office
from tests.conftest import PACK
from tests.faults.dispatcher import FREE, PLACES
from tests.faults.nursery import nursery
from tests.faults.sink import Sink, free_port, mixed, running

FILED, LEAVES = "2026-12-01T09:00", datetime(2026, 12, 1, 18, tzinfo=UTC)
OUTSIDE = "outside"
SHARES: Mapping[str, dict[str, float]] = {
    "slow": {"slow": 0.1},
    "later": {"later": 0.5},
    "refuse": {"refuse": 0.2},
    "drop": {"drop": 0.5},
    "repeat": {"repeat": 1.0},
    "all": {"slow": 0.03, "later": 0.2, "refuse": 0.05, "drop": 0.2, "repeat": 0.2},
}


@dataclass
class Tally:
    """What the register and the server hold afterwards."""

    letters: int = 0
    sent: int = 0
    bounced: int = 0
    twice: int = 0
    faults: list[str] = field(default_factory=list)
    rounds: int = 0
    seconds: float = 0.0

    def line(self, what: str, more: str = "") -> str:
        """A line of figures."""
        head = f"{what}: {self.letters} letters, {self.sent} handed over, {self.bounced} to a person, {self.twice} twice under one name with the same bytes"
        return f"{head}, {len(self.faults)} lost or doubled{more}, {self.rounds} runs, {self.seconds:.1f} s"


def prepare(database: Path, letters: int) -> None:
    """A database with so many letters that wait, each to one person by e-mail (with a copy to another by post)."""
    app = App(f"sqlite:///{database}", at=FILED)
    app.store.upgrade()
    event.listen(app.store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    sample = app.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    people = {"requester": {"name": "Ann Larsen", "capacity": "owner", "email": "ann@example.org"}, "agent": None, "third_party": None}
    request = {**sample, **people, "services": ["navigability-determination"], "filed": app.now()}
    for number in range(letters):
        request["requester"] = {"name": f"Ann Larsen {number}", "capacity": "owner", "email": f"ann{number}@example.org"}
        filing.file(app.office, request, Actor("person", "ann", "requester"), app.now())
    app.store.engine.dispose()


def office_of(database: Path, port: int, timeout: float = 10.0) -> Office:
    """An office whose e-mail goes to the sink."""
    app = App(f"sqlite:///{database}", at=FILED)
    smtp = Smtp(SmtpSettings("127.0.0.1", "letters@example.gov", port, "none", timeout))
    return replace(app.office, mail=Routes({"email": smtp, "post": NoMail()}), with_pdf=False)


def through(database: Path, sink: Sink, timeout: float = 10.0, down_first: bool = False) -> Tally:
    """Dispatches, an hour apart, until nothing waits any more."""
    begun, rounds = time.perf_counter(), 0
    if down_first:
        dispatching.dispatch(office_of(database, free_port()), LEAVES)
        rounds += 1
    with running(sink) as port:
        office = office_of(database, port, timeout)
        while rounds < 30:
            made = dispatching.dispatch(office, LEAVES + timedelta(hours=8 * rounds))
            rounds += 1
            if not made.waiting and not made.unknown:
                break
        office.store.engine.dispose()
    return replace(tally(database, sink), rounds=rounds, seconds=time.perf_counter() - begun)


def tally(database: Path, sink: Sink) -> Tally:
    """Holds what the register says against what the server took, by the bare driver."""
    connection = sqlite3.connect(database)
    copies = connection.execute("SELECT id, status, message_id, content FROM letter_copy WHERE channel = 'email'").fetchall()
    unknown = Counter(name for (name,) in connection.execute("SELECT copy FROM letter_attempt WHERE outcome = 'unknown'"))
    journaled = Counter(connection.execute("SELECT \"case\" FROM entry WHERE action = 'letter-sent'").fetchall())
    connection.close()
    made = Tally(letters=len(copies))
    taken: dict[str, list[Any]] = {}
    for message in sink.taken:
        taken.setdefault(message.copy, []).append(message)
    for name, status, message_id, _ in copies:
        mine = taken.get(name, [])
        made.sent += status == "handed-over"
        made.bounced += status == "bounced"
        if status not in ("handed-over", "bounced"):
            made.faults.append(f"{name}: still {status}")
        if status == "handed-over" and not mine:
            made.faults.append(f"{name}: lost, the server never took it")
        if len({(one.name, one.data) for one in mine}) > 1:
            made.faults.append(f"{name}: went twice, with other bytes or under another name")
        elif len(mine) > 1 + unknown[name]:
            made.faults.append(f"{name}: went {len(mine)} times, and {unknown[name]} answers are noted as unknown")
        elif any(one.name != message_id for one in mine):
            made.faults.append(f"{name}: went under a name that the register does not know")
        made.twice += len(mine) > 1
    made.faults += [f"{case}: journaled {times} times as sent" for (case,), times in journaled.items() if times > 1]
    if sum(journaled.values()) != made.sent:
        made.faults.append(f"{made.sent} copies handed over, {sum(journaled.values())} sendings journaled")
    return made


# --- killed ---------------------------------------------------------------------------------------------------------


@dataclass
class Kills:
    """Where dispatchers died."""

    wanted: int
    luck: random.Random
    places: Counter[str] = field(default_factory=Counter)


def under_fire(database: Path, sink: Sink, kills: Kills, defect: str = "") -> Tally:
    """One dispatcher after another, an hour apart, each killed at another place, until one ends by itself after the last kill."""
    begun, rounds = time.perf_counter(), 0
    places = (*PLACES, OUTSIDE)
    with running(sink) as port, nursery("tests.faults.dispatcher") as dispatchers:
        while True:
            place = places[rounds % len(places)] if kills.places.total() < kills.wanted else FREE
            moment = (LEAVES + timedelta(hours=rounds)).isoformat()
            given = [f"sqlite:///{database}", moment, str(port), place, str(kills.luck.randrange(3)), *([defect] if defect else [])]
            child = dispatchers.begin(given)
            child.ready()
            ended = child.end(kills.luck.uniform(0, 0.3) if place == OUTSIDE else None)
            rounds += 1
            if ended == -signal.SIGKILL:
                kills.places[place] += 1
            elif ended != 0:
                raise RuntimeError(f"the dispatcher ended with {ended}")
            elif not _waiting(database):
                break
            if rounds > 4 * kills.wanted + 40:
                break
    return replace(tally(database, sink), rounds=rounds, seconds=time.perf_counter() - begun)


def _waiting(database: Path) -> int:
    connection = sqlite3.connect(database)
    (count,) = connection.execute("SELECT count(*) FROM letter_copy WHERE status NOT IN ('handed-over', 'bounced')").fetchone()
    connection.close()
    return int(count)


def main() -> None:
    """Prints the figures."""
    letters = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as folder:
        for name, shares in SHARES.items():
            database, sink = Path(folder) / f"{name}.db", Sink(mixed(17, shares))
            prepare(database, letters)
            made = through(database, sink, timeout=0.5, down_first=name == "all")
            print(made.line(f"server {name}", f"; offers: {dict(sink.done)}"), flush=True)
            for fault in made.faults[:5]:
                print("  ", fault)
        database, sink, kills = Path(folder) / "kills.db", Sink(), Kills(wanted, random.Random(17))
        prepare(database, max(letters, 4 * wanted))
        made = under_fire(database, sink, kills)
        print(made.line(f"dispatcher killed {kills.places.total()} times", f"; kills: {dict(kills.places)}"))
        for defect in ("unnoted", "unnamed"):
            database, sink = Path(folder) / f"{defect}.db", Sink()
            prepare(database, 60)
            made = under_fire(database, sink, Kills(12, random.Random(17)), defect)
            print(f"planted fault '{defect}': {'caught' if made.faults else 'NOT CAUGHT'} ({len(made.faults)} faults)")


if __name__ == "__main__":
    main()
