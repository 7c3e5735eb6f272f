"""The base of the peers: the standard driver and no library."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from benchmarks.peers.common import AFTER, AT, STATES, Steps, chained

TABLES = """
CREATE TABLE kase (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, head TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE journal (kase INTEGER, seq INTEGER, at TEXT, actor TEXT, src TEXT, dst TEXT, facts TEXT, prev TEXT, hash TEXT, PRIMARY KEY (kase, seq));
"""


def opened(folder: str, cases: int, body: str) -> sqlite3.Connection:
    """A database with so many cases, as durable as caseflow's."""
    connection = sqlite3.connect(Path(folder, "bare.db"), isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.executescript(TABLES)
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO kase VALUES (?, ?, 1, '', ?)", [(place, STATES[place % len(STATES)], body) for place in range(cases)])
    connection.execute("COMMIT")
    return connection


def advance(connection: sqlite3.Connection, place: int) -> None:
    """One step of a case, within the transaction that is open."""
    run = connection.execute
    state, version, head, body = run("SELECT state, version, head, body FROM kase WHERE id = ?", (place,)).fetchone()
    made = chained(head, place, version + 1, state, AFTER[state])
    run("UPDATE kase SET state = ?, version = version + 1, head = ?, body = ? WHERE id = ? AND version = ?", (AFTER[state], made, body, place, version))
    run("INSERT INTO journal VALUES (?, ?, ?, 'bo', ?, ?, '{\"note\": \"A word.\"}', ?, ?)", (place, version + 1, AT, state, AFTER[state], head, made))


def steps(folder: str, cases: int, body: str) -> Steps:
    """A transaction a step."""
    connection = opened(folder, cases, body)

    def step(place: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        advance(connection, place)
        connection.execute("COMMIT")

    return step
