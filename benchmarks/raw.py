"""The base: the standard driver writes the rows that the engine wrote, byte for byte, and decides nothing.

What the engine changed is read out of its database after its round; the base, on a copy from before, reads the same
cases and writes just these rows, with the same journal mode, durability, foreign keys and lock.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from caseflow.adapters.letters.marks import held, set_down
from caseflow.adapters.letters.shown import FILTERS, final

TABLES = {"case_file": "number", "entry": "case", "limit_use": "case", "timer": "case", "letter": "case", "letter_copy": "case"}
KEYS = {
    "case_file": ("number",),
    "entry": ("case", "seq"),
    "limit_use": ("case", "limit_id", "ordinal"),
    "timer": ("id",),
    "letter": ("number",),
    "letter_copy": ("id",),
}
_INCLUDE = re.compile(r"(?:^[ \t]*)?\{%-?\s*include\s+\"([^\"]+)\"\s*-?%\}\n?", re.M)
DUE = "SELECT id, \"case\", clock, kind, action, due, at, round FROM timer WHERE status = 'open' AND at <= ? ORDER BY at, id LIMIT ?"


def connect(path: Path) -> sqlite3.Connection:
    """A connection as safe as the engine's."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def emptied(connection: sqlite3.Connection) -> None:
    """Writes the journal into the file, so that both sides begin with an empty one and write it back as often."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@dataclass
class Written:
    """What one case gained: statements, each with its rows of values."""

    case: str
    statements: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)


def changes(ours: Any, base: Any, numbers: Sequence[str], mark: str = "?") -> list[Written]:
    """The fewest statements that make the base's rows of these cases equal to ours. `mark`: the driver's word for a value."""
    return [_changes(ours, base, number, mark) for number in numbers]


def _changes(ours: Any, base: Any, number: str, mark: str) -> Written:
    found = Written(number)
    for table, owner in TABLES.items():
        columns, after = _rows(ours, table, owner, number, mark)
        _, before = _rows(base, table, owner, number, mark)
        for key, row in after.items():
            if key not in before:
                sql = f"INSERT INTO {table} ({', '.join(map(_quoted, columns))}) VALUES ({', '.join([mark] * len(columns))})"
                found.statements.setdefault(sql, []).append(row)
            elif row != before[key]:
                moved = [place for place, value in enumerate(row) if value != before[key][place]]
                where = " AND ".join(f"{_quoted(name)} = {mark}" for name in KEYS[table])
                sql = f"UPDATE {table} SET {', '.join(f'{_quoted(columns[place])} = {mark}' for place in moved)} WHERE {where}"
                found.statements.setdefault(sql, []).append((*(row[place] for place in moved), *key))
        if before.keys() - after.keys():
            raise AssertionError(f"{table} lost rows of {number}")
    return found


def _rows(connection: Any, table: str, owner: str, number: str, mark: str) -> tuple[list[str], dict[tuple[Any, ...], tuple[Any, ...]]]:
    cursor = connection.execute(f"SELECT * FROM {table} WHERE {_quoted(owner)} = {mark}", (number,))
    columns = [item[0] for item in cursor.description]
    places = [columns.index(name) for name in KEYS[table]]
    return columns, {tuple(row[place] for place in places): row for row in cursor}


def _quoted(name: str) -> str:
    return f'"{name}"'


def write_each(base: sqlite3.Connection, work: Sequence[Written], render: Callable[[int], object] | None = None) -> None:
    """One transaction a case: read it, render its letter where it has one, write it."""
    run = base.execute
    for place, one in enumerate(work):
        run("BEGIN IMMEDIATE")
        run("SELECT body FROM case_file WHERE number = ?", (one.case,)).fetchone()
        if render is not None:
            render(place)
        for sql, values in one.statements.items():
            for row in values:
                run(sql, row)
        run("COMMIT")


def sweep(base: sqlite3.Connection, until: str, work: dict[str, Written], batch: int) -> int:
    """A batch a transaction: read what is due and its cases, then write with a few executemany."""
    done = 0
    while True:
        base.execute("BEGIN IMMEDIATE")
        due = base.execute(DUE, (until, batch)).fetchall()
        cases = [row[1] for row in due]
        if cases:
            base.execute(f"SELECT body FROM case_file WHERE number IN ({', '.join('?' * len(cases))})", cases).fetchall()
        together: dict[str, list[tuple[Any, ...]]] = {}
        for case in cases:
            for sql, values in work[case].statements.items():
                together.setdefault(sql, []).extend(values)
        for sql, values in together.items():
            base.executemany(sql, values)
        base.execute("COMMIT")
        done += len(due)
        if not due:
            return done


def template(files: Any, letter: str) -> Callable[[Any], str]:
    """The letter's own template in a plain environment with the same filters: no sandbox, no bounds, no hashes."""
    environment = Environment(undefined=StrictUndefined, autoescape=True, finalize=final, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    environment.filters.update(FILTERS)
    whole = re.sub(r"\A---\n.*?\n---\n", "", files[f"templates/{letter}.md"], flags=re.S)
    made = environment.from_string(held(_joined(files, whole)))
    return lambda view: re.sub(r"\n{3,}", "\n\n", set_down(made.render(view))).strip() + "\n"


def _joined(files: Any, text: str) -> str:
    return _INCLUDE.sub(lambda found: _joined(files, files[f"templates/{found[1]}"]), text)
