"""Verifying the chain of a whole record, against the standard driver reading the same columns; and replaying it.

The record is one real case of six entries under many numbers, each chain hashed anew, so that all of it is sound.
"""

from __future__ import annotations

import json
import resource
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.dockets import NOTE, REQUEST, STAFF, Docket, new_docket
from benchmarks.measure import Line, over, seconds
from caseflow.adapters.store.mapping import entry_values
from caseflow.domain.case import Act, Entry
from caseflow.domain.journal import sealed
from caseflow.services.verifying import chain_of

FIRST = datetime(2026, 12, 1, 15, tzinfo=UTC)
GOAL, SHARE = 150_000, 0.15
COLUMNS = (
    '"case", seq, prev_hash, hash, "key", facts, recorded_at, effective_on, because, action, actor_kind, actor_id, actor_role, '
    "from_state, to_state, pack_version, calendar_version, cites"
)


def run(folder: Path, rounds: int, cases: int) -> list[Line]:
    """The rate of the chain check and its ratio to the raw scan of the same table; the rate of the replay; the memory."""
    docket, entries = prepared(folder, cases)
    docket.app.for_long_work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ours, base, own, raw = [], [], [], []
    for _ in range(rounds + 1):
        ours.append(seconds(lambda: _sound(docket.app.verify(None, chain=True))))
        base.append(seconds(lambda: raw_scan(docket.path)))
        own.append(_processor(lambda: chain_of(docket.app.store.record)))
        raw.append(_processor(lambda: raw_scan(docket.path)))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    replayed = seconds(lambda: _sound(docket.app.verify(None)))
    rate, against, alone = entries / median(ours[1:]), over(ours[1:], base[1:]), over(own[1:], raw[1:])
    met = rate >= GOAL or median(against) >= SHARE or median(alone) >= SHARE
    return [
        Line(f"verify the chains of {entries:,} entries", f">= {GOAL:,}/s or >= {SHARE} of raw", f"{rate:,.0f}/s", met, against, "Q4"),
        Line("  one process, by processor time", f">= {SHARE} of raw", f"{entries / median(own[1:]):,.0f}/s", median(alone) >= SHARE, alone),
        Line("  the raw scan", "for comparison", f"{entries / median(base[1:]):,.0f}/s, {entries / median(raw[1:]):,.0f} by processor", None),
        Line("  memory that it took on", "<= 40 MiB", f"{grown:.0f} MiB", grown <= 40),
        Line("verify with replay", "for comparison", f"{entries / replayed:,.0f} entries/s", None),
    ]


def _processor(work: Callable[[], object]) -> float:
    """Processor seconds of this process: what others do on the machine is not counted."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _sound(found: dict[str, Any]) -> None:
    if found["faults"]:
        raise AssertionError(f"a sound record was called unsound: {found['faults'][0]}")


def raw_scan(path: Path) -> None:
    """Reads every entry in the order of its key, and does nothing with it."""
    connection = sqlite3.connect(path)
    deque(connection.execute(f'SELECT {COLUMNS} FROM entry ORDER BY "case", seq'), 0)
    connection.close()


def prepared(folder: Path, cases: int) -> tuple[Docket, int]:
    """A record of so many cases of six entries, with how many entries there are."""
    docket = new_docket(folder, "verify")
    number = docket.file(FIRST)
    for hours, act in ((1, NOTE), (2, REQUEST), (48, Act("accept-information", STAFF, {})), (49, NOTE), (50, NOTE)):
        docket.act(number, act, FIRST + timedelta(hours=hours))
    with docket.app.store.read() as work:
        entries = work.entries(number)
    docket.close()
    connection = sqlite3.connect(docket.path, isolation_level=None)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF"):
        connection.execute(f"PRAGMA {pragma}")
    _copy(connection, number, entries, cases - 1)
    connection.close()
    return docket, cases * len(entries)


def _copy(connection: sqlite3.Connection, number: str, entries: tuple[Entry, ...], copies: int) -> None:
    names = [row[1] for row in connection.execute("PRAGMA table_info(case_file)")]
    model = dict(zip(names, connection.execute("SELECT * FROM case_file WHERE number = ?", (number,)).fetchone(), strict=True))
    columns = list(entry_values(entries[0]))
    quoted = ", ".join(f'"{name}"' for name in columns)
    connection.execute("BEGIN")
    for place in range(copies):
        request = f"{number.rsplit('-', 2)[0]}-{place + 1_000_000:07d}"
        made = list(_chain(entries, number.rpartition("-")[0], request))
        body = model["body"].replace(model["request"].encode(), request.encode()).replace(model["head"].encode(), made[-1].hash.encode())
        row = {**model, "number": f"{request}-1", "request": request, "head": made[-1].hash, "body": body}
        connection.execute(f"INSERT INTO case_file ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", [row[name] for name in names])
        connection.executemany(
            f"INSERT INTO entry ({quoted}) VALUES ({', '.join('?' * len(columns))})",
            [[_stored(value) for value in entry_values(entry).values()] for entry in made],
        )
    connection.execute("COMMIT")


def _chain(entries: tuple[Entry, ...], old: str, request: str) -> Iterator[Entry]:
    """The entries of a case under another number, hashed anew."""
    previous = entries[0].prev_hash
    for entry in entries:
        facts = json.loads(json.dumps(dict(entry.facts)).replace(old, request))
        made = sealed(replace(entry, case=entry.case.replace(old, request), facts=facts, prev_hash=previous))
        previous = made.hash
        yield made


def _stored(value: Any) -> Any:
    """A value as SQLite keeps it."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S.%f")
    return value.isoformat() if hasattr(value, "isoformat") else value
