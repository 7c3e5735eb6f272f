"""F3, F19, F20: a disk that is full, a change of the schema that dies half way, no handles for files, no connections, a lock that stays."""

from __future__ import annotations

import gc
import io
import random
import resource
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from caseflow.adapters.store import server as kind
from caseflow.adapters.store import sql
from caseflow.adapters.store.embedded import Embedded
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import Actor
from caseflow.errors import CaseflowError, StoreFault
from caseflow.services.documents import Given
from tests.faults.matrix.apart import apart
from tests.faults.matrix.disk import filled, gone, small
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import Points, death, forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.server import GIVEN, QUICK, Server
from tests.unit.pack_texts import sound

ANN = Actor("person", "ann", "staff")


@contextmanager
def limited(what: int, most: int) -> Iterator[None]:
    """A limit of this process while it lasts."""
    soft, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(what, (soft, hard))


def told(do: Callable[[], Any]) -> str:
    """What somebody is told: done, why not in words, or an error that is none of ours."""
    try:
        do()
        return "done"
    except CaseflowError as fault:
        return f"refused: {fault}"
    except Exception as broke:  # noqa: BLE001 - it is judged
        return f"BROKE: {type(broke).__name__}: {broke}"


DISK = 16 << 20
"""Bytes of a small disk."""


def _decide(app: Any, number: str) -> None:
    app.act(number, "decide", {"answer": "Yes."}, None, "ann:staff", None, None, False)


def full(folder: Path, trials: int, seed: int) -> Result:
    """Room for some kilobytes more on a small disk, or in any file: acts and uploads until it is used up, then room again, with no hand at
    the program."""
    result, luck, disks = Result(), random.Random(seed), 0
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for trial in range(trials):
        own = folder / f"trial{trial}"
        on_disk = trial % 4 != 3 and small(own, DISK)
        disks += on_disk
        packed_up(prepared(own, sound(), 6))
        app = office(own, "2026-03-05")
        numbers, said, found = list(app.store.numbers()), dict[str, str](), list[str]()
        room = luck.randrange(1_000, 400_000)
        with filled(own, room) if on_disk else limited(resource.RLIMIT_FSIZE, room):
            for number in numbers:
                said[number] = told(partial(_decide, app, number))
            upload = told(partial(app.documents.take_in, numbers[0], [Given("plan.txt", io.BytesIO(b"girth " * 12_000))], ANN))
        now = picture(own)
        for number, text in said.items():
            there = sum(line[1] == "decide" for line in now[number]["entry"]), sum(line[1] == "answer" for line in now[number]["letter"])
            if there != ((1, 1) if text == "done" else (0, 0)) or text.startswith("BROKE"):
                found.append(f"{number}: told '{text[:120]}', on the record {there}")
        if bool(now[numbers[0]].get("document")) != (upload == "done") or upload.startswith("BROKE"):
            found.append(f"upload: told '{upload[:120]}', on the record {now[numbers[0]].get('document')}")
        for number, text in said.items():
            after = told(partial(_decide, app, number)) if text != "done" else "done"
            found += [] if after == "done" else [f"{number}: with room again: {after[:120]}"]
        found += [f"verify: {one['text']}" for one in office(own, "2026-03-06").verify(None)["faults"]]
        result.add(sum(text != "done" for text in (*said.values(), upload)), found)
        app.store.engine.dispose()
        if on_disk:
            gone(own)
    result.note(f"{disks} times a small disk was full" if disks else "no disk may be mounted here: all by a limit on files")
    return result


