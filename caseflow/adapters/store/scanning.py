"""The whole record read in order, a stretch of cases at a time, as the driver gives it; and one case entry by entry, however damaged.

What SQLite keeps as a text may be none any more: damage must be named, and must not end the reading.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, LargeBinary, Select, bindparam, cast, func, literal_column, or_, select, union_all
from sqlalchemy.exc import DBAPIError

from caseflow.adapters.store import mapping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.prepared import Prepared
from caseflow.adapters.store.tables import keeping as t
from caseflow.domain.case import Actor, Entry
from caseflow.domain.chain import MOST, NO_FACTS, Head, Link, Part, Range, part_of, text_digest, text_hash
from caseflow.domain.checkpoints import Standing
from caseflow.domain.journal import moment_text
from caseflow.errors import RecordFault

STRETCH = 500
"""Cases that are read together: few enough to lie in the memory, many enough that asking for them costs nothing."""
LAST = "\U0010ffff"
"""Behind every number."""
_C, _E = s.CASE.c, s.ENTRY.c
_REST = (_E.action, _E.actor_kind, _E.actor_id, _E.actor_role, _E.from_state, _E.to_state, _E.pack_version, _E.calendar_version, _E.cites)
_split = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_plain = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="sorted").encode


def _entries(facts: Any, *where: Any) -> Select[Any]:
    first = (_E.case, _E.seq, _E.prev_hash, _E.hash, _E.key, facts, _E.recorded_at, _E.effective_on, _E.because)
    return select(*first, *_REST).where(*where).order_by(_E.case, _E.seq)


def _prepared(*where: Any) -> Prepared:
    """Entries with their facts as bytes."""
    return Prepared(
        _entries(cast(_E.facts, LargeBinary), *where), {"postgresql": lambda _: _entries(func.convert_to(_E.facts, literal_column("'UTF8'")), *where)}
    )


_scan = _prepared(_E.case > bindparam("after"), _E.case <= bindparam("until"))
_scan_one = _prepared(_E.case == bindparam("wanted"))
# What the head of a case is, is said here and nowhere else: by its row, or, once it was disposed of, by the stub that stands for it,
# an entry that names the hash of the last one that was there.
_D: Any = t.DisposalRow.__table__.c  # type: ignore[attr-defined]
_all_heads = union_all(
    select(_C.number, _C.version, _C.head, literal_column("0").label("stub")), select(_D.case, _D.seq, _D.hash, literal_column("1"))
).subquery()
_before_disposal = select(_D.prev_hash).where(_D.case == bindparam("wanted"), _D.seq == bindparam("next"))
_head = select(_C.number, _C.version, _C.head)
_heads = Prepared(_head.where(_C.number > bindparam("after"), _C.number <= bindparam("until")).order_by(_C.number))
_standing = Prepared(
    select(_E.seq, _E.hash, _E.recorded_at).where(_E.case == bindparam("wanted"), or_(_E.seq == bindparam("seq"), _E.seq == bindparam("next")))
)
_head_of = Prepared(_head.where(_C.number == bindparam("wanted")))


class SqlRecord(SqlApart):
    """Implements services.verifying.Reader."""

    def ranges(self, size: int = STRETCH) -> Iterator[Range]:
        """Where each stretch begins and ends; together they cover every number, also those of entries without a case."""
        after = ""
        while after != LAST:
            query = select(_C.number).where(_C.number > after).order_by(_C.number).limit(1).offset(size - 1)
            until = next((str(row.number) for row in self._read(query)), LAST)
            yield after, until
            after = until

    def part(self, within: Range) -> Part:
        """What holds in a stretch."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            try:
                return _part(connection, within)
            except (DBAPIError, sqlite3.Error):  # a text that is none stops the driver
                with _tolerant(connection):
                    return _part(connection, within)

    def exact(self, case: str) -> tuple[Head | None, list[Entry], list[RecordFault]]:
        """A case: its head, its entries as far as they can be read, and those that can't."""
        entries, faults = [], []
        with explained(self._where), self._transaction("BEGIN") as connection, _tolerant(connection):
            found = _head_of.rows(connection, wanted=case)
            for row in _scan_one.rows(connection, wanted=case):
                try:
                    entries.append(_entry(row))
                except (ValueError, TypeError, AttributeError) as error:
                    faults.append(RecordFault(case, row[1], f"the entry can't be read: {error}"))
        return (Head(*found[0]) if found else None), entries, faults

    def heads(self) -> Iterator[Head]:
        """The head of every case, sorted by number, by code point."""
        with explained(self._where), self._transaction("BEGIN") as connection, _tolerant(connection):
            for row in streamed(connection, select(_all_heads).order_by(by_code_point(connection, _all_heads.c.number))):
                yield Head(row[0], row[1], row[2], bool(row[3]))

    def standings(self, wanted: Sequence[tuple[str, int]]) -> list[Standing]:
        """Of each case and entry: that entry's hash, and when the next one says that it was recorded."""
        found = []
        with explained(self._where), self._transaction("BEGIN") as connection:
            for case, seq in wanted:
                rows = {row[0]: row for row in _standing.rows(connection, wanted=case, seq=seq, next=seq + 1)}
                after = rows.get(seq + 1)
                kept = rows[seq][1] if seq in rows else connection.execute(_before_disposal, {"wanted": case, "next": seq + 1}).scalar()
                found.append(Standing(kept, _recorded(after[2]) if after is not None else None))
        return found


