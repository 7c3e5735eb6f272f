"""Damage to the record, done as the owner of the database could do it, with triggers, keys and checks out of the way.

Some of it leaves chains that fit: those can be found only by a checkpoint that was kept elsewhere. `python -m
tests.faults.damage N SEED` does each kind N times on copies of one record and prints what was found.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.verify import prepared
from caseflow.adapters.store.mapping import entry_values
from caseflow.adapters.store.sql import SqlStore
from caseflow.bootstrap import App
from caseflow.domain.case import NO_HASH, Entry
from caseflow.domain.journal import sealed

CASES, LONG = 8, 6
AFTER = "2027-03-01T09:00"
COVERED = (
    *("case", "seq", "recorded_at", "effective_on", "actor_kind", "actor_id", "actor_role", "action", "from_state", "to_state"),
    *("facts", "because", "cites", "pack_version", "calendar_version", "key", "prev_hash", "hash"),
)


def docket_of(folder: Path, cases: int) -> Path:
    """A database with so many sound cases of six entries."""
    docket, _ = prepared(folder, cases)
    docket.close()
    return docket.path


@dataclass(frozen=True)
class Record:
    """A sound database and the checkpoint of it that was kept elsewhere: with its list of cases, and as its line alone."""

    path: Path
    listed: Path
    line: Path
    key: Path

    def copy(self, folder: Path) -> Path:
        """Another database like it."""
        path = folder / "damaged.db"
        shutil.copyfile(self.path, path)
        return path


def record_of(folder: Path, cases: int = CASES) -> Record:
    """A record with a checkpoint over all of it."""
    path = docket_of(folder, cases)
    listed, line, key = folder / "checkpoint.txt", folder / "line.txt", folder / "key"
    app = App(f"sqlite:///{path}", at=AFTER, signing_key=str(key))
    app.make_checkpoint(str(listed))
    line.write_text(app.show_checkpoint(None, None)["text"])
    app.store.close()
    return Record(path, listed, line, key)


def found_in(path: Path, record: Record, checkpoint: Path | None, chain: bool = True) -> list[tuple[str, int, str]]:
    """What `verify` says of a database: case, entry, words."""
    app = App(f"sqlite:///{path}", at=AFTER, signing_key=str(record.key))
    try:
        return [(one["case"], one["seq"], one["text"]) for one in app.verify(None, chain=chain, checkpoint=str(checkpoint) if checkpoint else None)["faults"]]
    finally:
        app.store.engine.dispose()


# --- the damage ----------------------------------------------------------------------------------------------------

Names = list[tuple[str, int | None]]
"""Cases with the entry at which the damage must be named, None where any of the case will do."""


def owner(path: Path) -> sqlite3.Connection:
    """A connection to which nothing is refused."""
    connection = sqlite3.connect(path, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def flip(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """One bit of one column of one entry. A salt key of an entry without facts salts nothing, so that it is left alone."""
    case, seq = _any(connection, chance)
    facts = connection.execute('SELECT facts FROM entry WHERE "case" = ? AND seq = ?', (case, seq)).fetchone()[0]
    columns = [name for name in COVERED if name != "key" or facts != "{}"]
    while True:
        name = chance.choice(columns)
        value = connection.execute(f'SELECT "{name}" FROM entry WHERE "case" = ? AND seq = ?', (case, seq)).fetchone()[0]
        if value is not None and value != "":
            break
    if isinstance(value, int):
        connection.execute('UPDATE entry SET seq = ? WHERE "case" = ? AND seq = ?', (value ^ (1 << chance.randrange(8, 20)), case, seq))
        return [(case, None)]
    data = bytearray(value.encode())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    try:
        connection.execute(f'UPDATE entry SET "{name}" = CAST(? AS TEXT) WHERE "case" = ? AND seq = ?', (bytes(data), case, seq))
    except sqlite3.IntegrityError:  # the number of another case, whose entry of that place is there: the database itself refuses it
        return flip(connection, chance)
    return [(case, None if name == "case" else seq)]


def delete(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """One entry gone from the middle of a chain."""
    case, _ = _any(connection, chance)
    seq = chance.randrange(1, LONG)
    connection.execute('DELETE FROM entry WHERE "case" = ? AND seq = ?', (case, seq))
    return [(case, seq)]


def cut(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """The end of a chain gone, and the case made to fit what is left."""
    case, _ = _any(connection, chance)
    left = chance.randrange(1, LONG)
    connection.execute('DELETE FROM entry WHERE "case" = ? AND seq > ?', (case, left))
    head = connection.execute('SELECT hash FROM entry WHERE "case" = ? AND seq = ?', (case, left)).fetchone()[0]
    connection.execute("UPDATE case_file SET version = ?, head = ? WHERE number = ?", (left, head, case))
    return [(case, LONG)]


def swap(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """Two entries of a chain in each other's place."""
    case, _ = _any(connection, chance)
    one, two = sorted(chance.sample(range(1, LONG + 1), 2))
    for old, new in ((one, -1), (two, one), (-1, two)):
        connection.execute('UPDATE entry SET seq = ? WHERE "case" = ? AND seq = ?', (new, case, old))
    return [(case, one)]


