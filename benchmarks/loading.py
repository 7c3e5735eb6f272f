"""Large dockets in seconds: cases that the services made, each of six entries, written again under other numbers.

A case is filed, acted on and written to once, by the domain and the dispatcher themselves; a copy has another number and with it
other texts, digests and hashes, computed as the record computes them. `caseflow verify` finds nothing to say of the copies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from benchmarks.dockets import NOTE, REQUEST, Docket
from caseflow.domain import journal
from caseflow.domain.case import NO_HASH, Entry
from caseflow.services.dispatching import dispatch

ENTRIES = 6
KINDS = 8
"""So many cases are made by the services, each of another day."""
TABLES = {
    "case_file": "number",
    "entry": "case",
    "limit_use": "case",
    "timer": "case",
    "letter": "case",
    "letter_copy": "case",
}
"""What is copied, the table that others refer to first, with the column that holds the number of the case."""
BATCH = 500
Progress = Callable[[int, int], None]


def untold(_done: int, _of: int) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class Model:
    """A case that was made: its rows by table as the driver gives them, and its entries."""

    number: str
    request: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Docketful:
    """What was loaded: the numbers of the cases that wait, of those in which a timer is due, and of those whose letter may leave."""

    waiting: Sequence[str]
    due: Sequence[str]
    owed: Sequence[str] = ()


def fill(docket: Docket, cases: int, now: datetime, due: int = 0, owed: int = 0, tell: Progress = untold) -> Docketful:
    """Fills an empty docket with so many cases of six entries. In `due` of them the answer of the applicant is overdue, which owes a
    letter; of `owed` the acknowledgment may leave and has not; in the others nothing is due for at least four days after `now`."""
    kinds = [
        [made(docket, now - timedelta(days=2, hours=place), held=place % 2 == 0) for place in range(KINDS)],
        [made(docket, now - timedelta(days=45, hours=place), held=True) for place in range(2)] if due else [],
        [made(docket, now - timedelta(days=3, hours=place), held=False, sent=False) for place in range(2)] if owed else [],
    ]
    with docket.app.store.read() as work:
        entries = {number: work.entries(number) for kind in kinds for number in kind}
    docket.close()
    total = cases - len(entries)
    late, unsent = _spread(total, due - len(kinds[1]), 0), _spread(total, owed - len(kinds[2]), 1)
    which = [1 if place in late else 2 if place in unsent else 0 for place in range(total)]
    with closing(Raw(docket)) as raw:
        models = [[raw.model(number, entries[number]) for number in kind] for kind in kinds]
        names = raw.write((models[which[place]], place) for place in _shown(total, tell))
    found = [[*kind, *(name for name, of in zip(names, which, strict=True) if of == number)] for number, kind in enumerate(kinds)]
    return Docketful(*found)


def _spread(total: int, wanted: int, by: int) -> set[int]:
    """So many places of all, evenly, each `by` after where it would lie: two spreads of up to a half do not meet."""
    return {min(place * total // wanted + by, total - 1) for place in range(max(0, wanted))}


def _shown(cases: int, tell: Progress) -> Iterator[int]:
    for place in range(cases):
        if place % 5_000 == 0:
            tell(place, cases)
        yield place
    tell(cases, cases)


def made(docket: Docket, first: datetime, held: bool, sent: bool = True) -> str:
    """A case of six entries: filed and acknowledged, worked on, and where `held` it waits for an answer; its letters are sent or still wait."""
    number = docket.file(first)
    steps = [REQUEST, NOTE] if held else [NOTE, NOTE]
    for place, asked in enumerate([NOTE, *steps]):
        moment = first + timedelta(hours=4 * place + 1)
        if sent:
            _send(docket, moment)
        docket.act(number, asked, moment)
    last = first + timedelta(hours=20)
    if sent:
        _send(docket, last)
    with docket.app.store.read() as work:
        short = ENTRIES - len(work.entries(number))
    for place in range(short):
        docket.act(number, NOTE, last + timedelta(minutes=place + 1))
    if short < 0:
        raise AssertionError(f"{number} has {-short} entries too many")
    return number


def _send(docket: Docket, moment: datetime) -> None:
    """Sends what is owed. No PDF files: of a letter that has left, the record keeps the words and their hash."""
    dispatch(replace(docket.office(moment), with_pdf=False), moment, at_once=True)


class Raw:
    """The docket's database, written by its own driver: SQLite's, or psycopg."""

    def __init__(self, docket: Docket) -> None:
        self.mark = "?" if docket.url.startswith("sqlite") else "%s"
        self.connection: Any
        if self.mark == "?":
            self.connection = sqlite3.connect(docket.path, isolation_level=None)
            for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-400000"):
                self.connection.execute(f"PRAGMA {pragma}")
        else:
            import psycopg

            self.connection = psycopg.connect(docket.url.replace("+psycopg", ""), autocommit=True)

    def close(self) -> None:
        """Lets the database go, as it should be found."""
        self.connection.execute("PRAGMA journal_mode=WAL" if self.mark == "?" else "ANALYZE")
        self.connection.close()

    def model(self, number: str, entries: Sequence[Entry]) -> Model:
        """A case with everything that is copied of it."""
        rows = {table: self._rows(table, owner, number) for table, owner in TABLES.items()}
        return Model(number, str(rows["case_file"][0]["request"]), rows, entries)

    def _rows(self, table: str, owner: str, number: str) -> list[dict[str, Any]]:
        cursor = self.connection.execute(f'SELECT * FROM {table} WHERE "{owner}" = {self.mark}', (number,))
        names = [column[0] for column in cursor.description]
        return [{name: value for name, value in zip(names, row, strict=True) if (table, name) != ("timer", "id")} for row in cursor.fetchall()]

    def write(self, wanted: Iterator[tuple[Sequence[Model], int]]) -> list[str]:
        """Writes a copy of one of the models for each place; the answer is the numbers."""
        copiers: dict[str, Copier] = {}
        waiting: dict[str, list[Sequence[Any]]] = {table: [] for table in TABLES}
        names: list[str] = []
        for models, place in wanted:
            model = models[place % len(models)]
            if model.number not in copiers:
                copiers[model.number] = Copier(model)
            names.append(copiers[model.number].copy(place + 1_000_000, waiting))
            if len(names) % BATCH == 0:
                self._flush(waiting, copiers)
        self._flush(waiting, copiers)
        return names

    def _flush(self, waiting: dict[str, list[Sequence[Any]]], copiers: Mapping[str, Copier]) -> None:
        if not copiers:
            return
        columns = {table: next((one.columns[table] for one in copiers.values() if one.columns[table]), ()) for table in TABLES}
        self.connection.execute("BEGIN")
        cursor = self.connection.cursor()
        for table, rows in waiting.items():
            if rows:
                listed = ", ".join(f'"{name}"' for name in columns[table])
                cursor.executemany(f"INSERT INTO {table} ({listed}) VALUES ({', '.join([self.mark] * len(columns[table]))})", rows)
                rows.clear()
        self.connection.execute("COMMIT")


class Copier:
    """Writes one case again under other numbers. What does not change with the number is worked out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.columns = {table: tuple(rows[0]) if rows else () for table, rows in model.rows.items()}
        self._old = model.request
        self._chain = [Link(entry, model.request) for entry in model.entries]
        self._rows = {table: [[_pieces(value, model.request) for value in row.values()] for row in rows] for table, rows in model.rows.items()}
        self._heads = model.entries[-1].hash
        self._check()

    def _check(self) -> None:
        """Under its own number the case must come out as it is: hashes and all."""
        again: dict[str, list[Sequence[Any]]] = {table: [] for table in TABLES}
        self._into(self.model.request, again)
        for table, rows in self.model.rows.items():
            if [list(row.values()) for row in rows] != [list(row) for row in again[table]]:
                raise AssertionError(f"{table} of {self.model.number} was not copied as it is")

    def copy(self, place: int, into: dict[str, list[Sequence[Any]]]) -> str:
        """Adds the rows of a copy; the answer is its number."""
        request = f"{self._old.rpartition('-')[0]}-{place:07d}"
        self._into(request, into)
        return self.model.number.replace(self._old, request)

    def _into(self, request: str, into: dict[str, list[Sequence[Any]]]) -> None:
        hashes, previous = [], NO_HASH
        for link in self._chain:
            made = link.hash(request, previous)
            hashes.append((previous, made))
            previous = made
        for table, rows in self._rows.items():
            names = self.columns[table]
            for row in rows:
                values = [request.join(value) if type(value) is list else value(request) if callable(value) else value for value in row]
                if table == "entry":
                    before, own = hashes[values[names.index("seq")] - 1]
                    values[names.index("prev_hash")], values[names.index("hash")] = before, own
                elif table == "case_file":
                    values[names.index("head")] = previous
                    body = names.index("body")
                    values[body] = values[body].replace(self._heads.encode(), previous.encode())
                elif table == "letter":
                    values[names.index("content_hash")] = sha256(values[names.index("markdown")].encode()).hexdigest()
                into[table].append(values)