def full_server(folder: Path, trials: int, seed: int) -> Result:
    """The same with the files of a server on the small disk: it refuses what it can't keep, lives on, and does it when there is room again."""
    result, luck, disk = Result(), random.Random(seed), folder / "disk"
    small(disk, SERVERS_DISK)
    folder.chmod(0o755)  # the server runs as another user
    server = Server((*QUICK, "max_wal_size=32MB", "min_wal_size=32MB"), disk)
    try:
        url = server.with_roles()
        _ = forked(lambda: packed_up(prepared(folder, sound(), EACH * trials, url=url)))
        app = office(folder, "2026-03-05", url)
        numbers = list(app.store.numbers())
        for trial in range(trials):
            own, said = numbers[trial * EACH : (trial + 1) * EACH], dict[str, str]()
            with filled(disk, luck.randrange(60_000)):
                for number in own:
                    said[number] = told(partial(_decide, app, number))
            now, found = picture(folder, url), list[str]()
            for number, text in said.items():
                there = sum(line[1] == "decide" for line in now[number]["entry"]), sum(line[1] == "answer" for line in now[number]["letter"])
                if there != ((1, 1) if text == "done" else (0, 0)) or text.startswith("BROKE"):
                    found.append(f"{number}: told '{text[:120]}', on the record {there}")
                after = told(partial(_decide, app, number)) if text != "done" else "done"
                found += [] if after == "done" else [f"{number}: with room again: {after[:120]}"]
            result.add(sum(text != "done" for text in said.values()), found)
        result.violations += [f"verify: {one['text']}" for one in office(folder, "2026-03-06", url).verify(None)["faults"]]
        app.store.close()
    finally:
        server.end()
        gone(disk)
    return result


EACH = 10
"""Acts of a trial."""
SERVERS_DISK = 160 << 20


def no_disk() -> str:
    """Why no disk of its own can be mounted."""
    if GIVEN is not None:
        return "the server that is given has its own disk"
    with tempfile.TemporaryDirectory(prefix="caseflow-disk-") as name:
        return "" if forked(lambda: small(Path(name), DISK)).answer else "no file system may be mounted here"


def said_done() -> None:
    """The planted fault: that the database refused is told to nobody."""
    begin = SqlStore.begin

    @contextmanager
    def silent(self: SqlStore) -> Iterator[Any]:
        try:
            with begin(self) as work:
                yield work
        except StoreFault:
            return

    SqlStore.begin = silent  # type: ignore[method-assign]


# --- F19 -------------------------------------------------------------------------------------------------------------


