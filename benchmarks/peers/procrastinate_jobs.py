"""procrastinate: a job of a queue on PostgreSQL does the step. Without PEER_POSTGRES, the address of a server, it does not run."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

from benchmarks.peers.common import AFTER, AT, STATES, Steps, chained

TABLES = """
DROP TABLE IF EXISTS peer_journal, peer_case;
CREATE TABLE peer_case (id bigint PRIMARY KEY, state text NOT NULL, version int NOT NULL, head text NOT NULL, body text NOT NULL);
CREATE TABLE peer_journal (kase bigint, seq int, at text, actor text, src text, dst text, facts text, prev text, hash text, PRIMARY KEY (kase, seq));
"""


def steps(folder: str, cases: int, body: str) -> Steps:  # noqa: ARG001 - it keeps nothing in a folder
    """A job is put into the queue and a worker does it; the step is the two."""
    import procrastinate
    import psycopg

    address = os.environ.get("PEER_POSTGRES")
    if not address:
        raise ImportError("no PostgreSQL is named", name="PEER_POSTGRES")
    logging.disable(logging.CRITICAL)
    connection = psycopg.connect(address, autocommit=True)
    connection.execute(TABLES)
    with connection.cursor() as cursor, connection.transaction():
        rows = [(place, STATES[place % len(STATES)], body) for place in range(cases)]
        cursor.executemany("INSERT INTO peer_case VALUES (%s, %s, 1, '', %s)", rows)
    puts = procrastinate.App(connector=procrastinate.SyncPsycopgConnector(conninfo=address))
    does = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=address, min_size=1, max_size=3))
    loop = asyncio.new_event_loop()

    @does.task(name="advance")
    def _advance(place: int) -> None:
        advance(connection, place)

    @puts.task(name="advance")
    def put(place: int) -> None: ...

    puts.open()
    puts.schema_manager.apply_schema()
    loop.run_until_complete(does.open_async())

    def step(place: int) -> None:
        put.defer(place=place)
        loop.run_until_complete(does.run_worker_async(wait=False, concurrency=1, listen_notify=False, install_signal_handlers=False))

    return step


def advance(connection: Any, place: int) -> None:
    """One step of a case on PostgreSQL."""
    with connection.transaction():
        run = connection.execute
        state, version, head, body = run("SELECT state, version, head, body FROM peer_case WHERE id = %s FOR UPDATE", (place,)).fetchone()
        made = chained(head, place, version + 1, state, AFTER[state])
        run("UPDATE peer_case SET state = %s, version = version + 1, head = %s, body = %s WHERE id = %s", (AFTER[state], made, body, place))
        given = (place, version + 1, AT, state, AFTER[state], '{"note": "A word."}', head, made)
        run("INSERT INTO peer_journal VALUES (%s, %s, %s, 'bo', %s, %s, %s, %s, %s)", given)