class Link:
    """An entry of which only the number and the link change: its hash under another number."""

    def __init__(self, entry: Entry, request: str) -> None:
        covered = {**journal.members(entry), "prev_hash": "<link>", "facts_digest": "<digest>"}
        self._text = journal.canonical(covered).decode().split(request)
        self._facts = [self._fact(entry, name, request) for name in sorted(entry.facts)]

    @staticmethod
    def _fact(entry: Entry, name: str, request: str) -> Callable[[str], str]:
        """What stands in the digest for a fact: the same under every number, or worked out anew where it names the case."""
        salt, quoted = journal.fact_salt(entry.key, name), journal.canonical(name).decode()
        pieces = journal.canonical(entry.facts[name]).decode().split(request)
        if len(pieces) == 1:
            fixed = f'{quoted}:"{journal.fact_hash(salt, entry.facts[name])}"'
            return lambda other: fixed  # noqa: ARG005 - the number plays no part
        return lambda other: f'{quoted}:"{sha256((salt + other.join(pieces)).encode()).hexdigest()}"'

    def hash(self, request: str, previous: str) -> str:
        """The hash of the entry of that request, after that entry."""
        digest = sha256(f"{{{','.join(fact(request) for fact in self._facts)}}}".encode()).hexdigest()
        return sha256(request.join(self._text).replace("<link>", previous).replace("<digest>", digest).encode()).hexdigest()


def _pieces(value: Any, old: str) -> Any:
    """A value ready to be given another number: text as a list of its pieces, bytes as what joins them, else as it is."""
    if isinstance(value, str) and old in value:
        return value.split(old)
    if isinstance(value, (bytes, memoryview)) and old.encode() in bytes(value):
        parts = bytes(value).split(old.encode())
        return lambda request: request.encode().join(parts)
    return value