def insert(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """An entry put in with an old date, those after it moved on, every hash after it made anew, and the case made to fit."""
    case, _ = _any(connection, chance)
    place = chance.randrange(2, LONG + 1)
    entries = _entries(connection, case)
    forged = replace(entries[place - 2], key="f" * 32, action="add-note", facts={"note": "called in time"})
    _rewrite(connection, case, [*entries[: place - 1], forged, *entries[place - 1 :]])
    return [(case, LONG)]


def rewrite(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """A whole chain with another reason, date or fact in it, and every hash made anew."""
    case, seq = _any(connection, chance)
    entries = _entries(connection, case)
    one = entries[seq - 1]
    other = [
        replace(one, because="as agreed"),
        replace(one, effective_on=one.effective_on - timedelta(days=1)),
        replace(one, facts={**one.facts, "note": "another"}),
        replace(one, recorded_at=one.recorded_at - timedelta(hours=5)),
    ]
    _rewrite(connection, case, [*entries[: seq - 1], chance.choice(other), *entries[seq:]])
    return [(case, LONG)]


def remove(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """A case gone with everything that belongs to it."""
    case, _ = _any(connection, chance)
    for table, column in (("entry", "case"), ("timer", "case"), ("letter_copy", "case"), ("letter", "case"), ("limit_use", "case"), ("case_file", "number")):
        connection.execute(f'DELETE FROM {table} WHERE "{column}" = ?', (case,))
    return [(case, LONG)]


def plant(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """A case that never was, with dates of long ago, its chain in order."""
    case, _ = _any(connection, chance)
    entries, new = _entries(connection, case), f"WD-2026-{chance.randrange(90000, 99999)}-1"
    names = [row[1] for row in connection.execute("PRAGMA table_info(case_file)")]
    row = dict(zip(names, connection.execute("SELECT * FROM case_file WHERE number = ?", (case,)).fetchone(), strict=True))
    body = row["body"].replace(case.rpartition("-")[0].encode(), new.rpartition("-")[0].encode())
    connection.execute(
        f"INSERT INTO case_file ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        [{**row, "number": new, "request": new[:-2], "body": body}[name] for name in names],
    )
    _rewrite(connection, new, [replace(entry, case=new) for entry in entries])
    return [(new, 1)]


def append(connection: sqlite3.Connection, chance: random.Random) -> Names:
    """One more entry at the end of a chain that says that it was recorded long ago."""
    case, _ = _any(connection, chance)
    entries = _entries(connection, case)
    _rewrite(connection, case, [*entries, replace(entries[-1], facts={"note": "said so then"}, recorded_at=entries[-1].recorded_at + timedelta(minutes=1))])
    return [(case, LONG + 1)]


@dataclass(frozen=True)
class Kind:
    """A kind of damage. `fits`: the chains fit afterwards, so that only a checkpoint finds it."""

    title: str
    work: Callable[[sqlite3.Connection, random.Random], Names]
    fits: bool


KINDS = (
    Kind("a bit flipped in any column", flip, False),
    Kind("an entry deleted", delete, False),
    Kind("two entries swapped", swap, False),
    Kind("the tail cut, the case made to fit", cut, True),
    Kind("an entry put in with an old date, hashes made anew", insert, True),
    Kind("a whole chain written anew", rewrite, True),
    Kind("a case removed", remove, True),
    Kind("a case put in with old dates", plant, True),
    Kind("an entry put at the end with an old date", append, True),
)


def _any(connection: sqlite3.Connection, chance: random.Random) -> tuple[str, int]:
    numbers = [row[0] for row in connection.execute("SELECT number FROM case_file ORDER BY number")]
    return chance.choice(numbers), chance.randrange(1, LONG + 1)


def _entries(connection: sqlite3.Connection, case: str) -> Sequence[Entry]:
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    store = SqlStore(f"sqlite:///{path}")
    with store.read() as work:
        entries = work.entries(case)
    store.engine.dispose()
    return entries


def _rewrite(connection: sqlite3.Connection, case: str, entries: Sequence[Entry]) -> None:
    """Writes a chain anew: numbers, links and hashes in order, and the case made to fit."""
    connection.execute('DELETE FROM entry WHERE "case" = ?', (case,))
    previous = NO_HASH
    for seq, entry in enumerate(entries, 1):
        made = sealed(replace(entry, seq=seq, prev_hash=previous))
        previous, values = made.hash, entry_values(made)
        kept = [_kept(value) for value in values.values()]
        connection.execute(f"INSERT INTO entry ({', '.join(map(_quoted, values))}) VALUES ({', '.join('?' * len(kept))})", kept)
    connection.execute("UPDATE case_file SET version = ?, head = ? WHERE number = ?", (len(entries), previous, case))


def _quoted(name: str) -> str:
    return f'"{name}"'


def _kept(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return value.isoformat() if hasattr(value, "isoformat") else value


# --- trials --------------------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """What one damage came to: where it must be named, and what was said without a checkpoint, with its list, and with its line."""

    names: Names
    alone: list[tuple[str, int, str]]
    listed: list[tuple[str, int, str]]
    line: list[tuple[str, int, str]]

    def named(self, said: list[tuple[str, int, str]]) -> bool:
        """Whether each place is named by case and number."""
        return all(any(case == name and seq in (None, number) for name, number, _ in said) for case, seq in self.names)


def trial(record: Record, kind: Kind, seed: int, folder: Path) -> Trial:
    """Damages a copy of a record and verifies it."""
    path = record.copy(folder)
    with closing(owner(path)) as connection:
        names = kind.work(connection, random.Random(f"{kind.title} {seed}"))
    return Trial(names, found_in(path, record, None), found_in(path, record, record.listed), found_in(path, record, record.line))


def main() -> int:
    """Many trials of each kind; exit 1 where one was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.damage", description=__doc__)
    parser.add_argument("trials", type=int, nargs="?", default=20, metavar="N")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED")
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="caseflow-damage-") as name:
        folder = Path(name)
        record = record_of(folder)
        print(f"{'fault':52} {'trials':>6} {'found':>6} {'named':>6} {'chain alone':>11} {'seconds':>8}")
        for kind in KINDS:
            began = time.perf_counter()
            made = [trial(record, kind, asked.seed + place, folder) for place in range(asked.trials)]
            found = sum(bool(one.listed) and bool(one.line) for one in made)
            named = sum(one.named(one.listed) and one.named(one.line) for one in made)
            alone = sum(bool(one.alone) for one in made)
            failed += asked.trials - named + (alone if kind.fits else asked.trials - alone)
            print(f"{kind.title:52} {asked.trials:6} {found:6} {named:6} {alone:11} {time.perf_counter() - began:8.1f}")
        sound = sum(not found_in(record.path, record, record.listed) for _ in range(asked.trials))
        print(f"{'no damage: no alarm':52} {asked.trials:6} {sound:6}")
    failed += asked.trials - sound
    print(f"seed {asked.seed}: {'every damage was named' if not failed else f'{failed} MISSED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
