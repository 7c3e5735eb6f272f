"""The statements of acting and sweeping, built once at import on the SQLModel tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, Table, and_, bindparam, case, delete, exists, false, func, insert, literal_column, null, or_, select, table, true, update
from sqlalchemy.dialects import sqlite

from caseflow.adapters.store import upsert
from caseflow.adapters.store.buffer import WAITING
from caseflow.adapters.store.prepared import Prepared
from caseflow.adapters.store.tables import papers, record
from caseflow.adapters.store.updating import COMPARED
from caseflow.domain.mailing import TO_SEND
from caseflow.services.sight import Sight

CASE: Table = record.CaseFile.__table__  # type: ignore[attr-defined]
ALIAS: Table = record.CaseAlias.__table__  # type: ignore[attr-defined]
ENTRY: Table = record.JournalEntry.__table__  # type: ignore[attr-defined]
LIMIT: Table = record.LimitUse.__table__  # type: ignore[attr-defined]
TIMER: Table = record.TimerRow.__table__  # type: ignore[attr-defined]
LETTER: Table = papers.LetterRow.__table__  # type: ignore[attr-defined]
COPY: Table = papers.LetterCopy.__table__  # type: ignore[attr-defined]
ATTEMPT: Table = papers.LetterAttempt.__table__  # type: ignore[attr-defined]
COMMAND: Table = record.Command.__table__  # type: ignore[attr-defined]
COUNTER: Table = record.Counter.__table__  # type: ignore[attr-defined]
PACK: Table = record.PackVersion.__table__  # type: ignore[attr-defined]
CALENDAR: Table = record.KeptCalendar.__table__  # type: ignore[attr-defined]
ADOPTION: Table = record.AdoptionRow.__table__  # type: ignore[attr-defined]
META: Table = record.Meta.__table__  # type: ignore[attr-defined]
DOCUMENT: Table = papers.DocumentRow.__table__  # type: ignore[attr-defined]


# Statuses are written out: a list is no parameter of executemany, and SQLite plans a statement anew for each value
# that it compares with a column of a partial index.
_open = TIMER.c.status == literal_column("'open'")


def _status(table: Table, *values: str) -> Any:
    return table.c.status.in_([literal_column(f"'{value}'") for value in values])


def seen(sight: Sight, of: Any = CASE) -> Any:
    """The condition that a case is seen, the same as `Sight.covers`."""
    if sight.parts is None:
        return true()
    c, parts = of.c, []
    for part in sight.parts:
        tests = [~(literal_column("' '") + c.flags + literal_column("' '")).contains(f" {flag} ", autoescape=True) for flag in part.not_flagged]
        if part.workflows is not None:
            tests.append(c.workflow.in_(part.workflows))
        if part.assigned:
            tests.append(c.assigned_to == sight.person if sight.person else false())
        parts.append(and_(true(), *tests))
    return or_(false(), *parts)


def _columns(table: Table, without: tuple[str, ...] = ()) -> dict[str, Any]:
    return {column.name: bindparam(column.name) for column in table.c if column.name not in without}


def _insert(table: Table) -> Prepared:
    return Prepared(insert(table).inline().values(_columns(table)))


read_schema: Select[Any] = select(literal_column("version_num")).select_from(table("alembic_version"))
read_live = select(META.c.value).where(META.c.key == "live")
# Whether any calendar was ever adopted is asked along with the case: a question of its own would cost each act as much as the case does.
_is_adopted = exists().select_from(ADOPTION)
read_case = Prepared(select(CASE.c.body, _is_adopted).where(CASE.c.number == bindparam("wanted")))
_compared = [CASE.c[name] for name in COMPARED]
read_row = Prepared(select(CASE.c.body, _is_adopted, *_compared).where(CASE.c.number == bindparam("wanted")))
# The row of a case is the lock of everything about it, on a server; SQLite has one writer at a time and needs none. Who locks a case locks
# the cases of its request with it, in their order, so that no two wait for each other and what one act asks of the others stays so.
_own = CASE.alias()
_request = select(_own.c.request).where(_own.c.number == bindparam("wanted")).scalar_subquery()
lock_request = Prepared(select(CASE.c.number, CASE.c.body, _is_adopted).where(CASE.c.request == _request).order_by(CASE.c.number).with_for_update(of=CASE))
lock_cases = (
    select(CASE.c.number, CASE.c.body, _is_adopted.label("is_adopted"))
    .where(CASE.c.number.in_(bindparam("wanted", expanding=True)))
    .order_by(CASE.c.number)
    .with_for_update(of=CASE)
)
# The same command twice at once: the second waits until the first is done, and then finds it.
lock_command = Prepared(select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("wanted", type_=COMMAND.c.id.type), literal_column("0")))))
read_case_of = Prepared(select(LETTER.c.case).where(LETTER.c.number == bindparam("wanted")))
read_rows = select(CASE.c.body, _is_adopted, *_compared).where(CASE.c.number.in_(bindparam("wanted", expanding=True)))
read_alias = select(ALIAS.c.case).where(ALIAS.c.alias == bindparam("wanted")).order_by(ALIAS.c.case).limit(1)
read_request = select(CASE.c.body).where(CASE.c.request == bindparam("wanted"))
read_seen = select(CASE.c.number, CASE.c.workflow, CASE.c.assigned_to, CASE.c.flags).where(CASE.c.number == bindparam("wanted"))
LETTER_ORDER = (LETTER.c.owed_on, LETTER.c.case, LETTER.c.seq, LETTER.c.number)
read_letters = select(LETTER).where(LETTER.c.case == bindparam("wanted")).order_by(*LETTER_ORDER)
read_copies = select(COPY).where(COPY.c.letter.in_(select(LETTER.c.number).where(LETTER.c.case == bindparam("wanted"))))
read_entries = select(ENTRY).where(ENTRY.c.case == bindparam("wanted")).order_by(ENTRY.c.seq)
read_command = Prepared(select(COMMAND.c.case, COMMAND.c.version).where(COMMAND.c.id == bindparam("wanted")))
read_due = (
    select(TIMER.c.id, TIMER.c.case, TIMER.c.clock, TIMER.c.kind, TIMER.c.action, TIMER.c.due, TIMER.c.at, TIMER.c.round)
    .where(_open, TIMER.c.at <= bindparam("until"))
    .order_by(TIMER.c.at, TIMER.c.id)
    .limit(bindparam("most"))
)
# Timers and cases that others hold are passed over: who holds them does what is due.
claim_due = read_due.join(CASE, CASE.c.number == TIMER.c.case).with_for_update(of=(CASE, TIMER), skip_locked=True)
# How many is a parameter: where SQLite sees that it is one, and statistics were kept, it sorts all timers in place of reading the first.
read_next_due = select(TIMER.c.at).where(_open).order_by(TIMER.c.at, TIMER.c.id).limit(bindparam("most")).offset(bindparam("skip"))
next_due = Prepared(read_next_due)
read_heads = select(CASE.c.number, CASE.c.head).where(CASE.c.number.in_(bindparam("wanted", expanding=True)))

insert_case = _insert(CASE)
insert_alias = _insert(ALIAS)
insert_entry = _insert(ENTRY)
insert_limit = _insert(LIMIT)
delete_limit = Prepared(
    delete(LIMIT).where(LIMIT.c.case == bindparam("of_case"), LIMIT.c.limit_id == bindparam("of_limit"), LIMIT.c.ordinal == bindparam("of_ordinal"))
)


def _open_timer(dialect: Any) -> Any:
    """Opens a timer, also one that was canceled or parked before. One that has fired never opens again."""
    made = dialect.insert(TIMER).values(_columns(TIMER, without=("id",)))
    return made.on_conflict_do_update(
        index_elements=["case", "clock", "kind", "due", "round"],
        set_={"status": made.excluded.status, "note": made.excluded.note, "at": made.excluded.at, "action": made.excluded.action},
        where=~_status(TIMER, "fired", "refused"),
    )


open_timer = Prepared(_open_timer(sqlite), {"postgresql": _open_timer})
close_timer = Prepared(
    update(TIMER)
    .where(
        TIMER.c.case == bindparam("of_case"),
        TIMER.c.clock == bindparam("of_clock"),
        TIMER.c.kind == bindparam("of_kind"),
        TIMER.c.due == bindparam("of_due"),
        TIMER.c.round == bindparam("of_round"),
        _status(TIMER, "open", "parked"),
    )
    .values(status=bindparam("to_status"))
)
settle_timer = Prepared(update(TIMER).where(TIMER.c.id == bindparam("of_row"), _open).values(status=bindparam("to_status"), note=bindparam("to_note")))
insert_letter = _insert(LETTER)
_in_flight = select(COPY.c.id).where(COPY.c.letter == LETTER.c.number, COPY.c.claim.is_not(None)).exists()
# A letter that is being handed over at this moment can't be called back: what becomes of it is told by who hands it over.
cancel_letter = Prepared(
    update(LETTER).where(LETTER.c.number == bindparam("of_number"), _status(LETTER, *WAITING), ~_in_flight).values(status=literal_column("'canceled'"))
)
move_letter = Prepared(
    update(LETTER)
    .where(LETTER.c.number == bindparam("of_number"))
    .values(
        status=bindparam("to_status"),
        sent_on=func.coalesce(bindparam("to_sent_on", type_=LETTER.c.sent_on.type), LETTER.c.sent_on),
        proof=case((bindparam("to_proof") == literal_column("''"), LETTER.c.proof), else_=bindparam("to_proof")),
    )
)
insert_copy = _insert(COPY)
_letter_gone = select(LETTER.c.number).where(LETTER.c.number == bindparam("of_number"), _status(LETTER, "canceled")).exists()
cancel_copies = Prepared(
    update(COPY).where(COPY.c.letter == bindparam("of_number"), _status(COPY, *WAITING), _letter_gone).values(status=literal_column("'canceled'"))
)
move_copies = Prepared(
    update(COPY)
    .where(COPY.c.letter == bindparam("of_number"))
    .values(status=bindparam("to_status"), sent_on=func.coalesce(bindparam("to_sent_on", type_=COPY.c.sent_on.type), COPY.c.sent_on))
)
correct_letter = Prepared(update(LETTER).where(LETTER.c.number == bindparam("of_number")).values(corrected_by=bindparam("to_number")))
COPY_MOVES = ("status", "attempts", "begun_at", "next_at", "claim", "claimed_until", "message_id", "content", "batch", "sent_on", "proof")
change_copy = (
    update(COPY)
    .where(COPY.c.id == bindparam("of_copy"), func.coalesce(COPY.c.claim, literal_column("''")) == bindparam("held"))
    .values({name: bindparam(f"to_{name}") for name in COPY_MOVES})
)
_to_send = (_status(COPY, *TO_SEND), COPY.c.batch.is_(None), COPY.c.claim.is_(None))


def waiting_copies(moment: Any, channels: Any, at_once: bool) -> Select[Any]:
    """The copies that may leave by a moment, those that have waited longest first."""
    may = COPY.c.next_at.is_(None) | (COPY.c.next_at <= moment)
    return (
        select(COPY).where(*_to_send, may | (COPY.c.attempts == 0) if at_once else may, COPY.c.channel.in_(list(channels))).order_by(COPY.c.next_at, COPY.c.id)
    )


def claimed(query: Select[Any]) -> Select[Any]:
    """The same copies, locked with their cases; those that others hold are passed over. SQLite has nothing to lock."""
    return query.join(CASE, CASE.c.number == COPY.c.case).with_for_update(of=(CASE, COPY), skip_locked=True)


def _next_number(dialect: Any) -> Any:
    made = dialect.insert(COUNTER).values(prefix=bindparam("prefix"), year=bindparam("year"), last=literal_column("1"))
    return made.on_conflict_do_update(index_elements=["prefix", "year"], set_={"last": COUNTER.c.last + literal_column("1")}).returning(COUNTER.c.last)


next_number = Prepared(_next_number(sqlite), {"postgresql": _next_number})


def kept_once(connection: Any, table: Any) -> Any:
    """An insert that leaves what is there."""
    return upsert.insert(connection, table).on_conflict_do_nothing()


def put(connection: Any, table: Any, values: dict[str, Any]) -> Any:
    """An insert that puts the values in place of those of the same key."""
    made = upsert.insert(connection, table).values(values)
    keys = [column.name for column in table.primary_key]
    return made.on_conflict_do_update(index_elements=keys, set_={name: made.excluded[name] for name in values if name not in keys})


def count_guess(connection: Any, table: Any) -> Any:
    """One more wrong guess of a key: the database counts, so that guesses at the same moment are each counted."""
    until = bindparam("until", type_=table.c.rests_until.type)
    rests = case((bindparam("most", type_=table.c["count"].type) <= literal_column("1"), until), else_=null())
    made = upsert.insert(connection, table)
    made = made.values({"key": bindparam("of_key"), "count": literal_column("1"), "last_at": bindparam("at"), "rests_until": rests})
    count = table.c["count"] + literal_column("1")
    resting = case((count >= bindparam("most", type_=table.c["count"].type), until), else_=null())
    return made.on_conflict_do_update(index_elements=["key"], set_={"count": count, "last_at": made.excluded.last_at, "rests_until": resting})


insert_command = _insert(COMMAND)
