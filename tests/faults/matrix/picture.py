"""What a database holds of each case, in words that are the same for two runs that did the same: no salt, no hash, no time of the machine.

Read by the bare driver, so that no fault of the program hides in the reading. Whether the record is sound is asked of `verify` besides.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg

Picture = dict[str, dict[str, Any]]
"""By case, by table, what is there."""
ADDRESS = "address"
PARTS = {
    "case": "SELECT number, state, version, assigned_to, pack_version, next_due, next_target FROM case_file",
    "entry": 'SELECT "case", seq, action, actor_id, effective_on, from_state, to_state, facts, because, pack_version, calendar_version FROM entry ORDER BY seq',
    "timer": 'SELECT "case", clock, kind, action, due, at, round, status FROM timer ORDER BY clock, at, kind, action',
    "letter": 'SELECT "case", number, letter, status, content_hash FROM letter ORDER BY number',
    "copy": 'SELECT "case", id, status FROM letter_copy ORDER BY id',
    "document": 'SELECT "case", id, sha256 FROM document ORDER BY id',
    "limit": 'SELECT "case", limit_id, ordinal, seq FROM limit_use ORDER BY limit_id, ordinal',
    "command": 'SELECT "case", id FROM command ORDER BY id',
    "stub": 'SELECT "case", place, action FROM disposal',
}


def address(folder: Path) -> str:
    """Where the office of a folder keeps its record: at the address that a file in it names, or in `case.db`."""
    named = folder / ADDRESS
    return named.read_text() if named.exists() else f"sqlite:///{folder / 'case.db'}"


def opened(folder: Path, url: str = "") -> Any:
    """A connection to the database of that address, or of the folder, by the bare driver."""
    url = url or address(folder)
    return psycopg.connect(url.replace("+psycopg", "")) if url.startswith("postgresql") else sqlite3.connect(url.removeprefix("sqlite:///"))


def picture(folder: Path, url: str = "") -> Picture:
    """What the database of a folder, or of that address, holds, with the documents of the folder."""
    found: Picture = defaultdict(lambda: defaultdict(list))
    with closing(opened(folder, url)) as connection:
        for part, query in PARTS.items():
            for number, *values in connection.execute(query):
                found[number][part].append(values)
    for parts in found.values():
        for line in parts.get("document", ()):
            path = folder / "documents" / line[1][:2] / line[1][2:]
            line.append("whole" if path.is_file() and sha256(path.read_bytes()).hexdigest() == line[1] else "MISSING")
    plain: Picture = json.loads(json.dumps(found, default=str))
    return plain


def strayed(now: Picture, before: Picture, after: Picture) -> list[str]:
    """Cases that stand neither as they stood nor as they were to stand."""
    names = now.keys() | before.keys() | after.keys()
    return [f"{name}: {difference(now.get(name), after.get(name))}" for name in sorted(names) if now.get(name) not in (before.get(name), after.get(name))]


def difference(one: dict[str, Any] | None, other: dict[str, Any] | None) -> str:
    """Where two pictures of a case differ first."""
    if one is None or other is None:
        return "is there" if other is None else "is not there"
    for part in PARTS:
        if one.get(part) != other.get(part):
            return f"{part}: {_short(one.get(part), other.get(part))}"
    return "the same"


def _short(one: Any, other: Any) -> str:
    mine, its = one or [], other or []
    extra, lacking = [line for line in mine if line not in its], [line for line in its if line not in mine]
    return f"{len(mine)} lines instead of {len(its)}, too many {str(extra)[:160]}, lacking {str(lacking)[:160]}"
