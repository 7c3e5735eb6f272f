"""Lists as CSV: what a spreadsheet opens as text and never as a formula.

A cell that begins with a sign by which spreadsheets know a formula gets an apostrophe before it (OWASP, CSV injection); every
cell is quoted, so that a quote or a comma in a name opens no new cell. UTF-8 with its mark, since spreadsheets guess otherwise.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""By these, and their full-width forms, a spreadsheet takes a cell for a formula or begins a new one."""
COLUMNS = {
    "case": "Case",
    "request": "Request",
    "title": "Title",
    "county": "County",
    "workflow_title": "Service",
    "state_title": "State",
    "turn": "Turn",
    "target": "Target",
    "due": "Last day in law",
    "overdue": "Past the law's date",
    "held": "Held at some time",
    "assigned_to": "Whose work",
    "received_on": "Received",
    "decided_on": "Decided",
    "flags": "Flags",
    "tasks": "Tasks",
}


def safe(value: Any) -> str:
    """A value as the text of a cell that is no formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(SIGNS) else text


def lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """The file, a part for each row as it is read, so that a long list is never held whole."""
    buffer = io.StringIO(newline="")
    write = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow
    buffer.write("\ufeff")
    write(COLUMNS.values())
    for row in rows:
        if buffer.tell() > 16_000:
            yield _taken(buffer)
        told = {**row, **row["next"], "flags": "; ".join(row["flag_titles"])}
        write([safe(told[name]) for name in COLUMNS])
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()