def upgraded(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """A database set up anew, killed at a statement, and set up again: nothing of it is there, or all of it."""
    result, luck = Result(), random.Random(seed)
    server = Server() if on_server else None
    kinds = ("execute", "commit", "committed")
    try:

        def address(name: str) -> str:
            return server.new() if server is not None else f"sqlite:///{folder / name}.db"

        _set_up(address("first"))  # by this process itself, so that its copies have everything at hand
        gc.collect()
        places = forked(partial(_set_up, address("counted")), Points(0, death, kinds)).reached
        for nth in sorted(luck.sample(range(1, places + 1), min(trials, places))):
            url = address(f"at{nth}")
            ended = forked(partial(_set_up, url), Points(nth, death, kinds))
            between = forked(partial(_version, url)).answer
            again = forked(partial(_set_up, url))
            found = [] if between in (None, sql.HEAD) else [f"place {nth} of {places}: it stands at {between}"]
            found += [f"place {nth} of {places}: set up again: {again.said or again.broke}"] if again.said or again.broke else []
            found += [] if forked(partial(_version, url)).answer == sql.HEAD else [f"place {nth}: it is not set up"]
            result.add(ended.killed, found)
            if server is not None:
                server.drop(url)
    finally:
        if server is not None:
            server.end()
    result.note(f"{places} places")
    return result


def _set_up(url: str) -> None:
    store = SqlStore(url)
    store.upgrade()
    store.close()


def _version(url: str) -> str | None:
    store = SqlStore(url)
    return store.versions()[0]


def step_by_step() -> None:
    """The planted fault: every statement of a change of the schema stands by itself."""

    @contextmanager
    def transaction(self: Embedded, _how: str) -> Iterator[Connection]:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection

    Embedded.transaction = transaction  # type: ignore[method-assign,assignment]


def pg_step_by_step() -> None:
    """The same on a server."""

    @contextmanager
    def transaction(self: kind.Server, _how: str) -> Iterator[Connection]:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection

    kind.Server.transaction = transaction  # type: ignore[method-assign,assignment]


# --- F20 -------------------------------------------------------------------------------------------------------------


def handles(folder: Path, trials: int, seed: int) -> Result:
    """No more files may be opened; and another process keeps the database locked. Each is told in words within seconds, and passes."""
    del seed
    result = Result()
    for trial in range(trials):
        own = folder / f"trial{trial}"
        packed_up(prepared(own, sound(), 1))
        number = next(iter(office(own, "2026-03-05").store.numbers()))
        found = []
        if trial % 2:
            app = office(own, "2026-03-05")
            app.library.all()
            with limited(resource.RLIMIT_NOFILE, 3):
                said, took = _timed(app, number)
        else:
            with closing(sqlite3.connect(own / "case.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                app = office(own, "2026-03-05")
                app.__dict__["store"] = SqlStore(app.database, BUSY[-1])
                app.__dict__.pop("office", None)
                said, took = _timed(app, number)
        found += [] if said.startswith("refused:") else [f"told '{said[:160]}'"]
        found += [] if took < SOON else [f"it took {took:.1f} s to say so"]
        after, _ = _timed(office(own, "2026-03-05"), number)
        found += [] if after == "done" else [f"when it had passed: {after[:160]}"]
        result.add(1, [f"{'no handles' if trial % 2 else 'locked'}: {text}" for text in found])
        app.store.engine.dispose()
    return result


BUSY = [0.3]
"""Seconds that are waited for a lock."""
SOON = 8.0
"""Seconds within which somebody is told, however slow the machine."""


def _timed(app: Any, number: str) -> tuple[str, float]:
    begun = time.monotonic()
    said = told(partial(_decide, app, number))
    return said, time.monotonic() - begun


def patient() -> None:
    """The planted fault: a lock is waited for without an end that anybody would see."""
    BUSY.append(SOON + 1)


IDLE = 200
"""Clients that hold a connection each and do nothing."""


def no_connection(folder: Path, trials: int, seed: int) -> Result:
    """Idle clients hold every connection that the server has."""
    import psycopg

    del seed
    result = Result()
    server = Server((f"max_connections={IDLE + 2}", "shared_buffers=32MB", "listen_addresses=", "superuser_reserved_connections=2", "fsync=off"))
    try:
        url = server.with_roles()
        _ = forked(lambda: packed_up(prepared(folder, sound(), trials, url=url)))
        before = office(folder, "2026-03-05", url)
        numbers = list(before.store.numbers())
        before.store.close()
        for number in numbers:
            app, held = office(folder, "2026-03-05", url), list[Any]()
            _alone(server, server.name_of(url))
            for _ in range(3):  # whoever has just gone may leave a place
                with suppress(psycopg.OperationalError):
                    while len(held) < IDLE:
                        held.append(psycopg.connect(url.replace("+psycopg", "")))
                time.sleep(0.1)
            said, took = _timed(app, number)
            for one in held:
                one.close()
            until = time.monotonic() + 60
            after = "not tried"
            while after != "done" and time.monotonic() < until:
                after, _ = _timed(app, number)
            found = [] if said.startswith("refused:") and took < SOON else [f"{number}: told '{said[:160]}' after {took:.1f} s"]
            found += [] if len(held) == IDLE else [f"{number}: only {len(held)} were held"]
            found += [] if after == "done" else [f"{number}: when there were some again: {after[:160]}"]
            result.add(len(held), found)
            app.store.close()
    finally:
        server.end()
    return result


def _alone(server: Server, database: str) -> None:
    """Waits until whoever has gone from a database has left its place to others."""
    asked = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'"  # noqa: S608 - a name of the tests
    until = time.monotonic() + 60
    while server.run(asked)[0][0] and time.monotonic() < until:
        time.sleep(0.02)


def raw() -> None:
    """The planted fault: what the database says is passed on as it is."""
    from contextlib import nullcontext

    sql.explained = nullcontext  # type: ignore[assignment]


ROWS = (
    apart("F3-full", "disk full under acts and uploads", "P1 P23", full, said_done, "the refusal is told to nobody", 2, 20),
    apart("F3-full-pg", "disk full under a PostgreSQL", "P1 P23", full_server, said_done, "the refusal is told to nobody", 0, 20, no_disk),
    apart(
        "F19-schema", "a change of the schema killed at a statement, SQLite", "P15", partial(upgraded, False), step_by_step, "each statement by itself", 3, 1000
    ),
    apart("F19-schema-pg", "a change of the schema killed, PostgreSQL", "P15", partial(upgraded, True), pg_step_by_step, "each statement by itself", 0, 80),
    apart("F20-handles", "no file handles; a lock that stays", "P1", handles, patient, "waits without end", 2, 20),
    apart("F20-crowded", f"{IDLE} idle clients hold every connection", "P1", no_connection, raw, "the error is passed on", 0, 20),
)
