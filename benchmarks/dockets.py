"""Databases to measure on: real cases filed through the services, and copies of them where many are open."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from caseflow.bootstrap import App
from caseflow.domain.case import Act, Actor
from caseflow.services import acting, filing
from caseflow.services.office import Office

WORKFLOW = "navigability-confirmation"
REQUESTER = Actor("person", "ann", "requester")
STAFF = Actor("person", "bo", "staff")
NOTE = Act("add-note", STAFF, {"note": "The requester called about the boundary."})
REQUEST = Act("request-information", STAFF, {"items": ["NAV-e"]})


@dataclass
class Docket:
    """A database file and the services on it. `url`: a database on a server in place of the file."""

    path: Path
    url: str = ""

    def __post_init__(self) -> None:
        self.url = self.url or f"sqlite:///{self.path}"

    @cached_property
    def app(self) -> App:
        """The services."""
        return App(self.url, maildrop=str(self.path.with_suffix(".mail")))

    @cached_property
    def request(self) -> Mapping[str, Any]:
        """A valid request that lacks nothing."""
        return self.app.read_yaml(str(self.app.library.folder_of(WORKFLOW) / "samples" / WORKFLOW / "complete.yaml"))

    def office(self, moment: datetime) -> Office:
        """The services' parts at a moment."""
        return replace(self.app.office, now=lambda: moment)

    def file(self, moment: datetime) -> str:
        """Files one case; the answer is its number."""
        return filing.file(self.office(moment), {**self.request, "filed": moment}, REQUESTER)[0].number

    def act(self, number: str, asked: Act, moment: datetime) -> None:
        """One action."""
        acting.act(self.office(moment), number, asked)

    def close(self) -> None:
        """Lets the file go, with everything in it."""
        self.app.store.engine.dispose()
        if not self.url.startswith("sqlite"):
            return
        with sqlite3.connect(self.path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def twin(self) -> Path:
        """A copy of the file, for the base."""
        self.close()
        path = self.path.with_suffix(".base.db")
        shutil.copyfile(self.path, path)
        return path


def new_docket(folder: Path, name: str) -> Docket:
    """An empty database."""
    docket = Docket(folder / f"{name}.db")
    docket.app.store.upgrade()
    return docket


def copy_cases(docket: Docket, numbers: Mapping[str, Sequence[int]]) -> dict[str, list[str]]:
    """Copies cases with their timers under so many new numbers each, in the order of the numbers; answers the new names."""
    docket.close()
    connection = sqlite3.connect(docket.path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-400000"):
        connection.execute(f"PRAGMA {pragma}")
    models = {model: _model(connection, model) for model in numbers}
    places = sorted((place, model) for model, mine in numbers.items() for place in mine)
    made: dict[str, list[str]] = {model: [] for model in numbers}
    connection.execute("BEGIN")
    for table in ("case_file", "timer"):
        names = sorted(models[places[0][1]][table][0].keys() - {"id"})
        columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join(f":{name}" for name in names)
        connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", _copies(models, table, places))
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.close()
    for place, model in places:
        made[model].append(_name(model, place))
    return made


def _name(model: str, place: int) -> str:
    return f"{_request(model, place)}-1"


def _request(model: str, place: int) -> str:
    return f"{model.rsplit('-', 2)[0]}-{place + 1_000_000:07d}"


def _model(connection: sqlite3.Connection, number: str) -> dict[str, list[dict[str, Any]]]:
    cases = connection.execute("SELECT * FROM case_file WHERE number = ?", (number,))
    timers = connection.execute("""SELECT * FROM timer WHERE "case" = ? ORDER BY id""", (number,))
    return {"case_file": [dict(row) for row in cases], "timer": [dict(row) for row in timers]}


def _copies(models: Mapping[str, Mapping[str, list[dict[str, Any]]]], table: str, places: Sequence[tuple[int, str]]) -> Iterator[dict[str, Any]]:
    for place, model in places:
        name, request = _name(model, place), _request(model, place)
        for row in models[model][table]:
            if table == "timer":
                yield {**row, "case": name}
            else:
                body = row["body"].replace(row["request"].encode(), request.encode())
                yield {**row, "number": name, "request": request, "body": body}
