"""DBOS on SQLite: a step of a durable workflow. It also keeps how far a workflow has come, which crash resumption needs there."""

from __future__ import annotations

import logging
from pathlib import Path

from benchmarks.peers.bare import advance, opened
from benchmarks.peers.common import Steps


def steps(folder: str, cases: int, body: str) -> Steps:
    """A workflow of one step, which writes the case by the standard driver."""
    from dbos import DBOS

    logging.disable(logging.CRITICAL)
    connection = opened(folder, cases, body)
    url = f"sqlite:///{Path(folder, 'dbos.db')}"
    DBOS(config={"name": "peers", "system_database_url": url, "log_level": "CRITICAL", "run_admin_server": False})

    @DBOS.step()  # type: ignore[untyped-decorator,unused-ignore]
    def write(place: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        advance(connection, place)
        connection.execute("COMMIT")

    @DBOS.workflow()  # type: ignore[untyped-decorator,unused-ignore]
    def step(place: int) -> None:
        write(place)

    DBOS.launch()
    return step