def _recorded(kept: Any) -> datetime | None:
    try:
        return _as_moment(kept)
    except ValueError:  # the chain says so
        return None


def streamed(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    """The rows of a query as they are needed, never all of them at once."""
    with connection.execute(query, execution_options={"yield_per": 1000}) as rows:
        yield from rows


def by_code_point(connection: Connection, column: Any) -> Any:
    """A column sorted as outsiders sort it who know nothing of the database; SQLite does so by itself."""
    return column.collate("C") if connection.dialect.name == "postgresql" else column


@contextmanager
def _tolerant(connection: Connection) -> Iterator[None]:
    """Texts are given with what is broken in them, instead of none at all."""
    driver: Any = connection.connection.driver_connection
    if not hasattr(driver, "text_factory"):
        yield
        return
    driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str


def _part(connection: Connection, within: Range) -> Part:
    values = {"after": within[0], "until": within[1]}
    return part_of([Head(*row) for row in _heads.rows(connection, **values)], _links(_scan.rows(connection, **values)))


def _links(rows: list[tuple[Any, ...]]) -> Iterator[Link]:
    """Each entry with its hash made anew from its texts."""
    for row in rows:
        case, seq, previous, kept, key, facts, recorded_at, effective_on, because = row[:9]
        try:
            digest = text_digest(key, _canonical_facts(facts)) if facts != b"{}" else NO_FACTS
            made = text_hash(case, seq, _moment(recorded_at), _day(effective_on), because, previous, digest, row[9:])
        except (ValueError, TypeError, AttributeError):
            made = None
        yield case, seq, previous, kept, made  # type: ignore[misc]  # a plain tuple is made in half the time


def _moment(kept: Any) -> str:
    """A moment as its hash covers it, from how the database keeps it: a text in UTC, or a moment."""
    if type(kept) is not str:
        return moment_text(kept)
    if kept[10:11] != " ":
        raise ValueError("no moment")
    return f"{kept[:10]}T{kept[11:19]}+00:00" if kept[19:] == ".000000" else f"{kept[:10]}T{kept[11:]}+00:00"


def _day(kept: Any) -> str:
    return kept if type(kept) is str else str(kept.isoformat())


_known: dict[bytes, bytes] = {}


def _canonical_facts(text: bytes) -> dict[str, Any]:
    """The text of each fact; of one that holds a map, with its names sorted. Settings are the same in many cases, and sorted once."""
    facts: dict[str, Any] = _split(text)
    if text.find(b"{", 1) < 0:
        return facts
    for name, raw in facts.items():
        made = bytes(raw)
        if b"{" in made:
            facts[name] = _canonical(made)
    return facts


def _canonical(raw: bytes) -> bytes:
    found = _known.get(raw)
    if found is None:
        if len(_known) >= MOST:
            _known.clear()
        found = _known[raw] = _sorted(_plain(raw))
    return found


def _entry(row: tuple[Any, ...]) -> Entry:
    """An entry from its row. Raises ValueError or TypeError, saying which column can't be read."""
    case, seq, previous, kept, key, facts, recorded_at, effective_on, because, *rest = row
    action, kind, name, role, before, after, pack, calendar, cites = rest
    return Entry(
        case=case,
        seq=seq,
        recorded_at=_as_moment(recorded_at),
        effective_on=_as_day(effective_on),
        actor=Actor(kind, name, role),
        action=action,
        from_state=before,
        to_state=after,
        facts=mapping.plain_map(facts),
        because=because,
        cites=mapping.plain_list(cites),
        pack_version=pack,
        calendar_version=calendar,
        key=key,
        prev_hash=previous,
        hash=kept,
    )


def _as_moment(kept: Any) -> datetime:
    if not isinstance(kept, str):
        return kept.astimezone(UTC)  # type: ignore[no-any-return]
    made = datetime.fromisoformat(kept).replace(tzinfo=UTC)
    if made.strftime("%Y-%m-%d %H:%M:%S.%f") != kept:
        raise ValueError("recorded_at is not written as a moment")
    return made


def _as_day(kept: Any) -> date:
    if not isinstance(kept, str):
        return kept  # type: ignore[no-any-return]
    made = date.fromisoformat(kept)
    if made.isoformat() != kept:
        raise ValueError("effective_on is not written as a day")
    return made
